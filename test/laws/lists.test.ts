import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { permissionOf } from '../../src/kernel/authorize.ts'
import type { Resource } from '../../src/kernel/definition.ts'
import type { Caller } from '../support/api.ts'
import {
  ASKED_BY_ORGANIZATION,
  given,
  leastBody,
  pathBelow,
  pathFor,
  pathOf,
  resourceNamed,
  type Shown,
  segmentOf,
  wrapped,
} from '../support/given.ts'
import { parentNotFound } from './refusals.ts'
import { names, subjects, turns } from './subjects.ts'
import { openWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world?.api[Symbol.asyncDispose]())

/** One way to request the list: the caller, the parameters, and which of the records created here it yields. */
interface Look {
  readonly called: string
  readonly caller: Caller
  readonly query: string
  readonly total: (record: Made) => boolean
  readonly subtotal: (record: Made) => boolean
}

/** A record of this test, and whether limited callers can see it. */
interface Made {
  readonly id: number
  readonly inside: boolean
}

const writable = new Set(names('delete'))

describe.each(turns('list').filter((name) => writable.has(name)))('%s', (name) => {
  const resource = resourceNamed(name)

  test('totals and pages are those of a model, through any sequence of writes', async () => {
    const path = pathOf(resource, world.organization)
    const { admin } = world.api
    const pivot = (await given(admin, name, world.inside(resource))).id
    const looks = await looksAt(resource, pivot)
    const before = await Promise.all(looks.map((look) => idsOf(look.caller, `${path}?per_page=all${look.query}`)))
    const unsearched = await Promise.all(
      looks.map((look) => idsOf(look.caller, `${path}?per_page=all${contextOf(look)}`)),
    )
    const made: Made[] = []

    const check = async () => {
      for (const [index, look] of looks.entries()) {
        const { body } = await look.caller.get(`${path}?per_page=2${look.query}`)
        const total = (unsearched[index] ?? []).length + made.filter(look.total).length
        const expected = [...(before[index] ?? []), ...made.filter(look.subtotal).map(({ id }) => id)]
        expect({ look: look.called, total: body.total, subtotal: body.subtotal }).toEqual({
          look: look.called,
          total,
          subtotal: expected.length,
        })
        expect(body.results.length).toBe(Math.min(2, expected.length))
      }
    }
    for (const step of fc.sample(fc.constantFrom('inside', 'outside', 'change', 'delete'), 6)) {
      await take(resource, step, made)
      await check()
    }
    for (const [index, look] of looks.entries()) {
      const expected = [...(before[index] ?? []), ...made.filter(look.subtotal).map(({ id }) => id)]
      expect([look.called, (await walk(look.caller, `${path}?${look.query}`, 3)).sort(ascending)]).toEqual([
        look.called,
        expected.sort(ascending),
      ])
    }
  })
})

/** Administrators own those that are made here. */
const OWNERS_ONLY = new Set(['webhook'])

/** Yields the ways to request a list: all, a search, a limited caller with and without a search, and every kind of scope. */
async function looksAt(resource: Resource, pivot: number): Promise<Look[]> {
  const view = permissionOf(resource, 'view')
  const scoped =
    resource.taxable === true ||
    resource.taxable === 'own' ||
    resource.taxable === 'organization' ||
    resource.partOf !== undefined ||
    resource.name === 'organization' ||
    resource.name === 'location'
  const within = (record: Made) => !OWNERS_ONLY.has(resource.name) && (!scoped || record.inside)
  const yes = (record: Made) => record.inside || !ASKED_BY_ORGANIZATION.has(resource.name)
  const later = `&search=${encodeURIComponent(`id > ${pivot}`)}`
  const odd = (record: Made) => record.id !== pivot + 1
  const other = `&search=${encodeURIComponent(`id != ${pivot + 1}`)}`
  const { admin } = world.api
  const member = await world.limited([view])
  const filtered = await world.limited([view], `id > ${pivot}`)
  const looks: Look[] = [
    { called: 'an administrator', caller: admin, query: '', total: yes, subtotal: yes },
    { called: 'an administrator who searches', caller: admin, query: later, total: yes, subtotal: yes },
    {
      called: 'an administrator who searches for nothing',
      caller: admin,
      query: `&search=${encodeURIComponent('id < 0')}`,
      total: yes,
      subtotal: () => false,
    },
    { called: 'a member', caller: member, query: '', total: within, subtotal: within },
    {
      called: 'a member who searches',
      caller: member,
      query: other,
      total: within,
      subtotal: (record) => within(record) && odd(record),
    },
    { called: 'a filtered caller', caller: filtered, query: '', total: within, subtotal: within },
    {
      called: 'a filtered caller who searches',
      caller: filtered,
      query: other,
      total: within,
      subtotal: (record) => within(record) && odd(record),
    },
  ]
  // Conditions of filters apply to the record to which a part belongs.
  if (resource.partOf) return looks.filter(({ caller }) => caller !== filtered)
  if (!resource.taxable) return looks
  const contexts = [
    `&organization_id=${world.organization}`,
    `&location_id=${world.location}`,
    `&organization_id=${world.organization}&location_id=${world.location}`,
  ]
  // Records of an organization are visible in every location.
  const [there = ''] = contexts
  const named = resource.taxable === 'organization' ? [there] : contexts
  return [
    ...looks,
    ...named.map(
      (query): Look => ({
        called: `an administrator there: ${query}`,
        caller: admin,
        query,
        total: within,
        subtotal: within,
      }),
    ),
    { called: 'a member there', caller: member, query: named.at(-1) ?? '', total: within, subtotal: within },
  ]
}

