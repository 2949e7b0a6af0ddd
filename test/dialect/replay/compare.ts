import { isList, isObject, type Json, type JsonObject } from './exchanges.ts'

/** A difference in shape between our answer and the recorded one. */
export interface Difference {
  readonly kind: 'key' | 'type' | 'empty'
  /** The keys that lead to it, `results[].organization.label`. */
  readonly path: string
  readonly text: string
  /** Our type, where that differs. */
  readonly found?: string
}

/**
 * Lists the recorded keys that are missing, or whose values have another type; null matches any type. Of lists the first
 * record is compared with ours of that name, otherwise with the one that fits best. Additional keys are allowed.
 */
export function compareShapes(recorded: Json, ours: Json | undefined, path = ''): Difference[] {
  if (recorded === null || ours === null) return []
  const [expected, found] = [typeName(recorded), typeName(ours)]
  if (expected !== found) return [{ kind: 'type', path, text: `${expected} is ${found}`, found }]
  if (isList(recorded) && isList(ours)) return compareLists(recorded, ours, path)
  if (isObject(recorded) && isObject(ours)) {
    // The keys of these counts depend on what has happened.
    if (/(?:^|\.)sync_summary$/.test(path)) return []
    if (path === 'results' && isKeyedByModule(recorded)) return compareLists(rowsOf(recorded), rowsOf(ours), path)
    return Object.entries(recorded).flatMap(([key, value]) => {
      // The version of a product built on the recorded server is not compared.
      if (path === '' && key === 'satellite_version') return []
      const at = path === '' ? key : `${path}.${key}`
      if (!(key in ours)) return [{ kind: 'key' as const, path: at, text: 'missing' }]
      return compareShapes(value, ours[key], at)
    })
  }
  return []
}

/** Tells whether classes are listed by modules, whose names are keys of data. */
function isKeyedByModule(results: JsonObject): boolean {
  const lists = Object.values(results)
  return lists.length > 0 && lists.every((each) => isList(each))
}

function rowsOf(results: JsonObject): Json[] {
  return Object.values(results).flatMap((each) => (isList(each) ? [...each] : []))
}

/** Compares lists: results must exist; nested lists may be empty, because they depend on the data. */
function compareLists(recorded: readonly Json[], ours: readonly Json[], path: string): Difference[] {
  const [first] = recorded
  if (first === undefined) return []
  if (ours.length === 0) return path === 'results' ? [{ kind: 'empty', path, text: 'no results' }] : []
  const partner = namesakeOf(first, ours)
  if (partner !== undefined) return compareShapes(first, partner, `${path}[]`)
  const compared = ours.slice(0, 20).map((each) => compareShapes(first, each, `${path}[]`))
  return compared.reduce((least, each) => (each.length < least.length ? each : least))
}

/** Finds our record that stands for a recorded one: with its name, otherwise the first. */
export function partnerOf(recorded: Json, ours: readonly Json[]): Json | undefined {
  return namesakeOf(recorded, ours) ?? ours[0]
}

function namesakeOf(recorded: Json, ours: readonly Json[]): Json | undefined {
  if (!isObject(recorded)) return ours[0]
  for (const key of ['title', 'name', 'label', 'login', 'match', 'parameter', 'content_label']) {
    const named = recorded[key]
    if (typeof named !== 'string') continue
    const partner = ours.find((each) => isObject(each) && each[key] === named)
    if (partner !== undefined) return partner
  }
  return undefined
}

/** The name of a value's type in JSON; `object` for null. */
export function typeName(value: Json | undefined): string {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'array'
  return typeof value
}
