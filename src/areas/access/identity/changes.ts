import { sql } from 'kysely'
import type { Sql } from '../../../database/sql.ts'

/**
 * Heard by every process: what it knows of users, roles, tokens and sessions may no longer be true. Triggers send it for
 * the tables that say who may do what (migration 0001); statements about sessions send it themselves.
 */
export const IDENTITY_CHANNEL = 'identity'

/** Runs a statement that changes sessions and tells all processes when its transaction commits. */
export function withAnnouncement(statement: Sql): Sql {
  return sql`with changed as (${statement} returning 1) select pg_notify(${IDENTITY_CHANNEL}, '') from changed limit 1`
}