function contextOf({ query }: Look): string {
  return query.startsWith('&search') ? '' : query
}

async function take(resource: Resource, step: string, made: Made[]): Promise<void> {
  const { admin } = world.api
  if (step === 'inside' || step === 'outside') {
    const { id } = await given(admin, resource.name, step === 'inside' ? world.inside(resource) : {})
    made.push({ id, inside: step === 'inside' })
  }
  const last = made.at(-1)
  if (!last) return
  const path = last.inside ? pathOf(resource, world.organization) : pathOf(resource)
  if (step === 'change')
    await admin.put(
      `${path}/${segmentOf(resource, last.id)}`,
      wrapped(resource, { description: 'changed', search: 'id > 0' }),
    )
  if (step === 'delete') {
    expect((await admin.delete(`${path}/${segmentOf(resource, last.id)}`)).status).toBe(200)
    made.pop()
  }
}

describe.each(turns('list'))('%s', (name) => {
  const resource = resourceNamed(name)

  test('every page size walks over the same records, each once', async () => {
    const path = await pathFor(world.api.admin, resource)
    const all = await world.api.admin.get(`${path}?per_page=all`)
    const ids = all.body.results.map(({ id }: Shown) => id)
    expect(all.body).toMatchObject({
      total: ids.length,
      subtotal: ids.length,
      page: 1,
      per_page: ids.length,
      search: null,
      // Lists below `/content/api` name their default order.
      sort: resource.surface === 'content' ? expect.any(Object) : { by: null, order: null },
    })
    expect(new Set(ids).size).toBe(ids.length)
    for (const size of [1 + Math.floor(ids.length / 3), ids.length || 1, ids.length + 1]) {
      expect(await walk(world.api.admin, `${path}?`, size)).toEqual(ids)
    }
    const { body } = await world.api.admin.get(`${path}?page=1000000&search=`)
    expect(body).toMatchObject({ total: ids.length, subtotal: ids.length, page: 1_000_000, search: '', results: [] })
  })
})

const THROUGH_POOLS = 'they belong together by subscriptions; test/api is about it'
const BY_PUBLISHING = 'they get there by publishing; test/api is about it'

/** Resources with a single possible parent, or whose records are not linked to it by a key. */
const ONLY_ONE_PARENT: Readonly<Record<string, string>> = {
  'host_collections of one activation_key': 'they are added there; test/api is about it',
  'products of one subscription': THROUGH_POOLS,
  'products of one activation_key': THROUGH_POOLS,
  'products of one host': THROUGH_POOLS,
  'repositories of one content_view_version': BY_PUBLISHING,
  'repositories of one lifecycle_environment': BY_PUBLISHING,
  'activation_keys of one lifecycle_environment': 'they are there with a view that is; test/api is about it',
  'hosts of one domain': 'their primary interfaces are in it; test/api/partition-tables is about it',
  'users of one auth_source_internal': 'there is one internal source',
  'users of one auth_source_external': 'there is one external source',
}

interface Nesting {
  readonly title: string
  readonly resource: Resource
  readonly parent: string
  readonly field: string
}

const listed = new Set(names('list'))

const inTurn = new Set(turns('create'))

const nestings = subjects('create')
  .filter(({ name }) => listed.has(name) && inTurn.has(name))
  .flatMap((resource): Nesting[] => {
    const scopes = !resource.taxable
      ? {}
      : resource.taxable === 'own'
        ? { organization: 'organization', location: 'location' }
        : resource.taxable === 'organization'
          ? { organization: 'organization' }
          : { organization: 'organizations', location: 'locations' }
    return Object.entries({ ...scopes, ...resource.parents }).flatMap(([parent, field]) => {
      const title = `${resource.plural} of one ${parent}`
      return title in ONLY_ONE_PARENT || resource.nestedOnly ? [] : [{ title, resource, parent, field }]
    })
  })

