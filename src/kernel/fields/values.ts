import { isBlank } from '../../search/blank.ts'

/** Numbers and booleans where text is wanted become text, and text loses its surrounding blanks (core-api §2.7). */
export function toText(sent: unknown): unknown {
  if (typeof sent === 'number' || typeof sent === 'boolean') return String(sent)
  if (typeof sent !== 'string') return sent
  return isBlank(sent) ? '' : sent.trim()
}

/** Text for a field of fixed words; blank means null. */
export function toWord(sent: unknown): unknown {
  return typeof sent === 'string' && isBlank(sent) ? null : toText(sent)
}

/** Converts digits in text to a number, blank text to null. */
export function toInteger(sent: unknown): unknown {
  if (typeof sent !== 'string') return sent
  if (isBlank(sent)) return null
  const text = sent.trim()
  return /^[+-]?\d{1,15}$/.test(text) ? Number(text) : sent
}

const TRUE = new Set(['true', 't', '1', 'yes', 'on'])
const FALSE = new Set(['false', 'f', '0', 'no', 'off'])

/** Converts `true`, `1`, `"true"`, `"yes"`, … in any case (spec 2.3), blank text to null. */
export function toBoolean(sent: unknown): unknown {
  if (sent === 1 || sent === 0) return sent === 1
  if (typeof sent !== 'string') return sent
  if (isBlank(sent)) return null
  const word = sent.trim().toLowerCase()
  return TRUE.has(word) ? true : FALSE.has(word) ? false : sent
}

/** A required value is missing or blank. */
export const BLANK = "can't be blank"
/** Another record has a value that has to be unique. */
export const TAKEN = 'has already been taken'
/** A value is neither text, nor a number or boolean that could be written as text. */
export const NOT_TEXT = 'must be text'
/** A text that PostgreSQL cannot store: with NUL or unpaired surrogates. */
export const NOT_STORABLE = 'must be Unicode text without the NUL character'
/** A value is no integer, or too large to be one exactly. */
export const NOT_INTEGER = 'must be an integer'
/** A value is none of those that `toBoolean` understands. */
export const NOT_BOOLEAN = 'must be true or false'
/** A value is no list of the ids of records. */
export const NOT_IDS = 'must be a list of ids'

/** Formats the message, e.g. `is too long (maximum is 255 characters)`. */
export function formatTooLong(maximum: number): string {
  return `is too long (maximum is ${maximum} characters)`
}
