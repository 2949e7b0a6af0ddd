import { z } from 'zod'
import type { Context } from '../context.ts'
import type { Field, FieldPosition, InColumn, Sent } from '../kernel/index.ts'
import { readTexts } from '../lib/values.ts'
import { sql } from '../sql.ts'

/** A field for a list of words from a fixed set; answers may show it under another key than requests use. */
export function words<const Name extends string>(options: {
  readonly doc: string
  readonly of: readonly string[]
  readonly column: Name
}): Field<readonly string[]> & InColumn<Name> {
  const { doc, of, column } = options
  const message = `must be a list of ${of.join(', ')}`
  const schema = z.array(z.enum(of as [string, ...string[]], { error: message }), { error: message })
  return {
    kind: 'words',
    doc,
    writable: ({ name }) => ({ [name]: { schema: () => schema.nullable().meta({ description: doc }) } }),
    readable: () => ({
      [column]: { schema: () => schema.meta({ description: doc }), sql: (alias) => sql.ref(`${alias}.${column}`) },
    }),
    search: () => [],
    column: () => ({ name: column, type: 'text[]', nullable: false }),
    read: readClearable,
  }
}

/** A field for a list of texts, which the schema limits; null clears it. */
export function texts(
  { kind, doc }: { readonly kind: string; readonly doc: string },
  schema: z.ZodType,
  read: Field<readonly string[]>['read'] = readClearable,
): Field<readonly string[]> {
  return {
    kind,
    doc,
    writable: ({ name }) => ({ [name]: { schema: () => schema.nullable().meta({ description: doc }) } }),
    readable: ({ name }) => ({
      [name]: {
        schema: () => z.array(z.string()).meta({ description: doc }),
        sql: (alias) => sql.ref(`${alias}.${name}`),
      },
    }),
    search: () => [],
    column: ({ name }) => ({ name, type: 'text[]', nullable: false }),
    read,
  }
}

/** Reads a list of texts as sent; null clears it. */
export async function readClearable(
  _ctx: Context,
  { name }: FieldPosition,
  sent: Sent,
): Promise<readonly string[] | undefined> {
  const sentTexts = readTexts(sent, name)
  return sentTexts === null ? [] : sentTexts
}
