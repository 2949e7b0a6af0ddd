import type { Operator } from './query.ts'
import { tablesOf } from './relations.ts'
import type { SearchField } from './schema.ts'

/**
 * Computes the cost of a condition before it is executed. The unit is one comparison of a number in one record, about 20 ns.
 * The cost of a search is the sum of its conditions, however they are joined, because each is evaluated on its own
 * (docs/decisions/0020-cost-of-searches.md).
 */
export function costOf(field: SearchField, operator: Operator | 'has' | 'null'): number {
  const isPattern = operator === 'like' || operator === 'unlike'
  const compared = isPattern ? PATTERN : COMPARISON
  return (field.cost ?? tablesOf(field).length * TABLE * (field.many ? 2 : 1)) + compared
}

const COMPARISON = 1
/** Case folding of a text and searching through it. */
const PATTERN = 20
/** Finding the row of another table that belongs to a record; double where there may be several. */
const TABLE = 25

/** The number of tables that conditions may join: the planner's effort grows exponentially with it. */
export const MAX_JOINED = 6

/** The maximum cost of a stored condition, which is added to every search of a user. */
export const MAX_KEPT_COST = 500

/** A search with no more conditions than this is never refused as too expensive, because there is no smaller way to ask. */
export const ALWAYS_ASKED = 3

/** The cost up to which a search is fine for any table. */
export const SMALL_COST = 50

/** Computes the cost of a search among so many records; of fewer than 5,000 as of these, because planning takes time, too. */
export function totalCostOf(cost: number, records: number): number {
  return cost * Math.max(records, 5_000)
}
