import { isList, isObject, type Json, type JsonObject } from './exchanges.ts'
import { KINDS, type Kind, kindOf } from './kinds.ts'

/** The records of a list, also of one that is keyed by module. */
export function rowsOf(body: Json | undefined): JsonObject[] {
  if (isList(body)) return body.filter(isObject)
  if (!isObject(body)) return []
  const { results } = body
  if (isList(results)) return results.filter(isObject)
  return isObject(results) ? Object.values(results).flatMap((each) => (isList(each) ? each.filter(isObject) : [])) : []
}

/** The key for what follows the id in a path, `RHEL%206-1`, which is nearly the name. */
export const SUFFIX = 'behind the id'

/** Yields the label of a recorded record. */
export function labelOf({ label }: Kind, record: JsonObject): string {
  for (const key of [label, 'name', 'title', 'login', SUFFIX]) {
    const value = record[key]
    if (typeof value === 'string' && value !== '') return value
  }
  return label === 'none' || numberOf(record.id) === null ? '' : `recorded-${record.id}`
}

/** Derives the name of a new record of which only the title is known. */
export function nameFrom(label: string, record: JsonObject): string {
  if (typeof record.name === 'string') return record.name
  return label.split('/').at(-1) ?? label
}

/** Wraps a body as the requests of a kind do. */
export function wrap({ root }: Kind, body: unknown): unknown {
  return root === null ? body : { [root]: body }
}

/** Picks some keys of a body. */
export function pick(body: Record<string, unknown>, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(keys.filter((key) => key in body).map((key) => [key, body[key]]))
}

/** Yields the beginning of `<name>_ids` for the list of that name. */
export function singularOf(key: string): string {
  return key === 'puppetclasses' ? 'puppetclass' : kindOf(key)
}

/** Yields an id as a number, also when it was written as text; null otherwise. */
export function numberOf(value: Json | undefined): number | null {
  if (typeof value === 'number') return value
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : null
}

/** Yields the name that a request gives to its new record. */
export function requestedLabel(kind: string, request: Json): string {
  const definition = KINDS[kind]
  if (!definition) return ''
  return labelOf(
    { ...definition, label: definition.label === 'title' ? 'name' : definition.label },
    requestedRecord(kind, request),
  )
}

/** Yields what a request says about a record, wrapped or not. */
export function requestedRecord(kind: string, request: Json): JsonObject {
  if (!isObject(request)) return {}
  const root = KINDS[kind]?.root ?? ''
  const nested = request[root]
  return { ...request, ...(isObject(nested) && nested) }
}
