import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { type Shown, unique } from '../support/given.ts'
import { KEYS, type KeyWorld, keyWorld } from './activation-key-world.ts'

// Spec 2.7, 4.6 and 7, row by row; docs/contract.md names the deviations.

let api: TestApi
let world: KeyWorld
beforeAll(async () => {
  api = await openTestApi()
  world = await keyWorld(api)
})
afterAll(() => api?.[Symbol.asyncDispose]())

/** Spec 2.7: the keys of an activation key in their order. */
const FIELDS = [
  ...['id', 'name', 'description', 'unlimited_hosts', 'max_hosts', 'auto_attach', 'usage_count', 'user_id'],
  ...['service_level', 'release_version', 'purpose_usage', 'purpose_role', 'purpose_addons', 'content_overrides'],
  ...['content_view_id', 'environment_id', 'content_view', 'environment', 'organization_id', 'organization'],
  ...['products', 'host_collections', 'permissions', 'created_at', 'updated_at'],
]
const TIME = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2} UTC$/
const body = (activation_key: object, more: object = {}) => ({
  organization_id: world.organization.id,
  activation_key,
  ...more,
})

test('2.7: a key that says nothing but its name', async () => {
  const name = unique('key')
  const { status, body: key } = await api.admin.post(KEYS, body({ name }))
  expect(status).toBe(201)
  expect(Object.keys(key).slice(0, FIELDS.length)).toEqual(FIELDS)
  const { id, label, title } = world.organization
  expect(key).toMatchObject({
    ...{ id: expect.any(Number), name, description: null, unlimited_hosts: true, max_hosts: null, auto_attach: true },
    ...{ usage_count: 0, user_id: 1, service_level: null, release_version: null, purpose_usage: null },
    ...{ purpose_role: null, purpose_addons: [], content_overrides: [], content_view_id: null, environment_id: null },
    ...{ content_view: null, environment: null, organization_id: id, products: [], host_collections: [] },
    organization: { name: title, label: label ?? expect.any(String), id },
    permissions: { view_activation_keys: true, edit_activation_keys: true, destroy_activation_keys: true },
    ...{ created_at: expect.stringMatching(TIME), updated_at: expect.stringMatching(TIME) },
  })
  const { body: full } = await api.admin.post(KEYS, body({ name: unique('key'), environment: { id: world.library } }))
  expect(full.content_view).toEqual({ id: world.defaultView, name: 'Default Organization View' })
  expect(Object.entries(full.environment)).toEqual([
    ['name', 'Library'],
    ['id', world.library],
  ])
})

