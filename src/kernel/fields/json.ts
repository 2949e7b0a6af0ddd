import { sql } from 'kysely'
import { z } from 'zod'
import type { Field } from '../definition.ts'

/** A field of any JSON value. The rules of the resource say what it may be. */
export function json(options: {
  readonly doc: string
  readonly readOnly?: boolean
  readonly nullable?: boolean
  /** Numbers are stored and shown as they were written. */
  readonly exact?: true
  /** The boolean column that keeps the value out of audits while it is true. */
  readonly maskedBy?: string
}): Field<unknown> {
  const { doc, readOnly = false, nullable = true, exact, maskedBy } = options
  // The schema for JSON would reject the objects that stand for exact numbers.
  const input = exact ? z.unknown() : z.json()
  return {
    kind: 'json',
    doc,
    ...(maskedBy !== undefined && { maskedBy }),
    writable: ({ name }) =>
      readOnly ? {} : { [name]: { schema: input.meta({ description: doc }), ...(exact && { exact }) } },
    readable: ({ name }) => ({
      [name]: { schema: () => z.json().meta({ description: doc }), sql: (alias) => sql.ref(`${alias}.${name}`) },
    }),
    search: () => [],
    column: ({ name }) => ({ name, type: 'jsonb', nullable }),
  }
}
