import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { row } from '../database/sql.ts'
import { Failure } from '../errors.ts'
import { ALWAYS_ASKED, type CompiledSearch } from '../search/index.ts'

/**
 * Refuses a search that would keep the database busy for long, before it is asked: what its conditions cost for each
 * record (search/cost.ts), times the records of the table. Small searches are not looked at, large ones take one short
 * statement. {@throws Failure} bad_search. It does not say how many records there are, which are not all the caller's.
 */
export async function requireAffordable(
  ctx: Context,
  table: string,
  { cost, conditions }: Pick<CompiledSearch, 'cost' | 'conditions'>,
): Promise<void> {
  if (conditions <= ALWAYS_ASKED || cost <= SMALL) return
  const limit = ctx.settings.search_comparisons_limit
  const found = await row<{ records: number }>(
    ctx.db,
    sql`select coalesce(sum(row_count), 0)::bigint as records from table_changes where table_name = ${table}`,
  )
  if (cost * Math.max(found?.records ?? 0, FEWEST) <= limit * 1_000_000) return
  throw new Failure(
    'bad_search',
    `This search is too large: its ${conditions} conditions come to more than ${limit} million comparisons, which is the limit (setting search_comparisons_limit). Ask for less at a time, or write lists as field ^ (a, b, c)`,
    { class: 'ScopedSearch::QueryNotSupported' },
  )
}

/** Costs that no table makes large. */
const SMALL = 50

/** Planning takes its time also where there are no records. */
const FEWEST = 5_000
