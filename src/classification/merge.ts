import { cast, castAroundTags, isTemplate } from './cast.ts'
import type { Parameter } from './parameter.ts'
import { identityOf, isList, isMap, Unfit, type Value, type ValueMap } from './values.ts'

/** The value of one matcher that takes part in merging. */
export interface MergePart {
  readonly value: Value
}

/**
 * The merged value; null when nothing was left to merge or the result is empty, so that the default is used
 * (smart-parameters §4.7). `fault` says why values could not be merged.
 */
export type Merged = { readonly value: Value | null } | { readonly fault: string }

/**
 * Merges the values of matchers, given best first, and the default value if the parameter says so (smart-parameters §4.7).
 * Lists are joined: the default first, then from best to last. In maps the best value of each key counts, and maps inside
 * maps are merged likewise. A default that is merged with nothing stays unchanged.
 */
export function merge(parameter: Parameter, parts: readonly MergePart[]): Merged {
  const { type, mergeDefault, defaultValue } = parameter
  if (!isMergeable(type)) return { fault: `a ${type ?? 'value without a type'} cannot be merged` }
  if (parts.length === 0) return { value: mergeDefault && !isEmpty(defaultValue) ? defaultValue : null }
  const values = parts.map(({ value }) => (isTemplate(value) ? listOrMap(type, value) : value))
  const start = mergeDefault && defaultValue !== null ? [listOrMap(type, defaultValue)] : []
  return isListed(type, [...start, ...values])
    ? mergeLists(parameter, [...start, ...values])
    : mergeMaps([...values, ...start])
}

/** Tells whether values of this type may be lists or maps. */
export function isMergeable(type: Parameter['type']): type is 'array' | 'hash' | 'json' | 'yaml' {
  return type === 'array' || type === 'hash' || type === 'json' || type === 'yaml'
}

/** Tells whether the merged values are lists; for types that allow lists and maps the values decide. */
export function isListed(type: Parameter['type'], values: readonly Value[]): boolean {
  return type === 'array' || (type !== 'hash' && values.length > 0 && values.every(isList))
}

/** Yields one map overwritten by another; where both hold a map under a key, these are merged. */
export function mergeDeeply(low: ValueMap, high: ValueMap): ValueMap {
  const merged = new Map(low)
  for (const [key, value] of high) {
    const below = merged.get(key)
    merged.set(key, below !== undefined && isMap(below) && isMap(value) ? mergeDeeply(below, value) : value)
  }
  return merged
}

function isEmpty(value: Value): boolean {
  if (value === null || typeof value !== 'object') return value === null
  return (isMap(value) ? value.size : value.length) === 0
}

// A default that was set while it was omitted is still the text that was typed (notes C4), as is a text with template tags.
function listOrMap(type: 'array' | 'hash' | 'json' | 'yaml', value: Value): Value {
  if (typeof value !== 'string') return value
  try {
    return isTemplate(value) ? castAroundTags(type, value) : cast(type, value)
  } catch (error) {
    if (error instanceof Unfit) return value
    throw error
  }
}

function mergeLists({ avoidDuplicates }: Parameter, values: readonly Value[]): Merged {
  if (!values.every(isList)) return { fault: 'what is merged must be lists' }
  const joined = values.flat()
  if (joined.length === 0) return { value: null }
  return { value: avoidDuplicates ? firstOfEach(joined) : joined }
}

function firstOfEach(items: readonly Value[]): readonly Value[] {
  const found = new Map<string, Value>()
  for (const item of items) {
    const identity = identityOf(item)
    if (!found.has(identity)) found.set(identity, item)
  }
  return [...found.values()]
}

// Merges from the last value to the best, so that keys keep the order in which they were first written.
function mergeMaps(values: readonly Value[]): Merged {
  if (!values.every(isMap)) return { fault: 'what is merged must be maps' }
  const merged = values.reduceRight<ValueMap>(mergeDeeply, new Map())
  return { value: merged.size === 0 ? null : merged }
}
