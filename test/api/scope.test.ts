import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, expectCreated, openTestApi, type TestApi } from '../support/api.ts'

// Core-api §5.3 and §5.4 with users, which belong to organizations and locations. One organization, a tree of locations:
// Europe > Berlin > Mitte, and Asia. There is a user in each location, all in the organization, and one in none.

let api: TestApi
const places: Record<string, number> = {}
const people: Record<string, number> = {}
const SEEING = ['view_users', 'view_locations', 'view_organizations']

beforeAll(async () => {
  api = await openTestApi()
  await place('Europe')
  await place('Berlin', 'Europe')
  await place('Mitte', 'Berlin')
  await place('Asia')
  for (const name of ['Europe', 'Berlin', 'Mitte', 'Asia']) {
    people[name] = await person(`in-${name}`, { location_ids: [places[name]], organization_ids: [1] })
  }
  people.nowhere = await person('in-nowhere', { location_ids: [], organization_ids: [] })
})
afterAll(() => api?.[Symbol.asyncDispose]())

async function place(name: string, parent?: string): Promise<void> {
  const body = { name, ...(parent && { parent_id: places[parent] }) }
  places[name] = (await expectCreated(api.admin.post('/api/locations', body))).id
}

function userBody(login: string, more: object) {
  return { user: { login, mail: 'm@example.test', password: 'long enough', auth_source_id: 1, ...more } }
}

async function person(login: string, more: object): Promise<number> {
  return (await expectCreated(api.admin.post('/api/users', userBody(login, more)))).id
}

/** Yields the users of this file in a list, by their location. */
async function seen(caller: Caller, query = '', path = '/api/users'): Promise<string[] | number> {
  const { status, body } = await caller.get(`${path}?per_page=all${query}`)
  if (status !== 200) return status
  const ids = new Set(body.results.map(({ id }: { id: number }) => id))
  return Object.keys(people).filter((name) => ids.has(people[name]))
}

function within(name: string, permissions = SEEING) {
  return api.can(permissions, { location_ids: [places[name] ?? 0], organization_ids: [1] })
}

describe('what lists show', () => {
  test('an administrator without context sees everything, also what is assigned to nothing', async () => {
    expect(await seen(api.admin)).toEqual(['Europe', 'Berlin', 'Mitte', 'Asia', 'nowhere'])
  })

  test('a member sees what is linked to their locations, to what lies below and to what lies above', async () => {
    expect(await seen(await within('Berlin'))).toEqual(['Europe', 'Berlin', 'Mitte'])
    expect(await seen(await within('Mitte'))).toEqual(['Europe', 'Berlin', 'Mitte'])
    expect(await seen(await within('Asia'))).toEqual(['Asia'])
  })

  test('both kinds must hold: a member of a location without an organization sees nobody', async () => {
    const half = await api.can(SEEING, { location_ids: [places.Europe ?? 0] })
    expect(await seen(half)).toEqual([])
  })

  test('a location that a request names leaves those linked to it directly', async () => {
    expect(await seen(api.admin, `&location_id=${places.Berlin}`)).toEqual(['Berlin'])
    expect(await seen(api.admin, '', `/api/locations/${places.Berlin}/users`)).toEqual(['Berlin'])
    expect(await seen(await within('Europe'), `&location_id=${places.Berlin}`)).toEqual(['Berlin'])
  })

  test('a session’s location takes in what lies below and above', async () => {
    await api.admin.put(`/api/users/${people.Berlin}`, { admin: true, default_location_id: places.Berlin })
    const { headers } = await api
      .as({ authorization: `Basic ${Buffer.from('in-Berlin:long enough').toString('base64')}` })
      .post('/api/session')
    const browser = api.as({ cookie: String(headers['set-cookie']).split(';')[0] ?? '' })
    expect(await seen(browser)).toEqual(['Europe', 'Berlin', 'Mitte'])
    expect(await seen(browser, '&location_id=')).toEqual(['Europe', 'Berlin', 'Mitte', 'Asia', 'nowhere'])
    await api.admin.put(`/api/users/${people.Berlin}`, { admin: false })
  })

  test('totals count what is visible', async () => {
    const member = await within('Asia')
    const { body } = await member.get('/api/users?search=login+~+in-')
    expect(body.subtotal).toBe(1)
    expect(body.total).toBe(body.subtotal + (await member.get('/api/users?search=not+login+~+in-')).body.subtotal)
  })
})

