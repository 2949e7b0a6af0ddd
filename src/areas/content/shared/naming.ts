import { z } from 'zod'
import { type Field, type Required, text } from '../../../kernel/index.ts'
import { BLANK, formatTooLong, NOT_TEXT } from '../../../requests/sent.ts'
import { isBlank } from '../../../search/blank.ts'

/** The differences between the names of resources. */
export interface ContentNameOptions {
  readonly doc: string
  /** The message when a sibling has the name. */
  readonly taken?: string
  /** Whether commas are allowed; names without commas can be in comma-separated lists. */
  readonly commas?: boolean
  readonly required?: boolean
}

const LENGTH = 255
const TOO_SHORT = 'must contain at least 1 character'
const BLANKS_AROUND = 'must not contain leading or trailing white spaces.'
const COMMAS = 'cannot contain commas'

/** The name of a record below `/content/api`: blanks at its ends are refused instead of removed (content-api §2.5). */
export function contentName(options: ContentNameOptions & { readonly required: false }): Field<string | null>
export function contentName(options: ContentNameOptions): Field<string> & Required
export function contentName(options: ContentNameOptions): Field<string | null> {
  const { doc, taken, commas = true, required = true } = options
  const field = text({ required, search: 'free', doc, ...(taken !== undefined && { taken }) })
  const buildSchema = () => nameSchema(commas).meta({ description: doc, maxLength: LENGTH })
  return { ...field, writable: ({ name }) => ({ [name]: { schema: buildSchema, coerce: toName } }) }
}

function nameSchema(commas: boolean): z.ZodType<string> {
  const schema = z
    .string({ error: (issue) => (issue.input === null ? BLANK : NOT_TEXT) })
    .min(1, TOO_SHORT)
    .refine((name) => !isBlank(name), BLANK)
    .refine((name) => [...name].length <= LENGTH, formatTooLong(LENGTH))
    .refine((name) => name.trim() === name, BLANKS_AROUND)
  return commas ? schema : schema.refine((name) => !name.includes(','), COMMAS)
}

/** Converts numbers and booleans to text, without trimming text. */
function toName(sent: unknown): unknown {
  return typeof sent === 'number' || typeof sent === 'boolean' ? String(sent) : sent
}
