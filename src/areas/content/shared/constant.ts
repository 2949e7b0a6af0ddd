import { sql } from 'kysely'
import { z } from 'zod'
import type { ReadableKey } from '../../../kernel/definition.ts'

/** A key that clients of existing servers look for, and that is null here. */
export function nothing(description: string): ReadableKey {
  return { schema: () => z.null().meta({ description }), sql: () => sql`null` }
}

/** Keys that always answer null, with what each of them would tell. */
export function nothings<const Key extends string>(
  keys: readonly Key[],
  description: string,
): Record<Key, ReadableKey> {
  // The keys are those that were named.
  return Object.fromEntries(keys.map((key) => [key, nothing(description)])) as Record<Key, ReadableKey>
}

/** A key with the same value in every record. */
export function constant(schema: z.ZodType, value: unknown): ReadableKey {
  return { schema: () => schema, sql: () => sql`${sql.lit(JSON.stringify(value))}::json` }
}
