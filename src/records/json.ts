import { z } from 'zod'
import { type Ordered, selectInOrder } from '../database/stored-order.ts'
import { type Field, type ReadableKey, scalar } from '../kernel/index.ts'

/** Declares a field of any JSON value. The rules of the resource say what the value may be. */
export function json(options: {
  readonly doc: string
  readonly readOnly?: boolean
  readonly nullable?: boolean
  /** Numbers in the value are stored and shown as they were written, `2.0` as `2.0`. */
  readonly exact?: true
  /** The boolean column that hides the value: while it is true, audits mask the value. */
  readonly maskedBy?: string
  /** The table of the resource, if another keeps the order of the keys in the value (decision 0054). */
  readonly ordered?: Ordered
}): Field<unknown> {
  const { doc, readOnly = false, nullable = true, exact, maskedBy, ordered } = options
  const field = scalar<unknown>({ doc, readOnly }, nullable, {
    kind: 'json',
    column: 'jsonb',
    // The schema for JSON would reject the objects that stand for exact numbers.
    input: () => (exact ? z.unknown() : z.json()),
    output: () => z.json(),
    ...(exact && { exact }),
  })
  return {
    ...field,
    ...(ordered && { column: ({ name }) => ({ name, type: 'jsonb', nullable, ordered }) }),
    ...(ordered && { readable: (at) => withOrder(ordered, at.name, field.readable(at)) }),
    ...(maskedBy !== undefined && { maskedBy }),
  }
}

function withOrder(
  table: Ordered,
  name: string,
  readable: Readonly<Record<string, ReadableKey>>,
): Readonly<Record<string, ReadableKey>> {
  const { [name]: key } = readable
  return key ? { [name]: { ...key, sql: (alias) => selectInOrder(table, alias) } } : readable
}
