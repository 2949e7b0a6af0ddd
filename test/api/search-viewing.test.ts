import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BothListeners, openBothListeners } from '../dialect/support.ts'
import { basic, type Caller, type Reply } from '../support/api.ts'
import { given, type Shown } from '../support/given.ts'

// A caller who may not view parameters or facts cannot search hosts by them either, because searches would reveal values.

/** Conditions of `view_facts`, which apply to hosts, and whether they leave the facts of the host visible. */
const LIMITED = {
  named: ['name = seen.example.test', true],
  namedOther: ['name = other.example.test', false],
  // The condition is about a host of this name, not a fact.
  namedFact: ['name = kernel', false],
  placed: ['organization_id = 1 and location_id = 1', true],
  placedOther: ['organization_id = 99', false],
  byFact: ['facts.kernel = Linux and params.tier = gold', true],
  byFactOther: ['facts.kernel = Other', false],
} as const

const HERE = { organization_ids: [1], location_ids: [1] }
let both: BothListeners
let host: Shown
const callers = new Map<string, Record<string, string>>()

beforeAll(async () => {
  both = await openBothListeners()
  const admin = both.ours
  host = await given(admin, 'host', { name: 'seen.example.test', managed: false, organization_id: 1, location_id: 1 })
  await admin.post(`/api/hosts/${host.id}/parameters`, { name: 'tier', value: 'gold' })
  await admin.post(`/api/hosts/${host.id}/parameters`, { name: 'rack', value: 'north' })
  const facts = { name: host.name, facts: { kernel: 'Linux', cell: { door: 'open' } } }
  expect((await admin.post('/api/hosts/facts', facts)).status).toBe(201)
  await admin.post('/api/common_parameters', { name: 'everywhere', value: 'for all' })
  await admin.post('/api/common_parameters', { name: 'covered', value: 'tell-nobody', hidden_value: true })
  await caller('blind', ['view_hosts'])
  await caller('viewer', ['view_hosts', 'view_params', 'view_facts'])
  await caller('some', ['view_hosts'], { view_params: 'name = tier', view_facts: 'name = kernel' })
  for (const [login, [view_facts]] of Object.entries(LIMITED)) await caller(login, ['view_hosts'], { view_facts })
  await caller('filtered', [], { view_hosts: 'params.tier = gold and facts.kernel = Linux' })
})
afterAll(() => both?.[Symbol.asyncDispose]())

/** Creates a user of the organization with these permissions, some of them with a search. */
async function caller(login: string, permissions: readonly string[], searches: Record<string, string> = {}) {
  const admin = both.ours
  const known = (await admin.get('/api/permissions?per_page=all')).body.results as { id: number; name: string }[]
  const role = (await admin.post('/api/roles', { name: `role of ${login}` })).body
  const wanted = [...permissions.map((name) => [name, null]), ...Object.entries(searches)]
  for (const [name, search] of wanted) {
    const permission_ids = known.flatMap((one) => (one.name === name ? [one.id] : []))
    const { status, text } = await admin.post('/api/filters', { filter: { role_id: role.id, permission_ids, search } })
    expect(status, text).toBe(201)
  }
  const user = { login, password: 'long enough', auth_source_id: 1, role_ids: [role.id], ...HERE }
  expect((await admin.post('/api/users', { user })).status).toBe(201)
  callers.set(login, { authorization: basic(login, 'long enough') })
}

const PORTS = [
  ['ours', '/api', (listeners: BothListeners): Caller => listeners.ours],
  ['theirs', '/api', (listeners: BothListeners): Caller => listeners.stranger],
] as const

