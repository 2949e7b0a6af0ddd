import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/sql.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { given, type Shown, unique } from '../support/given.ts'

// DELETE /api/hosts/bulk: deletes the hosts that a search matches or ids name, all or none (docs/contract.md).

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.[Symbol.asyncDispose]())

const PATH = '/api/hosts/bulk'
const HERE = { organization_ids: [1], location_ids: [1] }
const named = (word: string, count: number): Promise<Shown[]> =>
  Promise.all(
    Array.from({ length: count }, () =>
      given(api.admin, 'host', { name: unique(word), organization_id: 1, location_id: 1 }),
    ),
  )
const remaining = async (word: string): Promise<string[]> => {
  const { body } = await api.admin.get(`/api/hosts?search=${encodeURIComponent(`name ~ ${word}`)}`)
  return body.results.map(({ name }: Shown) => name)
}
const auditOf = async ({ id }: Shown): Promise<Shown[]> => {
  const search = encodeURIComponent(`type = host and auditable_id = ${id} and action = destroy`)
  return (await api.admin.get(`/api/audits?search=${search}`)).body.results
}

test('the hosts that a search matches are deleted, each with its audit', async () => {
  const [one, two, three] = (await named('searched', 3)) as [Shown, Shown, Shown]
  const { status, body } = await api.admin.delete(PATH, { search: `id ^ (${one.id},${two.id})` })
  expect({ status, body }).toEqual({ status: 200, body: { message: 'Deleted 2 hosts' } })
  expect(await remaining('searched')).toEqual([three.name])
  for (const gone of [one, two]) expect(await auditOf(gone)).toMatchObject([{ auditable_name: gone.name }])
  expect(await auditOf(three)).toEqual([])
})

test('ids and a search together, without those that are excluded, in a body or in the URL', async () => {
  const hosts = (await named('included', 5)) as [Shown, Shown, Shown, Shown, Shown]
  const [one, two, three, four, five] = hosts
  const sent = {
    included: { ids: [one.id, two.id], search: `name ^ (${three.name},${four.name})` },
    excluded: { ids: [two.id, four.id] },
  }
  expect((await api.admin.delete(PATH, sent)).body).toEqual({ message: 'Deleted 2 hosts' })
  expect((await remaining('included')).sort()).toEqual([two.name, four.name, five.name].sort())
  const url = `${PATH}?included[ids][]=${two.id}&included[ids][]=${four.id}&excluded[ids]=${four.id}`
  expect((await api.admin.delete(url)).body).toEqual({ message: 'Deleted 1 host' })
  expect((await api.admin.delete(url)).body).toEqual({ message: 'Deleted 0 hosts' })
})

test('a request that names no hosts means none, not all', async () => {
  const [host] = (await named('kept', 1)) as [Shown]
  for (const sent of [{}, { search: ' ' }, { included: { ids: [] } }, { excluded: { ids: [host.id] } }])
    expect((await api.admin.delete(PATH, sent)).status, JSON.stringify(sent)).toBe(400)
  for (const sent of [
    { search: 'no_field = 1' },
    { included: { ids: ['x'] } },
    { included: { search: 'a\0' } },
    { included: [1] },
  ])
    expect((await api.admin.delete(PATH, sent)).status, JSON.stringify(sent)).toBe(400)
  expect(await remaining('kept')).toEqual([host.name])
})

test('only hosts that the caller may delete are found', async () => {
  const [mine, other] = (await named('limited', 2)) as [Shown, Shown]
  const limited = await api.can(['destroy_hosts'], { search: `name = ${mine.name}`, also: ['view_hosts'], ...HERE })
  expect((await limited.delete(PATH, { search: 'name ~ limited' })).body).toEqual({ message: 'Deleted 1 host' })
  expect(await remaining('limited')).toEqual([other.name])
  const viewer = await api.can(['view_hosts'], HERE)
  expect((await viewer.delete(PATH, { search: 'name ~ limited' })).status).toBe(403)
})

test('one that cannot be deleted keeps all of them', async () => {
  const hosts = await named('together', 2)
  await sql`create function stays() returns trigger language plpgsql as $$ begin raise exception 'stays' using errcode = '40P01'; end $$`.execute(
    api.database.db,
  )
  await sql`create trigger stays before delete on hosts for each row when (old.id = ${sql.lit(hosts[1]?.id ?? null)}) execute function stays()`.execute(
    api.database.db,
  )
  expect((await api.admin.delete(PATH, { search: 'name ~ together' })).status).toBe(409)
  await sql`drop trigger stays on hosts`.execute(api.database.db)
  expect(await remaining('together')).toHaveLength(2)
  for (const host of hosts) expect(await auditOf(host)).toEqual([])
})
