import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApi, type TestApi } from '../support/api.ts'
import { given, unique } from '../support/given.ts'

// Bookmarks, which are stored searches, and HTTP proxies that records can name.

let api: TestApi
const HERE = { organization_ids: [1], location_ids: [1] }
const RIGHTS = ['view', 'create', 'edit', 'destroy'].map((verb) => `${verb}_bookmarks`)

beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.[Symbol.asyncDispose]())

const bookmark = (overrides: object = {}) => ({
  bookmark: { name: unique('bookmark'), controller: 'hosts', query: 'status.failed > 0', ...overrides },
})

test('a bookmark is its author’s alone, or everybody’s; names are unique among what one sees', async () => {
  const [one, other] = [await api.can(RIGHTS), await api.can(RIGHTS)]
  const own = await one.post('/api/bookmarks', bookmark({ name: 'mine' }))
  expect(own).toMatchObject({
    status: 201,
    body: {
      name: 'mine',
      controller: 'hosts',
      query: 'status.failed > 0',
      public: false,
      owner_id: one.id,
      owner_type: 'User',
    },
  })
  expect((await one.get(`/api/bookmarks/${own.body.id}`)).status).toBe(200)
  expect((await other.get(`/api/bookmarks/${own.body.id}`)).status).toBe(404)
  expect((await other.delete(`/api/bookmarks/${own.body.id}`)).status).toBe(404)
  expect((await other.post('/api/bookmarks', bookmark({ name: 'mine' }))).status).toBe(201)
  expect(await one.post('/api/bookmarks', bookmark({ name: 'mine' }))).toMatchObject({
    ...{ status: 422, body: { error: { errors: { name: ['has already been taken'] } } } },
  })
  expect((await one.put(`/api/bookmarks/${own.body.id}`, { bookmark: { public: true } })).body.public).toBe(true)
  expect((await other.get('/api/bookmarks?search=name=mine')).body.subtotal).toBe(2)
})

test.each([
  ['no search', { query: '' }, { query: ["can't be blank"] }],
  ['no kind', { controller: 'two words' }, { controller: ['must be the word of a kind of records, such as hosts'] }],
])('a bookmark with %s is refused', async (_what, overrides, errors) => {
  expect(await api.admin.post('/api/bookmarks', bookmark(overrides))).toMatchObject({
    status: 422,
    body: { error: { errors } },
  })
})

test('an HTTP proxy shows no password, and takes none in its address', async () => {
  const password = 'through-and-through'
  const proxy = await given(api.admin, 'http_proxy', { username: 'squid', password, ...HERE })
  expect(proxy).toMatchObject({ url: 'http://proxy.example.test:3128', username: 'squid', organizations: [{ id: 1 }] })
  const { text } = await api.admin.get('/api/audits?search=type = http_proxy')
  expect(JSON.stringify(proxy) + text).not.toContain(password)
  const url = 'http://squid:secret@proxy.example.test:3128'
  const refused = await api.admin.put(`/api/http_proxies/${proxy.id}`, { http_proxy: { url } })
  expect(refused).toMatchObject({
    status: 422,
    body: { error: { errors: { url: [expect.stringContaining('without user')] } } },
  })
})
