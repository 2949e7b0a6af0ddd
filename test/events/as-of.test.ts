import { setTimeout } from 'node:timers/promises'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectCreated, openTestApi, type TestApi } from '../support/api.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.[Symbol.asyncDispose]())

const askAsOf = (path: string, time: string, more = '') =>
  api.admin.get(`${path}?as_of=${encodeURIComponent(time)}${more}`)

/** The time of the newest change of a record. */
async function readTime(path: string): Promise<string> {
  const { body } = await api.admin.get(`${path}/history`)
  await setTimeout(2) // the next change is in another millisecond
  return body.results[0].time
}

test('every version rebuilt equals the one that was read at the time', { timeout: 60_000 }, async () => {
  let count = 0
  const architecture = await expectCreated(api.admin.post('/api/architectures', { architecture: { name: 'x86' } }))
  const domains = await Promise.all(
    ['a.test', 'b.test'].map((name) => expectCreated(api.admin.post('/api/domains', { domain: { name } }))),
  )
  const change = fc.record(
    {
      name: fc.stringMatching(/^[a-z]{3,8}$/),
      title: fc.stringMatching(/^[a-z]{0,8}$/),
      domain_id: fc.constantFrom(null, ...domains.map(({ id }) => id)),
      architecture_id: fc.constantFrom(null, architecture.id),
    },
    { requiredKeys: [] },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 5 }), async (changes) => {
      const group = await expectCreated(api.admin.post('/api/hostgroups', { hostgroup: { name: `g${count++}` } }))
      const path = `/api/hostgroups/${group.id}`
      const seen: { time: string; shown: Record<string, unknown> }[] = []
      for (const { title: description, name, ...values } of [{}, ...changes]) {
        const sent = {
          ...values,
          ...(description !== undefined && { description }),
          ...(name && { name: `${name}${count}` }),
        }
        await api.admin.put(path, { hostgroup: sent })
        seen.push({ shown: (await api.admin.get(path)).body, time: await readTime(path) })
      }
      await api.admin.delete(path)
      for (const { time, shown } of seen) {
        const { status, body, text } = await askAsOf(path, time)
        expect(status, text).toBe(200)
        const { unknown, ...rest } = body
        expect(Object.keys(rest)).toEqual(Object.keys(shown))
        const known = Object.keys(rest).filter((key) => !unknown.includes(key))
        expect(known).toEqual(
          expect.arrayContaining(['name', 'description', 'domain_id', 'architecture_id', 'title', 'updated_at']),
        )
        for (const key of known) expect.soft([key, rest[key]]).toEqual([key, shown[key]])
      }
    }),
    { numRuns: 8 },
  )
})

test('lists have what existed then, also what was deleted since', async () => {
  const first = await expectCreated(api.admin.post('/api/models', { model: { name: 'first' } }))
  const before = await readTime(`/api/models/${first.id}`)
  const second = await expectCreated(api.admin.post('/api/models', { model: { name: 'second' } }))
  await api.admin.put(`/api/models/${first.id}`, { model: { name: 'renamed' } })
  const between = await readTime(`/api/models/${first.id}`)
  await api.admin.delete(`/api/models/${first.id}`)
  const namesAt = async (time: string) =>
    (await askAsOf('/api/models', time)).body.results.map(({ name }: { name: string }) => name)
  expect(await namesAt(before)).toEqual(['first'])
  expect(await namesAt(between)).toEqual(['renamed', 'second'])
  expect(await namesAt(new Date().toISOString())).toEqual(['second'])
  const page = (await askAsOf('/api/models', between, '&per_page=1&page=2')).body
  expect(page).toMatchObject({ total: 2, page: 2, per_page: 1, results: [{ id: second.id, name: 'second' }] })
  for (const [path, time, message] of [
    [`/api/models/${second.id}`, before, /is before the record was created: 2/],
    [`/api/models/${first.id}`, new Date().toISOString(), /is after the record was deleted/],
    [`/api/models/${second.id}`, '2001-01-01T00:00:00Z', /is before the first change that is kept: 2/],
    ['/api/models', '2999-01-01', /is in the future/],
    ['/api/models', 'yesterday', /must be a date and time/],
  ] as const) {
    const { status, body } = await askAsOf(path, time)
    expect
      .soft([path, time, status, body.error?.errors])
      .toEqual([path, time, 422, { as_of: [expect.stringMatching(message)] }])
  }
  const searched = await askAsOf('/api/models', between, '&search=name%3Dsecond')
  expect(searched.body.error.errors).toEqual({ as_of: [expect.stringMatching(/cannot be sent with search/)] })
})

