/** The operators of comparisons, by the names that error messages use. */
export type Operator = 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'like' | 'unlike' | 'in' | 'notin'

/**
 * A search as a tree. `and` and `or` hold at least two operands and none of their own kind; the empty search is an `and`
 * without operands. A `compare` without a field concerns every field of free text. The value of `in` and `notin` is the list
 * joined by commas.
 */
export type Query =
  | { readonly kind: 'and' | 'or'; readonly operands: readonly Query[] }
  | { readonly kind: 'not'; readonly operand: Query }
  | { readonly kind: 'word'; readonly value: string }
  | { readonly kind: 'compare'; readonly operator: Operator; readonly field: string | null; readonly value: string }
  | { readonly kind: 'has' | 'null'; readonly field: string }

/** The maximum length of a search in characters. */
export const MAX_LENGTH = 131_072

/** The maximum length in characters of a search that is completed. */
export const MAX_TYPED = 4096

/** The maximum length in characters of a suggested value. */
export const MAX_VALUE = 255

/** The maximum number of suggestions. */
export const MAX_SUGGESTIONS = 100

/** The maximum nesting of parentheses, `not` and changes between `and` and `or`. */
export const MAX_DEPTH = 200

/** The maximum number of conditions in a search; a list in parentheses is one condition, however long. */
export const MAX_CONDITIONS = 500

/** The maximum number of comparisons when every word of free text is compared with every field of free text. */
export const MAX_COMPARISONS = 1000
