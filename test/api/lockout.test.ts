import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN, basic, expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { given, unique } from '../support/given.ts'

// Core-api §4.8.

let api: TestApi
const logged: Record<string, unknown>[] = []

beforeAll(async () => {
  const sink = { write: (line: string) => void logged.push(JSON.parse(line)) }
  const env = { MILLWRIGHT_TRUSTED_PROXIES: '192.0.2.1' }
  api = await openTestApi({ env, log: pino({ level: 'warn' }, sink) })
})
afterAll(() => api[Symbol.asyncDispose]())

describe('lock-out', () => {
  test('after so many failures an address is refused, whoever it is, and other addresses are not', async () => {
    await api.admin.put('/api/settings/failed_login_attempts_limit', { value: 3 })
    const from = (remoteAddress: string, password: string) =>
      api.nobody.send({ url: '/api/status', remoteAddress, headers: { authorization: basic(ADMIN.login, password) } })
    for (const password of ['wrong 1', 'wrong 2', 'wrong 3']) {
      expect((await from('203.0.113.9', password)).body.error.message).toBe(
        `Unable to authenticate user ${ADMIN.login}`,
      )
    }
    expect(await from('203.0.113.9', ADMIN.password)).toMatchObject({
      status: 401,
      body: { error: { message: 'Too many tries, please try again in a few minutes.' } },
    })
    expect((await from('::ffff:203.0.113.9', ADMIN.password)).status).toBe(401)
    expect((await from('203.0.113.10', ADMIN.password)).status).toBe(200)
    await api.admin.put('/api/settings/failed_login_attempts_limit', { value: 0 })
    expect((await from('203.0.113.9', ADMIN.password)).status).toBe(200)
  })

  test('counts wrong current passwords, which an open session could try as well', async () => {
    await api.admin.put('/api/settings/failed_login_attempts_limit', { value: 3 })
    const login = unique('self')
    const { id } = await given(api.admin, 'user', { login, password: 'their password' })
    const token = await expectCreated(api.admin.post(`/api/users/${id}/personal_access_tokens`, { name: 'own' }))
    const authorization = `Bearer ${token.token_value}`
    const change = (remoteAddress: string, current_password: string) =>
      api.nobody.send({
        ...{ method: 'PUT', url: `/api/users/${id}`, remoteAddress },
        headers: { authorization, 'content-type': 'application/json' },
        payload: JSON.stringify({ user: { password: 'another password', current_password } }),
      })
    const wrong = { status: 422, body: { error: { errors: { current_password: ['Incorrect password'] } } } }
    for (const guess of ['guess 1', 'guess 2', 'guess 3'])
      expect(await change('203.0.113.20', guess)).toMatchObject(wrong)
    expect((await change('203.0.113.20', 'their password')).status).toBe(401)
    const login401 = { url: '/api/status', remoteAddress: '203.0.113.20' }
    const basicLogin = { authorization: basic(ADMIN.login, ADMIN.password) }
    expect((await api.nobody.send({ ...login401, headers: basicLogin })).status).toBe(401)
    expect(await change('203.0.113.21', 'guess 4')).toMatchObject(wrong)
    expect((await change('203.0.113.21', 'their password')).status).toBe(200)
    await api.admin.put('/api/settings/failed_login_attempts_limit', { value: 0 })
  })

  test('counts them in a batch, too: they are not checked there', async () => {
    const login = unique('self')
    const { id } = await given(api.admin, 'user', { login, password: 'their password' })
    const token = await expectCreated(api.admin.post(`/api/users/${id}/personal_access_tokens`, { name: 'own' }))
    const own = api.as({ authorization: `Bearer ${token.token_value}` })
    const body = { user: { password: 'another password', current_password: 'their password' } }
    const { text } = await own.post('/api/batch', { operations: [{ method: 'PUT', path: `/api/users/${id}`, body }] })
    expect(text).toContain('has to be sent in a request of its own')
    expect((await own.put(`/api/users/${id}`, body)).status).toBe(200)
  })

  test('behind a proxy that the configuration does not name is noticed, and said once a minute', async () => {
    await api.admin.put('/api/settings/failed_login_attempts_limit', { value: 1 })
    const authorization = basic(ADMIN.login, 'wrong')
    const from = (remoteAddress: string, headers: Record<string, string> = {}) =>
      api.nobody.send({ url: '/api/status', remoteAddress, headers: { authorization, ...headers } })
    const noticed = () => logged.filter(({ msg }) => msg === 'lock-out of an undeclared proxy')
    const forwarded = { 'x-forwarded-for': '198.51.100.7' }
    for (const address of ['203.0.113.30', '192.0.2.1']) await from(address, address === '192.0.2.1' ? forwarded : {})
    expect((await from('203.0.113.30')).status).toBe(401)
    expect((await from('192.0.2.1', forwarded)).status).toBe(401)
    expect(noticed()).toEqual([])
    for (const _ of [1, 2]) expect((await from('203.0.113.30', forwarded)).status).toBe(401)
    expect(noticed()).toMatchObject([
      { address: '203.0.113.30', header: 'x-forwarded-for', hint: expect.stringContaining('trusted-proxies') },
    ])
    await api.admin.put('/api/settings/failed_login_attempts_limit', { value: 0 })
  })
})