test('it shows what the caller may see now, and no secrets', async () => {
  const { id } = await expectCreated(api.admin.post('/api/models', { model: { name: 'watched' } }))
  const http_proxy = { name: 'out', url: 'http://proxy.example.test:3128', username: 'me', password: 'canary' }
  const proxy = `/api/http_proxies/${(await expectCreated(api.admin.post('/api/http_proxies', { http_proxy }))).id}`
  const time = await readTime(proxy)
  const shown = await askAsOf(proxy, time)
  expect(shown.body).toMatchObject({ name: 'out', username: 'me' })
  expect(shown.text).not.toContain('canary')
  const path = `?as_of=${encodeURIComponent(time)}`
  const may = await api.can(['view_audit_logs', 'view_models'])
  expect((await may.get(`/api/models/${id}${path}`)).body).toMatchObject({ name: 'watched' })
  const one = await api.can(['view_models'], { search: 'name = other', also: ['view_audit_logs'] })
  expect((await one.get(`/api/models/${id}${path}`)).status).toBe(404)
  expect((await one.get(`/api/models${path}`)).body.results).toEqual([])
  expect((await (await api.can(['view_models'])).get(`/api/models/${id}${path}`)).status).toBe(403)
  expect((await (await api.can(['view_audit_logs'])).get(`/api/models/${id}${path}`)).status).toBe(403)
})

test('what was changed elsewhere stays there: the record itself, and the name of what it linked to', async () => {
  const [there, here] = await Promise.all(
    ['there', 'here'].map((name) => expectCreated(api.admin.post('/api/organizations', { organization: { name } }))),
  )
  const placed = { organization_ids: [there.id], location_ids: [1] }
  const domain = { name: 'first.test', fullname: 'one', ...placed }
  const { id } = await expectCreated(api.admin.post('/api/domains', { domain }))
  const group = { name: 'linked', domain_id: id, organization_ids: [here.id], location_ids: [1] }
  const linked = await expectCreated(api.admin.post('/api/hostgroups', { hostgroup: group }))
  const path = `/api/domains/${id}`
  const early = await readTime(`/api/hostgroups/${linked.id}`)
  for (const change of [
    { name: 'second.test', fullname: 'two' },
    { organization_ids: [here.id] },
    { fullname: 'three' },
  ])
    expect((await api.admin.put(path, { domain: change })).status).toBe(200)
  const late = await readTime(path)
  await api.admin.put(path, { domain: { fullname: 'four' } })
  const reader = await api.can(['view_domains', 'view_hostgroups', 'view_audit_logs'], {
    organization_ids: [here.id],
    location_ids: [1],
  })
  const ask = (at: string, time: string) => reader.get(`${at}?as_of=${encodeURIComponent(time)}`)
  expect((await ask(path, late)).body).toMatchObject({ name: 'second.test', fullname: 'three' })
  expect((await ask('/api/domains', late)).body.results).toMatchObject([{ fullname: 'three' }])
  const refused = await ask(path, early)
  expect([refused.status, refused.body.error.errors]).toEqual([
    422,
    { as_of: ['is before a change that you may not see'] },
  ])
  expect((await ask('/api/domains', early)).body).toMatchObject({ total: 0, results: [] })
  const whole = await ask(`/api/hostgroups/${linked.id}`, early)
  expect(whole.body).toMatchObject({ domain_id: id, domain_name: 'second.test' })
  expect(whole.body.unknown).toContain('domain_name')
  expect((await askAsOf(`/api/hostgroups/${linked.id}`, early)).body.domain_name).toBe('first.test')
  const below = await askAsOf(`/api/organizations/${there.id}/domains`, early)
  expect(below.body).toMatchObject({ total: 1, results: [{ name: 'first.test' }] })
  expect((await askAsOf(`/api/organizations/${here.id}/domains`, early)).body.total).toBe(0)
})
