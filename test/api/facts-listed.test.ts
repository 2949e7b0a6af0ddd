import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, expectCreated, openTestApi, type TestApi } from '../support/api.ts'

// Core-api §8.6: lists and searches of uploaded facts.

let api: TestApi

beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.[Symbol.asyncDispose]())

let count = 0
const newName = () => `n${++count}.example.test`
const hostWith = async (facts: object, further: object = {}) =>
  expectCreated(api.admin.post('/api/hosts/facts', { name: newName(), facts, ...further }))

describe('facts of hosts', () => {
  let ids: Record<'one' | 'two', { id: number; name: string }>
  beforeAll(async () => {
    const one = await hostWith({ listed: { kernel: 'Linux', version: '6.10' } }, { organization_id: 1, location_id: 1 })
    const two = await hostWith({ listed: { kernel: 'Linux', version: '6.9' } }, { organization_id: 1, location_id: 1 })
    ids = { one, two }
  })

  const list = async (search: string, caller: Caller = api.admin) =>
    (await caller.get(`/api/fact_values?per_page=all&search=${encodeURIComponent(search)}`)).body

  test('are listed by host and name', async () => {
    const body = await list('fact ~ listed::')
    expect(Object.keys(body)).toEqual(['total', 'subtotal', 'page', 'per_page', 'search', 'sort', 'results'])
    expect(body.results).toEqual({
      [ids.one.name]: { 'listed::kernel': 'Linux', 'listed::version': '6.10' },
      [ids.two.name]: { 'listed::kernel': 'Linux', 'listed::version': '6.9' },
    })
    expect([body.subtotal, body.total > 4]).toEqual([4, true])
    const page = await api.admin.get(
      `/api/fact_values?per_page=3&page=2&order=fact&search=${encodeURIComponent('fact ~ listed::')}`,
    )
    expect(Object.values(page.body.results).flatMap((facts) => Object.keys(facts as object))).toEqual([
      'listed::version',
    ])
  })

  test.each([
    ['name = listed::kernel', 2],
    ['fact_short_name = kernel and fact ~ listed', 2],
    ['value = 6.9 and fact ~ listed', 1],
    ['listed::version', 2],
    ['host = HOST', 3],
    ['host_id = ID', 3],
    ['organization = "Default Organization" and fact ~ listed', 6],
    ['location_id = 1 and fact ~ listed', 6],
    ['has host.hostgroup and fact ~ listed', 0],
    ['reported_at > "1 hour ago" and fact ~ listed', 6],
  ])('are found by %s', async (search, found) => {
    expect((await list(search.replace('HOST', ids.one.name).replace('ID', String(ids.one.id)))).subtotal).toBe(found)
  })

  test('of one host stand below it, by name and by id', async () => {
    for (const segment of [ids.one.id, ids.one.name]) {
      const { body } = await api.admin.get(`/api/hosts/${segment}/facts`)
      expect(body).toMatchObject({ total: 3, results: { [ids.one.name]: { listed: null, 'listed::version': '6.10' } } })
    }
    const { status, body } = await api.admin.get('/api/hosts/unknown.example.test/facts')
    expect([status, body]).toEqual([404, { message: "Host not found by id 'unknown.example.test'" }])
  })

  test('are seen by those who may see facts, of the hosts that they may see', async () => {
    const member = { organization_ids: [1], location_ids: [1] }
    const viewer = await api.can(['view_facts', 'view_hosts'], member)
    expect((await list('fact ~ listed', viewer)).subtotal).toBe(6)
    const without = await api.can(['view_hosts'], member)
    for (const path of ['/api/fact_values', `/api/hosts/${ids.one.id}/facts`]) {
      const { status, body } = await without.get(path)
      expect([status, body.error.missing_permissions]).toEqual([403, ['view_facts']])
    }
    const stranger = await api.can(['view_facts', 'view_hosts'])
    expect((await list('fact ~ listed', stranger)).total).toBe(0)
    expect((await stranger.get(`/api/hosts/${ids.one.id}/facts`)).status).toBe(404)
    const blind = await api.can(['view_facts'], member)
    expect((await list('', blind)).total).toBe(0)
  })

  test.each([
    ['facts.listed::kernel = Linux', ['one', 'two']],
    ['facts.listed::kernel = linux', []],
    ['facts.listed::kernel ~ LIN', ['one', 'two']],
    ['facts.listed::version = 6.9', ['two']],
    ['facts.listed::version > 6.5', ['two']],
    ['facts.listed::version < 6.5', ['one']],
    ['facts.listed::version != 6.9', ['one']],
    ['facts.listed::version ^ (6.9, 7)', ['two']],
    ['has facts.listed::version', ['one', 'two']],
    ['has facts.listed', []],
    ['not facts.listed::version = 6.9 and has facts.listed::version', ['one']],
    ['facts.listed::missing = x', []],
  ] as const)('are what hosts are found by: %s', async (search, found) => {
    const { body } = await api.admin.get(`/api/hosts?per_page=all&search=${encodeURIComponent(search)}`)
    expect(body.results.map(({ id }: { id: number }) => id)).toEqual(found.map((name) => ids[name].id))
  })

  test('go with their host', async () => {
    const { id } = await hostWith({ farewell: 'x' })
    expect((await api.admin.delete(`/api/hosts/${id}`)).status).toBe(200)
    expect((await list('fact = farewell')).subtotal).toBe(0)
  })
})
