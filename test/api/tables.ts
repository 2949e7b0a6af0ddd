import type { Database } from '../../src/database/database.ts'
import { row, rows } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'

/**
 * Tables that change with every login or by themselves, and therefore say nothing about whether a refused write stored
 * something.
 */
const BYSTANDERS = new Set([
  'login_failures',
  'login_requests',
  'schema_migrations',
  'session_identities',
  'sessions',
  'spent_values',
  'table_changes',
])

/** Counts the rows of every table that requests write to. */
export async function tableSizes(database: Database): Promise<Record<string, number>> {
  const tables = await rows<{ name: string }>(
    database.db,
    sql`select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  )
  const counted = tables.filter(({ name }) => !BYSTANDERS.has(name))
  const counts = sql.join(
    counted.map(({ name }) => sql`(select count(*) from ${sql.table(name)})::int as ${sql.ref(name)}`),
  )
  return (await row<Record<string, number>>(database.db, sql`select ${counts}`)) ?? {}
}
