import { sql } from 'kysely'
import { z } from 'zod'
import type { Field } from '../kernel/definition.ts'

/** Without a value until one is sent. */
export function unset(field: Field<boolean>): Field<boolean> {
  return {
    ...field,
    column: ({ name }) => ({ name, type: 'boolean', nullable: true }),
    readable: ({ name }) => ({
      [name]: {
        schema: () => z.boolean().nullable().meta({ description: field.doc }),
        sql: (alias) => sql.ref(`${alias}.${name}`),
      },
    }),
    read: async (_ctx, { name }, sent) => sent[name] as boolean | undefined, // null stays null
  }
}