describe('single records', () => {
  test('outside the context or the caller’s own locations there are none', async () => {
    const member = await within('Asia', [...SEEING, 'edit_users', 'destroy_users'])
    for (const method of ['get', 'put', 'delete'] as const) {
      expect((await member[method](`/api/users/${people.Berlin}`)).status, method).toBe(404)
    }
    expect((await api.admin.get(`/api/users/${people.Asia}?location_id=${places.Berlin}`)).status).toBe(404)
    expect((await api.admin.get(`/api/users/${people.Berlin}?location_id=${places.Berlin}`)).status).toBe(200)
  })

  test('a nested path needs the permission to see the parent', async () => {
    const blind = await within('Berlin', ['view_users'])
    const usergroup = await expectCreated(api.admin.post('/api/usergroups', { name: 'staff' }))
    expect(await seen(blind, '', `/api/usergroups/${usergroup.id}/users`)).toBe(404)
  })
})

describe('locations and organizations themselves', () => {
  test('a member sees their own and what lies below', async () => {
    const names = async (caller: Caller) =>
      (await caller.get('/api/locations')).body.results.map(({ name }: { name: string }) => name)
    expect(await names(await within('Berlin'))).toEqual(['Berlin', 'Mitte'])
    expect(await names(await api.can(['view_locations']))).toEqual([])
  })

  test('whoever makes one is a member of it', async () => {
    const builder = await within('Berlin', ['view_locations', 'create_locations'])
    const made = await expectCreated(builder.post('/api/locations', { name: 'Annex' }))
    expect((await builder.get(`/api/locations/${made.id}`)).status).toBe(200)
  })
})

describe('assigning', () => {
  test('a new record also gets the location of its context', async () => {
    const body = userBody('context', { location_ids: [places.Asia] })
    const created = await expectCreated(api.admin.post(`/api/users?location_id=${places.Berlin}`, body))
    expect(created.locations.map(({ id }: { id: number }) => id).sort()).toEqual([places.Berlin, places.Asia].sort())
  })

  test('the only organization there is is given to a new record that names none, but not where [] is sent', async () => {
    const given = await expectCreated(api.admin.post('/api/users', userBody('alone', {})))
    expect(given.organizations).toMatchObject([{ id: 1 }])
    expect(given.locations).toEqual([])
    const none = await expectCreated(api.admin.post('/api/users', userBody('none', { organization_ids: [] })))
    expect(none.organizations).toEqual([])
  })

  test('a member may assign their own, with assign_locations', async () => {
    const permissions = [...SEEING, 'create_users', 'edit_users']
    const member = await within('Europe', [...permissions, 'assign_locations', 'assign_organizations'])
    const without = await within('Europe', permissions)
    const body = (login: string, location: string) =>
      userBody(login, { location_ids: [places[location]], organization_ids: [1] })
    expect((await member.post('/api/users', body('allowed', 'Mitte'))).status).toBe(201)
    const message =
      "Invalid locations selection, you must select at least one of yours and have 'assign_locations' permission."
    const refused = await without.post('/api/users', body('refused', 'Mitte'))
    expect(refused.status).toBe(422)
    expect(refused.body.error.errors.location_ids).toEqual([message])
  })

  test('a member cannot assign what is not theirs, nor take everything away', async () => {
    const member = await within('Europe', [...SEEING, 'edit_users', 'assign_locations'])
    const put = (location_ids: unknown[]) => member.put(`/api/users/${people.Mitte}`, { location_ids })
    expect((await put([places.Asia])).status).toBe(422)
    expect((await put([])).status).toBe(422)
    expect((await put([places.Mitte, places.Asia])).status).toBe(422)
    expect((await put([places.Mitte, places.Berlin])).status).toBe(200)
    expect((await put([places.Mitte])).status).toBe(200)
  })

  test('unchanged values need no permission', async () => {
    const member = await within('Europe', [...SEEING, 'edit_users'])
    const body = { firstname: 'Same', location_ids: [places.Mitte], organization_ids: [1] }
    expect((await member.put(`/api/users/${people.Mitte}`, body)).status).toBe(200)
  })

  test('titles name locations as well as ids', async () => {
    const { body } = await api.admin.put(`/api/users/${people.nowhere}`, { location_names: ['Europe/Berlin/Mitte'] })
    expect(body.locations).toMatchObject([{ id: places.Mitte, title: 'Europe/Berlin/Mitte' }])
    await api.admin.put(`/api/users/${people.nowhere}`, { location_ids: [] })
  })
})
