import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/sql.ts'
import { type Caller, openTestApi, type TestApi } from '../support/api.ts'
import { type Body, given, type Shown, unique } from '../support/given.ts'
import { type KeyWorld, keyWorld } from './activation-key-world.ts'

// Content-api §5.3: the content fields of hosts, searches by them, and changes of them.

let api: TestApi
let world: KeyWorld
beforeAll(async () => {
  api = await openTestApi()
  world = await keyWorld(api)
})
afterAll(() => api?.[Symbol.asyncDispose]())

const host = (body: Body = {}) => given(api.admin, 'host', { organization_id: world.organization.id, ...body })
const show = async ({ id }: Shown): Promise<Shown> => (await api.admin.get(`/api/hosts/${id}`)).body
const put = ({ id }: Shown, body: Body, caller: Caller = api.admin) => caller.put(`/api/hosts/${id}`, { host: body })
const changes = async ({ id }: Shown) => {
  const search = encodeURIComponent(`type = host and auditable_id = ${id} and action = update`)
  const { body } = await api.admin.get(`/api/audits?search=${search}&order=${encodeURIComponent('id desc')}`)
  return body.results.map(({ audited_changes }: Shown) => audited_changes)
}
const collection = async (body: Body = {}) =>
  (
    await api.admin.post('/content/api/host_collections', {
      organization_id: world.organization.id,
      name: unique('c'),
      ...body,
    })
  ).body as Shown

test('a host without content shows that it has none', async () => {
  const bare = await host()
  expect(bare).toMatchObject({
    content_facet_attributes: null,
    subscription_facet_attributes: null,
    host_collections: [],
  })
})

