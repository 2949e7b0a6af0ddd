/** What a comparison may do, in the names that error messages use. */
export type Operator = 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'like' | 'unlike' | 'in' | 'notin'

/**
 * A search as a tree. `and` and `or` hold two operands or more and none of their own kind; only the empty search is an
 * `and` of nothing. A `compare` without a field concerns every field of free text. The value of `in` and `notin` is the
 * list joined by commas.
 */
export type Query =
  | { readonly kind: 'and' | 'or'; readonly operands: readonly Query[] }
  | { readonly kind: 'not'; readonly operand: Query }
  | { readonly kind: 'word'; readonly value: string }
  | { readonly kind: 'compare'; readonly operator: Operator; readonly field: string | null; readonly value: string }
  | { readonly kind: 'has' | 'null'; readonly field: string }

/** How many characters a search may have. */
export const MAX_LENGTH = 131_072

/** How many characters of a search are completed, and of a value that is suggested; and how many suggestions there are. */
export const MAX_TYPED = 4096
export const MAX_VALUE = 255
export const MAX_SUGGESTIONS = 100

/** How deep parentheses, `not` and changes between `and` and `or` may nest. */
export const MAX_DEPTH = 200

/** How many conditions one search may hold; a list in parentheses is one condition, however long. */
export const MAX_CONDITIONS = 500

/** How many comparisons a search may come to when every word of free text is compared with every field of free text. */
export const MAX_COMPARISONS = 1000
