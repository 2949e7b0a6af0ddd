import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/sql.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { unique } from '../support/given.ts'
import { BEHIND_PROXY, clientBody, newKey, newSite, register, type Site, showing } from './clients.ts'

// Content-api §5.3: pools, in an organization whose hosts need subscriptions.

let api: TestApi
let site: Site

beforeAll(async () => {
  api = await openTestApi({ env: BEHIND_PROXY })
  site = await newSite(api)
  await sql`update organizations set content_access_mode = 'entitlement' where id = ${site.id}`.execute(api.database.db)
})
afterAll(() => api?.[Symbol.asyncDispose]())

interface PoolOptions {
  readonly quantity?: number
  readonly multi?: boolean
  readonly level?: string
  /** Ids of the products that the pool provides. */
  readonly provides?: readonly string[]
  readonly upstream?: boolean
}

async function newPool({
  quantity = -1,
  multi = false,
  level,
  provides = [],
  upstream = true,
}: PoolOptions): Promise<number> {
  const { db } = api.database
  const { rows } = await sql<{ id: number }>`
    insert into subscriptions (organization_id, name, quantity, multi_entitlement, support_level, upstream)
    values (${site.id}, ${unique('pool')}, ${quantity}, ${multi}, ${level ?? null}, ${upstream}) returning id`.execute(
    db,
  )
  const id = rows[0]?.id ?? 0
  await sql`
    with made as (
      insert into products (organization_id, cp_id, name) select ${site.id}, x, x from unnest(${provides}::text[]) x
      on conflict (cp_id) do update set name = excluded.name returning id)
    insert into subscription_products select ${id}::bigint, id from made`.execute(db)
  return id
}

async function keyWith(
  name: string,
  pools: readonly (readonly [id: number, quantity: number | null])[],
  auto_attach = false,
) {
  const id = await newKey(api, site, name, { auto_attach })
  for (const [pool, quantity] of pools)
    await sql`insert into activation_key_subscriptions values (${id}, ${pool}, ${quantity})`.execute(api.database.db)
}

const join = (keys: string, products: readonly string[] = [], name = `${unique('e')}.example.test`) =>
  register(api, site, keys, clientBody(name, { installedProducts: products.map((productId) => ({ productId })) }))
const poolsOf = async (uuid: string) => {
  const { rows } = await sql<{ id: number; quantity: number }>`
    select h.subscription_id as id, h.quantity from host_entitlements h join registrations r on r.host_id = h.host_id
    where r.uuid = ${uuid}::uuid order by 1`.execute(api.database.db)
  return rows.map(({ id, quantity }) => [id, quantity])
}
const consumed = async (id: number) => {
  const { rows } = await sql<{ consumed: number }>`select consumed from subscriptions where id = ${id}`.execute(
    api.database.db,
  )
  return rows[0]?.consumed
}

test('a key without auto-attach gives each of its pools, as much as it says, while there is some', async () => {
  const [many, few] = [await newPool({ quantity: 5, multi: true }), await newPool({ quantity: 1 })]
  await keyWith('manual', [
    [many, 2],
    [few, null],
  ])
  const { body: first } = await join('manual')
  expect(await poolsOf(first.uuid)).toEqual([
    [many, 2],
    [few, 1],
  ])
  const { body: second } = await join('manual')
  expect(await poolsOf(second.uuid)).toEqual([[many, 2]])
  const refused = await join('manual')
  expect([refused.status, refused.body.displayMessage]).toEqual([
    400,
    'None of the subscriptions on the activation key were available for attaching.',
  ])
  const { body: again } = await join('manual', [], first.name)
  expect(await poolsOf(again.uuid)).toEqual([
    [many, 2],
    [few, 1],
  ])
  expect([await consumed(many), await consumed(few)]).toEqual([4, 1])
  await api.nobody.delete(`/rhsm/consumers/${again.uuid}`, undefined, showing(again.idCert.cert))
  expect([await consumed(many), await consumed(few)]).toEqual([2, 0])
})

test('a key with auto-attach takes what the products of the host need, of its service level first', async () => {
  const [basic, premium, other] = [
    await newPool({ provides: ['69'], level: 'Basic' }),
    await newPool({ provides: ['69', '70'], level: 'Premium' }),
    await newPool({ provides: ['71'], quantity: 0 }),
  ]
  await keyWith('auto', [], true)
  await newKey(api, site, 'auto premium', { auto_attach: true, service_level: 'premium' })
  const { body: usual } = await join('auto', ['69', '71'])
  expect(await poolsOf(usual.uuid)).toEqual([[basic, 1]])
  expect(usual.entitlementStatus).toBe('invalid')
  const { body: better } = await join('auto premium', ['69', '70'])
  expect(await poolsOf(better.uuid)).toEqual([[premium, 1]])
  expect(better).toMatchObject({ entitlementStatus: 'valid', entitlementCount: 1 })
  const compliance = await api.nobody.get(`/rhsm/consumers/${usual.uuid}/compliance`, showing(usual.idCert.cert))
  expect(compliance.body).toMatchObject({ status: 'invalid', nonCompliantProducts: ['71'] })
  expect(await consumed(other)).toBe(0)

  const custom = await newPool({ upstream: false })
  await keyWith(
    'own',
    [
      [custom, null],
      [basic, null],
    ],
    true,
  )
  const { body: own } = await join('own', ['70'])
  expect(await poolsOf(own.uuid)).toEqual([[custom, 1]])
  const { body: none } = await register(
    api,
    site,
    'auto',
    clientBody(`${unique('e')}.example.test`, { autoheal: false, installedProducts: [{ productId: '69' }] }),
  )
  expect(await poolsOf(none.uuid)).toEqual([])
})

test('a service level that no pool offers is refused by name, or skipped when it is that of a key', async () => {
  const asked = await register(api, site, 'auto', clientBody(`${unique('e')}.example.test`, { serviceLevel: 'Gold' }))
  expect([asked.status, asked.body.displayMessage]).toEqual([
    400,
    `Service level "Gold" is not available to units of organization ${site.label}.`,
  ])
})

test('pools never run out twice: forty hosts on ten', { timeout: 120_000 }, async () => {
  const scarce = await newPool({ quantity: 10 })
  await keyWith('scarce', [[scarce, null]])
  const replies = await Promise.all(Array.from({ length: 40 }, () => join('scarce')))
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(10)
  expect(replies.filter(({ status }) => status === 400)).toHaveLength(30)
  expect(await consumed(scarce)).toBe(10)
})
