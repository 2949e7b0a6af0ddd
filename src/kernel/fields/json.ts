import { sql } from 'kysely'
import { z } from 'zod'
import type { Field } from '../definition.ts'

/** Any JSON value. What it may be is for the rules of its resource. */
export function json(options: {
  readonly doc: string
  readonly readOnly?: boolean
  readonly nullable?: boolean
  /** Its numbers are stored and shown as they were written. */
  readonly exact?: true
  /** The column of the record that keeps the value out of audits while it is true. */
  readonly maskedBy?: string
}): Field<unknown> {
  const { doc, readOnly = false, nullable = true, exact, maskedBy } = options
  // The schema of any JSON would take an exact number apart.
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
