import { expect, test } from 'vitest'
import { assembleResources, listTaskHandlers } from '../../src/areas/index.ts'
import { LEFT_OUT } from '../../src/dialect/left-out.ts'
import { createValueTranslator, translateName } from '../../src/dialect/names.ts'
import { toVendorPaths } from '../../src/dialect/paths.ts'
import { OF_RUNS } from '../../src/dialect/routes/machines.ts'
import { vendorRoutes } from '../../src/dialect/routes/routes.ts'
import {
  BULK_TASK,
  FINISHED_TASKS,
  METHODS,
  NAME_PARTS,
  SEARCHES,
  TASK_LABELS,
  VALUES,
} from '../../src/dialect/table.ts'
import { routesOf } from '../../src/kernel/routes.ts'

const routes = routesOf(assembleResources())

test('every route is there in the dialect, under each of its paths, and none hides another', () => {
  const mounted = new Map(vendorRoutes(routes).map((route) => [`${route.method} ${route.path}`, route.id]))
  const hidden = routes
    .filter(({ method, path, id }) => !LEFT_OUT.includes(id) && !OF_RUNS.includes(id) && !isReplaced(method, path))
    .flatMap(({ method, path, id }) => toVendorPaths(path).map((theirs) => ({ at: `${method} ${theirs}`, id })))
    .filter(({ at, id }) => mounted.get(at) !== id)
  expect(hidden).toEqual([])
})

test('a method that stands for another has one to stand for', () => {
  const isKnown = ({ ours, end }: (typeof METHODS)[number]) =>
    routes.some(({ method, path }) => method === ours && path.endsWith(end))
  expect(METHODS.filter((one) => !isKnown(one))).toEqual([])
})

test('a name comes back from the other side as it was, and no two are called the same there', () => {
  const names = new Set(
    routes.flatMap(({ query, body, answers }) => [query, body, ...Object.values(answers)].flatMap(keysOf)),
  )
  expect(names.size).toBeGreaterThan(400)
  const changed = [...names].filter((name) => translateName('ours', translateName('theirs', name)) !== name)
  expect(changed).toEqual([])
  const theirs = [...names].map((name) => translateName('theirs', name))
  expect(new Set(theirs).size).toBe(names.size)
  const words = new RegExp(`(?:^|_)(?:${Object.keys(NAME_PARTS).join('|')})(?:_|$)`)
  expect(theirs.filter((name) => words.test(name))).toEqual([])
})

test('a value that is a word comes back as it was', () => {
  for (const [place, { words }] of Object.entries(VALUES)) {
    const [key = '', within = ''] = place.split('.').reverse()
    const [there, back] = [createValueTranslator('theirs', key, within), createValueTranslator('ours', key, within)]
    const all = Object.keys(words)
    expect(
      all.map((word) => back?.(there?.(word) ?? '')),
      place,
    ).toEqual(all)
  }
})

test('a further word for a value is not a word for another value', () => {
  for (const [place, { words, further = {} }] of Object.entries(VALUES)) {
    expect(
      Object.keys(further).filter((word) => Object.values(words).includes(word)),
      place,
    ).toEqual([])
    expect(
      Object.values(further).filter((word) => words[word] === undefined),
      place,
    ).toEqual([])
  }
})

test('searches that are translated where they are kept are keys that can be written', () => {
  const kept = [...assembleResources().values()].map(({ plural, writable }) => ({
    plural,
    keys: Object.keys(writable),
  }))
  const isKnown = (place: string) => kept.some(({ plural, keys }) => keys.some((key) => `${plural}.${key}` === place))
  expect(SEARCHES.length).toBeGreaterThan(0)
  expect(SEARCHES.filter((place) => !isKnown(place))).toEqual([])
})

test('words for time zones mean zones that users can have', () => {
  const zones = Object.keys(VALUES['users.timezone']?.words ?? {})
  expect(zones.length).toBeGreaterThan(100)
  for (const timeZone of zones) expect(() => new Intl.DateTimeFormat('en', { timeZone }), timeZone).not.toThrow()
})

test('every kind of task that has a label is one that there is', () => {
  const kinds = [
    ...Object.keys(listTaskHandlers(assembleResources())),
    ...Object.values(FINISHED_TASKS).map(({ kind }) => kind),
    BULK_TASK,
  ]
  expect(Object.keys(TASK_LABELS).filter((kind) => !kinds.includes(kind))).toEqual([])
  const finished = routes.filter(({ id }) => Object.keys(FINISHED_TASKS).includes(id))
  expect(new Set(finished.map(({ id }) => id)).size).toBe(Object.keys(FINISHED_TASKS).length)
})

function isReplaced(method: string, path: string): boolean {
  return METHODS.some(({ theirs, end }) => method === theirs && path.endsWith(end))
}

/** Lists the names of all members of a schema. */
function keysOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null || !('def' in schema)) return []
  const def = schema.def as Readonly<Record<string, unknown>> // of zod
  const inside = [def.innerType, def.element, def.valueType, def.in, def.out, ...((def.options as unknown[]) ?? [])]
  const shape = Object.entries((def.shape as Readonly<Record<string, unknown>>) ?? {})
  return [...inside.flatMap(keysOf), ...shape.flatMap(([key, member]) => [key, ...keysOf(member)])]
}

test('a refused search names a field that clients know, and not the column that it is computed from', () => {
  const named = [...assembleResources().values()].flatMap(({ name, searchSchema }) =>
    searchSchema.fields.flatMap(({ name: field, aliases = [], type, column, expression }) =>
      !expression || type === 'text' || [field, ...aliases].includes(column ?? field)
        ? []
        : [`${name}.${field} says ${column}`],
    ),
  )
  expect(named).toEqual([])
})
