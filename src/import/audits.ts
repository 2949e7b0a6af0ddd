import { sql } from 'kysely'
import type { Db } from '../database/sql.ts'

/** On whose behalf classes are imported. */
export interface Cause {
  readonly user: { readonly id: number | null; readonly name: string }
  readonly origin: { readonly requestId: string | null; readonly address: string | null }
}

/** What happened to one record. */
export interface Entry {
  readonly id: number
  readonly name: string
  readonly changes: Readonly<Record<string, unknown>>
}

type AuditedType = 'Configclass' | 'SmartClassParameter' | 'Environment'

/** Stands for values of parameters that hide theirs. */
export const REDACTED = '[redacted]'

/** Records what an import did to many records of a type, in its transaction and with one statement (core-api §10). */
export async function auditAll(
  tx: Db,
  { user, origin }: Cause,
  action: 'create' | 'update' | 'destroy',
  type: AuditedType,
  entries: readonly Entry[],
): Promise<void> {
  if (entries.length === 0) return
  const places =
    type === 'Environment'
      ? sql`, into_organizations as (
          insert into audit_organizations (audit_id, organization_id)
          select w.id, l.organization_id from written w join environment_organizations l on l.environment_id = w.auditable_id
        ), into_locations as (
          insert into audit_locations (audit_id, location_id)
          select w.id, l.location_id from written w join environment_locations l on l.environment_id = w.auditable_id)`
      : sql``
  await sql`
    with written as (
      insert into audits (user_id, user_name, action, auditable_type, auditable_id, auditable_name, audited_changes, version,
        remote_address, request_uuid)
      select ${user.id}::bigint, ${user.name}::text, ${action}::text, ${type}::text, e.id, e.name, e.changes,
        (select coalesce(max(a.version), 0) + 1 from audits a where a.auditable_type = ${type} and a.auditable_id = e.id),
        ${origin.address}::inet, ${origin.requestId}::text
      from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb) as e (id bigint, name text, changes jsonb)
      order by e.id
      returning id, auditable_id
    )${places}
    select count(*) from written`.execute(tx)
}
