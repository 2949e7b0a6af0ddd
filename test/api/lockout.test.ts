import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN, basic, openTestApi, type TestApi } from '../support/api.ts'

// Core-api §4.8.

let api: TestApi

beforeAll(async () => {
  api = await openTestApi()
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
})
