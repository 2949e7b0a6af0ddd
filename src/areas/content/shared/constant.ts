import { z } from 'zod'
import type { ReadableKey } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'

/** A key that clients of existing servers expect, and that is always null here. */
export function nothing(description: string): ReadableKey {
  return { schema: () => z.null().meta({ description }), sql: () => sql`null` }
}

/** Several keys that existing servers have and that are always null here, with one description. */
export function nothings<const Key extends string>(
  keys: readonly Key[],
  description: string,
): Record<Key, ReadableKey> {
  // fromEntries loses the names of the keys.
  return Object.fromEntries(keys.map((key) => [key, nothing(description)])) as Record<Key, ReadableKey>
}

/** A key with the same value in every record. */
export function constant(schema: z.ZodType, value: unknown): ReadableKey {
  return { schema: () => schema, sql: () => sql`${sql.lit(JSON.stringify(value))}::json` }
}
