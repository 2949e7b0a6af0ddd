import { z } from 'zod'
import { type Field, scalar } from '../kernel/index.ts'

/** Declares a field of any JSON value. The rules of the resource say what the value may be. */
export function json(options: {
  readonly doc: string
  readonly readOnly?: boolean
  readonly nullable?: boolean
  /** Numbers in the value are stored and shown as they were written, `2.0` as `2.0`. */
  readonly exact?: true
  /** The boolean column that hides the value: while it is true, audits mask the value. */
  readonly maskedBy?: string
}): Field<unknown> {
  const { doc, readOnly = false, nullable = true, exact, maskedBy } = options
  return {
    ...scalar({ doc, readOnly }, nullable, {
      kind: 'json',
      column: 'jsonb',
      // The schema for JSON would reject the objects that stand for exact numbers.
      input: () => (exact ? z.unknown() : z.json()),
      output: () => z.json(),
      ...(exact && { exact }),
    }),
    ...(maskedBy !== undefined && { maskedBy }),
  }
}
