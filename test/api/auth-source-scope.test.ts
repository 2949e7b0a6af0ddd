import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rows } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { type Caller, openTestApi, type TestApi } from '../support/api.ts'
import { given, type Shown } from '../support/given.ts'

let api: TestApi
let acme: Shown
const places: Record<string, Shown> = {}
const sources: Record<string, Shown> = {}
const PATH = '/api/auth_source_ldaps'
const ALL = ['view_authenticators', 'create_authenticators', 'edit_authenticators', 'destroy_authenticators']
const TAXONOMIES = ['view_locations', 'view_organizations']

beforeAll(async () => {
  api = await openTestApi()
  acme = await given(api.admin, 'organization', { name: 'Acme' })
  places.Europe = await given(api.admin, 'location', { name: 'Europe' })
  places.Berlin = await given(api.admin, 'location', { name: 'Berlin', parent_id: places.Europe.id })
  places.Mitte = await given(api.admin, 'location', { name: 'Mitte', parent_id: places.Berlin.id })
  places.Asia = await given(api.admin, 'location', { name: 'Asia' })
  for (const [name, { id }] of Object.entries(places)) {
    sources[name] = await ldap(`in ${name}`, { location_ids: [id], organization_ids: [acme.id] })
  }
  sources.homeless = await ldap('homeless', { location_ids: [], organization_ids: [acme.id] })
  sources.unassigned = await ldap('unassigned', { location_ids: [], organization_ids: [] })
})
afterAll(() => api?.[Symbol.asyncDispose]())

const ldap = (name: string, more: object) => given(api.admin, 'auth_source_ldap', { name, ...more })
const place = (name: string): number => places[name]?.id ?? 0
const member = (name: string, permissions: readonly string[] = [...ALL, ...TAXONOMIES]) =>
  api.can(permissions, { location_ids: [place(name)], organization_ids: [acme.id] })

async function seen(caller: Caller, path = PATH, query = ''): Promise<string[]> {
  const { body } = await caller.get(`${path}?per_page=all${query}`)
  const ids = new Set(body.results.map(({ id }: Shown) => id))
  return Object.keys(sources).filter((name) => ids.has(sources[name]?.id))
}

describe('the list of LDAP sources', () => {
  test('shows administrators everything, also what is assigned to nothing', async () => {
    expect(await seen(api.admin)).toEqual(['Europe', 'Berlin', 'Mitte', 'Asia', 'homeless', 'unassigned'])
  })

  test('shows members what is linked to their places, to what lies below and above, and nothing unassigned', async () => {
    expect(await seen(await member('Berlin'))).toEqual(['Europe', 'Berlin', 'Mitte'])
    expect(await seen(await member('Mitte'))).toEqual(['Europe', 'Berlin', 'Mitte'])
    expect(await seen(await member('Asia'))).toEqual(['Asia'])
  })

  test('needs both a location and an organization', async () => {
    expect(await seen(await api.can(ALL, { location_ids: [place('Europe')] }))).toEqual([])
    expect(await seen(await api.can(ALL, { organization_ids: [acme.id] }))).toEqual([])
    expect(await seen(await api.can(ALL))).toEqual([])
  })

  test('narrows to direct links where the request names a place, by path or by query', async () => {
    const caller = await member('Europe')
    for (const viewer of [api.admin, caller]) {
      expect(await seen(viewer, `/api/locations/${place('Berlin')}/auth_source_ldaps`)).toEqual(['Berlin'])
      expect(await seen(viewer, PATH, `&location_id=${place('Berlin')}`)).toEqual(['Berlin'])
      expect(await seen(viewer, PATH, '&location_id=Europe/Berlin')).toEqual(['Berlin'])
    }
    expect(await seen(api.admin, `/api/organizations/${acme.id}/auth_source_ldaps`)).toEqual([
      ...['Europe', 'Berlin', 'Mitte', 'Asia', 'homeless'],
    ])
    const both = `/api/organizations/${acme.id}/auth_source_ldaps`
    expect(await seen(api.admin, both, `&location_id=${place('Asia')}`)).toEqual(['Asia'])
  })

  test('of a place that is unknown or not the caller’s is 404', async () => {
    const caller = await member('Asia')
    const missing = { status: 404, body: { message: `Location with id ${place('Berlin')} not found` } }
    expect(await caller.get(`/api/locations/${place('Berlin')}/auth_source_ldaps`)).toMatchObject(missing)
    expect(await caller.get(`${PATH}?location_id=${place('Berlin')}`)).toMatchObject(missing)
    expect((await api.admin.get('/api/organizations/999/auth_source_ldaps')).status).toBe(404)
  })
})

