import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/sql.ts'
import { openTestApi, type Reply, type TestApi } from '../support/api.ts'
import { type Body, given, type Shown, unique } from '../support/given.ts'
import { KEYS, type KeyWorld, keyWorld } from './activation-key-world.ts'

// Content-api §5.3: what several keys give together, how hosts have drifted from it, and reapplying keys.

let api: TestApi
let world: KeyWorld
beforeAll(async () => {
  api = await openTestApi()
  world = await keyWorld(api)
})
afterAll(() => api?.[Symbol.asyncDispose]())

const collection = async (body: Body = {}): Promise<Shown> =>
  (
    await api.admin.post('/content/api/host_collections', {
      organization_id: world.organization.id,
      name: unique('collection'),
      ...body,
    })
  ).body

/** Creates a host that is registered with these keys, in this order. */
async function registered(...[first, ...others]: [Shown, ...Shown[]]): Promise<Shown> {
  const host = await world.registered(first)
  for (const [index, { id }] of others.entries())
    await sql`insert into activation_key_hosts (activation_key_id, host_id, position) values (${id}, ${host.id}, ${index + 1})`.execute(
      api.database.db,
    )
  return host
}

const show = async ({ id }: Shown): Promise<Shown> => (await api.admin.get(`/api/hosts/${id}`)).body
const driftOf = async ({ id }: Shown, query = ''): Promise<Shown> =>
  (await api.admin.get(`${KEYS}/${id}/drift?${query}`)).body
const reapply = ({ id }: Shown, body: Body = {}): Promise<Reply> => api.admin.post(`${KEYS}/${id}/reapply`, body)

/** Waits until the task of a reapplication has ended, and yields it. */
async function reapplied(key: Shown, body: Body = { all: true }): Promise<Shown> {
  const planned = await reapply(key, body)
  expect(planned.status).toBe(202)
  await api.finishTasks()
  return (await api.admin.get(`/api/tasks/${planned.body.id}`)).body
}

describe('resolve', () => {
  const resolve = (query: string) => api.admin.get(`${KEYS}/resolve?${query}`)

  test('every field with the key that it comes from, and every contradiction', async () => {
    const dev = await world.environment(unique('dev'))
    const name = unique('web')
    const view = await world.view(name, [dev.id])
    const [shared, own] = [await collection(), await collection()]
    const { label } = await world.content()
    const one = await world.key({
      ...{ environment_id: dev.id, content_view_id: view, service_level: 'Standard', release_version: '' },
      ...{ purpose_addons: ['x'], host_collection_ids: [shared.id] },
    })
    const two = await world.key({
      ...{ environment_id: world.library, content_view_id: world.defaultView, purpose_role: 'web' },
      host_collection_ids: [own.id, shared.id],
    })
    const three = await world.key({ service_level: 'Premium', max_hosts: 1 })
    await world.registered(three)
    for (const [{ id }, value] of [
      [one, true],
      [two, false],
    ] as const)
      await api.admin.put(`${KEYS}/${id}/content_override`, { content_overrides: [{ content_label: label, value }] })

    const named = ({ id, name }: Shown) => ({ id, name })
    const names = [one, two, three].map((key) => key.name).join()
    const { body } = await resolve(`organization_id=${world.organization.id}&keys=${names}`)
    expect(body).toEqual({
      organization: expect.objectContaining({ id: world.organization.id }),
      keys: [named(one), named(two), named(three)],
      fields: {
        content_view_environments: { value: ['Library'], key: named(two), from: 'key' },
        service_level: { value: 'Premium', key: named(three), from: 'key' },
        release_version: { value: null, key: null, from: null },
        purpose_usage: { value: null, key: null, from: null },
        purpose_role: { value: 'web', key: named(two), from: 'key' },
        purpose_addons: { value: ['x'], key: named(one), from: 'key' },
      },
      host_collections: expect.toSatisfy((given: Shown[]) => {
        expect(given.map(({ id, keys }) => [id, keys.length]).sort()).toEqual(
          [
            [shared.id, 2],
            [own.id, 1],
          ].sort(),
        )
        return true
      }),
      content_overrides: [{ content_label: label, name: 'enabled', value: '0', key: named(two) }],
      subscriptions: [],
      auto_attach: [],
      conflicts: [
        {
          field: 'content_view_environments',
          about: null,
          says: [
            { key: named(one), value: [`${dev.label}/${name}`] },
            { key: named(two), value: ['Library'] },
          ],
          wins: named(two),
        },
        {
          field: 'service_level',
          about: null,
          says: [
            { key: named(one), value: 'Standard' },
            { key: named(three), value: 'Premium' },
          ],
          wins: named(three),
        },
        {
          field: 'content_overrides',
          about: `${label} enabled`,
          says: [
            { key: named(one), value: '1' },
            { key: named(two), value: '0' },
          ],
          wins: named(two),
        },
      ],
      unavailable_service_levels: [],
      refusals: [
        { key: named(three), reason: 'full', message: `Max Hosts (1) reached for activation key '${three.name}'` },
      ],
    })
    const byId = await resolve(`activation_key_ids=${one.id},${two.id},${three.id}`)
    expect(byId.body).toEqual(body)
    // A host that is registered with the key keeps its use.
    const again = await resolve(`activation_key_ids=${three.id}&host_id=${(await registeredHosts(three))[0]}`)
    expect(again.body.refusals.map(({ reason }: Shown) => reason)).toEqual(['no_environment'])
  })

  test('unknown keys are named, all of them', async () => {
    const { name, id } = await world.key()
    const { status, body } = await resolve(`organization_id=${world.organization.id}&keys=${name},nobody,nothing`)
    expect([status, body.displayMessage]).toEqual([404, "Couldn't find activation keys 'nobody', 'nothing'"])
    const ids = await resolve(`activation_key_ids=${id},999998,999999`)
    expect([ids.status, ids.body.displayMessage]).toEqual([404, "Couldn't find activation key '999998, 999999'"])
    const foreign = await (await keyWorld(api)).key()
    expect((await resolve(`activation_key_ids=${id},${foreign.id}`)).status).toBe(400)
    expect((await resolve('keys=a')).status).toBe(404)
    expect((await resolve('')).status).toBe(400)
  })
})