describe('content_facet_attributes', () => {
  test('a view in an environment, shown and searched for', async () => {
    const environment = await world.environment()
    const view = await world.view(unique('view'), [world.library, environment.id])
    const facet = { content_view_id: view, lifecycle_environment_id: environment.id }
    const made = await host({ content_facet_attributes: facet })
    expect(made.content_facet_attributes).toMatchObject({
      id: made.id,
      uuid: null,
      ...facet,
      lifecycle_environment_name: environment.name,
      content_view: { id: view, composite: false },
      content_view_version: '1.0',
      content_view_version_latest: true,
      'content_view_default?': false,
      'lifecycle_environment_library?': false,
      content_view_environments: [
        { label: expect.stringMatching(/^environment\d+\/view\d+$/), lifecycle_environment: { id: environment.id } },
      ],
    })
    for (const search of [
      `lifecycle_environment = ${environment.name}`,
      `lifecycle_environment_id = ${environment.id}`,
      `content_view = ${made.content_facet_attributes.content_view_name}`,
      `content_view_id = ${view}`,
    ]) {
      const { body } = await api.admin.get(`/api/hosts?search=${encodeURIComponent(search)}`)
      expect([search, body.results.map(({ id }: Shown) => id)]).toEqual([search, [made.id]])
    }
    // Sending it again changes nothing; null removes it.
    await put(made, { content_facet_attributes: facet })
    expect(await changes(made)).toHaveLength(1)
    const cleared = await put(made, { content_facet_attributes: null })
    expect(cleared.body.content_facet_attributes).toBeNull()
    expect((await changes(made))[0]).toEqual({ content_view_environments: [[expect.any(String)], []] })
  })

  test('a view that a new host has from its group is a change of the host, whose history begins with who made it', async () => {
    const environment = await world.environment()
    const view = await world.view(unique('view'), [world.library, environment.id])
    const of = { content_view_id: view, lifecycle_environment_id: environment.id }
    const group = await given(api.admin, 'hostgroup', { organization_ids: [world.organization.id], ...of })
    const made = await host({ hostgroup_id: group.id })
    expect(made.content_facet_attributes).toMatchObject(of)
    const search = encodeURIComponent(`type = host and auditable_id = ${made.id}`)
    const { body } = await api.admin.get(`/api/audits?search=${search}&order=${encodeURIComponent('id asc')}`)
    expect(body.results.map(({ action, version }: Shown) => [action, version])).toEqual([
      ['create', 1],
      ['update', 2],
    ])
    expect(await show(made)).toMatchObject({ creator: 'Admin User', creator_id: expect.any(Number) })
  })

  test('half a pair is completed by what the host has', async () => {
    const environment = await world.environment()
    const view = await world.view(unique('view'), [world.library, environment.id])
    const made = await host({
      content_facet_attributes: { content_view_id: view, lifecycle_environment_id: world.library },
    })
    const moved = await put(made, { content_facet_attributes: { lifecycle_environment_id: environment.id } })
    expect(moved.body.content_facet_attributes).toMatchObject({
      content_view_id: view,
      lifecycle_environment_id: environment.id,
    })
    const alone = await put(await host(), { content_facet_attributes: { content_view_id: view } })
    expect(alone.body.error.errors).toEqual({ lifecycle_environment_id: ["can't be blank"] })
  })

  test('several pairs in order, by labels and by ids', async () => {
    const dev = await world.environment(unique('dev'))
    const name = unique('web')
    const view = await world.view(name, [dev.id])
    const made = await host({
      content_facet_attributes: { content_view_environments: [`${dev.label}/${name}`, 'Library'] },
    })
    const labels = (one: Shown) =>
      one.content_facet_attributes.content_view_environments.map(({ label }: Shown) => label)
    expect(labels(made)).toEqual([`${dev.label}/${name}`, 'Library'])
    expect(made.content_facet_attributes.content_view_id).toBe(view)
    const single = await put(made, { content_facet_attributes: { content_view_id: world.defaultView } })
    expect(single.body.error.errors.base[0]).toMatch(/^The host has several content view environments/)
    // An answer may be sent back.
    const { content_view_environments } = made.content_facet_attributes
    const turned = await put(made, {
      content_facet_attributes: { content_view_environments: content_view_environments.toReversed() },
    })
    expect(labels(turned.body)).toEqual(['Library', `${dev.label}/${name}`])
    const unknown = await put(made, { content_facet_attributes: { content_view_environments: ['x/y'] } })
    expect(unknown.body.error.errors).toEqual({
      content_view_environments: ['x/y are not labels of content view environments'],
    })
    const twice = await put(made, { content_facet_attributes: { content_view_environments: ['Library', 'Library'] } })
    expect(twice.status).toBe(422)
  })

  test('inconsistent values are refused', async () => {
    const environment = await world.environment()
    const name = unique('view')
    const view = await world.view(name, [world.library])
    const apart = await put(await host(), {
      content_facet_attributes: { content_view_id: view, lifecycle_environment_id: environment.id },
    })
    expect(apart.body.error.errors).toEqual({
      base: [`Content view '${name}' is not in environment '${environment.name}'`],
    })
    const elsewhere = await given(api.admin, 'host', {
      organization_id: (await given(api.admin, 'organization')).id,
    })
    const foreign = await put(elsewhere, {
      content_facet_attributes: { content_view_id: view, lifecycle_environment_id: world.library },
    })
    expect(foreign.body.error.errors.base[0]).toMatch(/must belong to the organization of the host$/)
    const unknown = await put(await host(), {
      content_facet_attributes: { content_view_id: 999_999, lifecycle_environment_id: world.library },
    })
    expect(unknown.status).toBe(404)
  })

  test('a host with content stays in its organization', async () => {
    const other = await given(api.admin, 'organization')
    const made = await host({
      content_facet_attributes: { content_view_id: world.defaultView, lifecycle_environment_id: world.library },
    })
    const moved = await put(made, { organization_id: other.id })
    expect(moved.body.error.errors.organization_id[0]).toMatch(/^cannot be changed while the host/)
    await put(made, { content_facet_attributes: null })
    expect((await put(made, { organization_id: other.id })).status).toBe(200)
  })
})

