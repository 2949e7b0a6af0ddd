import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/sql.ts'
import { ADMIN, basic, type Caller, expectCreated, openTestApi, type TestApi } from '../support/api.ts'

// Core-api §1.1: each test sends a request that two consecutive checks would refuse, and expects the answer of the first.

let api: TestApi
let viewer: Caller
let disabled: Caller
const SOMEWHERE = '198.51.100.1'
const LOCKED = '198.51.100.2'
const JSON_TYPE = { 'content-type': 'application/json' }

beforeAll(async () => {
  api = await openTestApi()
  viewer = await api.can(['view_architectures', 'view_operatingsystems'])
  const gone = await api.can(['view_architectures'])
  await api.admin.put(`/api/users/${gone.id}`, { disabled: true })
  disabled = gone
  await api.admin.put('/api/settings/failed_login_attempts_limit', { value: 2 })
  for (const password of ['wrong 1', 'wrong 2']) {
    await api.nobody.send({
      url: '/api/status',
      remoteAddress: LOCKED,
      headers: { authorization: basic(ADMIN.login, password) },
    })
  }
})
afterAll(() => api?.[Symbol.asyncDispose]())

describe('the order of checks', () => {
  test('malformed JSON (400) comes before lock-out (401)', async () => {
    const { status, body } = await api.nobody.send({
      method: 'POST',
      url: '/api/architectures',
      remoteAddress: LOCKED,
      headers: JSON_TYPE,
      payload: '{"architecture":',
    })
    expect(status).toBe(400)
    expect(body.error).toMatch(/^There was a problem in the JSON you submitted: /)
  })

  test('lock-out comes before authentication: right credentials do not help', async () => {
    const { status, body } = await api.admin.send({ url: '/api/status', remoteAddress: LOCKED })
    expect(status).toBe(401)
    expect(body.error.message).toBe('Too many tries, please try again in a few minutes.')
  })

  test('authentication (401) comes before an unknown context (404)', async () => {
    const { status } = await api.nobody.get('/api/architectures?location_id=999')
    expect(status).toBe(401)
  })

  test('an unknown context (404) comes before a disabled account (401)', async () => {
    expect(await disabled.get('/api/architectures?location_id=999')).toMatchObject({
      status: 404,
      body: { message: 'Location with id 999 not found' },
    })
  })

  test('a disabled account (401) comes before a missing permission (403)', async () => {
    expect(await disabled.delete('/api/architectures/x86_64')).toMatchObject({
      status: 401,
      body: { error: { message: 'User account is disabled, please contact your administrator' } },
    })
  })

  test('a missing permission (403) comes before the media type (415)', async () => {
    const { status } = await viewer.send({
      method: 'POST',
      url: '/api/architectures',
      headers: { 'content-type': 'text/plain' },
      payload: 'x',
    })
    expect(status).toBe(403)
  })

  test('the media type (415) comes before the parent (404)', async () => {
    const { status } = await api.admin.send({
      method: 'POST',
      url: '/api/operatingsystems/999/architectures',
      headers: { 'content-type': 'text/plain' },
      payload: 'x',
    })
    expect(status).toBe(415)
  })

  test('the parent (404) comes before the record (404)', async () => {
    expect(await viewer.get('/api/operatingsystems/999/architectures/998')).toMatchObject({
      status: 404,
      body: { message: "Operatingsystem not found by id '999'" },
    })
  })

  test('the record (404) comes before what is wrong with its new values (422)', async () => {
    expect((await api.admin.put('/api/architectures/999', { architecture: { name: '' } })).status).toBe(404)
  })

  test('an expired session (401, empty) is told to callers without other credentials', async () => {
    const { headers } = await api.admin.post('/api/session')
    const cookie = String(headers['set-cookie']).split(';')[0] ?? ''
    await sql`update sessions set last_seen_at = now() - interval '3 hours'`.execute(api.database.db)
    const { status, text, headers: answered } = await api.nobody.get('/api/status', { cookie })
    expect(status).toBe(401)
    expect(text).toBe('')
    expect(answered['content-type']).toMatch(/^text\/plain/)
  })
})

test('an unauthorised caller does not learn whether a record exists', async () => {
  const existing = await viewer.delete('/api/architectures/x86_64')
  const missing = await viewer.delete('/api/architectures/999')
  expect(existing.status).toBe(403)
  expect(missing.body).toEqual(existing.body)
})

test('malformed JSON comes before authentication, and is not looked at where another media type is sent', async () => {
  const send = (type: string) =>
    api.nobody.send({
      method: 'POST',
      url: '/api/architectures',
      remoteAddress: SOMEWHERE,
      headers: { 'content-type': type },
      payload: '{"',
    })
  expect((await send('application/json')).status).toBe(400)
  expect((await send('text/plain')).status).toBe(401)
})

test('the nested path of an operating system takes new architectures as well', async () => {
  const { id } = await expectCreated(api.admin.post('/api/operatingsystems', { name: 'Debian', major: '13' }))
  const created = await expectCreated(api.admin.post(`/api/operatingsystems/${id}/architectures`, { name: 'loong64' }))
  expect(created.operatingsystems).toMatchObject([{ id }])
})
