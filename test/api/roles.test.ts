import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, expectCreated, openTestApi, type TestApi } from '../support/api.ts'

// Core-api §7: roles hold filters, filters hold permissions; both may be limited.

let api: TestApi
let permissions: Map<string, number>
let count = 0

beforeAll(async () => {
  api = await openTestApi()
  const { body } = await api.admin.get('/api/permissions?per_page=all')
  permissions = new Map(body.results.map(({ name, id }: { name: string; id: number }) => [name, id]))
})
afterAll(() => api?.[Symbol.asyncDispose]())

const idsOf = (...names: string[]) => names.map((name) => permissions.get(name))
const create = (path: string, body: object) => expectCreated(api.admin.post(`/api/${path}`, body))

/** Creates a caller with this role, in these locations and the only organization. */
async function holder(roleId: number, location_ids: number[] = []): Promise<Caller> {
  const login = `holder${++count}`
  const { id } = await create('users', {
    user: {
      login,
      mail: 'h@example.test',
      password: 'long enough',
      auth_source_id: 1,
      role_ids: [roleId],
      location_ids,
      organization_ids: [1],
    },
  })
  const { token_value } = await create(`users/${id}/personal_access_tokens`, { name: 'test' })
  return api.as({ authorization: `Bearer ${token_value}` })
}

const logins = async (caller: Caller, query = '') =>
  (await caller.get(`/api/users?search=login+~+in-${query}`)).body.results.map(({ login }: { login: string }) => login)

describe('filters', () => {
  test('show their type, their permissions and whether they are limited', async () => {
    const role = await create('roles', { name: 'shown' })
    const filter = await create('filters', {
      role_id: role.id,
      permission_ids: idsOf('view_architectures'),
      search: 'name = x',
    })
    expect(filter).toMatchObject({
      search: 'name = x',
      resource_type: 'Architecture',
      'unlimited?': false,
      'override?': false,
      role: { id: role.id, name: 'shown', origin: null },
      permissions: [{ name: 'view_architectures', resource_type: 'Architecture' }],
      locations: [],
      organizations: [],
    })
    expect((await api.admin.put(`/api/filters/${filter.id}`, { search: '' })).body).toMatchObject({
      search: null,
      'unlimited?': true,
    })
    expect((await api.admin.get(`/api/roles/${role.id}`)).body.filters).toEqual([{ id: filter.id }])
  })

  test('hold permissions of one type, at least one', async () => {
    const role = await create('roles', { name: 'types' })
    const post = (permission_ids: unknown) => api.admin.post('/api/filters', { role_id: role.id, permission_ids })
    expect((await post(idsOf('view_architectures', 'view_users'))).body.error.errors).toEqual({
      permission_ids: ['must be permissions of the same resource type'],
    })
    expect((await post([])).body.error.errors).toEqual({ permission_ids: ["can't be blank"] })
  })

  test('refuse a condition that their type does not understand', async () => {
    const role = await create('roles', { name: 'conditions' })
    const post = (search: string) =>
      api.admin.post('/api/filters', { role_id: role.id, permission_ids: idsOf('view_architectures'), search })
    expect((await post('login = x')).body.error.errors).toEqual({
      search: ["Field 'login' not recognized for searching!"],
    })
    expect((await post('name = = x')).status).toBe(422)
  })

  test('of one role add up, conditions within one narrow', async () => {
    const role = await create('roles', { name: 'adding' })
    for (const search of ['name = i386', 'name = x86_64 and id > 0', 'name = i386 and name = x86_64']) {
      await create('filters', { role_id: role.id, permission_ids: idsOf('view_architectures'), search })
    }
    const { body } = await (await holder(role.id)).get('/api/architectures')
    expect(body.results.map(({ name }: { name: string }) => name)).toEqual(['i386', 'x86_64'])
  })

  test('leave their role when they are deleted, and are gone with it', async () => {
    const role = await create('roles', { name: 'short-lived' })
    const filter = await create('filters', { role_id: role.id, permission_ids: idsOf('view_architectures') })
    expect((await api.admin.delete(`/api/roles/${role.id}`)).status).toBe(200)
    expect((await api.admin.get(`/api/filters/${filter.id}`)).status).toBe(404)
  })
})

