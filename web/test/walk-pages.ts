import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { assembleResources } from '../../src/areas/index.ts'
import type { Caller } from '../../test/support/api.ts'
import { chooseCover, printChoice } from '../../test/support/cover.ts'
import { ASKED_BY_ORGANIZATION } from '../../test/support/given.ts'
import { DERIVED, DERIVED_FIRST, PAGES } from '../src/app/pages.ts'
import type { Column, FormField, ResourceFull, ResourceShort } from '../src/resources/description.ts'
import type { Found } from './walk-world.ts'

// Lists every page from the table of pages: its address for each resource, and for existing records.

export interface Addresses {
  /** Lists of resources, and handmade pages that are not about a record. */
  readonly whole: readonly string[]
  /** Pages of one record: its page, its form, lists below it. */
  readonly ofRecords: readonly string[]
  /** One page for each component of the table of pages, and of the other entries a part. */
  readonly ofEach: readonly string[]
  /**
   * What stands for all of them: those of each component, and of the others, which one component draws for all lists, one for all
   * records and one for all forms, a cover of their kinds and options with a part of the rest.
   */
  readonly chosen: readonly string[]
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
  const features = new Map<string, readonly string[]>()
  const whole = PAGES.filter(({ path }) => !path.includes(':')).map(({ path }) => `/${path}`)
  const ofRecords: string[] = []
  const missing: string[] = []
  for (const resource of resources) {
    const { plural, within, operations } = resource
    const described = readDescription<ResourceFull>(`resources/${plural}.json`)
    const add = (to: string[], path: string, kind: PageKind) => {
      to.push(path)
      features.set(path, featuresOf(kind, resource, described))
    }
    if (within === null) add(whole, `/${plural}${scopeFor(plural)}`, 'list')
    if (within === null && operations.create) add(whole, `/${plural}/new${scopeFor(plural)}`, 'create')
    const found = records.get(plural) ?? (await firstOf(resource))
    // The last record has most content.
    const first = found.at(-1)
    if (operations.show && !first) missing.push(`${plural}/:id`)
    if (!first) continue
    const { home } = first
    if (within !== null) add(ofRecords, home, 'list')
    if (within !== null && operations.create) add(ofRecords, `${home}/new`, 'create')
    if (operations.show) add(ofRecords, `${home}/${first.id}`, 'shown')
    if (operations.show && operations.update) add(ofRecords, `${home}/${first.id}/edit`, 'update')
    if (within !== null) continue
    for (const { resource: child } of described.children)
      ofRecords.push(`/${plural}/${first.id}/${child}${scopeFor(child)}`)
  }
  const all = [...new Set([...whole, ...ofRecords])]
  const isAt = (path: string, address: string) => patternOf(path).test(address.split('?', 1)[0] ?? '')
  const derived = all.filter((address) => !PAGES.some(({ path }) => isAt(path, address)))
  const findPage = (path: string, among: readonly string[]) => {
    const found = among.find((address) => isAt(path, address))
    if (found === undefined) missing.push(path)
    return found ?? path
  }
  const entries = [
    ...PAGES.map(({ path, folder }) => ({
      address: findPage(path, all),
      component: `${folder} ${path.includes(':')}`,
    })),
    ...[DERIVED_FIRST, ...DERIVED].map(({ path }) => ({ address: findPage(path, derived), component: path })),
  ]
  const ofEach = chooseCover(entries, {
    nameOf: ({ address }) => address.replace(/\d+/g, 'N'),
    featuresOf: ({ component }) => [component],
  }).map(({ address }) => address)
  const chosen = chooseCover(all, {
    nameOf: (path) => path.replace(/\d+/g, 'N'),
    featuresOf: (path) => (ofEach.includes(path) ? [path] : (features.get(path) ?? [])),
    share: 0.05,
  })
  printChoice('pages of the console', chosen.length, all.length)
  return {
    ...{ whole: [...new Set(whole)], ofRecords: [...new Set(ofRecords)], ofEach: [...new Set(ofEach)] },
    ...{ chosen, missing },
  }
}

type PageKind = 'list' | 'shown' | 'create' | 'update'

/** Lists what the component of a derived page depends on: kinds and options of columns or fields, and of the resource. */
function featuresOf(kind: PageKind, resource: ResourceShort, of: ResourceFull): string[] {
  // One component draws both forms.
  if (kind === 'create' || kind === 'update') return [kind, ...of[kind].flatMap(fieldFeatures)]
  const { surface, within, operations, completes } = resource
  const columns = (kind === 'list' ? of.columns : of.shown).map(columnFeature)
  const offers = [
    `operations ${Object.keys(operations)}`,
    surface,
    `${within !== null} below`,
    `${completes} completes`,
  ]
  return [...columns, ...offers, `${of.children.length > 0} above`].map((one) => `${kind} ${one}`)
}

function columnFeature({ kind, target, idKey, sort }: Column): string {
  return `${kind} ${target !== undefined} ${idKey !== undefined} ${sort !== undefined}`
}

function fieldFeatures({ widget, fields = [], ...options }: FormField): string[] {
  const { key: _key, doc: _doc, path: _path, initial, ...others } = options
  const facts = Object.entries(others).map(
    ([name, value]) => `${widget} ${name} ${typeof value === 'boolean' && value}`,
  )
  const start = typeof initial === 'boolean' ? initial : typeof initial
  return [
    widget,
    ...facts,
    `${widget} initial ${start}`,
    ...fields.flatMap(fieldFeatures).map((one) => `${widget} of ${one}`),
  ]
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
