import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { given, type Shown, unique } from '../support/given.ts'

let api: TestApi
let berlin: Shown
let paris: Shown
let acme: Shown
let external: Shown

beforeAll(async () => {
  api = await openTestApi()
  berlin = await given(api.admin, 'location', { name: 'Berlin', description: 'Capital' })
  paris = await given(api.admin, 'location', { name: 'Paris' })
  acme = await given(api.admin, 'organization', { name: 'Acme' })
  external = (await api.admin.get('/api/auth_source_externals')).body.results[0]
})
afterAll(() => api?.[Symbol.asyncDispose]())

const LISTED = [
  ...['host', 'port', 'account', 'base_dn', 'ldap_filter', 'attr_login', 'attr_firstname', 'attr_lastname'],
  ...['attr_mail', 'attr_photo', 'onthefly_register', 'usergroup_sync', 'tls', 'start_tls', 'ca_certificate'],
  ...['server_type', 'groups_base', 'use_netgroups', 'created_at', 'updated_at', 'id', 'type', 'name'],
  ...['locations', 'organizations'],
]
const SHOWN = LISTED.toSpliced(LISTED.indexOf('locations'), 0, 'external_usergroups')

const referenceTo = ({ id, name, title, description }: Shown) => ({ id, name, title, description })

describe('spec 2.2 and 4.1: external sources', () => {
  const SHAPE = ['created_at', 'updated_at', 'id', 'name', 'locations', 'organizations']

  test('GET /api/auth_source_externals lists them, with arrays of locations and organizations', async () => {
    const { status, body } = await api.admin.get('/api/auth_source_externals')
    expect(status).toBe(200)
    expect(body).toMatchObject({ total: 1, subtotal: 1, page: 1, per_page: 20, search: null })
    expect(Object.keys(body.results[0])).toEqual(SHAPE)
    expect(body.results[0]).toMatchObject({ name: 'External', locations: [], organizations: [] })
  })

  test('lists take search, order, page and per_page', async () => {
    const found = await api.admin.get(
      '/api/auth_source_externals?search=name+~+xtern&order=name+DESC&page=1&per_page=1',
    )
    expect(found.body).toMatchObject({ subtotal: 1, per_page: 1, sort: { by: 'name', order: 'DESC' } })
    const none = await api.admin.get('/api/auth_source_externals?search=name+%3D+other')
    expect(none.body).toMatchObject({ total: 1, subtotal: 0, results: [] })
  })

  test('GET /api/auth_source_externals/:id has scope references and external user groups', async () => {
    const { status, body } = await api.admin.get(`/api/auth_source_externals/${external.id}`)
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(SHAPE.toSpliced(4, 0, 'external_usergroups'))
    expect(body.external_usergroups).toEqual([])
  })

  test('PUT replaces locations and organizations, also by name, and answers the updated source', async () => {
    const put = (body: object) =>
      api.admin.put(`/api/auth_source_externals/${external.id}`, { auth_source_external: body })
    const updated = await put({ name: 'Sso', location_ids: [berlin.id], organization_names: ['Acme'] })
    expect(updated).toMatchObject({ status: 200, body: { name: 'Sso', external_usergroups: [] } })
    expect(updated.body.locations).toEqual([referenceTo(berlin)])
    expect(updated.body.organizations).toEqual([referenceTo(acme)])
    expect((await put({ location_ids: [paris.id] })).body.locations).toEqual([referenceTo(paris)])
    expect((await put({ location_ids: null })).body.locations).toEqual([referenceTo(paris)])
    expect((await put({ name: 'External', location_ids: [], organization_ids: [] })).body).toMatchObject({
      name: 'External',
      locations: [],
      organizations: [],
    })
  })

  test('location_id and organization_id narrow list and show', async () => {
    const path = '/api/auth_source_externals'
    await api.admin.put(`${path}/${external.id}`, { location_ids: [berlin.id] })
    expect((await api.admin.get(`${path}?location_id=${berlin.id}`)).body.subtotal).toBe(1)
    expect((await api.admin.get(`${path}?location_id=${paris.id}`)).body.subtotal).toBe(0)
    expect((await api.admin.get(`${path}/${external.id}?location_id=${berlin.id}`)).status).toBe(200)
    expect((await api.admin.get(`${path}/${external.id}?organization_id=${acme.id}`)).status).toBe(404)
    await api.admin.put(`${path}/${external.id}`, { location_ids: [] })
  })
})

