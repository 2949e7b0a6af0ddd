/** Attribute values of entries. The library returns one value as such, several as a list, none as an empty list. */
import type { Entry } from './connection.ts'

/** All values of an attribute as text, whatever its case or options; bytes that are no text are left out. */
export function texts(entry: Entry, attribute: string | null): string[] {
  return values(entry, attribute).filter((value) => typeof value === 'string')
}

/** The first value that is not blank, trimmed. */
export function text(entry: Entry, attribute: string | null): string | null {
  for (const value of texts(entry, attribute)) if (value.trim() !== '') return value.trim()
  return null
}

/** The first value as bytes. */
export function bytes(entry: Entry, attribute: string | null): Buffer | null {
  const [first] = values(entry, attribute)
  if (first === undefined) return null
  return Buffer.isBuffer(first) ? first : Buffer.from(first, 'utf8')
}

/** Servers may answer in their own spelling, and with options such as `;binary` or `;lang-en` behind the name. */
function values(entry: Entry, attribute: string | null): (string | Buffer)[] {
  if (!attribute) return []
  const wanted = attribute.toLowerCase()
  const names = Object.keys(entry).filter((name) => name !== 'dn' && name.toLowerCase().split(';')[0] === wanted)
  const exact = names.filter((name) => name.toLowerCase() === wanted)
  return [...exact, ...names.filter((name) => !exact.includes(name))].flatMap((name) => {
    const value = entry[name]
    return value === undefined ? [] : Array.isArray(value) ? value : [value]
  })
}
