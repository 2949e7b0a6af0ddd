import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/sql.ts'
import { openTestApi, type Reply, type TestApi } from '../support/api.ts'
import { clientBody, newKey, newSite, register, type Site, usageOf } from './clients.ts'

// Content-api §2.7, §5.2: limits are exact under concurrency.

let api: TestApi
let site: Site

beforeAll(async () => {
  api = await openTestApi()
  site = await newSite(api)
})
afterAll(() => api?.[Symbol.asyncDispose]())

const name = (prefix: string, index: number) => `${prefix}${index}.example.test`
const all = (count: number, send: (index: number) => Promise<Reply>) =>
  Promise.all(Array.from({ length: count }, (_, index) => send(index)))
const statuses = (replies: readonly Reply[]) =>
  Object.fromEntries([...Map.groupBy(replies, ({ status }) => status)].map(([status, same]) => [status, same.length]))
const hostsLike = async (prefix: string) => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from hosts where name like ${`${prefix}%`}`.execute(api.database.db)
  return rows[0]?.count
}

test('a thousand hosts on a hundred places: a hundred register, nine hundred are told why not', {
  timeout: 300_000,
}, async () => {
  const key = await newKey(api, site, 'hundred', { max_hosts: 100 })
  const replies = await all(1000, (index) => register(api, site, 'hundred', clientBody(name('many', index))))
  expect(statuses(replies)).toEqual({ 200: 100, 409: 900 })
  const messages = new Set(replies.filter(({ status }) => status === 409).map(({ body }) => body.displayMessage))
  expect([...messages]).toEqual(["Max Hosts (100) reached for activation key 'hundred'"])
  expect(await usageOf(api, key)).toBe(100)
  expect(await hostsLike('many')).toBe(100)
  const holders = replies.filter(({ status }) => status === 200).map(({ body }) => body.name)
  const again = await all(20, (index) => register(api, site, 'hundred', clientBody(holders[index])))
  expect(statuses(again)).toEqual({ 200: 20 })
  expect(await usageOf(api, key)).toBe(100)
})

test('one host in many requests is registered once, and uses the key once', { timeout: 120_000 }, async () => {
  const key = await newKey(api, site, 'single', { max_hosts: 1 })
  const replies = await all(12, () => register(api, site, 'single', clientBody('same.example.test')))
  expect(statuses(replies)[200]).toBeGreaterThan(0)
  expect(await usageOf(api, key)).toBe(1)
  expect(await hostsLike('same')).toBe(1)
})

test('several keys and collections at once, in any order: nobody waits for ever', { timeout: 120_000 }, async () => {
  const { rows } = await sql<{ id: number }>`
    insert into host_collections (organization_id, name, unlimited_hosts, max_hosts)
    values (${site.id}, 'ten', false, 10), (${site.id}, 'all', true, null) returning id`.execute(api.database.db)
  const [ten = 0, every = 0] = rows.map(({ id }) => id)
  await newKey(api, site, 'x', { max_hosts: 30, host_collection_ids: [ten, every] })
  await newKey(api, site, 'y', { max_hosts: 30, host_collection_ids: [every] })
  await newKey(api, site, 'z', { single_use: true })
  const lists = ['x,y', 'y,x', 'y', 'z,y', 'y,z', 'x']
  const replies = await all(60, (index) =>
    register(api, site, lists[index % lists.length] ?? '', clientBody(name('mixed', index))),
  )
  expect(replies.filter(({ status }) => ![200, 409, 422].includes(status)).map(({ text }) => text)).toEqual([])
  const full = replies.filter(({ status }) => status === 422)
  expect(new Set(full.map(({ body }) => body.displayMessage))).toEqual(
    new Set(["Host collection 'ten' exceeds maximum usage limit of '10'"]),
  )
  const used = replies.filter(({ body }) =>
    body.activationKeys?.some((one: { activationKeyName: string }) => one.activationKeyName === 'z'),
  )
  expect(used).toHaveLength(1)
  const { rows: counted } = await sql<{ name: string; total_hosts: number; members: number }>`
    select c.name, c.total_hosts, (select count(*)::integer from host_collection_hosts l where l.host_collection_id = c.id) as members
    from host_collections c where c.organization_id = ${site.id} order by c.name`.execute(api.database.db)
  for (const { total_hosts, members } of counted) expect(total_hosts).toBe(members)
  expect(counted.find(({ name }) => name === 'ten')?.members).toBe(10)
  expect(await hostsLike('mixed')).toBe(replies.filter(({ status }) => status === 200).length)
})

test('of four machines of one image that register at once one is taken in, and it can register again', async () => {
  await newKey(api, site, 'image')
  const facts = { 'dmi.system.uuid': '4c4c4544-0033-4a10-8050-b4c04f4d3732' }
  const machine = (index: number) => register(api, site, 'image', clientBody(name('image', index), {}, facts))
  const replies = await all(4, machine)
  expect(statuses(replies)).toEqual({ 200: 1, 422: 3 })
  const late = await machine(4)
  expect(late.status).toBe(422)
  expect(late.body.displayMessage).toMatch(/^The DMI UUID of this host \(4c4c4544-.+\) matches other registered hosts/)
  for (const { status, body } of replies) if (status === 422) expect(body).toEqual(late.body)
  const taken = replies.findIndex(({ status }) => status === 200)
  expect((await machine(taken)).status).toBe(200)
  expect(await hostsLike('image')).toBe(1)
})
