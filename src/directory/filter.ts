/**
 * LDAP search filters (RFC 4515) as values: parsed, printed, combined, and sent. The parser is lenient where core-api §6.10
 * says so: parentheses around a single test may be missing, blanks may surround every sign, `!=` is a negated `=`. Unlike
 * there, text behind a complete filter is an error, so that no condition is dropped silently.
 */
import { type BerWriter, Filter as LdapFilter, SearchFilter, type SearchFilterValues } from 'ldapts'
import { readFilter } from './filter-reader.ts'
import type { Filter } from './filter-tree.ts'

/** The matching rule of server type directory_b that follows memberships to any depth. */
export const IN_CHAIN = '1.2.840.113556.1.4.1941'

/** Yields null for a valid or blank filter, otherwise the message for the field `ldap_filter` (core-api §1.3). */
export function filterProblem(text: string | null): string | null {
  if (text === null || text.trim() === '') return null
  try {
    readFilter(text)
    return null
  } catch {
    return 'invalid LDAP filter syntax'
  }
}

/** Builds `(attribute=value)` with the value escaped. */
export function buildEqual(attribute: string, value: string): Filter {
  return { kind: 'equal', attribute, value: Buffer.from(value, 'utf8') }
}

/** Builds `(attribute=*)`. */
export function present(attribute: string): Filter {
  return { kind: 'present', attribute }
}

/** Builds `(attribute:rule:=value)`. */
export function buildMatching(attribute: string, rule: string, value: string): Filter {
  return { kind: 'extensible', attribute, rule, dn: false, value: Buffer.from(value, 'utf8') }
}

/** Joins filters with `&`; a single one stays as it is. */
export function joinAll(parts: readonly Filter[]): Filter {
  return combineFilters('and', parts)
}

/** Joins filters with `|`; a single one stays as it is. */
export function joinAny(parts: readonly Filter[]): Filter {
  return combineFilters('or', parts)
}

/** Joins a condition of this program with the filter of the source, which may be blank. */
export function combine(own: Filter, sourceFilter: string | null): Filter {
  return sourceFilter === null || sourceFilter.trim() === '' ? own : joinAll([own, readFilter(sourceFilter)])
}

/** Converts a filter to the client library's form. */
export function wire(filter: Filter): LdapFilter {
  return new WireFilter(filter)
}

const TAGS = {
  and: SearchFilter.and,
  or: SearchFilter.or,
  not: SearchFilter.not,
  present: SearchFilter.present,
  equal: SearchFilter.equalityMatch,
  atLeast: SearchFilter.greaterOrEqual,
  atMost: SearchFilter.lessOrEqual,
  like: SearchFilter.approxMatch,
  substring: SearchFilter.substrings,
  extensible: SearchFilter.extensibleMatch,
} as const satisfies Record<Filter['kind'], SearchFilterValues>

const OCTETS = 0x04

/**
 * Encodes values as bytes: the library's own classes take most values as text, which corrupts values such as an objectGUID.
 */
class WireFilter extends LdapFilter {
  override type: SearchFilterValues
  readonly #filter: Filter

  constructor(filter: Filter) {
    super()
    this.#filter = filter
    this.type = TAGS[filter.kind]
  }

  override toString(): string {
    return printFilter(this.#filter)
  }

  override write(writer: BerWriter): void {
    if (this.#filter.kind === 'present') writer.writeString(this.#filter.attribute, this.type)
    else super.write(writer)
  }

  override writeFilter(writer: BerWriter): void {
    const filter = this.#filter
    switch (filter.kind) {
      case 'and':
      case 'or':
        for (const part of filter.parts) new WireFilter(part).write(writer)
        return
      case 'not':
        new WireFilter(filter.part).write(writer)
        return
      case 'present':
        return
      case 'substring':
        writer.writeString(filter.attribute)
        writer.startSequence()
        filter.pieces.forEach((piece, at) => {
          const tag = at === 0 ? 0x80 : at === filter.pieces.length - 1 ? 0x82 : 0x81
          if (piece.length > 0) writer.writeBuffer(piece, tag)
        })
        writer.endSequence()
        return
      case 'extensible':
        if (filter.rule) writer.writeString(filter.rule, 0x81)
        if (filter.attribute) writer.writeString(filter.attribute, 0x82)
        writer.writeBuffer(filter.value, 0x83)
        if (filter.dn) writer.writeBoolean(true, 0x84)
        return
      default:
        writer.writeString(filter.attribute)
        writer.writeBuffer(filter.value, OCTETS)
    }
  }
}

/** Formats a filter by RFC 4515. */
function printFilter(filter: Filter): string {
  switch (filter.kind) {
    case 'and':
      return `(&${filter.parts.map(printFilter).join('')})`
    case 'or':
      return `(|${filter.parts.map(printFilter).join('')})`
    case 'not':
      return `(!${printFilter(filter.part)})`
    case 'present':
      return `(${filter.attribute}=*)`
    case 'equal':
      return `(${filter.attribute}=${escapeValue(filter.value)})`
    case 'atLeast':
      return `(${filter.attribute}>=${escapeValue(filter.value)})`
    case 'atMost':
      return `(${filter.attribute}<=${escapeValue(filter.value)})`
    case 'like':
      return `(${filter.attribute}~=${escapeValue(filter.value)})`
    case 'substring':
      return `(${filter.attribute}=${filter.pieces.map(escapeValue).join('*')})`
    case 'extensible': {
      const rule = filter.rule ? `:${filter.rule}` : ''
      return `(${filter.attribute}${filter.dn ? ':dn' : ''}${rule}:=${escapeValue(filter.value)})`
    }
  }
}

/** Escapes a value for a filter (RFC 4515 §3): special characters, NUL, blanks at the ends, and bytes that are not UTF-8. */
function escapeValue(value: string | Buffer): string {
  const bytes = Buffer.from(value)
  const text = bytes.toString('utf8')
  if (!Buffer.from(text, 'utf8').equals(bytes)) return [...bytes].map(escapeByte).join('')
  return text.replace(/[\\*()\0]|^\s+|\s+$/g, (found) => [...Buffer.from(found, 'utf8')].map(escapeByte).join(''))
}

function combineFilters(kind: 'and' | 'or', parts: readonly Filter[]): Filter {
  const [only] = parts
  return only && parts.length === 1 ? only : { kind, parts }
}

function escapeByte(byte: number): string {
  return `\\${byte.toString(16).padStart(2, '0')}`
}
