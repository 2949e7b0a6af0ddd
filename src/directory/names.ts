/** Distinguished names: comparing them, searching below them, and reading their first part. */

/** Whether a text names an attribute, maybe with options (RFC 4512 §2.5). Some servers have names with underscores. */
export function isAttribute(text: string): boolean {
  return /^(?:[a-z][\w-]*|\d+(?:\.\d+)+)(?:;[a-z0-9-]+)*$/i.test(text)
}

/** Escapes a value for a DN (RFC 4514 §2.4). */
export function escapeDnValue(value: string): string {
  return value
    .replace(/[\\,+"<>;=]/g, '\\$&')
    .replaceAll('\0', '\\00')
    .replace(/^[ #]/, '\\$&')
    .replace(/ $/, '\\ ')
}

/** Parses the first attribute and value of a DN, unescaped; null for the empty DN and for a malformed one. */
export function parseFirstRdn(dn: string): { readonly attribute: string; readonly value: string } | null {
  const [first] = splitDn(dn)
  const equals = first?.indexOf('=') ?? -1
  if (!first || equals < 1) return null
  return {
    attribute: first.slice(0, equals).trim().toLowerCase(),
    value: unescapeDnValue(first.slice(equals + 1).trim()),
  }
}

/** Normalizes a DN for comparisons and as a key: lower case, no blanks around separators, escapes resolved. */
export function normalizeDn(dn: string): string {
  if (!UNUSUAL.test(dn)) return dn.toLowerCase()
  return splitDn(dn)
    .map((part) => {
      const equals = part.indexOf('=')
      if (equals < 1) return part.trim().toLowerCase()
      const value = unescapeDnValue(part.slice(equals + 1).trim()).replace(/[\\,]/g, '\\$&')
      return `${part.slice(0, equals).trim()}=${value}`.toLowerCase()
    })
    .join(',')
}

/** Matches DNs that may need normalizing. Most do not, and many are compared at every login. */
const UNUSUAL = /[\\";]|[,=]\s|\s[,=]|^\s|\s$/

/** Yields the DN one level up; '' at the top. */
export function parentDnOf(dn: string): string {
  return splitDn(dn).slice(1).join(',')
}

/** Tells whether a DN lies strictly below another. */
export function isBelow(dn: string, base: string): boolean {
  const top = normalizeDn(base)
  const whole = normalizeDn(dn)
  if (top === '') return whole !== ''
  if (!whole.endsWith(`,${top}`)) return false
  const own = whole.slice(0, -top.length - 1)
  return (/\\*$/.exec(own)?.[0].length ?? 0) % 2 === 0 // an escaped comma is not a separator
}

/** Splits a DN at unescaped commas (and semicolons of old notations). */
function splitDn(dn: string): string[] {
  const parts: string[] = []
  let start = 0
  let quoted = false
  for (let at = 0; at < dn.length; at++) {
    const char = dn[at]
    if (char === '\\') at++
    else if (char === '"') quoted = !quoted
    else if (!quoted && (char === ',' || char === ';')) {
      parts.push(dn.slice(start, at).trim())
      start = at + 1
    }
  }
  const last = dn.slice(start).trim()
  return last === '' && parts.length === 0 ? [] : [...parts, last]
}

/** Resolves escapes: `\2C` and `\,` both stand for a comma; runs of hexadecimal pairs are UTF-8. */
function unescapeDnValue(value: string): string {
  const bare = value.startsWith('"') && value.endsWith('"') && value.length > 1 ? value.slice(1, -1) : value
  return bare.replace(/(?:\\[0-9a-fA-F]{2})+|\\(.)/gs, (found, single: string | undefined) =>
    single === undefined ? Buffer.from(found.replaceAll('\\', ''), 'hex').toString('utf8') : single,
  )
}