describe('spec 2.3 and 4.2: LDAP sources', () => {
  const source = (overrides: object = {}) =>
    expectCreated(
      api.admin.post('/api/auth_source_ldaps', {
        auth_source_ldap: { name: unique('corp'), host: 'ldap.example.test', ...overrides },
      }),
    )

  test('POST creates one, with its name and host required, and answers 201 with the new source', async () => {
    const made = await source({ location_ids: [berlin.id], organization_ids: [acme.id] })
    expect(Object.keys(made)).toEqual(SHOWN)
    expect(made).toMatchObject({ host: 'ldap.example.test', port: 389, type: 'AuthSourceLdap' })
    expect(made.locations).toEqual([referenceTo(berlin)])
    expect(made.organizations).toEqual([referenceTo(acme)])
    expect(await api.admin.post('/api/auth_source_ldaps', { auth_source_ldap: {} })).toMatchObject({
      status: 422,
      body: {
        error: {
          id: null,
          errors: { name: ["can't be blank"], host: ["can't be blank"] },
          full_messages: ["Name can't be blank", "Host can't be blank"],
        },
      },
    })
  })

  test('GET shows one by id, `<id>-<name>` and name, with the keys of create', async () => {
    const made = await source({ name: 'corp south_1-a' })
    for (const segment of [made.id, `${made.id}-corp`, 'corp%20south_1-a']) {
      const { status, body } = await api.admin.get(`/api/auth_source_ldaps/${segment}`)
      expect(status).toBe(200)
      expect(body).toEqual(made)
      expect(Object.keys(body)).toEqual(SHOWN)
    }
  })

  test('GET lists all, and those of a location or an organization', async () => {
    const here = await source({ location_ids: [berlin.id], organization_ids: [] })
    const there = await source({ location_ids: [], organization_ids: [acme.id] })
    const ids = async (path: string) => (await api.admin.get(path)).body.results.map(({ id }: Shown) => id)
    expect(await ids('/api/auth_source_ldaps?per_page=all')).toEqual(expect.arrayContaining([here.id, there.id]))
    const inBerlin = await ids(`/api/locations/${berlin.id}/auth_source_ldaps`)
    expect(inBerlin).toContain(here.id)
    expect(inBerlin).not.toContain(there.id)
    const ofAcme = await ids(`/api/organizations/${acme.id}/auth_source_ldaps`)
    expect(ofAcme).toContain(there.id)
    expect(ofAcme).not.toContain(here.id)
    expect(await ids(`/api/auth_source_ldaps?location_id=${berlin.id}`)).toEqual(inBerlin)
    expect(await ids(`/api/auth_source_ldaps?organization_id=${acme.id}`)).toEqual(ofAcme)
  })

  test('a list holds the keys of show without external user groups', async () => {
    const { body } = await api.admin.get('/api/auth_source_ldaps')
    expect(body.results.length).toBeGreaterThan(0)
    for (const record of body.results) expect(Object.keys(record)).toEqual(LISTED)
  })

  test('PUT changes what is sent and answers the updated source', async () => {
    const made = await source({ location_ids: [berlin.id] })
    const { status, body } = await api.admin.put(`/api/auth_source_ldaps/${made.id}`, {
      auth_source_ldap: { host: 'other.example.test', location_ids: [paris.id] },
    })
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(SHOWN)
    expect(body).toEqual({
      ...made,
      host: 'other.example.test',
      locations: [referenceTo(paris)],
      updated_at: expect.any(String),
    })
    const { body: same } = await api.admin.put(`/api/auth_source_ldaps/${made.id}`, { auth_source_ldap: {} })
    expect(same).toEqual(body)
  })

  test('PUT :id/test answers 200 with the outcome', async () => {
    const made = await source({ host: '127.0.0.1', port: 9 })
    const { status, body } = await api.admin.put(`/api/auth_source_ldaps/${made.id}/test`)
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['id', 'type', 'name', 'success', 'message', 'steps'])
    expect(body).toMatchObject({ id: made.id, type: 'AuthSourceLdap', name: made.name, success: false })
  })

  test('DELETE answers 200 with its own columns, times in ISO form, without the password', async () => {
    const made = await source({ account_password: 'secret' })
    const { status, body } = await api.admin.delete(`/api/auth_source_ldaps/${made.id}`)
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual([
      ...['id', 'name', 'host', 'port', 'account', 'base_dn', 'attr_login', 'attr_firstname', 'attr_lastname'],
      ...['attr_mail', 'onthefly_register', 'tls', 'start_tls', 'ca_certificate', 'created_at', 'updated_at'],
      ...['ldap_filter', 'attr_photo', 'server_type', 'groups_base', 'usergroup_sync', 'use_netgroups'],
    ])
    expect(body.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect((await api.admin.get(`/api/auth_source_ldaps/${made.id}`)).status).toBe(404)
  })

  test.each(['0', '-1', '01', '1.5', 'abc', 'ALL', 'all1', '', '%201', '1%0A'])(
    'per_page=%s is refused',
    async (value) => {
      const { status, body } = await api.admin.get(`/api/auth_source_ldaps?per_page=${value}`)
      expect(status).toBe(400)
      expect(body.error).toMatchObject({ class: 'Apipie::ParamInvalid', parameter_name: 'per_page' })
    },
  )

  test('per_page takes whole numbers from 1 on, and all', async () => {
    await Promise.all([source(), source()])
    const { body: one } = await api.admin.get('/api/auth_source_ldaps?per_page=1')
    expect(one).toMatchObject({ per_page: 1, results: [{}] })
    const { body: all } = await api.admin.get('/api/auth_source_ldaps?per_page=all')
    expect(all.results).toHaveLength(all.total)
    expect(all.per_page).toBe(all.total)
    expect((await api.admin.get('/api/auth_source_ldaps?per_page=4294967296')).status).toBe(200)
  })

  test('page, order and search by every documented field', async () => {
    const made = await source({ name: 'zz last', location_ids: [berlin.id], organization_ids: [acme.id] })
    const first = await api.admin.get('/api/auth_source_ldaps?order=name+DESC&page=1&per_page=1')
    expect(first.body).toMatchObject({ sort: { by: 'name', order: 'DESC' }, results: [{ name: 'zz last' }] })
    const searches = [
      `id = ${made.id}`,
      'name = "zz last"',
      'zz',
      'location = Berlin and name ~ zz',
      `location_id = ${berlin.id} and name ~ zz`,
      'organization = Acme and name ~ zz',
      `organization_id = ${acme.id} and name ~ zz`,
    ]
    for (const search of searches) {
      const { body } = await api.admin.get(`/api/auth_source_ldaps?search=${encodeURIComponent(search)}`)
      expect(body.results, search).toMatchObject([{ id: made.id }])
    }
    for (const field of ['id', 'name', 'location', 'location_id', 'organization', 'organization_id']) {
      expect((await api.admin.get(`/api/auth_source_ldaps?order=${field}`)).status, field).toBe(200)
    }
    expect((await api.admin.get('/api/auth_source_ldaps?search=host+%3D+a')).status).toBe(400)
  })

  test('lists are ordered by name', async () => {
    const { body } = await api.admin.get('/api/auth_source_ldaps?per_page=all')
    const names = body.results.map(({ name }: Shown) => name)
    expect(names).toEqual(names.toSorted())
  })
})
