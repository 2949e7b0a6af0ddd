import { TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { basic, type Caller, expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { given } from '../support/given.ts'
import { settled } from './identities.ts'

// Two processes on one database: what one of them takes back, the other refuses with the next request, once the database has
// delivered the notification of the commit. Nobody waits for a time to pass.

const PASSWORD = 'a long password'

let here: TestApi
let there: TestApi
beforeAll(async () => {
  here = await openTestApi()
  there = await openTestApi({ beside: here })
})
afterAll(async () => {
  await there?.[Symbol.asyncDispose]()
  await here?.[Symbol.asyncDispose]()
})

const statusOf = async (caller: Caller) => (await caller.get('/api/current_user')).status

let made = 0
async function newUser() {
  const login = `revoked${++made}`
  const { id } = await given(here.admin, 'user', { login, password: PASSWORD })
  return { id, path: `/api/users/${id}`, authorization: basic(login, PASSWORD) }
}

async function beginSession(authorization: string, body: object = {}) {
  const begun = await here.as({ authorization }).post('/api/session', body)
  expect(begun.status).toBe(201)
  const cookie = String(begun.headers['set-cookie']).split(';', 1)[0] ?? ''
  return { cookie, 'x-csrf-token': String(begun.body.csrf_token) }
}

/** Does something here, when there has let the caller in, and expects that it refuses the next request. */
async function expectRefusedThere(headers: Record<string, string>, revoke: () => Promise<{ readonly status: number }>) {
  const caller = there.as(headers)
  expect(await statusOf(caller)).toBe(200)
  expect(await statusOf(caller), 'remembered').toBe(200)
  expect((await revoke()).status).toBe(200)
  await settled(there.database)
  expect(await statusOf(caller)).toBe(401)
}

test('a token, also the one of a login by the command line', async () => {
  const { path, authorization } = await newUser()
  const tokens = `${path}/personal_access_tokens`
  const own = here.as({ authorization })
  const create = () => expectCreated(own.post(tokens, { name: `t${++made}` }))
  const [one, other] = [await create(), await create()]
  const bearer = (value: unknown) => ({ authorization: `Bearer ${value}` })
  await expectRefusedThere(bearer(one.token_value), () => here.admin.delete(`${tokens}/${one.id}`))
  const program = here.as({ ...bearer(other.token_value), 'content-type': 'application/x-www-form-urlencoded' })
  const payload = `client_id=millwright-cli&token=${other.token_value}`
  await expectRefusedThere(bearer(other.token_value), () =>
    program.send({ method: 'POST', url: '/oauth/revoke', payload }),
  )
})

test('a session that its user or an administrator ends, and all of a disabled user', async () => {
  const { path, authorization } = await newUser()
  const first = await beginSession(authorization)
  await expectRefusedThere(first, () => here.as(first).delete('/api/session'))
  const second = await beginSession(authorization)
  const { results } = (await here.admin.get(`${path}/sessions`)).body
  await expectRefusedThere(second, () => here.admin.delete(`${path}/sessions/${results[0].id}`))
  const third = await beginSession(authorization)
  await expectRefusedThere(third, () => here.admin.put(path, { disabled: true }))
})

test('other sessions and the password, once there is a second factor; and the need for it, once it is reset', async () => {
  const { path, authorization } = await newUser()
  const factors = `${path}/second_factors`
  const session = await beginSession(authorization)
  const own = here.as({ authorization })
  const { id, secret } = await expectCreated(own.post(factors, { kind: 'totp' }))
  expect(await statusOf(there.as({ authorization }))).toBe(200)
  await expectRefusedThere(session, () =>
    own.put(`${factors}/${id}/confirm`, { code: new TOTP({ secret: String(secret) }).generate() }),
  )
  expect(await statusOf(there.as({ authorization })), 'the password alone').toBe(401)
  expect((await here.admin.delete(`${factors}/${id}`)).status).toBe(200)
  await settled(there.database)
  expect(await statusOf(there.as({ authorization }))).toBe(200)
})