describe('limits by locations', () => {
  let north: number
  let south: number

  beforeAll(async () => {
    north = (await create('locations', { name: 'North' })).id
    south = (await create('locations', { name: 'South' })).id
    const user = (login: string, location: number) => ({
      user: {
        login,
        mail: 'i@example.test',
        password: 'long enough',
        auth_source_id: 1,
        location_ids: [location],
        organization_ids: [1],
      },
    })
    await create('users', user('in-north', north))
    await create('users', user('in-south', south))
  })

  test('of a role count for its filters, unless they have their own', async () => {
    const role = await create('roles', { name: 'northern', location_ids: [north] })
    const filter = await create('filters', { role_id: role.id, permission_ids: idsOf('view_users') })
    expect(filter['unlimited?']).toBe(false)
    const caller = await holder(role.id, [north, south])
    expect(await logins(caller)).toEqual(['in-north'])
    await api.admin.put(`/api/filters/${filter.id}`, { override: true, location_ids: [south] })
    expect(await logins(caller)).toEqual(['in-south'])
    await api.admin.put(`/api/filters/${filter.id}`, { location_ids: [] })
    expect(await logins(caller)).toEqual(['in-north', 'in-south'])
    await api.admin.put(`/api/filters/${filter.id}`, { override: false })
    expect(await logins(caller)).toEqual(['in-north'])
  })

  test('are shown as they count: those of the role, unless the filter has its own', async () => {
    const role = await create('roles', { name: 'of places', location_ids: [north], organization_ids: [1] })
    const filter = (permission: string, further = {}) =>
      create('filters', { role_id: role.id, permission_ids: idsOf(permission), ...further })
    const placesOf = async ({ id }: { id: number }) => {
      const { locations, organizations } = (await api.admin.get(`/api/filters/${id}`)).body
      return [locations, organizations].map((places) => places.map((place: { id: number }) => place.id))
    }
    const inherits = await filter('view_users', { location_ids: [south] })
    const [owns, placeless] = [
      await filter('edit_users', { override: true, location_ids: [south] }),
      await filter('view_architectures'),
    ]
    expect([await placesOf(inherits), await placesOf(owns), await placesOf(placeless)]).toEqual([
      ...[
        [[north], [1]],
        [[south], []],
      ],
      [[], []],
    ])
    await api.admin.put(`/api/filters/${inherits.id}`, { override: true, location_ids: [north, south] })
    expect(await placesOf(inherits)).toEqual([[north, south], [1]])
    const clone = await create(`roles/${role.id}/clone`, { role: { name: 'of other places', location_ids: [south] } })
    const cloned = await Promise.all(
      clone.filters.map(async ({ id }: { id: number }) => (await api.admin.get(`/api/filters/${id}`)).body),
    )
    expect(cloned.map((one) => one['override?'])).toEqual([false, false, false])
    expect(await placesOf(cloned[0])).toEqual([[south], [1]])
  })

  test('never reach beyond the caller’s own locations', async () => {
    const role = await create('roles', { name: 'everywhere', location_ids: [north, south] })
    await create('filters', { role_id: role.id, permission_ids: idsOf('view_users') })
    expect(await logins(await holder(role.id, [south]))).toEqual(['in-south'])
  })

  test('are refused for records that belong to none', async () => {
    const role = await create('roles', { name: 'pointless' })
    const body = {
      role_id: role.id,
      permission_ids: idsOf('view_architectures'),
      override: true,
      location_ids: [north],
    }
    expect((await api.admin.post('/api/filters', body)).status).toBe(422)
  })

  test('end with their location: a filter that was for it alone goes, so that nothing is granted elsewhere', async () => {
    const [west, east] = [await create('locations', { name: 'West' }), await create('locations', { name: 'East' })]
    const permission_ids = idsOf('view_users')
    const both = [west.id, east.id]
    const role = await create('roles', { name: 'western', location_ids: [west.id] })
    const wide = await create('roles', { name: 'wide', location_ids: both })
    const filterOf = async (role_id: number, more: object = {}) =>
      (await create('filters', { role_id, permission_ids, ...more })).id
    const own = (...location_ids: number[]) => ({ override: true, location_ids })
    const gone = [await filterOf(role.id), await filterOf(wide.id, own(west.id))]
    const kept = [await filterOf(role.id, own(...both)), await filterOf(wide.id)]
    expect((await api.admin.delete(`/api/locations/${west.id}`)).status).toBe(200)
    for (const id of gone) expect((await api.admin.get(`/api/filters/${id}`)).status).toBe(404)
    for (const id of kept)
      expect((await api.admin.get(`/api/filters/${id}`)).body.locations).toMatchObject([{ id: east.id }])
    expect((await api.admin.get(`/api/roles/${role.id}`)).body).toMatchObject({ locations: [] })
    const audits = await api.admin.get('/api/audits?search=action+%3D+destroy&per_page=100')
    for (const auditable_id of gone)
      expect(audits.body.results).toContainEqual(expect.objectContaining({ auditable_type: 'Filter', auditable_id }))
  })
})

