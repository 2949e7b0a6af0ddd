import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { openTestApi, type TestApi } from '../support/api.ts'
import { given, type Shown, unique } from '../support/given.ts'

let api: TestApi
let made: Shown
beforeAll(async () => {
  api = await openTestApi()
  made = await given(api.admin, 'architecture')
})
afterAll(() => api[Symbol.asyncDispose]())

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
