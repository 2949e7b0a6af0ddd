import type { Operator } from './query.ts'
import { tablesOf } from './relations.ts'
import type { SearchField } from './schema.ts'

/**
 * What a search may cost before it is asked. The unit is one comparison of a number in one record, about 20 ns; the cost of
 * a search is that of its conditions together, whatever joins them, because each is answered on its own
 * (docs/decisions/0020-cost-of-searches.md).
 */
export function costOf(field: SearchField, operator: Operator | 'has' | 'null'): number {
  const isPattern = operator === 'like' || operator === 'unlike'
  const compared = isPattern ? PATTERN : COMPARISON
  return (field.cost ?? tablesOf(field).length * TABLE * (field.many ? 2 : 1)) + compared
}

const COMPARISON = 1
/** Folding a text and looking through it. */
const PATTERN = 20
/** Finding the row of another table that belongs to a record; twice as much where there may be several. */
const TABLE = 25

/** Tables that conditions may bring into one space of joins: the planner's effort in it grows with its power. */
export const MAX_JOINED = 6

/** What a condition that is kept, and put before everything that somebody asks for, may cost. */
export const MAX_KEPT_COST = 500

/** So many conditions are never too large a search, whatever they are about: there is no smaller way to ask. */
export const ALWAYS_ASKED = 3