describe.each(nestings)('$title', ({ resource, parent, field }) => {
  test('the nested list is the flat one with the parent named, and both are the records that belong there', async () => {
    const { admin } = world.api
    const here = await parentOf(parent)
    const there = await parentOf(parent)
    const brought = await idsOf(admin, pathBelow(parent, here, resource))
    const mine = [await belonging(resource, field, parent, here), await belonging(resource, field, parent, here)]
    await belonging(resource, field, parent, there)
    const nested = await admin.get(pathBelow(parent, here, resource))
    const flat = await admin.get(`${resource.path}?${resourceNamed(parent).word}_id=${here}`)
    expect(nested.body).toEqual(flat.body)
    const ids = [...brought, ...mine.map(({ id }) => id)]
    expect(nested.body.results.map(({ id }: Shown) => id).sort(ascending)).toEqual(ids.sort(ascending))
    expect(nested.body).toMatchObject({ total: ids.length, subtotal: ids.length })
    const [first] = mine
    const shown = `${pathBelow(parent, there, resource)}/${segmentOf(resource, first?.id ?? 0)}`
    // A caller who may see the record is told that it belongs to another organization (content-api §2.4).
    const told = resource.taxable === 'organization' && parent === 'organization'
    expect((await admin.get(shown)).status).toBe(told ? 400 : 404)
  })

  test('a record created below a parent is linked to it; where requests cannot set the link, none is created', async () => {
    const { admin } = world.api
    const placed = resource.placed.find(({ name }) => name === field)
    const decides =
      placed &&
      Object.keys(placed.field.writable(placed.at)).length > 0 &&
      resource.wire?.paths?.[parent]?.join() !== 'list'
    const id = await parentOf(parent)
    const path = pathBelow(parent, id, resource)
    const brought = await idsOf(admin, path)
    const key = `${parent}_id`
    const { [key]: _given, ...least } = await leastBody(
      admin,
      resource.name,
      parent === 'organization' ? { [key]: id } : {},
    )
    const { status, body, text } = await admin.post(path, wrapped(resource, least))
    expect(status, text).toBe(decides ? 201 : 404)
    expect((await admin.get(path)).body.total).toBe(brought.length + (decides ? 1 : 0))
    if (decides) expect((await admin.get(`${path}/${body.id}`)).body).toEqual(body)
  })

  test('a parent that does not exist is named in a 404', async () => {
    const { admin } = world.api
    const { status, body } = await admin.get(pathBelow(parent, 999_999, resource))
    expect({ status, body }).toEqual({ status: 404, body: parentNotFound(parent, 999_999) })
  })
})

/** Creates a record linked to the parent: by its own key, or, where requests cannot set that, through the parent. */
async function belonging(resource: Resource, field: string, parent: string, id: number): Promise<Shown> {
  const { admin } = world.api
  const placed = resource.placed.find(({ name }) => name === field)
  if (!placed) throw new Error(`${resource.name} has no field ${field}`)
  const [key] = Object.keys(placed.field.writable(placed.at))
  if (key) return given(admin, resource.name, { [key]: placed.column ? id : [id] })
  const record = await given(admin, resource.name)
  const path = `${pathOf(resourceNamed(parent))}/${segmentOf(resourceNamed(parent), id)}`
  const { body } = await admin.get(path)
  const members = (body[resource.plural] as Shown[]).map((member) => member.id)
  const added = { [`${resource.name}_ids`]: [...members, record.id] }
  expect((await admin.put(path, wrapped(resourceNamed(parent), added))).status).toBe(200)
  return record
}

async function idsOf(caller: Caller, path: string): Promise<number[]> {
  return (await caller.get(path)).body.results.map(({ id }: Shown) => id)
}

/** Yields all pages one after another. */
async function walk(caller: Caller, path: string, size: number): Promise<number[]> {
  const found: number[] = []
  for (let page = 1; ; page++) {
    const { body } = await caller.get(`${path}&per_page=${size}&page=${page}`)
    found.push(...body.results.map(({ id }: Shown) => id))
    if (body.results.length < size) return found
    if (found.length > body.subtotal) throw new Error(`page ${page} holds more than there is`)
  }
}

function ascending(left: number, right: number): number {
  return left - right
}

async function parentOf(name: string): Promise<number> {
  return (await given(world.api.admin, name)).id
}
