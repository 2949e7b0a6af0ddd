import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Registry } from '../../src/kernel/definition.ts'
import type { Route } from '../../src/requests/route.ts'
import type { GoldenFile } from './golden.ts'
import { drawLayers, formatAllowed, LAYERS } from './layers.ts'

const ROOT = join(import.meta.dirname, '../..')
const BEGIN = '<!-- written by npm run docs -->'
const END = '<!-- end of what is written -->'

/** Builds the derived parts of ARCHITECTURE.md and of the README of each area. */
export function buildPages(registry: Registry, routes: readonly Route[]): GoldenFile[] {
  const tables = groupTablesByArea(registry)
  const served = groupRoutesByArea(registry, routes)
  return [
    withBlock('ARCHITECTURE.md', drawLayers()),
    ...LAYERS.areas.map((area) =>
      withBlock(
        `src/areas/${area}/README.md`,
        [
          `**Tables**: ${(tables.get(area) ?? []).join(', ') || 'none'}`,
          `**Uses**: ${formatAllowed(area)}`,
          ['**Routes**', '', ...formatPaths(served.get(area) ?? [])].join('\n'),
        ].join('\n\n'),
      ),
    ),
  ]
}

/** Replaces the text between the marks of an existing page. */
function withBlock(path: string, block: string): GoldenFile {
  const page = readFileSync(join(ROOT, path), 'utf8')
  const [before, rest] = page.split(`${BEGIN}\n`)
  const after = rest?.split(END)[1]
  if (before === undefined || after === undefined) throw new Error(`${path} has no place between ${BEGIN} and ${END}`)
  return { path, text: `${before}${BEGIN}\n\n${block}\n\n${END}${after}` }
}

const FILES = LAYERS.areas.flatMap((area) =>
  globSync(`src/areas/${area}/**/*.ts`, { cwd: ROOT })
    .sort()
    .map((file) => [area, readFileSync(join(ROOT, file), 'utf8')] as const),
)

const DOORS = await Promise.all(
  LAYERS.areas.map(async (area) => {
    const door: object = await import(`../../src/areas/${area}/index.ts`)
    return [area, door] as const
  }),
)

/** What the doors of the areas offer: the records in it that have names, such as definitions and actions. */
const OFFERED = DOORS.map(([area, door]) => [area, listNamed(door)] as const)

interface NamedRecord {
  readonly name: string
}

function listNamed(value: unknown, seen = new Set<unknown>()): NamedRecord[] {
  if (typeof value !== 'object' || value === null || seen.has(value)) return []
  seen.add(value)
  const parts = Object.values(value).flatMap((part) => listNamed(part, seen))
  return isNamed(value) ? [value, ...parts] : parts
}

function isNamed(value: unknown): value is NamedRecord {
  return typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string'
}

/** Files below the areas that have tables of their own. */
const BELOW = globSync('src/{kernel,database}/**/*.ts', { cwd: ROOT }).map((file) =>
  readFileSync(join(ROOT, file), 'utf8'),
)

/**
 * Assigns every table to an area: the one that declares a resource for it, otherwise the lowest one that links, writes or
 * reads it.
 */
function groupTablesByArea(registry: Registry): Map<string, string[]> {
  const all = [...readMigrations().matchAll(/^create table (\w+)/gm)].map(([, table = '']) => table).sort()
  const gone = new Set([...readMigrations().matchAll(/^drop table (\w+)/gm)].map(([, table]) => table))
  const findFirst = (pattern: RegExp) => FILES.find(([, source]) => pattern.test(source))?.[0]
  const areaOf = (table: string): string | undefined => {
    const declared = [...registry.values()].filter((resource) => resource.table === table)
    const main = declared.find(({ plural }) => plural === table) ?? declared[0]
    const [, owner = ''] = /^(.*)_(?:organization|location)s$/.exec(table) ?? []
    const reads = new RegExp(`\\b${table}\\b`)
    return (
      (main && areaOfResource(main.name)) ??
      (registry.has(owner) ? areaOfResource(owner) : undefined) ??
      findFirst(new RegExp(`(?:through:|TABLE =) '${table}'|(?:insert into|update|delete from) ${table}\\b`)) ??
      (BELOW.some((source) => reads.test(source)) ? undefined : findFirst(reads))
    )
  }
  return Map.groupBy(
    all.filter((table) => !gone.has(table)),
    (table) => areaOf(table) ?? '',
  )
}

