import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { assembleResources } from '../../src/areas/index.ts'
import type { Caller } from '../../test/support/api.ts'
import { ASKED_BY_ORGANIZATION } from '../../test/support/given.ts'
import { DERIVED, DERIVED_FIRST, PAGES } from '../src/app/pages.ts'
import type { ResourceFull, ResourceShort } from '../src/resources/description.ts'
import type { Found } from './walk-world.ts'

// Lists every page from the table of pages: its address for each resource, and for existing records.

export interface Addresses {
  /** Lists of resources, and handmade pages that are not about a record. */
  readonly whole: readonly string[]
  /** Pages of one record: its page, its form, lists below it. */
  readonly ofRecords: readonly string[]
  /** One page for each entry of the table of pages. */
  readonly ofEach: readonly string[]
  /** Entries without any page. */
  readonly missing: readonly string[]
}

interface World {
  readonly caller: Caller
  /** The organization for resources that require one. */
  readonly organization: number
  /** The records to visit, by resource; for others the first that the service lists. */
  readonly records: ReadonlyMap<string, readonly Found[]>
}

/** Lists the addresses of all pages in a service with these records. */
export async function listAddresses({ caller, organization, records }: World): Promise<Addresses> {
  const resources = readDescription<readonly ResourceShort[]>('index.json')
  const asked = new Set([...ASKED_BY_ORGANIZATION].map((name) => assembleResources().get(name)?.plural))
  const scopeFor = (plural: string) => (asked.has(plural) ? `?organization_id=${organization}` : '')
  const idsIn = async (list: string): Promise<number[]> => {
    const { body } = await caller.get(list)
    return (Array.isArray(body?.results) ? body.results : []).map(({ id }: { id: number }) => id)
  }
  const firstOf = async ({ plural, within, operations: { list } }: ResourceShort): Promise<readonly Found[]> => {
    if (!list) return []
    const scope = scopeFor(plural) || '?'
    if (within === null) {
      const [id] = await idsIn(`${list.path}${scope}&per_page=1`)
      return id === undefined ? [] : [{ home: `/${plural}`, id }]
    }
    const parent = resources.find(({ name }) => name === within)
    for (const above of await idsIn(`${parent?.operations.list?.path}?per_page=all`)) {
      const [id] = await idsIn(list.path.replace(/:\w+/, String(above)))
      if (id !== undefined) return [{ home: `/${parent?.plural}/${above}/${plural}`, id }]
    }
    return []
  }
  const whole = PAGES.filter(({ path }) => !path.includes(':')).map(({ path }) => `/${path}`)
  const ofRecords: string[] = []
  const missing: string[] = []
  for (const resource of resources) {
    const { plural, within, operations } = resource
    const { children } = readDescription<ResourceFull>(`resources/${plural}.json`)
    if (within === null) whole.push(`/${plural}${scopeFor(plural)}`)
    if (within === null && operations.create) whole.push(`/${plural}/new${scopeFor(plural)}`)
    const found = records.get(plural) ?? (await firstOf(resource))
    // The last record has most content.
    const first = found.at(-1)
    if (first && within !== null) ofRecords.push(first.home, ...(operations.create ? [`${first.home}/new`] : []))
    if (operations.show && !first) missing.push(`${plural}/:id`)
    if (first && operations.show) ofRecords.push(`${first.home}/${first.id}`)
    if (first && operations.show && operations.update) ofRecords.push(`${first.home}/${first.id}/edit`)
    if (first && within === null)
      for (const child of children)
        ofRecords.push(`/${plural}/${first.id}/${child.resource}${scopeFor(child.resource)}`)
  }
  const all = [...new Set([...whole, ...ofRecords])]
  const isAt = (path: string, address: string) => patternOf(path).test(address.split('?', 1)[0] ?? '')
  const derived = all.filter((address) => !PAGES.some(({ path }) => isAt(path, address)))
  const findPage = (path: string, among: readonly string[]) => {
    const found = among.find((address) => isAt(path, address))
    if (found === undefined) missing.push(path)
    return found ?? path
  }
  const ofEach = [
    ...PAGES.map(({ path }) => findPage(path, all)),
    ...[DERIVED_FIRST, ...DERIVED].map(({ path }) => findPage(path, derived)),
  ]
  return { whole: [...new Set(whole)], ofRecords: [...new Set(ofRecords)], ofEach: [...new Set(ofEach)], missing }
}

/** Yields the pattern of the addresses of a page: `new` is never an id. */
function patternOf(path: string): RegExp {
  return new RegExp(`^/${path.replace(/:\w+/g, '(?!new(?:/|$))[^/]+')}$`)
}

/** Lists the boxes that are ticked in the untouched form of a new record, according to the schemas. */
export function tickedAtFirst(plural: string): string[] {
  const { create } = readDescription<ResourceFull>(`resources/${plural}.json`)
  return create.flatMap(({ key, widget, initial }) => (widget === 'switch' && initial === true ? [key] : [])).sort()
}

function readDescription<T>(name: string): T {
  return JSON.parse(readFileSync(join(import.meta.dirname, '../src/generated', name), 'utf8'))
}
