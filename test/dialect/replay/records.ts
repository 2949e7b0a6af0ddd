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

/** What stands behind the id in a path, `RHEL%206-1`: nearly the name. */
export const SUFFIX = 'behind the id'

/** What names a recorded record. */
export function labelOf({ label }: Kind, record: JsonObject): string {
  for (const key of [label, 'name', 'title', 'login', SUFFIX]) {
    const value = record[key]
    if (typeof value === 'string' && value !== '') return value
  }
  return label === 'none' || numberOf(record.id) === null ? '' : `recorded-${record.id}`
}

/** The name of a new record that is known by a title alone. */
export function nameFrom(label: string, record: JsonObject): string {
  if (typeof record.name === 'string') return record.name
  return label.split('/').at(-1) ?? label
}

/** A body as the requests of a kind have it. */
export function wrap({ root }: Kind, body: unknown): unknown {
  return root === null ? body : { [root]: body }
}

/** Some keys of a body. */
export function pick(body: Record<string, unknown>, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(keys.filter((key) => key in body).map((key) => [key, body[key]]))
}

/** What `<name>_ids` begins with, for the list of that name. */
export function singularOf(key: string): string {
  return key === 'puppetclasses' ? 'puppetclass' : kindOf(key)
}

/** The number that an id is, also when it was written as text. */
export function numberOf(value: Json | undefined): number | null {
  if (typeof value === 'number') return value
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : null
}

/** The name that a request gives to the record it makes. */
export function requestedLabel(kind: string, request: Json): string {
  const definition = KINDS[kind]
  if (!definition) return ''
  return labelOf(
    { ...definition, label: definition.label === 'title' ? 'name' : definition.label },
    requestedRecord(kind, request),
  )
}

/** What a request says of a record, under the name of its kind or not. */
export function requestedRecord(kind: string, request: Json): JsonObject {
  if (!isObject(request)) return {}
  const root = KINDS[kind]?.root ?? ''
  const nested = request[root]
  return { ...request, ...(isObject(nested) && nested) }
}
