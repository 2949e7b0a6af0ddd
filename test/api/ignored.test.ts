import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { ADMIN, basic, openTestApi, type TestApi } from '../support/api.ts'
import { given, type Shown, unique } from '../support/given.ts'

let api: TestApi
let made: Shown
beforeAll(async () => {
  api = await openTestApi({ env: { MILLWRIGHT_VENDOR_PORT: '0' } })
  made = await given(api.admin, 'architecture')
})
afterAll(() => api?.[Symbol.asyncDispose]())

const HEADER = 'millwright-ignored'
const STRICT = { prefer: 'handling=strict' }

test('ignored parameters are named in a header, known and read-only ones are not', async () => {
  const path = `/api/architectures/${made.id}`
  const sent: readonly [object, string, string | undefined][] = [
    [{ architecture: { nmae: 'x' } }, '', 'architecture.nmae'],
    [{ nmae: 'x', name: made.name }, '', 'nmae'],
    [{ architecture: {}, 'a b': 1 }, '?serach=x', 'serach, a%20b'],
    [{ architecture: { name: made.name, created_at: 'x', id: 7 } }, '?organization_id=', undefined],
    [made, '', undefined],
  ]
  for (const [body, query, ignored] of sent) {
    const { status, headers } = await api.admin.put(`${path}${query}`, body)
    expect({ body, status, ignored: headers[HEADER] }).toEqual({ body, status: 200, ignored })
  }
  const reads: readonly [string, string | undefined][] = [
    ['/api/architectures?per_page=1&serach=x&page=1', 'serach'],
    ['/api/hosts?include[]=parameters&show_hidden_parameters=true', undefined],
    ['/api/current_user?full=1', 'full'],
  ]
  for (const [asked, ignored] of reads) expect((await api.admin.get(asked)).headers[HEADER]).toBe(ignored)
})

test('every route behind the login refuses a word that it does not know where that is asked for, before it looks for anything', async () => {
  const found: string[] = []
  const isRead = (method: string) => method === 'GET' || method === 'DELETE'
  for (const { method, path, body, access } of api.routes) {
    // What is there before a login asks for nothing that could be mistyped.
    if (access.kind === 'public') continue
    // An answer that follows a run is a stream, and some bodies have keys that their senders choose.
    if (path.endsWith('/events') || (!isRead(method) && !(body instanceof z.ZodObject))) continue
    // The scope is looked at first: it has to be there.
    const url = path.replace(/:(?:organization|location)_id/g, '1').replace(/:\w+/g, '4294967290')
    const { status, text } = await api.admin.send({
      ...{ method, headers: { ...STRICT, 'content-type': 'application/json' } },
      ...(isRead(method) ? { url: `${url}?millwright_wrod=x` } : { url, payload: { millwright_wrod: 'x' } }),
    })
    if (status !== 400 || !text.includes('does not know millwright_wrod')) found.push(`${status} ${method} ${path}`)
  }
  expect(found).toEqual([])
  expect(api.routes.length).toBeGreaterThan(450)
})

test('routes take keys that no header can carry, and many of them, on both ports', async () => {
  const keys = ['\ud800', 'a\udc00', 'ü\r\nx-made-up: 1', '\0', '漢'.repeat(400), 'x'.repeat(27_000)]
  const many = Object.fromEntries(
    [...keys, ...Array.from({ length: 100 }, (_, at) => `key ${at}`)].map((key) => [key, key]),
  )
  const found: string[] = []
  for (const caller of [api.admin, api.asVendor({ authorization: basic(ADMIN.login, ADMIN.password) })]) {
    // One in ten: they all go through one function.
    for (const { method, path } of api.routes.filter(({ path }, at) => at % 10 === 0 && !path.endsWith('/events'))) {
      const url = path.replace(/:(?:organization|location)_id/g, '1').replace(/:\w+/g, '4294967290')
      const headers = { 'content-type': 'application/json' }
      // The helper of tests looks at the headers of each answer.
      const sent = caller.send({ method, url, headers, payload: JSON.stringify(many) })
      await sent.catch((error: unknown) => void found.push(`${error}`.slice(0, 200)))
    }
  }
  expect(found).toEqual([])
})

test('a header names as many keys as it holds, whole, and a single one as far as it goes', async () => {
  const ignoredOf = async (...keys: string[]) =>
    (await api.admin.put(`/api/architectures/${made.id}`, Object.fromEntries(keys.map((key) => [key, 1])))).headers[
      HEADER
    ]
  expect(await ignoredOf('\ud800')).toBe('%EF%BF%BD')
  const header = String(await ignoredOf(...Array.from({ length: 27 }, (_, at) => `${at} ${'x'.repeat(20_000)}`)))
  expect(header).toBe(`0%20${'x'.repeat(993)}...`)
  const names = Array.from({ length: 500 }, (_, at) => `key${at}`)
  expect(await ignoredOf(...names)).toMatch(/^key0, (?:key\d+, ){99,}\.\.\.$/)
  expect(await ignoredOf('漢'.repeat(400))).toBe(`${encodeURIComponent('漢'.repeat(110))}...`)
})

test('with strict handling the request is refused, and nothing is stored', async () => {
  const name = unique('arch')
  const refused = await api.admin.post('/api/architectures', { architecture: { name, nmae: 'x' } }, STRICT)
  expect([refused.status, refused.body.error.message]).toEqual([
    400,
    expect.stringContaining('does not know architecture.nmae; nothing was done'),
  ])
  expect((await api.admin.get(`/api/architectures/${name}`)).status).toBe(404)
  expect((await api.admin.get('/api/architectures?serach=x', STRICT)).status).toBe(400)
  expect((await api.admin.post('/api/architectures', { architecture: { name } }, STRICT)).status).toBe(201)
})
