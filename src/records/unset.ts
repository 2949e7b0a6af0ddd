import { z } from 'zod'
import type { Field } from '../kernel/index.ts'
import { readFlag } from '../lib/values.ts'
import { sql } from '../sql.ts'

/** The field, which is null until a value is sent. */
export function unset(field: Field<boolean>): Field<boolean | null> {
  return {
    ...field,
    column: ({ name }) => ({ name, type: 'boolean', nullable: true }),
    readable: ({ name }) => ({
      [name]: {
        schema: () => z.boolean().nullable().meta({ description: field.doc }),
        sql: (alias) => sql.ref(`${alias}.${name}`),
      },
    }),
    read: async (_ctx, { name }, sent) => readFlag(sent, name), // null stays null
  }
}
