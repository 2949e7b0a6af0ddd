import { sql } from 'kysely'
import type { Db, Sql } from './sql.ts'

/** On whose behalf something is recorded. */
export interface AuditCause {
  /** Null for the service itself. */
  readonly userId: number | null
  readonly userName: string
  readonly address: string | null
  readonly requestId: string | null
}

/** What happened to one record (core-api §10). */
export interface AuditEntry {
  readonly action: 'create' | 'update' | 'destroy'
  /** Class-like name of its resource. */
  readonly type: string
  readonly id: number
  /** What people call it. */
  readonly name: string | null
  /** Values by field; of an update the old and the new. */
  readonly changes: Readonly<Record<string, unknown>>
  readonly comment?: string
}

/** From where the entries are seen: ids of organizations and of locations, as statements over the entry `written`. */
export interface AuditPlaces {
  readonly organizations?: Sql
  readonly locations?: Sql
}

/**
 * Writes audits in the transaction of what they tell of, with one statement: the one place that does. They are numbered
 * by the sequence of their ids, which has gaps, and per record by their version.
 */
export async function insertAudits(
  tx: Db,
  cause: AuditCause,
  entries: readonly AuditEntry[],
  places: AuditPlaces = {},
): Promise<void> {
  if (entries.length === 0) return
  await sql`
    with written as (
      insert into audits (user_id, user_name, action, auditable_type, auditable_id, auditable_name, audited_changes,
        version, comment, remote_address, request_uuid)
      select nullif(${cause.userId}::bigint, 0), ${cause.userName}::text, e.action, e.type, e.id, e.name, e.changes,
        (select coalesce(max(a.version), 0) + 1 from audits a where a.auditable_type = e.type and a.auditable_id = e.id),
        e.comment, ${cause.address}::inet, ${cause.requestId}::text
      from jsonb_to_recordset(${JSON.stringify(entries)}::jsonb)
        as e (action text, type text, id bigint, name text, changes jsonb, comment text)
      order by e.id
      returning id, auditable_id
    )${seenFrom('organization', places.organizations)}${seenFrom('location', places.locations)}
    select count(*) from written`.execute(tx)
}

function seenFrom(kind: 'organization' | 'location', ids: Sql | undefined): Sql {
  if (!ids) return sql``
  return sql`, ${sql.ref(`in_${kind}s`)} as (
      insert into ${sql.table(`audit_${kind}s`)} (audit_id, ${sql.ref(`${kind}_id`)})
      select written.id, places.id from written cross join lateral (${ids}) places (id)
    )`
}