describe('roles that come with the program', () => {
  test('are locked: neither changed nor deleted, nor their filters', async () => {
    const viewer = (await api.admin.get('/api/roles/Viewer')).body
    expect(viewer).toMatchObject({ origin: 'millwright', builtin: 0 })
    const message = 'This role is locked from being modified by users.'
    for (const refused of [
      await api.admin.put(`/api/roles/${viewer.id}`, { description: 'mine' }),
      await api.admin.delete(`/api/roles/${viewer.id}`),
      await api.admin.post('/api/filters', { role_id: viewer.id, permission_ids: idsOf('edit_architectures') }),
      await api.admin.put(`/api/filters/${viewer.filters[0].id}`, { search: 'id = 1' }),
      await api.admin.delete(`/api/filters/${viewer.filters[0].id}`),
    ]) {
      expect(refused).toMatchObject({ status: 422, body: { error: { errors: { base: [message] } } } })
    }
    const free = await create('roles', { name: 'free' })
    const filter = await create('filters', { role_id: free.id, permission_ids: idsOf('edit_architectures') })
    expect((await api.admin.put(`/api/filters/${filter.id}`, { role_id: viewer.id })).status).toBe(422)
  })

  test('the one that everybody holds may be changed but not deleted', async () => {
    const { body } = await api.admin.get('/api/roles?search=builtin+%3D+2')
    const [{ id, name }] = body.results
    expect(name).toBe('Default role')
    expect((await api.admin.delete(`/api/roles/${id}`)).status).toBe(422)
    const plain = await api.can([])
    expect((await plain.get('/api/architectures')).status).toBe(403)
    const filter = await create('filters', { role_id: id, permission_ids: idsOf('view_architectures') })
    expect((await plain.get('/api/architectures')).status).toBe(200)
    await api.admin.delete(`/api/filters/${filter.id}`)
  })

  test('are cloned to be changed: with all filters, limits and the origin noted', async () => {
    const clone = await create('roles/Viewer/clone', { role: { name: 'My viewer' } })
    const viewer = (await api.admin.get('/api/roles/Viewer')).body
    expect(clone).toMatchObject({ name: 'My viewer', cloned_from_id: viewer.id, origin: null, builtin: 0 })
    expect(clone.description).toBe(viewer.description)
    expect(clone.filters).toHaveLength(viewer.filters.length)
    const granted = async (role: { filters: { id: number }[] }) => {
      const lists = role.filters.map(async ({ id }) => (await api.admin.get(`/api/filters/${id}`)).body.permissions)
      return (await Promise.all(lists))
        .flat()
        .map(({ name }: { name: string }) => name)
        .sort()
    }
    expect(await granted(clone)).toEqual(await granted(viewer))
    expect((await api.admin.put(`/api/roles/${clone.id}`, { description: 'mine' })).status).toBe(200)
    const caller = await holder(clone.id)
    expect((await caller.get('/api/architectures')).status).toBe(200)
    expect((await caller.get('/api/settings')).status).toBe(403)
  })

  test('a clone needs a name of its own, and a role that is there', async () => {
    const clone = (segment: string, role: object) => api.admin.post(`/api/roles/${segment}/clone`, { role })
    expect((await clone('Viewer', {})).body.error.errors).toEqual({ name: ["can't be blank"] })
    expect((await clone('Viewer', { name: 'Manager' })).body.error.errors).toEqual({ name: ['has already been taken'] })
    expect((await clone('999', { name: 'x' })).status).toBe(404)
  })
})

describe('include_permissions', () => {
  test('adds what the caller may do, after search', async () => {
    const viewer = await api.can(['view_architectures'])
    const editor = await api.can(['view_architectures', 'edit_architectures', 'create_architectures'])
    for (const [caller, may] of [
      [viewer, false],
      [editor, true],
      [api.admin, true],
    ] as const) {
      for (const value of ['true', 'false', '']) {
        const { body } = await caller.get(`/api/architectures?include_permissions=${value}`)
        expect(body).toMatchObject({ can_create: may, can_edit: may })
        expect(Object.keys(body).slice(4, 8)).toEqual(['search', 'can_create', 'can_edit', 'sort'])
      }
    }
    expect((await viewer.get('/api/architectures')).body).not.toHaveProperty('can_create')
  })
})
