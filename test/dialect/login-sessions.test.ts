import { afterAll, beforeAll, expect, test } from 'vitest'
import { basic, type Reply } from '../support/api.ts'
import { unique } from '../support/given.ts'
import { type BothListeners, openBothListeners } from './support.ts'

// Clients of the second port log in with a password once, and then send the session cookie.

let api: BothListeners
beforeAll(async () => {
  api = await openBothListeners()
})
afterAll(() => api?.[Symbol.asyncDispose]())

const PASSWORD = 'correct horse'
const cookieOf = ({ headers }: Reply) => /_session_id=[^;]+/.exec(String(headers['set-cookie'] ?? ''))?.[0] ?? ''
const logIn = (authorization: string) => api.stranger.get('/api/status', { authorization })

/** A user who may see and create architectures. */
async function user() {
  const login = unique('user')
  const about = { login, password: PASSWORD, auth_source_name: 'Internal', mail: 'user@example.com' }
  const role = (await api.ours.post('/api/roles', { name: unique('role') })).body
  const found = await api.ours.get('/api/permissions?search=resource_type=Architecture&per_page=all')
  const ids = found.body.results.map(({ id }: { id: number }) => id)
  expect((await api.ours.post('/api/filters', { role_id: role.id, permission_ids: ids })).status).toBe(201)
  const { status, body } = await api.ours.post('/api/users', { ...about, role_ids: [role.id] })
  expect(status).toBe(201)
  return { id: body.id, login, authorization: basic(login, PASSWORD) }
}

/** Sends the cookie with further headers. */
const withCookie = (cookie: string, headers: Record<string, string> = {}) => ({
  get: (path: string) => api.stranger.get(path, { cookie, host: 'api.example', ...headers }),
  create: () =>
    api.stranger.post('/api/architectures', { name: unique('arch') }, { cookie, host: 'api.example', ...headers }),
})

test('a login with a password gives a cookie that reads and writes, as who has logged in', async () => {
  const { login, authorization } = await user()
  const asked = withCookie(cookieOf(await logIn(authorization)))
  expect(await asked.get('/api/current_user')).toMatchObject({ status: 200, body: { login } })
  expect(await asked.create()).toMatchObject({ status: 201 })
  expect(await asked.get('/api/domains')).toMatchObject({ status: 403 })
  expect((await asked.get('/api/current_user')).headers).not.toHaveProperty('set-cookie')
})

test('gives many logins one session, which ends with the password', async () => {
  const { id, login, authorization } = await user()
  const cookies = new Set<string>()
  for (let count = 0; count < 12; count += 1) {
    cookies.add(cookieOf(await logIn(authorization)))
    // Clears the cache of identities.
    if (count % 5 === 0) await api.ours.put(`/api/users/${id}`, { description: `after ${count}` })
  }
  expect([...cookies]).toEqual([expect.stringMatching(/^_session_id=[\w-]{43}$/)])
  const [cookie = ''] = cookies
  expect((await withCookie(cookie).get('/api/architectures')).status).toBe(200)
  expect((await api.ours.put(`/api/users/${id}`, { password: 'correct horse battery' })).status).toBe(200)
  expect((await withCookie(cookie).get('/api/architectures')).status).toBe(401)
  const again = cookieOf(await logIn(basic(login, 'correct horse battery')))
  expect(again).not.toBe(cookie)
  expect((await withCookie(again).get('/api/architectures')).status).toBe(200)
})

test('requests caused by other sites do not count as logged in', async () => {
  const cookie = cookieOf(await logIn((await user()).authorization))
  const foreign: readonly Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: 'http://api.example' },
  ]
  for (const headers of foreign) {
    const refused = { status: 403, body: { error: { details: expect.stringContaining('another site') } } }
    expect(await withCookie(cookie, headers).create()).toMatchObject(refused)
    expect(await withCookie(cookie, headers).get('/api/architectures')).toMatchObject(refused)
  }
  const own = withCookie(cookie, { origin: 'http://api.example', 'sec-fetch-site': 'same-origin' })
  expect((await own.create()).status).toBe(201)
})

test('neither tokens, nor wrong passwords, nor the first port give one, and a password that is sent counts more', async () => {
  const { id, login, authorization } = await user()
  const token = await api.ours.post(`/api/users/${id}/personal_access_tokens`, { name: 'laptop' })
  for (const [answer, status] of [
    [await logIn(basic(login, token.body.token_value)), 200],
    [await logIn(basic(login, 'wrong')), 401],
    [await api.ours.get('/api/current_user', { authorization }), 200],
  ] as const) {
    expect(answer.status).toBe(status)
    expect(answer.headers).not.toHaveProperty('set-cookie')
  }
  const cookie = cookieOf(await logIn((await user()).authorization))
  expect((await withCookie(cookie, { authorization }).get('/api/current_user')).body.login).toBe(login)
  expect((await withCookie(cookie, { authorization: basic(login, 'wrong') }).get('/api/current_user')).status).toBe(401)
})
