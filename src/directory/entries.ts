/** Reads attribute values of entries. The library yields one value as such, several as a list, none as an empty list. */
import type { Entry } from './connection.ts'

/**
 * Yields all values of an attribute as text, whatever the case or options of its name; values that are not text are left
 * out.
 */
export function readTexts(entry: Entry, attribute: string | null): string[] {
  return readValues(entry, attribute).filter((value) => typeof value === 'string')
}

/** Yields the first value that is not blank, trimmed. */
export function readText(entry: Entry, attribute: string | null): string | null {
  for (const value of readTexts(entry, attribute)) if (value.trim() !== '') return value.trim()
  return null
}

/** Yields the first value as bytes. */
export function readBytes(entry: Entry, attribute: string | null): Buffer | null {
  const [first] = readValues(entry, attribute)
  if (first === undefined) return null
  return Buffer.isBuffer(first) ? first : Buffer.from(first, 'utf8')
}

/**
 * Yields the values of an attribute: servers may spell its name differently, and add options such as `;binary` or
 * `;lang-en`.
 */
function readValues(entry: Entry, attribute: string | null): (string | Buffer)[] {
  if (!attribute) return []
  const wanted = attribute.toLowerCase()
  const names = Object.keys(entry).filter((name) => name !== 'dn' && name.toLowerCase().split(';')[0] === wanted)
  const exact = names.filter((name) => name.toLowerCase() === wanted)
  return [...exact, ...names.filter((name) => !exact.includes(name))].flatMap((name) => {
    const value = entry[name]
    return value === undefined ? [] : Array.isArray(value) ? value : [value]
  })
}