describe.each(PORTS)('on the listener of %s', (port, prefix, on) => {
  const get = (login: string, path: string): Promise<Reply> =>
    on(both).get(`${prefix}${path}`, callers.get(login) ?? {})
  const find = (login: string, search: string) => get(login, `/hosts?search=${encodeURIComponent(search)}`)
  const names = async (login: string, search: string) => {
    const { status, body } = await find(login, search)
    return status === 200 ? body.results.map(({ name }: Shown) => name) : status
  }

  test('a caller who may view them finds hosts by them', async () => {
    expect(await names('viewer', 'params.tier = gold and facts.kernel = Linux')).toEqual([host.name])
    expect(await names('viewer', 'has params.rack')).toEqual([host.name])
    expect(await names('viewer', 'facts.kernel = Other')).toEqual([])
  })

  test.each(['params', 'facts'])('to others %s is an unknown field, in searches and orders', async (field) => {
    const unknown = await find('blind', 'nothing.tier = gold')
    for (const search of [
      `${field}.tier = gold`,
      `has ${field}.tier`,
      `not ${field}.kernel = Linux`,
      `null? ${field}.x`,
    ]) {
      const { status, text } = await find('blind', search)
      expect(status).toBe(400)
      expect(text).toContain(`Field '${field}.`)
      expect(text).toContain('not recognized for searching!')
    }
    expect(unknown.text).toContain('not recognized for searching!')
    const orders = await Promise.all([field, 'nothing'].map((name) => get('blind', `/hosts?order=${name}.tier`)))
    expect(orders.map(({ status }) => status)).toEqual([400, 400])
    expect(orders[0]?.text.replaceAll(field, 'nothing').replace(/"request_id":"[^"]*"/, '')).toBe(
      orders[1]?.text.replace(/"request_id":"[^"]*"/, ''),
    )
  })

  test('completion offers them neither names nor values', async () => {
    const offered = async (login: string, search: string) =>
      (await get(login, `/hosts/auto_complete_search?search=${encodeURIComponent(search)}`)).text
    for (const [search, expected] of [
      ['params.t', 'params.tier'],
      ['params.tier = ', 'gold'],
      ['facts.k', 'facts.kernel'],
      ['facts.kernel = ', 'Linux'],
    ] as const) {
      expect(await offered('viewer', search)).toContain(expected)
      expect(await offered('blind', search)).not.toContain(expected)
    }
    expect(await offered('blind', 'par')).not.toContain('params')
    expect(await offered('some', 'params.')).not.toContain('rack')
    expect(await offered('some', 'facts.')).not.toContain('kernel')
  })

  test('a caller who may view some finds hosts by those', async () => {
    expect(await names('some', 'params.tier = gold')).toEqual([host.name])
    expect(await names('some', 'params.rack = north')).toEqual([])
    expect(await names('some', 'has params.rack')).toEqual([])
    expect(await names('some', 'facts.kernel = Linux')).toEqual([])
    expect(await names('viewer', 'facts.cell::door = open')).toEqual([host.name])
  })

  test.each(Object.entries(LIMITED))(
    '%s: a condition on facts means the same in lists and searches',
    async (login, [, left]) => {
      for (const path of ['/fact_values', `/hosts/${host.id}/facts`]) {
        const { status, body, text } = await get(login, path)
        expect(status, text).toBe(200)
        expect(Object.keys(body.results[host.name] ?? {}), path).toEqual(left ? ['cell', 'cell::door', 'kernel'] : [])
        expect(body.total).toBe(left ? 3 : 0)
      }
      for (const search of ['facts.kernel = Linux', 'has facts.kernel', 'facts.cell::door ~ pen'])
        expect(await names(login, search), search).toEqual(left ? [host.name] : [])
      const { text: offered } = await get(login, '/hosts/auto_complete_search?search=facts.kernel%20%3D%20')
      expect(offered.includes('Linux')).toBe(left)
      for (const path of ['classification', 'enc', 'template/script'])
        expect((await get(login, `/hosts/${host.id}/${path}`)).status, path).toBeLessThan(500)
    },
  )

  test('a host shows its global parameters to whoever sees it, and no others without the permission', async () => {
    for (const login of ['blind', 'some']) {
      const nearer = login === 'some' ? ['tier'] : []
      const { body, text } = await get(login, `/hosts/${host.id}`)
      expect(body.all_parameters.map(({ name }: Shown) => name).sort()).toEqual(['covered', 'everywhere', ...nearer])
      expect(text).not.toContain('tell-nobody')
      const listed = await get(login, '/hosts?include=all_parameters')
      expect(listed.body.results[0].all_parameters).toEqual(body.all_parameters)
      const { text: document } = await get(login, `/hosts/${host.id}/enc`)
      expect(document).toContain('for all')
      expect(document.includes('gold')).toBe(login === 'some')
      expect(document).not.toMatch(/north|tell-nobody/)
    }
    expect((await get('blind', '/common_parameters')).status).toBe(403)
    expect(await names('some', 'params.everywhere = "for all"')).toEqual([])
  })

  test('the search of a permission is about the host, and needs no further one', async () => {
    expect(await names('filtered', '')).toEqual([host.name])
    expect(await names('filtered', 'params.tier = gold')).toBe(400)
    expect(port).not.toBe('')
  })
})
