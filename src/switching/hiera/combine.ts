import { isMembers } from '../../lib/values.ts'
import { isSame } from '../members.ts'
import type { DataFile } from './data-files.ts'
import type { Options } from './lookup-options.ts'

/** A value of a key in one file. */
export interface Found {
  readonly file: DataFile
  readonly value: unknown
}

/** Values by their matcher, and those that are left out. */
export interface Combined {
  readonly values: readonly Found[]
  readonly left: readonly (Found & { readonly reason: string })[]
  /** How merged values differ from the values that Hiera would find. */
  readonly differences: readonly string[]
}

/** Combines the values of a key, given the highest first, so that each matcher has one value. */
export function combine(found: readonly Found[], merge: Options['merge'], order: readonly string[]): Combined {
  const left: (Found & { reason: string })[] = []
  const fits = found.filter((one) => {
    const reason = findUnfit(one, found, merge, order)
    if (reason !== null) left.push({ ...one, reason })
    return reason === null
  })
  const groups = [...Map.groupBy(fits, ({ file }) => file.match).values()]
  const values = groups.flatMap(([first, ...rest]): Found[] => {
    if (!first) return []
    if (merge === 'first')
      left.push(...rest.map((one) => ({ ...one, reason: `${first.file.name} has a value for the same hosts` })))
    const value = rest.reduce((high, { value: low }) => mergeTwo(merge, high, low), toMergeable(merge, first.value))
    return [{ file: first.file, value }]
  })
  return { values, left, differences: values.length > 1 ? listDifferences(merge, values) : [] }
}

/** Why a value has no place among matchers, whose lines have one place each, and stand before the default. */
function findUnfit({ file, value }: Found, all: readonly Found[], merge: Options['merge'], order: readonly string[]) {
  const isList = merge === 'unique' || (merge === 'deep' && all.every((one) => !isMembers(one.value)))
  if (merge === 'hash' && !isMembers(value)) return 'values that are merged as hashes are maps'
  if (merge === 'deep' && !isList && !isMembers(value)) return 'other files have maps, which merge with maps only'
  if (file.match === null) return null
  const higher = all.filter((one) => one.file.rank < file.rank)
  const general = higher.find((one) => one.file.match === null)
  if (general) return `${general.file.name} stands above it and holds for all hosts, but defaults come last here`
  const placeOf = ({ attributes }: DataFile) => order.indexOf(attributes.join())
  const before = higher.find((one) => placeOf(one.file) > placeOf(file))
  return before
    ? `${before.file.name} stands above it, but matchers by ${file.attributes.join()} come first here`
    : null
}

function toMergeable(merge: Options['merge'], value: unknown): unknown {
  if (merge === 'unique' || (merge === 'deep' && !isMembers(value))) return listUnique(value, [])
  return value
}

function mergeTwo(merge: Options['merge'], high: unknown, low: unknown): unknown {
  if (merge === 'first') return high
  if (merge === 'hash' && isMembers(high) && isMembers(low)) return { ...low, ...high }
  if (merge === 'unique') return listUnique(high, low)
  return mergeDeeply(high, low)
}

function mergeDeeply(high: unknown, low: unknown): unknown {
  if (Array.isArray(high)) return Array.isArray(low) ? listUnique(high, low) : high
  if (!isMembers(high) || !isMembers(low)) return high
  const merged = Object.entries(high).map(([key, value]) => [key, key in low ? mergeDeeply(value, low[key]) : value])
  return { ...low, ...Object.fromEntries(merged) }
}

function listUnique(high: unknown, low: unknown): readonly unknown[] {
  const items = [high, low].flatMap((one) => (Array.isArray(one) ? one.flat(Number.POSITIVE_INFINITY) : [one]))
  return items.filter((one, at) => items.findIndex((other) => isSame(one, other)) === at)
}

function listDifferences(merge: Options['merge'], values: readonly Found[]): readonly string[] {
  const maps = values.map(({ value }) => value).filter(isMembers)
  const inner = maps.flatMap((one) => Object.values(one))
  const hasLists = (value: unknown): boolean =>
    Array.isArray(value) || (isMembers(value) && Object.values(value).some(hasLists))
  const isListed = merge === 'unique' || (merge === 'deep' && maps.length === 0)
  return [
    ...(isListed && values.some(({ file }) => file.match === null)
      ? ['Merged lists begin with the default here, and end with it there.']
      : []),
    ...(merge === 'hash' && inner.some(isMembers) ? ['Maps inside of maps are merged here, too.'] : []),
    ...(merge === 'deep' && inner.some(hasLists)
      ? ['Lists inside of maps are not merged here: the highest counts.']
      : []),
  ]
}