describe('the states of directories and jobs', () => {
  const statesFor = async (caller: Caller) => (await caller.get('/api/states')).body

  test('are known of the directories that the caller may view, and before anybody asks them of none', async () => {
    const { directories } = await statesFor(await member('Berlin'))
    const unknown = { state: 'unknown', since: null, message: null }
    expect(directories).toEqual(
      ['Berlin', 'Europe', 'Mitte'].map((name) => ({ id: sources[name]?.id, name: `in ${name}`, ...unknown })),
    )
    const filtered = await api.can(ALL, { search: 'name ~ Asia' })
    expect((await statesFor(filtered)).directories).toEqual([])
  })

  test('have jobs that failed, for those who view settings', async () => {
    await rows(
      api.database.db,
      sql`insert into timed_jobs (name, due_at, ended_at, failed)
        values ('ill', now(), '2026-03-31T14:25:36Z', true), ('well', now(), now(), false)`,
    )
    const failed = [{ name: 'ill', ended_at: '2026-03-31 14:25:36 UTC' }]
    expect(await statesFor(await api.can(['view_settings']))).toEqual({
      directories: [],
      smart_proxies: [],
      jobs: failed,
    })
    expect((await statesFor(await member('Berlin'))).jobs).toEqual([])
    expect((await (await api.can(['view_models'])).get('/api/states')).status).toBe(403)
  })
})

