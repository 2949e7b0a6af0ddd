import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { row } from '../database/sql.ts'
import { Failure } from '../errors.ts'
import { ALWAYS_ASKED, type CompiledSearch } from '../search/index.ts'

/**
 * Refuses a search that would keep the database busy for long, by the cost of its conditions for each record
 * (search/cost.ts) times the number of records. Cheap searches are not looked at; others take one short statement. The
 * message does not tell the number, because it counts invisible records, too. {@throws Failure} bad_search
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

/** The cost for each record up to which a search is fine for any table. */
const SMALL = 50

/** The least number of records to assume: planning takes time on empty tables, too. */
const FEWEST = 5_000
