import type { Sql } from '../../../database/sql.ts'
import { sql } from '../../../sql.ts'

/**
 * The channel that tells all processes that cached users, roles, tokens and sessions may be outdated. Triggers on the
 * tables of users, roles, organizations, sources and tokens notify it (migration 0001); statements that change
 * sessions do so themselves.
 */
export const IDENTITY_CHANNEL = 'identity'

/** Adds a notification to a statement that changes sessions; processes hear it after the commit. */
export function withAnnouncement(statement: Sql): Sql {
  return sql`with changed as (${statement} returning 1) select pg_notify(${IDENTITY_CHANNEL}, '') from changed limit 1`
}
