import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/sql.ts'
import { expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { type Body, given, resourceNamed, type Shown, unique } from '../support/given.ts'
import { KEYS, type KeyWorld, keyWorld, refused } from './activation-key-world.ts'

// Spec 4.6, content-api §2.11 to §4: what keys give, and copies of keys.

let api: TestApi
let world: KeyWorld
beforeAll(async () => {
  api = await openTestApi()
  world = await keyWorld(api)
})
afterAll(() => api?.[Symbol.asyncDispose]())

const path = (key: Pick<Shown, 'id'>, action: string) => `${KEYS}/${key.id}/${action}`
const collection = (organization = world.organization) =>
  expectCreated(
    api.admin.post('/content/api/host_collections', { organization_id: organization.id, name: unique('collection') }),
  )
const idsOf = (records: readonly Shown[]) => records.map(({ id }) => id)

describe('host collections', () => {
  test('are added by PUT and POST, taken away by DELETE, and what changes nothing leaves no trace', async () => {
    const [one, other] = [await collection(), await collection()]
    const key = await world.key({ host_collection_ids: [one.id] })
    expect(key.host_collections).toEqual([{ id: one.id, name: one.name }])
    const added = await api.admin.put(path(key, 'host_collections'), { host_collection_ids: [String(other.id)] })
    expect([added.status, idsOf(added.body.host_collections)]).toEqual([200, [one.id, other.id]])
    const again = await api.admin.post(path(key, 'host_collections'), {
      activation_key: { host_collection_ids: [one.id] },
    })
    expect(again.body).toEqual(added.body)
    const removed = await api.admin.delete(path(key, 'host_collections'), { host_collection_ids: [one.id] })
    expect([removed.status, idsOf(removed.body.host_collections)]).toEqual([200, [other.id]])
    expect((await api.admin.delete(path(key, 'host_collections'), { host_collection_ids: [one.id] })).body).toEqual(
      removed.body,
    )
    expect((await world.changes(key)).map(({ audited_changes }) => audited_changes)).toEqual([
      { host_collection_ids: [[one.id, other.id], [other.id]] },
      { host_collection_ids: [[one.id], [one.id, other.id]] },
    ])
  })

  test('of many requests at once are all there', async () => {
    const collections = await Promise.all(Array.from({ length: 8 }, () => collection()))
    const key = await world.key()
    const answers = await Promise.all(
      collections.map(({ id }) => api.admin.post(path(key, 'host_collections'), { host_collection_ids: [id] })),
    )
    expect(answers.map(({ status }) => status)).toEqual(collections.map(() => 200))
    expect(idsOf((await world.show(key)).host_collections).sort()).toEqual(idsOf(collections).sort())
    expect(await world.changes(key)).toHaveLength(8)
  })

  test('are of the organization, seen by the caller, and named', async () => {
    const key = await world.key()
    const foreign = await collection(await given(api.admin, 'organization'))
    const put = (body: unknown) => refused(api.admin.put(path(key, 'host_collections'), body))
    expect(await put({ host_collection_ids: [foreign.id] })).toEqual([
      422,
      { host_collection_ids: ['belongs to another organization'] },
    ])
    expect(await put({ host_collection_ids: [99_999_999] })).toEqual([
      404,
      ["Couldn't find host collection '99999999'"],
    ])
    expect(await put({})).toEqual([400, ['Missing values for activation_key.']])
    expect(await put({ activation_key: { name: 'x' } })).toEqual([400, ['Missing values for host_collection_ids.']])
    expect((await api.admin.put(path(key, 'host_collections'), { host_collection_ids: 'x' })).status).toBe(400)
    const blind = await api.can(['edit_activation_keys'], { organization_ids: [world.organization.id] })
    const mine = await collection()
    expect(await refused(blind.put(path(key, 'host_collections'), { host_collection_ids: [mine.id] }))).toEqual([
      404,
      [`Couldn't find host collection '${mine.id}'`],
    ])
    expect((await world.show(key)).host_collections).toEqual([])
  })

  test('that could be added are those of the organization that the key does not have', async () => {
    const own = await keyWorld(api)
    const [had, free, other] = [
      await collection(own.organization),
      await collection(own.organization),
      await collection(own.organization),
    ]
    await collection()
    const key = await own.key({ host_collection_ids: [had.id] })
    const available = async (query = '') =>
      (await api.admin.get(`${path(key, 'host_collections/available')}?${query}`)).body
    expect(await available('order=name+DESC')).toMatchObject({ total: 2, subtotal: 2, selectable: 2, error: null })
    expect(idsOf((await available()).results)).toEqual([free.id, other.id])
    expect(idsOf((await available(`name=${other.name}`)).results)).toEqual([other.id])
    const viewer = await api.can(['view_activation_keys'], { organization_ids: [own.organization.id] })
    expect((await viewer.get(path(key, 'host_collections/available'))).body.total).toBe(0)
  })
})

describe('subscriptions', () => {
  const add = (key: Shown, body: unknown) => api.admin.post(path(key, 'add_subscriptions'), body)
  const pools = async (key: Shown) =>
    (await api.admin.get(path(key, 'subscriptions'))).body.results.map(({ id, quantity_attached }: Shown) => [
      id,
      quantity_attached,
    ])

  test('cannot be added where the access mode disables them, and still be removed', async () => {
    const own = await keyWorld(api)
    const key = await own.key()
    const message = 'The specified organization is in Simple Content Access mode. Attaching subscriptions is disabled'
    for (const body of [{ subscription_id: 99_999_999 }, {}]) {
      const answer = await add(key, body)
      expect(answer).toMatchObject({ status: 400, body: { displayMessage: message, errors: [message] } })
    }
    const pool = await own.pool()
    expect((await add(key, { subscription_id: pool.id })).status).toBe(200)
    await sql`update organizations set content_access_mode = 'org_environment' where id = ${own.organization.id}`.execute(
      api.database.db,
    )
    expect((await api.admin.post(path(key, 'remove_subscriptions'), { subscription_id: pool.id })).status).toBe(204)
    expect(await pools(key)).toEqual([])
  })

  test('are added by id or uuid, one or several, with the quantities that are told', async () => {
    const own = await keyWorld(api)
    const [one, two, three] = [
      await own.pool({ name: 'a', multi_entitlement: true }),
      await own.pool({ name: 'b' }),
      await own.pool({ name: 'c' }),
    ]
    const key = await own.key()
    const answer = await add(key, {
      subscriptions: [
        { id: one.cp_id, quantity: '4' },
        { id: two.id, quantity: -1 },
      ],
    })
    expect(answer).toMatchObject({
      status: 200,
      body: { total: 2, subtotal: 2, page: 1, per_page: 2, results: [{ cp_id: one.cp_id, name: 'a' }, { id: two.id }] },
    })
    expect(
      (await api.admin.put(path(key, 'add_subscriptions'), { subscription_id: three.id, quantity: 1 })).status,
    ).toBe(200)
    const attached = [
      [one.id, 4],
      [two.id, 0],
      [three.id, 1],
    ]
    expect(await pools(key)).toEqual(attached)
    const [adding] = await own.changes(key)
    expect(adding?.audited_changes.subscriptions[1]).toContainEqual({ id: three.id, quantity: 1 })
    expect((await add(key, {})).body.total).toBe(3)
    const foreign = await (await keyWorld(api)).pool()
    const refusals: [unknown, number, string][] = [
      [{ subscription_id: one.id }, 400, `Pool ID "${one.cp_id}" has already been registered with this activation key`],
      [{ subscription_id: two.id }, 400, `Multi-entitlement not supported for pool "${two.cp_id}"`],
      [{ subscription_id: foreign.id }, 404, `Couldn't find subscription '${foreign.id}'`],
      [{ subscriptions: ['x'] }, 400, 'subscriptions must be a list of objects with the id of a pool'],
    ]
    for (const [body, status, message] of refusals) expect(await refused(add(key, body))).toEqual([status, [message]])
    const fresh = await own.key()
    expect(await refused(add(fresh, { subscriptions: [{ id: one.id }, { id: two.id, quantity: 2 }] }))).toEqual([
      400,
      [
        'Error: Only pools with multi-entitlement product subscriptions can be added to the activation key with a quantity greater than one.',
      ],
    ])
    expect([await pools(fresh), await own.changes(fresh)]).toEqual([[], []])
  })

  test('are removed without an answer unless one is preferred; those that are not there count as removed', async () => {
    const own = await keyWorld(api)
    const [one, two] = [await own.pool(), await own.pool()]
    const key = await own.key()
    await add(key, { subscriptions: [{ id: one.id }, { id: two.id }] })
    const removed = await api.admin.post(path(key, 'remove_subscriptions'), { subscriptions: [{ id: one.cp_id }] })
    expect([removed.status, removed.text]).toEqual([204, ''])
    const audits = (await own.changes(key)).length
    const again = await api.admin.put(
      path(key, 'remove_subscriptions'),
      { subscription_id: one.id },
      { prefer: 'return=representation' },
    )
    expect([again.status, idsOf(again.body.results)]).toEqual([200, [two.id]])
    expect((await own.changes(key)).length).toBe(audits)
    expect(await refused(api.admin.post(path(key, 'remove_subscriptions'), { subscription_id: 99_999_999 }))).toEqual([
      404,
      ["Couldn't find subscription '99999999'"],
    ])
  })

  test('make products of the key, in lists, too', async () => {
    const own = await keyWorld(api)
    const { product } = await own.content()
    const { product: provided } = await own.content()
    const pool = await own.pool({ product_id: product })
    await sql`insert into subscription_products values (${pool.id}, ${provided})`.execute(api.database.db)
    const key = await own.key()
    await add(key, { subscription_id: pool.id })
    expect(idsOf((await own.show(key)).products).sort()).toEqual([product, provided].sort())
    const { body } = await api.admin.get(`${KEYS}?organization_id=${own.organization.id}`)
    expect(idsOf(body.results[0].products).sort()).toEqual([product, provided].sort())
  })
})

describe('content overrides', () => {
  const override = (key: Shown, content_overrides: unknown) =>
    api.admin.put(path(key, 'content_override'), { content_overrides, activation_key: {} })

  test('are set, changed and taken away together', async () => {
    const [one, other] = [await world.content(), await world.content()]
    const key = await world.key()
    const answer = await override(key, [
      { content_label: one.label, value: true },
      { content_label: one.label, name: 'enabled', value: 'No' },
      { content_label: one.label, name: 'mirrorlist', value: 5 },
      { content_label: other.label, name: 'enabled', value: 1 },
    ])
    const of = (content: { label: string }, name: string, value: string) => ({
      content_label: content.label,
      name,
      value,
    })
    const all = [of(one, 'enabled', '0'), of(one, 'mirrorlist', '5'), of(other, 'enabled', '1')]
    expect([answer.status, answer.body.content_overrides]).toEqual([200, all])
    expect(await world.show(key)).toEqual(answer.body)
    expect((await override(key, undefined)).body).toEqual(answer.body)
    expect((await override(key, [of(one, 'enabled', 'f')])).body).toEqual(answer.body)
    const fewer = await override(key, [
      { content_label: one.label, value: 'default' },
      { content_label: one.label, name: 'mirrorlist' },
      { content_label: other.label, remove: 'true' },
      { content_label: other.label, name: 'never there', remove: true },
    ])
    expect(fewer.body.content_overrides).toEqual([])
    expect((await world.changes(key)).map(({ audited_changes }) => audited_changes)).toEqual([
      { content_overrides: [all, []] },
      { content_overrides: [[], all] },
    ])
  })

  test('are refused as a whole, in the words of the contract', async () => {
    const { label } = await world.content()
    const key = await world.key()
    const good = { content_label: label, value: true }
    const notBoolean = "Value must either be a boolean or 'default' for 'enabled'"
    const refusals: [unknown, string][] = [
      [[good, { content_label: label }], notBoolean],
      [[good, { content_label: label, value: 'maybe' }], notBoolean],
      [[good, { content_label: '', value: true }], 'Invalid content label: '],
      [[good, { value: true }], 'Invalid content label: '],
      [[good, { ...good, name: 'Label' }], 'The following content properties cannot be overridden: Label'],
      [[good, { ...good, name: 'x', value: '' }], 'The following override values are invalid: '],
      [good, 'content_overrides must be a list of objects with a content_label'],
      [
        [
          good,
          { content_label: 'croissant', remove: true },
          { content_label: 'crepe', value: 0 },
          { ...good, content_label: 'crepe' },
        ],
        `Content label(s) "croissant, crepe" were not found in the Organization "${world.organization.title}"`,
      ],
    ]
    for (const [sent, message] of refusals) {
      const { status, body } = await override(key, sent)
      expect([status, body]).toEqual([400, { displayMessage: message, errors: [message] }])
    }
    expect([await world.show(key), await world.changes(key)]).toEqual([key, []])
  })
})

describe('product content', () => {
  const contents = async (key: Shown, query = '') => {
    const { body } = await api.admin.get(`${path(key, 'product_content')}?${query}`)
    return { ...body, labels: body.results?.map(({ label }: Shown) => label) }
  }

  test('is that of subscriptions, or all, or what the views have', async () => {
    const own = await keyWorld(api)
    const [sold, free] = [await own.content(), await own.content()]
    const dev = await own.environment()
    const view = await own.view('web', [dev.id])
    await sql`insert into content_view_version_repositories select id, ${free.repository} from content_view_versions where content_view_id = ${view}`.execute(
      api.database.db,
    )
    const key = await own.key({ environment_id: dev.id, content_view_id: view })
    expect((await contents(key)).labels).toEqual([])
    const pool = await own.pool({ product_id: sold.product })
    await api.admin.post(path(key, 'add_subscriptions'), { subscription_id: pool.id })
    expect((await contents(key)).labels).toEqual([sold.label])
    expect((await contents(key, 'content_access_mode_all=true')).labels).toEqual([sold.label, free.label])
    expect((await contents(key, 'content_access_mode_env=1')).labels).toEqual([])
    const both = 'content_access_mode_all=true&content_access_mode_env=true'
    expect((await contents(key, both)).labels).toEqual([free.label])
    await own.change(key, { content_view_environments: ['Library'] })
    expect((await contents(key, both)).labels).toEqual([sold.label, free.label])
  })

  test('tells what is overridden, and is searched, sorted and filtered by it', async () => {
    const own = await keyWorld(api)
    const [one, other] = [await own.content({ release: '8.4' }), await own.content()]
    const key = await own.key()
    const overrides = [
      { content_label: one.label, value: true },
      { content_label: one.label, name: 'proxy', value: 'x' },
    ]
    await api.admin.put(path(key, 'content_override'), { content_overrides: overrides })
    const all = await contents(key, 'content_access_mode_all=true')
    expect(all).toMatchObject({ total: 2, subtotal: 2, selectable: 2, error: null, sort: { by: 'name', order: 'asc' } })
    const content = { name: one.label, label: one.label, vendor: 'Custom' }
    expect(all.results[0]).toEqual({
      ...content,
      id: expect.stringMatching(/^\d+$/),
      type: 'yum',
      gpgUrl: null,
      contentUrl: `/custom/${one.label}`,
      enabled: false,
      product: { id: one.product, name: expect.any(String) },
      content: {
        id: expect.any(Number),
        ...content,
        content_type: 'yum',
        content_url: `/custom/${one.label}`,
        gpg_url: null,
      },
      repositories: [{ id: one.repository, name: one.label, arch: 'noarch', releasever: '8.4' }],
      archRestricted: 'noarch',
      osRestricted: null,
      override: '1',
      overrides: [
        { name: 'enabled', value: true },
        { name: 'proxy', value: 'x' },
      ],
      enabled_content_override: true,
      redhat: false,
    })
    expect(all.results[1]).toMatchObject({ override: 'default', overrides: [], enabled_content_override: null })
    const queries: [string, string[]][] = [
      ['sort_by=enabled_by_default&sort_order=DESC', [one.label, other.label]],
      ['sort_by=enabled_by_default', [other.label, one.label]],
      ['status=enabled', [one.label]],
      ['status=disabled', [other.label]],
      ['status=overridden', [one.label]],
      ['enabled=true', []],
      ['repository_type=redhat', []],
      [`name=${other.label}`, [other.label]],
      [`product_id=${one.product}`, [one.label]],
      [`search=${encodeURIComponent(`content_label = ${other.label}`)}`, [other.label]],
      [`search=${encodeURIComponent(`path ~ ${one.label} and redhat = false`)}`, [one.label]],
      ['per_page=1&page=2', [other.label]],
    ]
    for (const [query, labels] of queries)
      expect([query, (await contents(key, `content_access_mode_all=true&${query}`)).labels]).toEqual([query, labels])
    expect(await contents(key, 'status=odd')).toMatchObject({
      displayMessage: expect.stringContaining('enabled, disabled'),
    })
    expect(await contents(key, 'search=foo+%3D+1')).toMatchObject({
      displayMessage: "Field 'foo' not recognized for searching!",
    })
    const viewer = await api.can(['view_activation_keys'], { organization_ids: [own.organization.id] })
    expect((await viewer.get(`${path(key, 'product_content')}?content_access_mode_all=true`)).body.total).toBe(0)
    expect(await refused(api.admin.get(`${KEYS}/99999999/product_content`))).toEqual([
      404,
      ['Could not find activation_key resource with id 99999999. Potential missing permissions: view_activation_keys'],
    ])
  })
})

describe('a copy', () => {
  /** Creates a key with a value for every writable field. */
  async function rich(): Promise<{ own: KeyWorld; key: Shown; sent: Body }> {
    const own = await keyWorld(api)
    const { label } = await own.content({ release: '8.4' })
    const dev = await own.environment('dev')
    await own.view('web', [dev.id])
    const pool = await own.pool({ support_level: 'Premium', multi_entitlement: true })
    const location = await given(api.admin, 'location', { organization_ids: [own.organization.id] })
    const sent = {
      ...{ description: 'Much', max_hosts: 5, auto_attach: false, release_version: '8.4', service_level: 'Premium' },
      ...{
        purpose_usage: 'Production',
        purpose_role: 'Server',
        purpose_addons: ['ha'],
        enabled: false,
        single_use: true,
      },
      ...{ expires_at: '2031-03-31T14:25:36Z', location_ids: [location.id] },
      host_collection_ids: [(await collection(own.organization)).id],
      content_view_environments: ['dev/web', 'Library'],
    }
    const key = await own.key(sent)
    await api.admin.post(path(key, 'add_subscriptions'), { subscription_id: pool.id, quantity: 3 })
    await api.admin.put(path(key, 'content_override'), { content_overrides: [{ content_label: label, value: true }] })
    await own.registered(key)
    return { own, key: await own.show(key), sent }
  }
  /** Keys of the answer that are never copied. */
  const OWN = ['id', 'name', 'usage_count', 'user_id', 'used_at', 'created_at', 'updated_at']
  const common = (record: Shown) => Object.fromEntries(Object.entries(record).filter(([key]) => !OWN.includes(key)))

  test('has every field that can be written, and all pools and overrides', async () => {
    const { own, key, sent } = await rich()
    // Every field has a value, so that a new field cannot be forgotten here.
    const { placed } = resourceNamed('activation_key')
    const fields = placed.filter(({ field, at }) => Object.keys(field.writable(at)).length > 0).map(({ name }) => name)
    const given = {
      ...sent,
      name: '',
      organization_id: 0,
      environment_id: 0,
      content_view_id: 0,
      unlimited_hosts: false,
    }
    const keysOf = (name: string) =>
      placed.filter((one) => one.name === name).flatMap(({ field, at }) => Object.keys(field.writable(at)))
    expect(fields.filter((name) => !keysOf(name).some((one) => one in given))).toEqual([])

    const copied = await api.admin.post(path(key, 'copy'), { new_name: 'Copy', organization_id: own.organization.id })
    expect(copied.status).toBe(201)
    expect(common(copied.body)).toEqual(common(key))
    expect(copied.body).toMatchObject({
      name: 'Copy',
      usage_count: 0,
      user_id: 1,
      max_hosts: 5,
      environment: { name: 'dev' },
    })
    expect(copied.body.id).not.toBe(key.id)
    const quantities = async ({ id }: Shown) => (await api.admin.get(path({ id }, 'subscriptions'))).body.results
    expect(await quantities(copied.body)).toEqual(await quantities(key))
    expect((await quantities(key))[0].quantity_attached).toBe(3)
  })

  test('has what is sent beside the name instead', async () => {
    const { own, key } = await rich()
    const sent = {
      new_name: 'Other',
      description: 'Else',
      unlimited_hosts: true,
      content_view_environments: ['Library'],
    }
    const copied = await expectCreated(api.admin.post(path(key, 'copy'), sent))
    expect(copied).toMatchObject({
      description: 'Else',
      unlimited_hosts: true,
      max_hosts: null,
      purpose_role: 'Server',
    })
    expect([copied.content_view_environment_labels, copied.environment_id]).toEqual(['Library', own.library])
    // The copy may allow fewer hosts than are registered with the original.
    expect(await expectCreated(api.admin.post(path(key, 'copy'), { new_name: 'Few', max_hosts: 1 }))).toMatchObject({
      ...{ unlimited_hosts: false, max_hosts: 1 },
    })
  })

  test('needs a name of its own, and leaves nothing behind without', async () => {
    const { own, key } = await rich()
    const copy = (body: unknown) => refused(api.admin.post(path(key, 'copy'), body))
    for (const body of [{}, { new_name: null }]) expect(await copy(body)).toEqual([400, ['New name cannot be blank']])
    expect(await copy({ new_name: '' })).toEqual([
      422,
      { name: ['must contain at least 1 character', "can't be blank"] },
    ])
    expect(await copy({ new_name: key.name })).toEqual([422, { name: ['has already been taken'] }])
    expect(await copy({ new_name: 'x', max_hosts: 0 })).toEqual([422, { max_hosts: ['cannot be less than one'] }])
    const { body } = await api.admin.get(`${KEYS}?organization_id=${own.organization.id}`)
    expect(idsOf(body.results)).toEqual([key.id])
  })

  test('is made by those who may make keys and see this one', async () => {
    const { own, key } = await rich()
    const organization_ids = [own.organization.id]
    const location_ids = idsOf(key.locations)
    const maker = await api.can(['create_activation_keys'], { organization_ids, location_ids })
    expect((await maker.post(path(key, 'copy'), { new_name: 'x' })).body.error.missing_permissions).toEqual([
      'view_activation_keys',
    ])
    const viewer = await api.can(['view_activation_keys'], { organization_ids, location_ids })
    expect((await viewer.post(path(key, 'copy'), { new_name: 'x' })).body.error.missing_permissions).toEqual([
      'create_activation_keys',
    ])
    const both = await api.can(['create_activation_keys', 'view_activation_keys'], { organization_ids, location_ids })
    const copied = await expectCreated(both.post(path(key, 'copy'), { new_name: 'theirs' }))
    expect(copied).toMatchObject({ user_id: both.id, host_collections: key.host_collections })
  })
})
