import { isMembers, type Members } from '../../lib/values.ts'
import type { Identities, Side } from './identities.ts'
import { findKey, kindOfReference } from './identities.ts'
import { IGNORABLE } from './ignorable.ts'

/** One difference between two answers. */
export interface Difference {
  readonly kind: 'status' | 'type' | 'value' | 'missing key' | 'missing record' | 'extra record' | 'order' | 'text'
  /** Where it is, with `[]` for each element of a list: `results[].owner_name`. */
  readonly path: string
  /** What the old server says, and what this one does, in words that hold no secret. */
  readonly upstream: string
  readonly here: string
}

/**
 * Compares two parsed answers about records of a kind, such as `hosts`. Ids of the two servers are compared by the records
 * that they name, as far as these are known. `ignored` is called with the reason of each difference that says nothing.
 */
export function compareBodies(
  upstream: unknown,
  here: unknown,
  { kind, identities, ignored }: { kind: string; identities: Identities; ignored: (reason: string) => void },
): readonly Difference[] {
  return [...compareValues(upstream, here, '', kind)]

  function* compareValues(theirs: unknown, ours: unknown, path: string, of: string): Generator<Difference> {
    if (Object.is(theirs, ours)) return
    const key = lastKeyOf(path)
    const rule = IGNORABLE.find((each) => each.key.test(key))
    if (rule) ignored(rule.reason)
    else if (Array.isArray(theirs) && Array.isArray(ours)) yield* compareLists(theirs, ours, path, of)
    else if (isMembers(theirs) && isMembers(ours)) yield* compareMembers(theirs, ours, path, of)
    else if (typeOf(theirs) !== typeOf(ours)) yield describe('type', path, theirs, ours)
    else if (!areSameReference(key, theirs, ours)) yield describe('value', path, theirs, ours)
  }

  function* compareMembers(theirs: Members, ours: Members, path: string, of: string): Generator<Difference> {
    identities.learnPair(of, theirs, ours)
    for (const [key, value] of Object.entries(theirs)) {
      const below = path === '' ? key : `${path}.${key}`
      const rule = IGNORABLE.find((each) => each.key.test(key))
      if (Object.hasOwn(ours, key)) yield* compareValues(value, ours[key], below, chooseKindBelow(key, of))
      else if (rule) ignored(rule.reason)
      else yield describe('missing key', below, value, undefined)
    }
    if (Object.keys(ours).some((key) => !Object.hasOwn(theirs, key))) ignored('keys that only this server has')
  }

  function* compareLists(
    theirs: readonly unknown[],
    ours: readonly unknown[],
    path: string,
    of: string,
  ): Generator<Difference> {
    const keys = { theirs: theirs.map(findKey), ours: ours.map(findKey) }
    if (areIds(path, theirs) || areIds(path, ours)) yield* compareIds(theirs, ours, path)
    else if (areNames(keys.theirs) && areNames(keys.ours)) yield* compareRecords(theirs, ours, path, of)
    else if (theirs.length !== ours.length) yield describe('value', path, theirs, ours)
    else for (const [at, value] of theirs.entries()) yield* compareValues(value, ours[at], `${path}[]`, of)
  }

  /** Compares lists of records by their names, whatever their order; the order of a list itself counts, too. */
  function* compareRecords(
    theirs: readonly unknown[],
    ours: readonly unknown[],
    path: string,
    of: string,
  ): Generator<Difference> {
    const [left, right] = [byKey(theirs), byKey(ours)]
    for (const [key, record] of left) {
      if (right.has(key)) yield* compareValues(record, right.get(key), `${path}[]`, of)
      else yield describe('missing record', `${path}[]`, record, undefined)
    }
    for (const [key, record] of right)
      if (!left.has(key)) yield describe('extra record', `${path}[]`, undefined, record)
    const [inTheirs, inOurs] = [
      [...left.keys()].filter((key) => right.has(key)),
      [...right.keys()].filter((key) => left.has(key)),
    ]
    if (inTheirs.every((key, at) => key === inOurs[at])) return
    if (path === 'results') yield describe('order', path, theirs, ours)
    else ignored('the order of linked records')
  }

  /** Compares lists of ids as sets, by the records that they name. */
  function* compareIds(theirs: readonly unknown[], ours: readonly unknown[], path: string): Generator<Difference> {
    const of = kindOfReference(lastKeyOf(path))
    const name = (side: Side, id: unknown) => (of === null ? null : identities.keyOf(side, of, Number(id)))
    const [left, right] = [theirs.map((id) => name('upstream', id)), ours.map((id) => name('here', id))]
    const areKnown = ![...left, ...right].includes(null)
    if (theirs.length === ours.length && !areKnown) ignored(UNKNOWN)
    else if (theirs.length !== ours.length || left.toSorted().join('\n') !== right.toSorted().join('\n'))
      yield describe('value', path, theirs, ours)
  }

  function areSameReference(key: string, theirs: unknown, ours: unknown): boolean {
    if (!/_id$/.test(key) || typeof theirs !== 'number' || typeof ours !== 'number') return false
    const of = kindOfReference(key)
    const name = (side: Side, id: number) => (of === null ? null : identities.keyOf(side, of, id))
    const [left, right] = [name('upstream', theirs), name('here', ours)]
    if (left === null || right === null) ignored(UNKNOWN)
    return left === null || right === null || left === right
  }
}

const UNKNOWN = 'ids of records whose names were not in an answer'

function describe(kind: Difference['kind'], path: string, theirs: unknown, ours: unknown): Difference {
  const key = lastKeyOf(path)
  return { kind, path, upstream: describeValue(key, theirs), here: describeValue(key, ours) }
}

function byKey(records: readonly unknown[]): Map<string | null, unknown> {
  return new Map(records.map((record) => [findKey(record), record]))
}

function areNames(keys: readonly (string | null)[]): boolean {
  return !keys.includes(null) && !hasTwice(keys)
}

function hasTwice(keys: readonly unknown[]): boolean {
  return new Set(keys).size < keys.length
}

function lastKeyOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1).replace(/(?:\[\])+$/, '')
}

function areIds(path: string, list: readonly unknown[]): boolean {
  return /_ids$/.test(lastKeyOf(path)) && list.length > 0 && list.every((id) => typeof id === 'number')
}

/** Yields the kind of the records below a key: `results` keeps the kind of its list, another key names its own. */
function chooseKindBelow(key: string, of: string): string {
  if (key === 'results') return of
  return kindOfReference(`${key}_id`) ?? key
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'list' : typeof value
}

/** Keys whose texts are names, and so are no secrets. */
const PLAIN = /(?:^|_)(?:name|title|label|login|status|type|state|family|major|minor|message|mac|ip|subtotal|kind)$/

/** Describes a value without its text, unless its key says that it is a name: reports must not hold secrets. */
function describeValue(key: string, value: unknown): string {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (isMembers(value)) return findKey(value) ?? 'an object'
  if (typeof value !== 'string') return String(value)
  return PLAIN.test(key) ? JSON.stringify(value.slice(0, 80)) : `a text of ${value.length} characters`
}