describe('subscription_facet_attributes', () => {
  test('of a registered host: shown, searched for, and changed', async () => {
    const key = await world.key()
    const registered = await world.registered(key)
    const facet = (await show(registered)).subscription_facet_attributes
    expect(facet).toMatchObject({
      id: registered.id,
      uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      service_level: null,
      autoheal: true,
      registered_at: expect.stringMatching(/ UTC$/),
      purpose_addons: [],
      hypervisor: false,
      activation_keys: [{ id: key.id, name: key.name }],
    })
    for (const search of [
      `subscription_uuid = ${facet.uuid}`,
      `activation_key = ${key.name}`,
      `activation_key_id = ${key.id}`,
    ]) {
      const { body } = await api.admin.get(`/api/hosts?search=${encodeURIComponent(search)}`)
      expect([search, body.results.map(({ id }: Shown) => id)]).toEqual([search, [registered.id]])
    }
    const sent = { service_level: 'Premium', purpose_addons: ['b', 'a', 'b'], autoheal: 'false', release_version: '' }
    const { body } = await put(registered, { subscription_facet_attributes: sent })
    expect(body.subscription_facet_attributes).toMatchObject({
      ...{ service_level: 'Premium', purpose_addons: ['a', 'b'], autoheal: false, release_version: null },
    })
    for (const search of [
      'service_level = Premium and last_checkin > "1 hour ago"',
      'service_level ~ prem and registered_at = today',
      'addon = b and autoheal = false',
      `has last_checkin and null? release_version and activation_key = ${key.name}`,
    ]) {
      const { body } = await api.admin.get(`/api/hosts?search=${encodeURIComponent(search)}`)
      expect([search, body.results.map(({ id }: Shown) => id)]).toEqual([search, [registered.id]])
    }
    await put(registered, { subscription_facet_attributes: sent })
    expect(await changes(registered)).toEqual([
      { service_level: [null, 'Premium'], purpose_addons: [[], ['a', 'b']], autoheal: [true, false] },
    ])
  })

  test('of a host that is not registered yet: shown, changed, and taken over by its registration', async () => {
    const name = `${unique('wishing')}.example.test`
    const wishes = { purpose_role: 'web', purpose_usage: 'test', purpose_addons: ['b', 'a'], autoheal: false }
    const made = await host({ name, subscription_facet_attributes: wishes })
    expect(made.subscription_facet_attributes).toMatchObject({
      ...wishes,
      ...{ id: made.id, uuid: null, registered_at: null, purpose_addons: ['a', 'b'], activation_keys: [] },
    })
    const changed = await put(made, { subscription_facet_attributes: { release_version: '9', purpose_usage: '' } })
    for (const search of [
      `release_version = 9 and name = ${name}`,
      `role = web and addon ^ (x, b) and hypervisor = false and name = ${name}`,
    ]) {
      const { body } = await api.admin.get(`/api/hosts?search=${encodeURIComponent(search)}`)
      expect([search, body.results.map(({ id }: Shown) => id)]).toEqual([search, [made.id]])
    }
    expect(changed.body.subscription_facet_attributes).toMatchObject({ release_version: '9', purpose_usage: null })
    expect(await changes(made)).toContainEqual({ release_version: [null, '9'], purpose_usage: ['test', null] })
    const asked = { lifecycle_environment_id: world.library, content_view_id: world.defaultView }
    const sent = { ...asked, name, purpose_role: 'database', service_level: '' }
    expect((await api.admin.post('/api/hosts/subscriptions', sent)).body).toMatchObject({
      id: made.id,
      subscription_facet_attributes: {
        ...{ uuid: expect.any(String), release_version: '9', purpose_role: 'database', purpose_usage: null },
        ...{ purpose_addons: ['a', 'b'], autoheal: false },
      },
    })
    await api.admin.delete(`/api/hosts/${made.id}/subscriptions`)
    expect((await show(made)).subscription_facet_attributes).toBeNull()
  })

  test('are refused with a level that no pool has', async () => {
    const entitled = await keyWorld(api)
    await entitled.pool({ support_level: 'Standard' })
    const registered = await entitled.registered(await entitled.key())
    const level = await put(registered, { subscription_facet_attributes: { service_level: 'Premium' } })
    expect(level.body.error.errors).toEqual({
      base: [
        `Service level "Premium" is not available to units of organization ${entitled.organization.label ?? (await label(entitled))}.`,
      ],
    })
    expect((await put(registered, { subscription_facet_attributes: { service_level: 'standard' } })).status).toBe(200)
  })
})