describe('4.6', () => {
  test('GET lists the keys of an organization', async () => {
    const own = await keyWorld(api)
    const {
      service_level: _level,
      content_overrides: _overrides,
      ...row
    } = await own.key({ name: 'b', environment_id: own.library })
    await own.key({ name: 'a' })
    const path = `/content/api/organizations/${own.organization.id}/activation_keys`
    const query = `environment_id=${own.library}&content_view_id=${own.defaultView}&name=b&search=name+%3D+b`
    const paged = '&page=1&per_page=1&order=name+ASC&full_result=true&sort_by=name&sort_order=ASC'
    const { status, body: page } = await api.admin.get(`${path}?${query}${paged}`)
    expect([status, page]).toEqual([
      200,
      {
        ...{ total: 1, subtotal: 1, selectable: 1, page: 1, per_page: 1, error: null, search: 'name = b' },
        ...{ sort: { by: 'name', order: 'ASC' }, results: [row] },
      },
    ])
  })

  test('POST creates, PUT changes without an answer, GET shows, DELETE deletes without an answer', async () => {
    const sent = {
      ...{ name: unique('key'), description: 'd', environment_id: world.library, content_view_id: world.defaultView },
      ...{ max_hosts: 3, unlimited_hosts: false, auto_attach: false, purpose_usage: 'u', purpose_role: 'r' },
      ...{ purpose_addons: ['a'], release_version: null, service_level: null },
    }
    const key = await expectCreated(api.admin.post(KEYS, body(sent)))
    expect(key).toMatchObject(sent)
    const changed = await api.admin.put(`${KEYS}/${key.id}`, body({ description: 'e' }))
    expect([changed.status, changed.text]).toEqual([204, ''])
    const host = await world.registered(key)
    const shown = await api.admin.get(`${KEYS}/${key.id}?organization_id=${world.organization.id}&show_hosts=true`)
    expect(shown).toMatchObject({ status: 200, body: { description: 'e', hosts: [{ id: host.id, name: host.name }] } })
    const deleted = await api.admin.delete(`${KEYS}/${key.id}`)
    expect([deleted.status, deleted.text]).toEqual([204, ''])
    expect((await api.admin.get(`${KEYS}/${key.id}`)).status).toBe(404)
  })

  test('POST copies', async () => {
    const key = await world.key({ description: 'd' })
    const new_name = unique('copy')
    const copied = await api.admin.post(`${KEYS}/${key.id}/copy`, { new_name, organization_id: world.organization.id })
    expect(copied).toMatchObject({ status: 201, body: { name: new_name, description: 'd', id: expect.any(Number) } })
  })

  test('PUT associates host collections', async () => {
    const organization_id = world.organization.id
    const collection = await expectCreated(
      api.admin.post('/content/api/host_collections', { organization_id, name: unique('collection') }),
    )
    const key = await world.key()
    const sent = { host_collection_ids: [collection.id], organization_id }
    const { status, body: answer } = await api.admin.put(`${KEYS}/${key.id}/host_collections`, sent)
    expect([status, answer.host_collections]).toEqual([200, [{ id: collection.id, name: collection.name }]])
  })

  test('POST adds and removes subscriptions by the uuid of their pools', async () => {
    const own = await keyWorld(api)
    const pool = await own.pool()
    const key = await own.key()
    const added = await api.admin.post(`${KEYS}/${key.id}/add_subscriptions`, {
      subscriptions: [{ id: pool.cp_id, quantity: 1 }],
    })
    expect([added.status, added.body.results.map(({ id }: Shown) => id)]).toEqual([200, [pool.id]])
    const removed = await api.admin.post(`${KEYS}/${key.id}/remove_subscriptions`, {
      subscriptions: [{ id: pool.cp_id }],
    })
    expect([removed.status, removed.text]).toEqual([204, ''])
  })

  test('PUT overrides contents', async () => {
    const { label } = await world.content()
    const key = await world.key()
    const override = (item: object) =>
      api.admin.put(`${KEYS}/${key.id}/content_override`, { content_overrides: [{ content_label: label, ...item }] })
    expect((await override({ value: true })).body.content_overrides).toEqual([
      { content_label: label, name: 'enabled', value: '1' },
    ])
    expect((await override({ remove: true })).body.content_overrides).toEqual([])
  })

  test('the searchable fields', async () => {
    const { body: offered } = await api.admin.get(`${KEYS}/auto_complete_search?search=`)
    const fields = offered.map(({ part }: Shown) => part.trim())
    expect(fields).toEqual(
      expect.arrayContaining([
        ...[
          'addon',
          'content_view',
          'content_view_id',
          'description',
          'environment',
          'name',
          'organization_id',
          'role',
        ],
        ...['subscription_id', 'subscription_name', 'usage'],
      ]),
    )
  })
})

describe('7', () => {
  test('subscriptions are refused where the access mode disables them', async () => {
    const key = await (await keyWorld(api)).key()
    const message = 'The specified organization is in Simple Content Access mode. Attaching subscriptions is disabled'
    const { status, body: answer } = await api.admin.post(`${KEYS}/${key.id}/add_subscriptions`, {
      subscription_id: 123,
    })
    expect([status, answer]).toEqual([400, { displayMessage: message, errors: [message] }])
  })

  test('overrides of contents that the organization does not have are refused', async () => {
    const key = await world.key()
    const content_overrides = ['croissant', 'crepe'].map((content_label) => ({
      content_label,
      name: 'mirrorlist',
      remove: true,
    }))
    const message = `Content label(s) "croissant, crepe" were not found in the Organization "${world.organization.title}"`
    const { status, body: answer } = await api.admin.put(`${KEYS}/${key.id}/content_override`, { content_overrides })
    expect([status, answer]).toEqual([400, { displayMessage: message, errors: [message] }])
  })
})
