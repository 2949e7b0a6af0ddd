import { sql } from 'kysely'
import { z } from 'zod'
import type { SearchField } from '../../search/schema.ts'
import { readText } from '../../values.ts'
import type { Field } from '../definition.ts'
import { BLANK, NOT_TEXT, tooLong, toText, toWord } from './values.ts'

export interface TextOptions {
  readonly doc: string
  readonly required?: boolean
  /** What is said when another record has the value already. */
  readonly taken?: string
  /** Characters, not bytes. Default 255. */
  readonly max?: number
  /** What the text must look like, and the sentence for when it does not. */
  readonly pattern?: { readonly regexp: RegExp; readonly message: string }
  /** One of these words. */
  readonly oneOf?: readonly string[]
  /** What blank or null is stored as when the column takes no null. */
  readonly blank?: string
  readonly search?: 'free' | 'explicit'
  /** Computed by the database; requests cannot set it. */
  readonly readOnly?: boolean
}

/** A line or a paragraph of Unicode text, kept as it was sent but for surrounding blanks. */
export function text(options: TextOptions): Field<string | null> {
  const { doc, required = false, readOnly = false, blank, taken } = options
  const nullable = !required && blank === undefined
  const schema = textSchema(options, required)
  const input = nullable || blank !== undefined ? schema.nullable() : schema
  return {
    kind: 'text',
    doc,
    required,
    ...(taken !== undefined && { taken }),
    writable: ({ name }) =>
      readOnly ? {} : { [name]: { schema: input.meta({ description: doc }), coerce: options.oneOf ? toWord : toText } },
    readable: ({ name }) => ({
      [name]: {
        schema: () => (nullable ? z.string().nullable() : z.string()).meta({ description: doc }),
        sql: (alias) => sql.ref(`${alias}.${name}`),
      },
    }),
    search: ({ name }) => (options.search ? [textSearch(name, options.search, nullable)] : []),
    column: ({ name }) => ({ name, type: 'text', nullable }),
    read: async (_ctx, { name }, sent) => {
      const value = readText(sent, name)
      return value === null && blank !== undefined ? blank : value
    },
  }
}

function textSchema({ max = 255, pattern, oneOf }: TextOptions, required: boolean): z.ZodType<string> {
  if (oneOf)
    return z.enum(oneOf as [string, ...string[]], { error: `is not included in the list (${oneOf.join(', ')})` })
  let schema = z.string({ error: (issue) => (issue.input === null ? BLANK : NOT_TEXT) })
  if (required) schema = schema.min(1, BLANK)
  // `max` counts UTF-16 units in zod; a limit in characters must not punish scripts outside the basic plane.
  let checked: z.ZodType<string> = schema
    .refine((value) => [...value].length <= max, tooLong(max))
    .meta({ maxLength: max })
  if (pattern) checked = checked.refine((value) => value === '' || pattern.regexp.test(value), pattern.message)
  return checked
}

function textSearch(name: string, search: 'free' | 'explicit', nullable: boolean): SearchField {
  return { name, type: 'text', column: name, nullable, explicit: search === 'explicit' }
}
