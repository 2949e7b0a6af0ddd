import { sql } from 'kysely'
import { type Db, rows } from '../database/sql.ts'

/** Who does what a directory or a schedule asks for, in audits. */
export const SYSTEM = 'System'

/** On whose behalf something is recorded; whoever logs in does not decide which groups a directory puts them in. */
export interface Cause {
  readonly userId: number | null
  readonly userName: string
  readonly address: string | null
  readonly requestId: string | null
}

/** The service itself, for somebody at this address. */
export function bySystem(address: string | null = null): Cause {
  return { userId: null, userName: SYSTEM, address, requestId: null }
}

export interface AuditEntry {
  readonly action: 'create' | 'update'
  readonly type: keyof typeof LABELS
  readonly id: number
  readonly changes: Readonly<Record<string, unknown>>
  readonly comment?: string
}

const LABELS = {
  User: sql`select login from users`,
  Usergroup: sql`select name from usergroups`,
  AuthSource: sql`select name from auth_sources`,
}

/** Records what happened to a record of identity, in the transaction in which it happened (core-api §10). */
export async function recordAudit(tx: Db, cause: Cause, entry: AuditEntry): Promise<void> {
  const { action, type, id, changes, comment = null } = entry
  await rows(
    tx,
    sql`
      with written as (
        insert into audits (user_id, user_name, action, auditable_type, auditable_id, auditable_name, audited_changes,
                            version, comment, remote_address, request_uuid)
        select ${cause.userId}::bigint, ${cause.userName}::text, ${action}::text, ${type}::text, ${id}::bigint,
               (${LABELS[type]} where id = ${id}), ${JSON.stringify(changes)}::jsonb, coalesce(max(version), 0) + 1,
               ${comment}::text, ${cause.address}::inet, ${cause.requestId}::text
        from audits where auditable_type = ${type} and auditable_id = ${id}
        returning id
      ),
      of_organizations as (
        insert into audit_organizations (audit_id, organization_id)
        select written.id, organization_id from written, user_organizations
        where ${type} = 'User' and user_id = ${id}
      ),
      of_locations as (
        insert into audit_locations (audit_id, location_id)
        select written.id, location_id from written, user_locations
        where ${type} = 'User' and user_id = ${id}
      )
      select id from written`,
  )
}