function readMigrations(): string {
  const files = globSync('migrations/*.sql', { cwd: ROOT }).sort()
  return files.map((file) => readFileSync(join(ROOT, file), 'utf8')).join('\n')
}

/** Yields the area that declares a resource; one that is composed elsewhere belongs to the area of its main part. */
function areaOfResource(name: string): string | undefined {
  const declares = (one: NamedRecord) => one.name === name && 'fields' in one && 'views' in one
  const offering = DOORS.find(([, door]) => Object.values(door).some((value) => isNamed(value) && declares(value)))
  // One that a function builds is found by its source.
  const building = FILES.find(
    ([, source]) => source.includes('defineResource(') && new RegExp(`^ {2,4}name: '${name}',$`, 'm').test(source),
  )
  return (offering ?? building)?.[0]
}

/** Assigns every route to an area: that of its action, or of its resource. */
function groupRoutesByArea(registry: Registry, routes: readonly Route[]): Map<string, Route[]> {
  const byPlural = new Map([...registry.values()].map((one) => [one.plural, areaOfResource(one.name)]))
  const areaOf = ({ id, group }: Route): string => {
    const own = byPlural.get(group) ?? ''
    const named = FILES.find(([, source]) => source.includes(`id: '${id}'`))?.[0]
    return named ?? areaOfAction(id.slice(id.lastIndexOf('.') + 1), own)
  }
  return Map.groupBy(routes, areaOf)
}

/** An action that the area of its resource does not have comes from the only other one that has it. */
function areaOfAction(operation: string, own: string): string {
  if (own !== '' && OPERATIONS.includes(operation)) return own
  const offering = OFFERED.filter(([, records]) => records.some((one) => one.name === operation && 'handle' in one))
  // Actions that a function builds are found by their source.
  const building = FILES.filter(([, source]) => new RegExp(`name: '${operation}',\\n *(?:summary|handle)`).test(source))
  const having = new Set((offering.length > 0 ? offering : building).map(([area]) => area))
  const [only] = having
  return having.size === 1 && only ? only : own
}

const OPERATIONS = ['list', 'show', 'create', 'update', 'delete']

/** Formats paths with their methods; paths below other records are left out where a plain one exists. */
function formatPaths(routes: readonly Route[]): string[] {
  const asked = routes.filter(({ id }) => !id.endsWith('.auto_complete_search'))
  return [...Map.groupBy(asked, ({ group }) => group)].map(([group, all]) => {
    const plain = all.filter(({ id }) => id.split('.').length === 2)
    const shown = plain.length > 0 ? plain : all
    const operations = [...new Set(shown.map(({ id }) => id.slice(id.lastIndexOf('.') + 1)))].join(', ')
    const common = findCommonPath(shown.map(({ path }) => path))
    const [shortest = ''] = shown.map(({ path }) => path).sort((a, b) => a.length - b.length)
    const parents = new Set(all.filter((one) => !plain.includes(one)).map(({ id }) => id.split('.')[0]))
    const below = parents.size > 0 ? `; ${plain.length > 0 ? 'also ' : ''}below ${[...parents].join(', ')}` : ''
    return `- \`${common.endsWith('/api') ? shortest : common}\` (${group}): ${operations}${below}`
  })
}

/** Yields the longest common beginning of paths, in whole segments. */
function findCommonPath(paths: readonly string[]): string {
  const [first = '', ...others] = paths.map((path) => path.split('/'))
  const segments = first === '' ? [] : first
  const end = segments.findIndex((segment, at) => others.some((other) => other[at] !== segment))
  return (end === -1 ? segments : segments.slice(0, end)).join('/')
}