async function registeredHosts({ id }: Shown): Promise<number[]> {
  const { body } = await api.admin.get(`/api/hosts?search=activation_key_id+%3D+${id}`)
  return body.results.map((host: Shown) => host.id)
}

describe('drift and re-application', () => {
  test('what hosts have instead, and what they get', async () => {
    const wanted = await collection()
    const { label } = await world.content()
    const { label: other } = await world.content()
    const base = await world.key({ environment_id: world.library, service_level: 'Standard' })
    const key = await world.key({
      service_level: 'Premium',
      purpose_addons: ['a', 'b'],
      host_collection_ids: [wanted.id],
    })
    await api.admin.put(`${KEYS}/${key.id}/content_override`, {
      content_overrides: [{ content_label: label, value: true }],
    })
    const [host, same] = [await registered(base, key), await registered(base, key)]
    await reapplied(key, { host_ids: [same.id] })
    await api.admin.put(`/api/hosts/${host.id}/subscriptions/content_override`, {
      content_overrides: [{ content_label: other, value: false }],
    })
    const { results, total } = await driftOf(key)
    expect(total).toBe(1)
    expect(results).toEqual([
      {
        id: host.id,
        name: host.name,
        differences: [
          ...[
            {
              field: 'content_view_environments',
              host_value: [],
              key_value: ['Library'],
              key: { id: base.id, name: base.name },
            },
          ],
          { field: 'host_collections', host_value: [], key_value: [{ id: wanted.id, name: wanted.name }], key: null },
          {
            field: 'content_overrides',
            host_value: [{ content_label: other, name: 'enabled', value: '0' }],
            key_value: [{ content_label: label, name: 'enabled', value: '1' }],
            key: null,
          },
          { field: 'service_level', host_value: null, key_value: 'Premium', key: { id: key.id, name: key.name } },
          { field: 'purpose_addons', host_value: [], key_value: ['a', 'b'], key: { id: key.id, name: key.name } },
        ],
      },
    ])
    expect(await driftOf(base, `search=name+%3D+${same.name}`)).toMatchObject({ total: 1, subtotal: 0, results: [] })
    expect((await driftOf(key, 'fields=service_level')).results[0].differences).toHaveLength(1)
    expect((await driftOf(key, 'fields=release_version')).total).toBe(0)
    expect((await api.admin.get(`${KEYS}/${key.id}/drift?fields=name`)).status).toBe(400)

    const preview = await reapply(key, { preview: true, fields: ['service_level'] })
    expect(preview).toMatchObject({
      status: 200,
      body: { total: 1, fields: ['service_level'], results: [{ id: host.id, differences: [{ host_value: null }] }] },
    })
    expect((await driftOf(key)).results).toEqual(results)

    expect(await reapplied(key, { all: true, fields: ['service_level'] })).toMatchObject({
      ...{ label: 'activation_key.reapply', state: 'stopped', result: 'success', progress: 1 },
      output: { hosts: 1, changed: 1, failures: 0, failed: [] },
    })
    expect((await show(host)).subscription_facet_attributes.service_level).toBe('Premium')
    expect((await driftOf(key)).results[0].differences).toHaveLength(4)
    await reapplied(key)
    expect((await driftOf(key)).total).toBe(0)
    expect(await show(host)).toMatchObject({
      content_facet_attributes: { content_view_environments: [{ label: 'Library' }] },
      host_collections: [{ id: wanted.id }],
      subscription_facet_attributes: { purpose_addons: ['a', 'b'] },
    })
    const search = encodeURIComponent(`type = host and auditable_id = ${host.id} and action = update`)
    const audits = (await api.admin.get(`/api/audits?search=${search}&order=id+desc`)).body.results
    expect(audits[0].audited_changes).toEqual({
      content_view_environments: [[], ['Library']],
      host_collections: [[], [{ id: wanted.id, name: wanted.name }]],
      content_overrides: [
        [{ content_label: other, name: 'enabled', value: '0' }],
        [{ content_label: label, name: 'enabled', value: '1' }],
      ],
      purpose_addons: [[], ['a', 'b']],
    })
    // Repeating it changes nothing.
    expect((await reapplied(key)).output).toMatchObject({ hosts: 0, changed: 0 })
    expect((await api.admin.get(`/api/audits?search=${search}`)).body.subtotal).toBe(audits.length)
  })

  test('a full collection keeps its hosts: those that do not fit stay as they are, and are named', async () => {
    const full = await collection({ max_hosts: 2 })
    const key = await world.key({ environment_id: world.library, host_collection_ids: [full.id] })
    const hosts = [await registered(key), await registered(key), await registered(key)]
    const task = await reapplied(key)
    expect(task).toMatchObject({
      result: 'warning',
      output: { hosts: 3, changed: 2, failures: 1 },
      humanized: {
        errors: [expect.stringMatching(`: Host collection '${full.name}' exceeds maximum usage limit of '2'$`)],
      },
    })
    const [left] = task.output.failed
    expect(hosts.map(({ id }) => id)).toContain(left.host.id)
    expect((await show(left.host)).content_facet_attributes.content_view_environments).toEqual([])
    expect((await driftOf(key)).results.map(({ id }: Shown) => id)).toEqual([left.host.id])
  })

  test('pools that hosts have too few of, in organizations where they count', async () => {
    const entitled = await keyWorld(api)
    const [pool, scarce] = [await entitled.pool({ multi_entitlement: true }), await entitled.pool()]
    await sql`update subscriptions set quantity = 1 where id = ${scarce.id}`.execute(api.database.db)
    const key = await entitled.key({ environment_id: entitled.library, auto_attach: false })
    await api.admin.put(`${KEYS}/${key.id}/add_subscriptions`, {
      subscriptions: [{ id: pool.id, quantity: 2 }, { id: scarce.id }],
    })
    const hosts = [await entitled.registered(key), await entitled.registered(key)]
    const [first] = (await driftOf(key, 'fields=subscriptions')).results
    expect(first.differences[0]).toMatchObject({
      ...{ field: 'subscriptions', host_value: [] },
      key_value: expect.arrayContaining([expect.objectContaining({ id: pool.id, quantity: 2 })]),
    })
    const task = await reapplied(key)
    expect(task).toMatchObject({
      result: 'warning',
      output: {
        ...{ hosts: 2, changed: 2, failures: 1 },
        failed: [{ message: 'not everything of its activation keys can be had now: subscriptions' }],
      },
    })
    const taken = await Promise.all(
      hosts.map(async ({ id }) => (await api.admin.get(`/api/hosts/${id}/subscriptions`)).body.total),
    )
    expect(taken.sort()).toEqual([1, 2])
  })

  test('only hosts that the caller may edit are shown and touched', async () => {
    const key = await world.key({ environment_id: world.library, service_level: 'Premium' })
    const [mine, theirs] = [await registered(key), await registered(key)]
    await api.admin.put(`/api/hosts/${mine.id}`, { host: { comment: 'mine' } })
    const caller = await api.can(['view_hosts', 'edit_hosts'], {
      search: 'comment = mine',
      also: ['view_activation_keys'],
      organization_ids: [world.organization.id],
      location_ids: [1],
    })
    const drift = await caller.get(`${KEYS}/${key.id}/drift`)
    expect(drift.body.results.map(({ id }: Shown) => id)).toEqual([mine.id])
    const named = await caller.post(`${KEYS}/${key.id}/reapply`, { host_ids: [mine.id, theirs.id] })
    expect([named.status, named.body.displayMessage]).toEqual([404, `Couldn't find host '${theirs.id}'`])
    const planned = await caller.post(`${KEYS}/${key.id}/reapply`, { all: true })
    expect(planned.status).toBe(202)
    await api.finishTasks()
    expect((await driftOf(key)).results.map(({ id }: Shown) => id)).toEqual([theirs.id])
    const viewer = await api.can(['view_hosts', 'view_activation_keys'], { organization_ids: [world.organization.id] })
    expect((await viewer.post(`${KEYS}/${key.id}/reapply`, {})).status).toBe(403)
    const blind = await api.can(['view_hosts', 'edit_hosts'], { organization_ids: [world.organization.id] })
    expect((await blind.post(`${KEYS}/${key.id}/reapply`, {})).status).toBe(403)
  })

  test('other keys of the hosts are named to those who may view them', async () => {
    const [own, other] = [await world.key({ purpose_role: 'web' }), await world.key({ service_level: 'Premium' })]
    const host = await registered(own, other)
    const there = { organization_ids: [world.organization.id], location_ids: [1] }
    const caller = await api.can(['view_activation_keys'], {
      ...{ ...there, search: `name = "${own.name}"`, also: ['view_hosts', 'edit_hosts'] },
    })
    const keysIn = ({ body }: Reply) =>
      body.results.map(({ differences }: Shown) => differences.map((one: Shown) => one.key))
    const hidden = [
      [
        { id: null, name: 'another key' },
        { id: own.id, name: own.name },
      ],
    ]
    const preview = await caller.post(`${KEYS}/${own.id}/reapply`, { preview: true })
    expect([keysIn(preview), preview.body.results[0].id]).toEqual([hidden, host.id])
    const listed = await caller.get(`${KEYS}/${own.id}/drift`)
    expect([keysIn(listed), listed.text.includes(other.name)]).toEqual([hidden, false])
    expect(keysIn(await api.admin.get(`${KEYS}/${own.id}/drift`))[0][0]).toEqual({ id: other.id, name: other.name })
  })

  test('cancelled, it leaves hosts as they are', async () => {
    const key = await world.key({ environment_id: world.library })
    const host = await registered(key)
    const { body: task } = await reapply(key, { all: true })
    expect((await api.admin.post(`/api/tasks/${task.id}/cancel`, {})).body.result).toBe('cancelled')
    await api.finishTasks()
    expect((await driftOf(key)).results.map(({ id }: Shown) => id)).toEqual([host.id])
  })

  test.each([
    [{ fields: ['name'] }],
    [{ fields: [] }],
    [{ fields: 'service_level' }],
    [{ host_ids: 'all' }],
    [{ host_ids: [1.5] }],
    [{ search: 7 }],
    [{ preview: 'perhaps' }],
    [{ preview: true, search: 'x ((' }],
    [{ search: 'x ((' }],
    [{}],
    [{ search: '' }],
    [{ all: true, host_ids: [] }],
  ])('%j is refused', async (body) => {
    const { status } = await reapply(await world.key(), body)
    expect(status).toBe(400)
  })

  test('costs as many statements for a hundred hosts as for one', async () => {
    const key = await world.key({ environment_id: world.library, service_level: 'Premium' })
    await registered(key)
    // One of the requests may refresh a cache.
    const cost = async () => {
      const counts: number[] = []
      for (const _ of Array(3)) counts.push((await api.counting(() => driftOf(key, 'per_page=200'))).count)
      return Math.min(...counts)
    }
    const one = await cost()
    await sql`with made as (insert into hosts (name, organization_id, location_id)
        select 'many' || n || '.test', ${world.organization.id}, 1 from generate_series(1, 100) n returning id),
      registered as (insert into registrations (host_id, uuid, serial, certificate, expires_at)
        select id, gen_random_uuid(), 'many' || id, 'none', now() from made returning host_id)
      insert into activation_key_hosts (activation_key_id, host_id, position) select ${key.id}, host_id, 0 from registered`.execute(
      api.database.db,
    )
    const { results, total } = await driftOf(key, 'per_page=200')
    expect([total, results.length, results[100].differences.length]).toEqual([101, 101, 2])
    expect(await cost()).toBe(one)
  })
})