describe('one LDAP source', () => {
  test('out of scope is not there, for any operation', async () => {
    const caller = await member('Asia')
    for (const name of ['Berlin', 'homeless', 'unassigned']) {
      const path = `${PATH}/${sources[name]?.id}`
      const missing = {
        status: 404,
        body: { error: { message: `Resource auth_source_ldap not found by id '${sources[name]?.id}'` } },
      }
      expect(await caller.get(path)).toMatchObject(missing)
      expect(await caller.put(path, { name: 'mine' })).toMatchObject(missing)
      expect(await caller.put(`${path}/test`)).toMatchObject(missing)
      expect(await caller.delete(path)).toMatchObject(missing)
    }
    expect((await caller.get(`${PATH}/in%20Berlin`)).status).toBe(404)
  })

  test('is looked for among those of a place that the request names', async () => {
    const berlin = `/api/locations/${place('Berlin')}/auth_source_ldaps`
    expect((await api.admin.get(`${berlin}/${sources.Berlin?.id}`)).status).toBe(200)
    for (const name of ['Europe', 'Mitte', 'Asia']) {
      const { id } = sources[name] ?? {}
      expect((await api.admin.get(`${berlin}/${id}`)).status, name).toBe(404)
      expect((await api.admin.get(`${PATH}/${id}?location_id=${place('Berlin')}`)).status, name).toBe(404)
      expect((await api.admin.put(`${berlin}/${id}`, {})).status, name).toBe(404)
      expect((await api.admin.put(`${berlin}/${id}/test`)).status, name).toBe(404)
      expect((await api.admin.delete(`${berlin}/${id}`)).status, name).toBe(404)
    }
  })

  test('is limited by the search of a filter, which also holds for what it becomes', async () => {
    const caller = await api.can(ALL, {
      search: 'name ~ Asia',
      location_ids: [place('Asia'), place('Berlin')],
      organization_ids: [acme.id],
    })
    expect(await seen(caller)).toEqual(['Asia'])
    const path = `${PATH}/${sources.Asia?.id}`
    expect(await caller.put(path, { name: 'elsewhere' })).toMatchObject({
      status: 422,
      body: {
        error: { id: sources.Asia?.id, errors: { base: [expect.stringMatching(/^You don't have permission/)] } },
      },
    })
    expect((await api.admin.get(path)).body.name).toBe('in Asia')
  })
})

test('Internal is offered, and taken, for a user who is made in an organization', async () => {
  const scope = `organization_id=${acme.id}`
  const { body } = await api.admin.get(`/api/auth_sources?${scope}&referable=true&per_page=all`)
  const internal = body.results.find(({ type }: Shown) => type === 'AuthSourceInternal')
  const user = { login: 'local', mail: 'local@lab.test', password: 'long enough', auth_source_id: internal.id }
  expect(await api.admin.post(`/api/users?${scope}`, { user })).toMatchObject({ status: 201 })
})

describe('the users of a source', () => {
  test('are listed for those who see both', async () => {
    const here = { location_ids: [place('Asia')], organization_ids: [acme.id] }
    const user = await given(api.admin, 'user', { auth_source_id: sources.Asia?.id, ...here })
    const path = `${PATH}/${sources.Asia?.id}/users`
    const seeing = await api.can(['view_users', 'view_authenticators'], here)
    expect((await seeing.get(path)).body.results.map(({ login }: Shown) => login)).toEqual([user.login])
    const blind = await api.can(['view_users'], here)
    expect(await blind.get(path)).toMatchObject({
      status: 404,
      body: { message: `Auth source ldap not found by id '${sources.Asia?.id}'` },
    })
    const elsewhere = await member('Berlin', ['view_users', 'view_authenticators'])
    expect((await elsewhere.get(path)).status).toBe(404)
  })
})

describe('assigning', () => {
  test('a new source also gets the place of its request', async () => {
    const { body } = await api.admin.post(`/api/locations/${place('Asia')}/auth_source_ldaps`, {
      auth_source_ldap: { name: 'nested', host: 'a', location_ids: [place('Berlin')] },
    })
    expect(body.locations.map(({ id }: Shown) => id).sort()).toEqual([place('Berlin'), place('Asia')].sort())
    await api.admin.delete(`${PATH}/${body.id}`)
  })

  test('members may assign places of their own, with the permission, and keep what is there', async () => {
    const assigning = await member('Berlin', [...ALL, ...TAXONOMIES, 'assign_locations', 'assign_organizations'])
    const without = await member('Berlin')
    const path = `${PATH}/${sources.Berlin?.id}`
    const message =
      "Invalid locations selection, you must select at least one of yours and have 'assign_locations' permission."
    const refused = { status: 422, body: { error: { errors: { location_ids: [message] } } } }
    const ids = (...names: string[]) => ({ location_ids: names.map(place) })
    expect(await without.put(path, ids('Berlin', 'Mitte'))).toMatchObject(refused)
    const unknown = { error: { message: expect.stringMatching(/^Couldn't find all Locations with 'id'/) } }
    expect(await assigning.put(path, ids('Berlin', 'Asia'))).toMatchObject({ status: 422, body: unknown })
    expect(await assigning.put(path, ids())).toMatchObject(refused)
    expect(await without.put(path, ids('Berlin'))).toMatchObject({ status: 200 })
    expect(await assigning.put(path, ids('Berlin', 'Mitte'))).toMatchObject({ status: 200 })
    expect(await without.put(path, ids('Berlin'))).toMatchObject({ status: 200 })
  })
})

describe('external sources', () => {
  test('are seen from everywhere, unless the request names a place', async () => {
    const path = '/api/auth_source_externals'
    const { body } = await api.admin.get(path)
    const { id } = body.results[0]
    const callers = [api.admin, await member('Asia'), await api.can(['view_authenticators'])]
    for (const caller of callers) expect((await caller.get(path)).body.total).toBe(1)
    await api.admin.put(`${path}/${id}`, { location_ids: [place('Asia')], organization_ids: [acme.id] })
    for (const caller of callers) {
      expect((await caller.get(path)).body.total).toBe(1)
      expect((await caller.get(`${path}/${id}`)).status).toBe(200)
    }
    for (const [name, count] of Object.entries({ Asia: 1, Berlin: 0 })) {
      expect((await api.admin.get(`/api/locations/${place(name)}/auth_source_externals`)).body.total).toBe(count)
      expect((await api.admin.get(`${path}?location_id=${place(name)}`)).body.total).toBe(count)
      const nested = `/api/locations/${place(name)}/auth_source_externals/${id}`
      expect((await api.admin.get(nested)).status).toBe(count ? 200 : 404)
      expect((await api.admin.put(nested, {})).status).toBe(count ? 200 : 404)
    }
    expect((await api.admin.get(`/api/organizations/${acme.id}/auth_source_externals`)).body.total).toBe(1)
    expect((await api.admin.get('/api/organizations/1/auth_source_externals')).body.total).toBe(0)
  })
})

describe('GET /api/auth_sources', () => {
  test('lists all kinds but the hidden one', async () => {
    const { body: all } = await api.admin.get('/api/auth_sources?per_page=all')
    const keys = ['created_at', 'updated_at', 'id', 'type', 'name', 'locations', 'organizations']
    for (const record of all.results) expect(Object.keys(record)).toEqual(keys)
    const types = all.results.map(({ type }: Shown) => type)
    expect([...new Set(types)].sort()).toEqual(['AuthSourceExternal', 'AuthSourceInternal', 'AuthSourceLdap'])
    expect(all.results.map(({ name }: Shown) => name)).not.toContain('Hidden')
    expect(all.total).toBe(Object.keys(sources).length + 2)
  })

  test('narrows to a place that the request names', async () => {
    const { body } = await api.admin.get(`/api/locations/${place('Berlin')}/auth_sources`)
    expect(body.results).toMatchObject([{ id: sources.Berlin?.id, locations: [{ title: 'Europe/Berlin' }] }])
    const { body: nobody } = await api.admin.get('/api/organizations/1/auth_sources')
    expect(nobody.results).toEqual([])
  })

  test('needs view_authenticators', async () => {
    const caller = await api.can(['view_users'])
    for (const path of ['/api/auth_sources', '/api/auth_source_internals', '/api/auth_source_externals', PATH]) {
      const { status, body } = await caller.get(path)
      expect(status).toBe(403)
      expect(body.error.missing_permissions).toEqual(['view_authenticators'])
    }
  })

  test('internal sources are listed and shown with id, name and times', async () => {
    const keys = ['created_at', 'updated_at', 'id', 'name']
    const { body } = await api.admin.get('/api/auth_source_internals')
    expect(body.results.map(({ name }: Shown) => name)).toEqual(['Internal'])
    expect(Object.keys(body.results[0])).toEqual(keys)
    const shown = await api.admin.get(`/api/auth_source_internals/${body.results[0].id}`)
    expect(shown.body).toEqual(body.results[0])
    expect((await api.admin.get(`/api/auth_source_internals/${sources.Asia?.id}`)).status).toBe(404)
  })
})
