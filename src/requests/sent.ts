import { badParameter } from '../errors.ts'
import { isMembers, type Members } from '../lib/values.ts'
import { isBlank } from '../search/blank.ts'
import type { Input } from './route.ts'

/** Converts numbers and booleans to text, and removes blanks at both ends of text (core-api §2.7); other values stay. */
export function toText(sent: unknown): unknown {
  if (typeof sent === 'number' || typeof sent === 'boolean') return String(sent)
  if (typeof sent !== 'string') return sent
  return isBlank(sent) ? '' : sent.trim()
}

/** Converts what is sent for a field of fixed words: blank text to null, anything else as `toText` does. */
export function toWord(sent: unknown): unknown {
  return typeof sent === 'string' && isBlank(sent) ? null : toText(sent)
}

/** Converts text of up to 15 digits, maybe with a sign, to a number, and blank text to null; other values stay. */
export function toInteger(sent: unknown): unknown {
  if (typeof sent !== 'string') return sent
  if (isBlank(sent)) return null
  const text = sent.trim()
  return /^[+-]?\d{1,15}$/.test(text) ? Number(text) : sent
}

const TRUE = new Set(['true', 't', '1', 'yes', 'on'])
const FALSE = new Set(['false', 'f', '0', 'no', 'off'])

/** Converts 1, 0 and words such as `"yes"` and `"off"`, in any case, to booleans (spec 2.3), and blank text to null. */
export function toBoolean(sent: unknown): unknown {
  if (sent === 1 || sent === 0) return sent === 1
  if (typeof sent !== 'string') return sent
  if (isBlank(sent)) return null
  const word = sent.trim().toLowerCase()
  return TRUE.has(word) ? true : FALSE.has(word) ? false : sent
}

/** Converts the members of a list of ids as `toInteger` does, and leaves out blank ones; other values stay. */
export function toIds(sent: unknown): unknown {
  if (!Array.isArray(sent)) return sent
  return sent.filter((item) => item !== '' && item !== null).map(toInteger)
}

/** The message for a required value that is missing or blank. */
export const BLANK = "can't be blank"
/** The message for a value that has to be unique and that another record has. */
export const TAKEN = 'has already been taken'
/** The message for a value that is neither text, nor a number or boolean that could be written as text. */
export const NOT_TEXT = 'must be text'
/** The message for text that PostgreSQL cannot store: with NUL or unpaired surrogates. */
export const NOT_STORABLE = 'must be Unicode text without the NUL character'
/** The message for a value that is no integer, or too large to be one exactly. */
export const NOT_INTEGER = 'must be an integer'
/** The message for a value that is no boolean, nor one that `toBoolean` converts. */
export const NOT_BOOLEAN = 'must be true or false'
/** The message for a value that is no list of ids of records. */
export const NOT_IDS = 'must be a list of ids'

/** The messages for values that the database refuses, by the code of its error. */
export const CONSTRAINT_MESSAGES: Readonly<Record<string, string>> = {
  23502: BLANK,
  23503: 'refers to a record that does not exist or is still in use',
  23505: TAKEN,
  23514: 'is invalid',
  22001: 'is too long',
  22003: 'is out of range',
  54000: 'is too long', // beyond what an index holds
}

/** Formats the message for text of too many characters, e.g. `is too long (maximum is 255 characters)`. */
export function formatTooLong(maximum: number): string {
  return `is too long (maximum is ${maximum} characters)`
}

/** Reads a query parameter that may be given once, as text; null when absent. {@throws Failure} bad_parameter */
export function readSingle(query: Members, name: string): string | null {
  const value = query[name]
  if (value === undefined || value === null) return null
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw badParameter(name, value, Array.isArray(value) ? 'must be given once' : 'must be text')
}

/** Reads the path segment that names the record. {@throws Failure} bad_parameter when it is empty */
export function readIdSegment({ params }: Pick<Input, 'params'>): string {
  const id = params.id ?? ''
  if (id === '') throw badParameter('id', id, 'must not be empty')
  return id
}

/** The header with the reason for a request, for programs that cannot change the query. */
export const REASON_HEADER = 'millwright-reason'

/** Reads the reason for seeing hidden values from the query, or else from the header; null without one. */
export function readReason({ query, headers = {} }: Pick<Input, 'query' | 'headers'>): string | null {
  const header = headers[REASON_HEADER]
  // Headers are bytes, which Node reads as Latin-1.
  const sent = query.reason ?? (typeof header === 'string' ? Buffer.from(header, 'latin1').toString() : '')
  const reason = typeof sent === 'string' ? sent.trim() : ''
  return reason === '' ? null : reason
}

/**
 * Yields a request with present names in place of older ones, in the query and in the body, at its top and under `word`.
 * `aliases` has the present name of each older one; where both are sent, the present one wins.
 */
export function withPresentNames(input: Input, word: string, aliases: Readonly<Record<string, string>>): Input {
  const body = renameKeys(input.body, aliases)
  const root = body[word]
  return {
    ...input,
    query: renameKeys(input.query, aliases),
    body: isMembers(root) ? { ...body, [word]: renameKeys(root, aliases) } : body,
  }
}

function renameKeys(keys: Members, aliases: Readonly<Record<string, string>>): Members {
  const used = Object.entries(aliases).filter(([alias, name]) => keys[alias] !== undefined && keys[name] === undefined)
  return { ...keys, ...Object.fromEntries(used.map(([alias, name]) => [name, keys[alias]])) }
}
