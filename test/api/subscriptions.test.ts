import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/sql.ts'
import { expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { type Body, given, type Shown, unique } from '../support/given.ts'

// Content-api §3.1: subscriptions, which are pools.

let api: TestApi
let organization: Shown
beforeAll(async () => {
  api = await openTestApi()
  organization = await given(api.admin, 'organization')
})
afterAll(() => api?.[Symbol.asyncDispose]())

const PATH = '/content/api/subscriptions'
const sent = (body: Body = {}) =>
  api.admin.post(PATH, { organization_id: organization.id, name: unique('pool'), ...body })
const made = (body: Body = {}): Promise<Shown> => expectCreated(sent(body))
const idsAt = async (path: string): Promise<number[]> =>
  (await api.admin.get(path)).body.results.map(({ id }: Shown) => id)
/** Creates a host that uses this quantity of a subscription. */
async function hostWith(pool: Shown, quantity: number): Promise<Shown> {
  const host = await given(api.admin, 'host', { organization_id: organization.id })
  await sql`insert into host_entitlements (host_id, subscription_id, quantity) values (${host.id}, ${pool.id}, ${quantity})`.execute(
    api.database.db,
  )
  return host
}
async function attach(key: Shown, pool: Shown, quantity: number | null): Promise<void> {
  await sql`insert into activation_key_subscriptions values (${key.id}, ${pool.id}, ${quantity}::integer)`.execute(
    api.database.db,
  )
}

test('a subscription in all of its answers, by id and by cp_id', async () => {
  const product = await given(api.admin, 'product', { organization_id: organization.id })
  const pool = await made({
    name: 'basic subscription',
    product_id: product.cp_id,
    quantity: 10,
    start_date: '2024-10-11 04:00:00 UTC',
    end_date: '2040-01-01T04:59:59Z',
    account_number: 12400203,
    support_level: 'Premium',
    sockets: 2,
    stacking_id: 'stack8473',
    multi_entitlement: true,
    arch: 'x86_64',
  })
  const row = {
    id: pool.id,
    cp_id: expect.stringMatching(/^[0-9a-f]{32}$/),
    subscription_id: pool.id,
    name: 'basic subscription',
    start_date: '2024-10-11 04:00:00 UTC',
    end_date: '2040-01-01 04:59:59 UTC',
    available: 10,
    quantity: 10,
    consumed: 0,
    account_number: '12400203',
    contract_number: null,
    support_level: 'Premium',
    product_id: product.cp_id,
    sockets: 2,
    cores: null,
    ram: null,
    instance_multiplier: null,
    stacking_id: 'stack8473',
    multi_entitlement: true,
    type: 'NORMAL',
    product_name: 'basic subscription',
    unmapped_guest: false,
    virt_only: false,
    virt_who: false,
    upstream: false,
    upstream_pool_id: null,
    hypervisor: null,
    quantity_attached: null,
  }
  expect(pool).toMatchObject({
    ...row,
    arch: 'x86_64',
    host_count: 0,
    provided_products: [{ id: product.id, name: product.name }],
    activation_keys: [],
  })
  for (const name of [pool.id, pool.cp_id]) expect((await api.admin.get(`${PATH}/${name}`)).body).toEqual(pool)
  const below = `/content/api/organizations/${organization.id}/subscriptions`
  const { body } = await api.admin.get(`${below}?search=name%3D%22basic+subscription%22&per_page=4294967296`)
  expect(body).toMatchObject({ subtotal: 1, selectable: 1, error: null, sort: { by: 'name', order: 'asc' } })
  expect(body.results).toEqual([row])
})

test('the list as a table for spreadsheets: quoted, and without formulas', async () => {
  const place = await given(api.admin, 'organization')
  const product = await given(api.admin, 'product', { organization_id: place.id, name: 'Widgets' })
  const dates = { start_date: '2024-10-11 04:00:00 UTC', end_date: '2040-01-01 04:59:59 UTC' }
  const more = { sockets: 2, ram: 4, multi_entitlement: true, account_number: '-12', contract_number: '@now' }
  const odd = await made({ organization_id: place.id, name: '=1+1, "two"', quantity: 10, ...dates, ...more })
  const [own] = await idsAt(`${PATH}?organization_id=${place.id}&search=name%3DWidgets`)
  const { body: shown } = await api.admin.get(`${PATH}/${own}`)
  const answer = await api.admin.get(`/content/api/organizations/${place.id}/subscriptions.csv?per_page=1&page=2`)
  expect([answer.status, answer.headers['content-type'], answer.headers['content-disposition']]).toEqual([
    200,
    'text/csv; charset=utf-8',
    'attachment; filename="subscriptions.csv"',
  ])
  const from = `${dates.start_date},${dates.end_date}`
  expect(answer.text.split('\n')).toEqual([
    'Pool Id Number,Subscription Id,Name,Pool Id,Organization Id,Sockets,Cores,Start Date,End Date,Consumed,Quantity,Account Number,Contract Number,Support Level,RAM,Stacking Id,Multi Entitlement,Type,Product Id,Unmapped Guest,Virt Only,Requires Virt Who,Upstream',
    `${odd.id},${odd.id},"'=1+1, ""two""",${odd.cp_id},${place.id},2,,${from},0,10,'-12,'@now,,4,,true,NORMAL,,false,false,false,false`,
    `${own},${own},Widgets,${shown.cp_id},${place.id},,,${shown.start_date},${shown.end_date},0,-1,,,,,,false,NORMAL,${product.cp_id},false,false,false,false`,
    '',
  ])
  const found = await api.admin.get(`${PATH}.csv?organization_id=${place.id}&search=name%3DWidgets`)
  expect(found.text.split('\n')).toHaveLength(3)
  const stranger = await api.can(['view_subscriptions'], { organization_ids: [place.id], search: 'name = nothing' })
  expect((await stranger.get(`${PATH}.csv?organization_id=${place.id}`)).text.split('\n')).toHaveLength(2)
  expect((await api.admin.get(`${PATH}.csv`)).status).toBe(404)
})

describe('lists', () => {
  test('need an organization, a key or a host', async () => {
    expect(await api.admin.get(PATH)).toMatchObject({
      status: 404,
      body: { displayMessage: 'Organization Information not provided.' },
    })
    expect(await api.admin.get(`${PATH}?activation_key_id=999999`)).toMatchObject({
      status: 404,
      body: { displayMessage: "Couldn't find activation key '999999'" },
    })
    expect((await api.admin.get(`${PATH}?host_id=999999`)).status).toBe(404)
  })

  test('have those of the organization alone, without machines of unknown hypervisors, and say what the caller may do', async () => {
    const place = await given(api.admin, 'organization')
    const pool = await made({ organization_id: place.id })
    await made({ organization_id: place.id, unmapped_guest: true })
    const query = `organization_id=${place.id}`
    expect((await api.admin.get(`${PATH}?${query}`)).body).toMatchObject({
      organization: { id: place.id },
      total: 1,
      results: [{ id: pool.id }],
    })
    const viewer = await api.can(['view_subscriptions', 'import_manifest'], { organization_ids: [place.id] })
    expect((await viewer.get(`${PATH}?${query}&include_permissions=1`)).body).toMatchObject({
      can_manage_subscription_allocations: false,
      can_import_manifest: true,
      can_delete_manifest: false,
      can_edit_organizations: false,
      results: [{ id: pool.id }],
    })
    expect((await viewer.get(`${PATH}?organization_id=${organization.id}`)).status).toBe(404)
  })

  test('of a key say how much of each a host takes, and what could be added', async () => {
    const place = await given(api.admin, 'organization')
    const [one, other, third] = [
      await made({ organization_id: place.id, name: 'a' }),
      await made({ organization_id: place.id, name: 'b' }),
      await made({ organization_id: place.id, name: 'c' }),
    ]
    const key = await given(api.admin, 'activation_key', { organization_id: place.id })
    await attach(key, one, 3)
    await attach(key, other, null)
    const { body } = await api.admin.get(`/content/api/activation_keys/${key.id}/subscriptions`)
    expect(body.results).toMatchObject([
      { id: one.id, quantity_attached: 3 },
      { id: other.id, quantity_attached: 0 },
    ])
    expect(await idsAt(`${PATH}?activation_key_id=${key.id}`)).toEqual([one.id, other.id])
    expect(await idsAt(`${PATH}?activation_key_id=${key.id}&available_for=activation_key`)).toEqual([third.id])
    expect((await api.admin.get(`${PATH}/${one.id}`)).body.activation_keys).toMatchObject([
      { id: key.id, name: key.name },
    ])
    expect((await api.admin.get(`${PATH}?activation_key_id=${key.id}&available_for=cat`)).status).toBe(400)
  })

  test('of a host have what it has; what it could take is usable, left, fitting, and new', async () => {
    const product = await given(api.admin, 'product', { organization_id: organization.id })
    const had = await made({ quantity: 5, product_id: product.id })
    const host = await hostWith(had, 2)
    const full = await made({ quantity: 1 })
    await hostWith(full, 1)
    const past = await made({ start_date: '2020-01-01', end_date: '2021-01-01' })
    const arm = await made({ arch: 'aarch64' })
    const any = await made({ arch: 'ALL', product_id: product.id })
    const virtual = await made({ virt_only: true })
    const { body: architecture } = await api.admin.get('/api/architectures/x86_64')
    await api.admin.put(`/api/hosts/${host.id}`, { host: { architecture_id: architecture.id } })
    await sql`insert into registrations (host_id, uuid, serial, certificate, expires_at, installed_products)
      values (${host.id}, gen_random_uuid(), ${unique('serial')}, 'none', now(), ${JSON.stringify([{ productId: product.cp_id }])}::jsonb)`.execute(
      api.database.db,
    )
    const asked = async (query: string) => {
      const ids = new Set(await idsAt(`${PATH}?host_id=${host.id}${query}&full_result=true`))
      return [had, full, past, arm, any, virtual].filter(({ id }) => ids.has(id))
    }
    expect(await asked('')).toEqual([had])
    const available = '&available_for=host'
    expect(await asked(available)).toEqual([arm, any, virtual])
    expect(await asked(`${available}&match_host=true`)).toEqual([any])
    expect(await asked(`${available}&match_installed=true`)).toEqual([any])
    expect(await asked(`${available}&no_overlap=true`)).toEqual([arm, virtual])
    expect((await api.admin.get(`${PATH}/${had.id}`)).body).toMatchObject({ consumed: 2, available: 3, host_count: 1 })
  })
})

describe('writing', () => {
  test('a quantity does not go below what hosts have', async () => {
    const pool = await made({ quantity: 5 })
    await hostWith(pool, 3)
    const wanted = (quantity: number) => api.admin.put(`${PATH}/${pool.cp_id}`, { quantity })
    expect(await wanted(2)).toMatchObject({
      status: 422,
      body: { errors: { quantity: ['cannot be lower than current usage count (3)'] } },
    })
    expect((await wanted(3)).body).toMatchObject({ quantity: 3, available: 0 })
    expect((await wanted(-1)).body).toMatchObject({ quantity: -1, available: -1 })
    expect((await wanted(-2)).status).toBe(422)
  })

  test('an update without changes is not audited', async () => {
    const pool = await made({ quantity: 5, start_date: '2024-10-11T06:00:00.120+02:00' })
    const before = (await api.admin.get(`${PATH}/${pool.id}`)).body
    expect(
      (await api.admin.put(`${PATH}/${pool.id}`, { start_date: '2024-10-11T04:00:00.12Z', quantity: 5 })).body,
    ).toEqual(before)
    const { body } = await api.admin.get(`/api/audits?search=type+%3D+subscription+and+auditable_id+%3D+${pool.id}`)
    expect(body.subtotal).toBe(1)
  })

  test('it ends after it begins', async () => {
    const errors = async (body: Body) => (await sent(body)).body.errors
    const message = { end_date: ['must be after the start date'] }
    expect(await errors({ start_date: '2026-01-02', end_date: '2026-01-01' })).toEqual(message)
    expect(await errors({ end_date: '2020-01-01' })).toEqual(message)
  })

  test('a subscription that hosts use cannot be deleted, another one is removed from its keys', async () => {
    const pool = await made({ name: 'kept' })
    await hostWith(pool, 1)
    expect(await api.admin.delete(`${PATH}/${pool.id}`)).toMatchObject({
      status: 422,
      body: { errors: { base: ['kept is used by 1 host(s)'] } },
    })
    const free = await made()
    const key = await given(api.admin, 'activation_key', { organization_id: organization.id })
    await attach(key, free, null)
    const left = await made()
    await attach(key, left, 2)
    expect(await api.admin.delete(`${PATH}/${free.cp_id}`)).toMatchObject({ status: 200, body: { id: free.id } })
    expect(await api.admin.get(`${PATH}/${free.id}`)).toMatchObject({
      status: 404,
      body: { displayMessage: 'Subscription not found' },
    })
    expect(await idsAt(`/content/api/activation_keys/${key.id}/subscriptions`)).toEqual([left.id])
    const audits = await api.admin.get(`/api/audits?search=type+%3D+activation_key+and+auditable_id+%3D+${key.id}`)
    const pools = [
      { id: free.id, quantity: null },
      { id: left.id, quantity: 2 },
    ]
    expect(audits.body.results[0]).toMatchObject({
      action: 'update',
      auditable_name: key.name,
      audited_changes: { subscriptions: [pools, pools.slice(1)] },
    })
  })

  test('takes the permission to manage subscriptions, within its limits', async () => {
    const there = { organization_ids: [organization.id] }
    const pool = await made({ name: 'of ours' })
    const viewer = await api.can(['view_subscriptions'], there)
    expect((await viewer.put(`${PATH}/${pool.id}`, { quantity: 7 })).status).toBe(403)
    const limited = await api.can(['manage_subscription_allocations'], {
      ...there,
      search: 'name ~ ours',
      also: ['view_subscriptions'],
    })
    expect((await limited.put(`${PATH}/${pool.id}`, { quantity: 7 })).body).toMatchObject({ quantity: 7 })
    expect((await limited.put(`${PATH}/${pool.id}`, { name: 'away' })).status).toBe(422)
    expect((await limited.post(PATH, { organization_id: organization.id, name: 'theirs' })).status).toBe(422)
    const other = await made({ name: 'of others' })
    expect((await limited.put(`${PATH}/${other.id}`, { quantity: 7 })).status).toBe(404)
    expect((await limited.get(`${PATH}/${other.id}`)).status).toBe(200)
    expect((await limited.get(`${PATH}/${pool.id}`)).body).toMatchObject({ name: 'of ours', quantity: 7 })
  })

  test('none is made below a key that is not there', async () => {
    const body = { organization_id: organization.id, name: 'below nothing' }
    const { status, text } = await api.admin.post('/content/api/activation_keys/999999/subscriptions', body)
    expect({ status, text }).toEqual({ status: 404, text: expect.stringContaining("activation key '999999'") })
    expect(await idsAt(`${PATH}?organization_id=${organization.id}&search=name+%3D+%22below+nothing%22`)).toEqual([])
  })

  test('products and subscriptions are of the same organization', async () => {
    const elsewhere = await given(api.admin, 'organization')
    const { id } = await given(api.admin, 'product', { organization_id: elsewhere.id })
    expect(await sent({ provided_product_ids: [id] })).toMatchObject({ status: 404 })
    const pool = await made()
    expect(await api.admin.get(`${PATH}/${pool.id}?organization_id=${elsewhere.id}`)).toMatchObject({
      status: 400,
      body: { displayMessage: 'This subscription is not relevant to the current organization.' },
    })
  })
})
