import { z } from 'zod'
import { readText } from '../../lib/values.ts'
import { BLANK, formatTooLong, NOT_TEXT, toText, toWord } from '../../requests/sent.ts'
import type { Field } from '../definition.ts'
import type { Required } from '../record.ts'
import { scalar } from './scalar.ts'

/** Options of a text field: allowed values, the value for blank text, and the search. */
export interface TextOptions {
  readonly doc: string
  readonly required?: boolean
  /** The message when another record has the value already. */
  readonly taken?: string
  /** The most characters (Unicode code points); default 255. */
  readonly max?: number
  /** What a text that is not empty has to match, and the message when it does not. */
  readonly pattern?: { readonly regexp: RegExp; readonly message: string }
  /** The only values that are allowed. */
  readonly oneOf?: readonly string[]
  /** What is stored for null, with `oneOf` for blank text, and on create for nothing, in columns that are never null. */
  readonly blank?: string
  readonly search?: 'free' | 'explicit'
  /** The service or the database sets the value; requests cannot. */
  readonly readOnly?: boolean
}

/** Declares a field of a line or a paragraph of Unicode text, without blanks at both ends. */
export function text(options: TextOptions & Required & { readonly readOnly?: false }): Field<string> & Required
export function text(options: TextOptions & (Required | { readonly blank: string })): Field<string>
export function text(options: TextOptions): Field<string | null>
export function text(options: TextOptions): Field<string | null> {
  const { doc, required = false, readOnly = false, blank: initial, taken, oneOf } = options
  const nullable = !required && initial === undefined
  const buildInput = () => {
    const schema = textSchema(options, required)
    return nullable || initial !== undefined ? schema.nullable() : schema
  }
  const buildOutput = () => (nullable ? z.string().nullable() : z.string())
  return {
    ...scalar({ doc, readOnly, search: options.search, initial }, nullable, {
      kind: 'text',
      column: 'text',
      search: 'text',
      input: buildInput,
      output: buildOutput,
      coerce: oneOf ? toWord : toText,
    }),
    required,
    ...(taken !== undefined && { taken }),
    read: async (_ctx, { name }, sent) => {
      const value = readText(sent, name)
      return value === null && initial !== undefined ? initial : value
    },
  }
}

function textSchema({ max = 255, pattern, oneOf }: TextOptions, required: boolean): z.ZodType<string> {
  if (oneOf)
    return z.enum(oneOf as [string, ...string[]], { error: `is not included in the list (${oneOf.join(', ')})` })
  let schema = z.string({ error: (issue) => (issue.input === null ? BLANK : NOT_TEXT) })
  if (required) schema = schema.min(1, BLANK)
  // zod's `max` counts UTF-16 units, which would halve the limit for characters outside of the basic plane.
  let checked: z.ZodType<string> = schema
    .refine((value) => [...value].length <= max, formatTooLong(max))
    .meta({ maxLength: max })
  if (pattern) checked = checked.refine((value) => value === '' || pattern.regexp.test(value), pattern.message)
  return checked
}