async function label({ organization }: KeyWorld): Promise<string> {
  return (await api.admin.get(`/content/api/organizations/${organization.id}`)).body.label
}

describe('host collections of a host', () => {
  test('replaced by an edit and by an action of their own', async () => {
    const made = await host()
    const [one, two] = [await collection(), await collection()]
    const edited = await put(made, { host_collection_ids: [two.id, one.id] })
    expect(edited.body.host_collections.map(({ id }: Shown) => id).sort()).toEqual([one.id, two.id].sort())
    const replaced = await api.admin.put(`/api/hosts/${made.id}/host_collections`, { host_collection_ids: [two.id] })
    expect(replaced.body.host_collections).toEqual([{ id: two.id, name: two.name }])
    expect(await changes(made)).toEqual([
      { host_collection_ids: [[one.id, two.id], [two.id]] },
      { host_collection_ids: [[], [one.id, two.id]] },
    ])
    const { body } = await api.admin.get(`/api/hosts?search=${encodeURIComponent(`host_collection = ${two.name}`)}`)
    expect(body.results.map(({ id }: Shown) => id)).toEqual([made.id])
    expect((await api.admin.put(`/api/hosts/${made.id}/host_collections`, {})).status).toBe(400)
  })

  test('full, foreign and forbidden ones are refused', async () => {
    const made = await host({ location_id: 1 })
    const full = await collection({ max_hosts: 1, host_ids: [(await host()).id] })
    const beyond = await put(made, { host_collection_ids: [full.id] })
    expect(beyond.body.error.errors.base).toEqual([
      `You cannot have more than 1 host(s) associated with host collection ${full.name}.`,
    ])
    const organization_id = (await given(api.admin, 'organization')).id
    const foreign = await collection({ organization_id })
    const elsewhere = await put(made, { host_collection_ids: [foreign.id] })
    expect(elsewhere.body.error.errors.base).toEqual([
      `Host collection ${foreign.name} belongs to another organization`,
    ])
    const [free, held] = [await collection(), await collection({ host_ids: [made.id] })]
    const editor = await api.can(['view_hosts', 'edit_hosts', 'view_host_collections'], {
      organization_ids: [world.organization.id],
      location_ids: [1],
    })
    const forbidden = await put(made, { host_collection_ids: [free.id] }, editor)
    expect(forbidden.body.error.errors.base).toEqual([`You were not allowed to change host collection ${free.name}`])
    const kept = await put(made, { host_collection_ids: [] }, editor)
    expect(kept.body.host_collections).toEqual([{ id: held.id, name: held.name }])
  })
})

describe('the organization of a host', () => {
  test.each([
    [
      'a registration',
      async (id: number) => sql`insert into registrations (host_id, uuid, serial, certificate, expires_at)
      values (${id}, gen_random_uuid(), ${`kept-${id}`}, 'none', now())`,
    ],
    [
      'overrides of content',
      async (id: number) => sql`insert into host_content_overrides (host_id, content_id, name, value)
      select ${id}, c.id, 'enabled', '1' from contents c where c.label = ${(await world.content()).label}`,
    ],
    [
      'a collection',
      async (id: number) => sql`insert into host_collection_hosts (host_collection_id, host_id)
      values (${(await collection()).id}, ${id})`,
    ],
  ])('stays while it has %s', async (_what, giving) => {
    const made = await host({ comment: 'before' })
    await (await giving(made.id)).execute(api.database.db)
    const { id: organization_id } = await given(api.admin, 'organization')
    const moved = await put(made, { organization_id })
    expect([moved.status, moved.body.error.errors.organization_id]).toEqual([
      422,
      [expect.stringContaining('unregister it first')],
    ])
    const kept = await put(made, { organization_id: made.organization_id, comment: 'after' })
    expect([kept.status, kept.body.comment]).toEqual([200, 'after'])
    const free = await host()
    expect((await put(free, { organization_id })).body.organization_id).toBe(organization_id)
  })
})