test('a key shows the collections that it gives, below itself', async () => {
  const mine = await collection()
  await collection()
  const key = await world.key({ host_collection_ids: [mine.id] })
  const { body } = await api.admin.get(`${KEYS}/${key.id}/host_collections`)
  expect(body).toMatchObject({ total: 1, results: [{ id: mine.id, name: mine.name }] })
  expect((await api.admin.get(`${KEYS}/999999/host_collections`)).body.displayMessage).toBe(
    "Couldn't find activation key '999999'",
  )
})

test('a host that has just registered does not differ from its keys, until they change', async () => {
  const dev = await world.environment(unique('dev'))
  const view = await world.view(unique('web'), [dev.id, world.library])
  const given = await collection()
  const { label } = await world.content()
  const one = await world.key({ environment_id: dev.id, content_view_id: view, host_collection_ids: [given.id] })
  const two = await world.key({
    ...{ content_view_environments: [{ environment_id: world.library, content_view_id: view }] },
    ...{ service_level: 'Premium', purpose_role: 'web', purpose_usage: 'test', purpose_addons: ['b', 'a'] },
  })
  await api.admin.put(`${KEYS}/${one.id}/content_override`, {
    content_overrides: [{ content_label: label, value: false }],
  })
  const { label: owner } = (await api.admin.get(`/content/api/organizations/${world.organization.id}`)).body
  const name = `${unique('fresh')}.example.test`
  const sent = { type: 'system', name, facts: { 'network.hostname': name }, usage: 'mine', serviceLevel: 'Standard' }
  const answer = await api.nobody.post(`/rhsm/consumers?owner=${owner}&activation_keys=${one.name},${two.name}`, sent)
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)])
  for (const key of [one, two]) expect((await driftOf(key)).total).toBe(0)
  await world.change(two, { purpose_role: 'database' })
  for (const key of [one, two])
    expect((await driftOf(key)).results).toEqual([
      {
        ...{ id: expect.any(Number), name },
        differences: [
          { field: 'purpose_role', host_value: 'web', key_value: 'database', key: { id: two.id, name: two.name } },
        ],
      },
    ])
})

test('two hosts of different keys do not mix', async () => {
  const [one, two] = [
    await world.key({ environment_id: world.library, purpose_role: 'one' }),
    await world.key({ purpose_role: 'two' }),
  ]
  const [both, alone] = [await registered(one, two), await registered(one)]
  await reapplied(one)
  const roles = await Promise.all(
    [both, alone].map(async (host) => (await show(host)).subscription_facet_attributes.purpose_role),
  )
  expect(roles).toEqual(['two', 'one'])
  expect((await given(api.admin, 'host')).subscription_facet_attributes).toBeNull()
})
