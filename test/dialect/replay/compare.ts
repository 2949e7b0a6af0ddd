import { isList, isObject, type Json, type JsonObject } from './exchanges.ts'

/** Where an answer of ours differs in shape from the recorded one. */
export interface Difference {
  readonly kind: 'key' | 'type' | 'empty'
  /** Keys on the way, `results[].organization.label`. */
  readonly path: string
  readonly text: string
  /** The type of ours, where that differs. */
  readonly found?: string
}

/**
 * Every recorded key is there, with a value of the recorded type; null stands for any type. Of lists the first record
 * is compared, with the one of ours that has its name, or else the one that fits best. More keys than recorded are allowed.
 */
export function compareShapes(recorded: Json, ours: Json | undefined, path = ''): Difference[] {
  if (recorded === null || ours === null) return []
  const [expected, found] = [typeName(recorded), typeName(ours)]
  if (expected !== found) return [{ kind: 'type', path, text: `${expected} is ${found}`, found }]
  if (isList(recorded) && isList(ours)) return compareLists(recorded, ours, path)
  if (isObject(recorded) && isObject(ours)) {
    // Counts by what came of each: which there are depends on what happened.
    if (/(?:^|\.)sync_summary$/.test(path)) return []
    if (path === 'results' && isKeyedByModule(recorded)) return compareLists(rowsOf(recorded), rowsOf(ours), path)
    return Object.entries(recorded).flatMap(([key, value]) => {
      // Versions are not compared: that of a product built on the recorded server no more than its own.
      if (path === '' && key === 'satellite_version') return []
      const at = path === '' ? key : `${path}.${key}`
      if (!(key in ours)) return [{ kind: 'key' as const, path: at, text: 'missing' }]
      return compareShapes(value, ours[key], at)
    })
  }
  return []
}

/** Classes are listed by their modules, whose names are no keys of the shape. */
function isKeyedByModule(results: JsonObject): boolean {
  const lists = Object.values(results)
  return lists.length > 0 && lists.every((each) => isList(each))
}

function rowsOf(results: JsonObject): Json[] {
  return Object.values(results).flatMap((each) => (isList(each) ? [...each] : []))
}

/** Results of a list must be there; what is nested depends on the world as much as on the API, and may be empty. */
function compareLists(recorded: readonly Json[], ours: readonly Json[], path: string): Difference[] {
  const [first] = recorded
  if (first === undefined) return []
  if (ours.length === 0) return path === 'results' ? [{ kind: 'empty', path, text: 'no results' }] : []
  const partner = namesakeOf(first, ours)
  if (partner !== undefined) return compareShapes(first, partner, `${path}[]`)
  const compared = ours.slice(0, 20).map((each) => compareShapes(first, each, `${path}[]`))
  return compared.reduce((least, each) => (each.length < least.length ? each : least))
}

/** The record of ours that stands for a recorded one: of the same name, or else the first. */
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