describe('content of a host', () => {
  test('overrides by label and by search, and what comes of them', async () => {
    const made = await host()
    const [one, two] = [await world.content(), await world.content()]
    const override = (body: Body) => api.admin.put(`/api/hosts/${made.id}/subscriptions/content_override`, body)
    const enabled = ({ body }: { body: Shown }) =>
      Object.fromEntries(
        body.results
          .filter(({ label }: Shown) => [one.label, two.label].includes(label))
          .map(({ label, enabled_content_override }: Shown) => [label, enabled_content_override]),
      )
    const first = await override({ content_overrides: [{ content_label: one.label, value: 'yes' }] })
    expect([first.status, enabled(first)]).toEqual([200, { [one.label]: true, [two.label]: null }])
    const search = `label = ${one.label} or label = ${two.label}`
    const both = await override({ content_overrides_search: { search, enabled: false } })
    expect(enabled(both)).toEqual({ [one.label]: false, [two.label]: false })
    await override({ content_overrides_search: { search, enabled: false } })
    expect(await changes(made)).toHaveLength(2)
    expect(enabled(await override({ content_overrides_search: { search, remove: true } }))).toEqual({
      [one.label]: null,
      [two.label]: null,
    })
    const unknown = await override({ content_overrides: [{ content_label: 'nothing', value: true }] })
    expect(unknown).toMatchObject({
      status: 400,
      body: {
        error: { message: expect.stringContaining('Content label(s) "nothing" were not found in the Organization') },
      },
    })
    expect((await override({ content_overrides_search: { search: 'label =' } })).status).toBe(400)
    expect((await override({ content_overrides_search: { search: 'x ((', enabled: true } })).status).toBe(400)
  })

  test('product_content: by views, and by subscriptions', async () => {
    const { label, product } = await world.content()
    const made = await host()
    const labels = async (query = '') => {
      const path = `/api/hosts/${made.id}/subscriptions/product_content?full_result=true&${query}`
      return (await api.admin.get(path)).body.results.map((one: Shown) => one.label)
    }
    expect(await labels('content_access_mode_all=true')).toContain(label)
    expect(await labels()).toEqual([])
    expect(await labels('content_access_mode_all=true&content_access_mode_env=true')).toEqual([])
    await put(made, { content_facet_attributes: { content_view_environments: ['Library'] } })
    expect(await labels('content_access_mode_all=true&content_access_mode_env=true')).toContain(label)
    const pool = await sql<{ id: number }>`insert into subscriptions (organization_id, name, product_id)
      values (${world.organization.id}, 'x', ${product}) returning id`.execute(api.database.db)
    await sql`insert into host_entitlements values (${made.id}, ${pool.rows[0]?.id}, 3)`.execute(api.database.db)
    expect(await labels()).toEqual([label])
    const { body } = await api.admin.get(`/api/hosts/${made.id}/subscriptions`)
    expect(body).toMatchObject({ total: 1, results: [{ id: pool.rows[0]?.id, consumed: 3, quantity_consumed: 3 }] })
  })
})

