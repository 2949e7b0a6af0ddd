import { sql } from 'kysely'
import { z } from 'zod'
import type { Field } from '../resource.ts'

/** Any JSON value. What it may be is for the rules of its resource. */
export function json(options: {
  readonly doc: string
  readonly readOnly?: boolean
  readonly nullable?: boolean
}): Field<unknown> {
  const { doc, readOnly = false, nullable = true } = options
  return {
    kind: 'json',
    doc,
    required: false,
    secret: false,
    writable: ({ name }) => (readOnly ? {} : { [name]: { schema: z.json().meta({ description: doc }) } }),
    readable: ({ name }) => ({
      [name]: { schema: () => z.json().meta({ description: doc }), sql: (alias) => sql.ref(`${alias}.${name}`) },
    }),
    search: () => [],
    column: ({ name }) => ({ name, type: 'jsonb', nullable }),
  }
}
