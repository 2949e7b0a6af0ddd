import { z } from 'zod'
import { readFlag, readText } from '../../lib/values.ts'
import { HIDDEN } from '../../requests/masks.ts'
import {
  BLANK,
  formatTooLong,
  NOT_BOOLEAN,
  NOT_INTEGER,
  NOT_TEXT,
  toBoolean,
  toInteger,
  toText,
  toWord,
} from '../../requests/sent.ts'
import { buildMomentSchema, toMoment } from '../../requests/times.ts'
import type { SearchField } from '../../search/schema.ts'
import { sql } from '../../sql.ts'
import type { Field, ReadableKey, WritableKey } from '../definition.ts'
import type { ColumnType, Required } from '../record.ts'

interface ScalarOptions {
  readonly doc: string
  readonly search?: 'free' | 'explicit' | undefined
  readonly readOnly?: boolean
  readonly initial?: boolean | string | undefined
}

/** How values of a kind are sent, stored in a column, shown and searched. */
interface Scalar extends Pick<WritableKey, 'coerce' | 'exact'>, Pick<ReadableKey, 'time'> {
  readonly kind: string
  readonly column: ColumnType
  readonly search?: SearchField['type']
  readonly input: () => z.ZodType
  readonly output: () => z.ZodType
}

/** Declares a field that is true or false. Null, or nothing on create, means `initial`. */
export function boolean(options: ScalarOptions & { readonly initial: boolean }): Field<boolean> {
  return {
    ...scalar(options, false, {
      kind: 'boolean',
      column: 'boolean',
      search: 'boolean',
      input: () => z.boolean({ error: NOT_BOOLEAN }).nullable(),
      output: () => z.boolean(),
      coerce: (sent) => (sent === HIDDEN ? undefined : toBoolean(sent)), // existing servers show it where they hide a value
    }),
    read: async (_ctx, { name }, sent) => {
      const value = readFlag(sent, name)
      return value === null ? options.initial : value
    },
  }
}

type IntegerOptions = ScalarOptions & { readonly min?: number; readonly max?: number; readonly required?: boolean }

/** Declares a field of a whole number, from `min` to `max`; without these any number of 32 bits. */
export function integer(options: IntegerOptions & Required): Field<number> & Required
export function integer(options: IntegerOptions): Field<number | null>
export function integer(options: IntegerOptions): Field<number | null> {
  const { min = -2147483648, max = 2147483647, required = false } = options
  const input = () =>
    z
      .int({ error: NOT_INTEGER })
      .min(min, `must be greater than or equal to ${min}`)
      .max(max, `must be less than or equal to ${max}`)
  const field = scalar<number | null>(options, !required, {
    kind: 'integer',
    column: 'integer',
    search: 'integer',
    input: required ? input : () => input().nullable(),
    output: () => (required ? z.int() : z.int().nullable()),
    coerce: toInteger,
  })
  return { ...field, required }
}

/** Declares a time. Requests send ISO 8601 or `YYYY-MM-DD HH:MM:SS UTC`; answers have the format of the view (spec 2.1). */
export function timestamp(options: ScalarOptions & { readonly nullable: false }): Field<string>
export function timestamp(options: ScalarOptions & { readonly nullable?: boolean }): Field<string | null>
export function timestamp(options: ScalarOptions & { readonly nullable?: boolean }): Field<string | null> {
  const { nullable = true } = options
  return scalar(options, nullable, {
    kind: 'timestamp',
    column: 'timestamptz',
    search: 'datetime',
    input: () => buildMomentSchema().nullable(),
    output: () => (nullable ? z.string().nullable() : z.string()),
    coerce: toMoment,
    time: true,
  })
}

/** Declares a field of a column of its own name, whose values are shown as they are stored. */
export function scalar<Value>(options: ScalarOptions, nullable: boolean, type: Scalar): Field<Value> {
  const { doc, search, readOnly = false, initial } = options
  const { kind, input, output, coerce, exact, time } = type
  return {
    kind,
    doc,
    writable: ({ name }) => {
      if (readOnly) return {}
      const buildSchema = () => input().meta({ description: doc })
      return { [name]: { schema: buildSchema, initial, ...(coerce && { coerce }), ...(exact && { exact }) } }
    },
    readable: ({ name }) => ({
      [name]: {
        schema: () => output().meta({ description: doc }),
        sql: (alias) => sql.ref(`${alias}.${name}`),
        ...(time && { time }),
      },
    }),
    search: ({ name }) =>
      search && type.search
        ? [{ name, type: type.search, column: name, nullable, explicit: search === 'explicit' }]
        : [],
    column: ({ name }) => ({ name, type: type.column, nullable }),
  }
}

/** Options of a text field: allowed values, the value for blank text, and the search. */
interface TextOptions {
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