describe('registration by a user', () => {
  const body = (more: Body = {}) => ({
    name: `${unique('Registered')}.example.test`,
    lifecycle_environment_id: world.library,
    content_view_id: world.defaultView,
    ...more,
  })
  const register = (more: Body = {}, caller: Caller = api.admin) => caller.post('/api/hosts/subscriptions', body(more))

  test('makes a host with content and an identity, and ends', async () => {
    const products = [{ product_id: '69', product_name: 'Linux', version: '9', arch: 'x86_64' }]
    const { status, body: made } = await register({
      ...{ facts: { 'cpu.count': '4' }, installed_products: products, service_level: 'Premium' },
    })
    expect(status).toBe(200)
    expect(made).toMatchObject({
      name: expect.stringMatching(/^registered\d+\.example\.test$/),
      organization_id: world.organization.id,
      managed: false,
      content_facet_attributes: { lifecycle_environment_id: world.library, content_view_id: world.defaultView },
      subscription_facet_attributes: {
        ...{ service_level: 'Premium', activation_keys: [], user: { login: 'admin' } },
        installed_products: [{ productId: '69', productName: 'Linux', version: '9', arch: 'x86_64' }],
      },
      identity: {
        certificate: expect.stringContaining('BEGIN CERTIFICATE'),
        key: expect.stringContaining('PRIVATE KEY'),
      },
    })
    const facts = await api.admin.get(`/api/hosts/${made.id}/facts?search=fact+%3D+cpu%3A%3Acount`)
    expect(facts.body.results).toEqual({ [made.name]: { 'cpu::count': '4' } })
    const end = (headers = {}) => api.admin.delete(`/api/hosts/${made.id}/subscriptions`, {}, headers)
    expect(await end({ prefer: 'return=representation' })).toMatchObject({
      status: 200,
      body: { id: made.id, content_facet_attributes: null, subscription_facet_attributes: null },
    })
    expect((await end()).body.error.errors).toEqual({ base: ['The host is not registered'] })
    expect((await show(made)).name).toBe(made.name)
  })

  test('the facts tell the name where the request does not, and add-ons may be a text', async () => {
    const name = `${unique('factual')}.example.test`
    const facts = { 'network.hostname': name.toUpperCase() }
    const { status, body: made } = await register({ name: undefined, facts, purpose_addons: 'One, Two,,' })
    expect(status).toBe(200)
    expect(made).toMatchObject({ name, subscription_facet_attributes: { purpose_addons: ['One', 'Two'] } })
    const wrong = await register({ name: undefined, facts: { 'network.hostname': ' ' } })
    expect(wrong.body.error.errors).toEqual({ name: ["can't be blank"] })
  })

  test('a host takes with it what it held', async () => {
    const key = await world.key({ max_hosts: 1 })
    const registered = await world.registered(key)
    expect((await world.show(key)).usage_count).toBe(1)
    expect((await api.admin.delete(`/api/hosts/${registered.id}/subscriptions`)).status).toBe(204)
    expect((await world.show(key)).usage_count).toBe(0)
  })

  test('is refused without what it needs', async () => {
    const nothing = await api.admin.post('/api/hosts/subscriptions', {})
    expect(nothing.body.error.errors).toEqual({
      lifecycle_environment_id: ["can't be blank"],
      content_view_id: ["can't be blank"],
      name: ["can't be blank"],
    })
    const environment = await world.environment()
    expect((await register({ lifecycle_environment_id: environment.id })).body.error.errors.base[0]).toMatch(
      /is not in environment/,
    )
    expect((await register({ content_view_id: 999_999 })).status).toBe(404)
    expect((await register({ facts: { nested: {} } })).status).toBe(400)
    const member = { organization_ids: [world.organization.id], location_ids: [1] }
    const blind = await api.can(['create_hosts', 'view_hosts'], member)
    expect((await register({}, blind)).status).toBe(404)
    const viewing = ['view_hosts', 'view_lifecycle_environments', 'view_content_views']
    expect((await register({}, await api.can(viewing, member))).status).toBe(403)
    const { name } = await host({ location_id: 1 })
    const creator = await api.can(['create_hosts', ...viewing], member)
    const taken = await register({ name }, creator)
    expect(taken.body.error.errors).toEqual({ name: ['is that of a host which you may not edit'] })
    const editor = await api.can(['create_hosts', 'edit_hosts', ...viewing], member)
    expect((await register({ name }, editor)).status).toBe(200)
  })
})
