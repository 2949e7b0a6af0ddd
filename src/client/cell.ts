import { membersOf } from '../lib/values.ts'

/** Formats a value on one line: records by their names, lists separated by commas. */
export function cellOf(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map(cellOf).join(', ')
  if (typeof value !== 'object') return String(value).replace(CONTROL, '')
  const { name, title, label } = membersOf(value)
  const called = title ?? name ?? label
  return typeof called === 'string' ? called.replace(CONTROL, '') : JSON.stringify(value)
}

/** Control characters in names must not reach the terminal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g
