import { sql } from 'kysely'
import type { Database } from './database.ts'
import { rows } from './sql.ts'
import { tallyStatements } from './statements.ts'

/**
 * Vacuums and analyzes the tables of the embedded database in which enough has changed, as a server does by itself. One
 * table after another, so that requests run in between. Yields the number of tables.
 */
export async function vacuumWhereDue(
  { db, kind }: Pick<Database, 'db' | 'kind'>,
  signal: AbortSignal,
): Promise<number> {
  if (kind !== 'pglite') return 0
  await rows(db, sql`select pg_stat_force_next_flush()`)
  const due = await rows<{ name: string }>(
    db,
    sql`
      select s.relname as name from pg_stat_user_tables s join pg_class c on c.oid = s.relid
      where s.schemaname = 'public' and (
        s.n_dead_tup > ${LEAST} + greatest(c.reltuples, 0) * ${SHARE}::float8
        or s.n_mod_since_analyze > ${LEAST} + greatest(c.reltuples, 0) * ${SHARE}::float8)
      order by 1`,
  )
  for (const { name } of due) {
    if (signal.aborted) break
    await tallyStatements({ count: 0, milliseconds: 0, mayBeSlow: true, unlimited: true }, () =>
      rows(db, sql`vacuum (analyze) ${sql.table(name)}`),
    )
  }
  return due.length
}

/**
 * Changed rows from which a table is vacuumed and analyzed: 50 and a tenth of all. A server by default analyzes from as many
 * and vacuums from 50 and a fifth; nobody else uses the processor here.
 */
const LEAST = 50
const SHARE = 0.1
