import { kindOf, Reader, type Value } from './values.ts'

const NAMES = `String Integer Float Numeric Symbol Array Hash Range Regexp MatchData Proc NilClass TrueClass FalseClass
  Object`.split(/\s+/)

/** The names of errors for `raise` and `rescue`, which do not distinguish them. */
export const ERRORS: readonly string[] = ['StandardError', 'RuntimeError', 'Exception']

/** The kinds of values for `is_a?` and `when`; they have no methods. */
export const KINDS: ReadonlyMap<string, Reader> = new Map(
  [...NAMES, ...ERRORS].map((name) => [name, new Reader(name, new Map(), name)]),
)

/** Yields the kind of a value; for a reader only its name. */
export function classOf(value: Value): Value {
  const kind = kindOf(value)
  return value instanceof Reader ? kind : (KINDS.get(kind) ?? KINDS.get(nameOfOne(kind)) ?? kind)
}

/** Tells whether a value is of a kind; null where the second is not a kind. */
export function isOfKind(value: Value, kind: Value): boolean | null {
  if (!(kind instanceof Reader) || KINDS.get(kind.name) !== kind) return null
  if (kind.name === 'Object') return true
  if (kind.name === 'Numeric') return typeof value === 'bigint' || typeof value === 'number'
  if (ERRORS.includes(kind.name)) return value instanceof Reader && value.name === ERRORS[0]
  const own = value instanceof Reader ? '' : kindOf(value)
  return own === kind.name || nameOfOne(own) === kind.name
}

/** Yields `NilClass` for nil, and likewise for true and false. */
function nameOfOne(kind: string): string {
  return `${kind[0]?.toUpperCase()}${kind.slice(1)}Class`
}
