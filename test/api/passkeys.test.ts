import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/sql.ts'
import { basic, type Caller, expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { createAuthenticator } from '../support/authenticator.ts'
import { given } from '../support/given.ts'
import { quiet } from '../support/settings.ts'

// Passkeys as second factors: what one has signed counts once, for one user, in one session, at one host name.

const HOST = 'console.example.com'
const ORIGIN = `http://${HOST}`
const ELSEWHERE = 'old.example.com'
const PASSWORD = 'a long password'

let api: TestApi
const logged: { readonly msg?: string; readonly reason?: string }[] = []
beforeAll(async () => {
  const log = Object.assign(Object.create(quiet), {
    info: (fields: object, msg: string) => logged.push({ ...fields, msg }),
    child: () => log,
  })
  api = await openTestApi({ log })
  await api.admin.put('/api/settings/failed_login_attempts_limit', { setting: { value: 0 } })
})
afterAll(() => api?.[Symbol.asyncDispose]())

let made = 0

async function enrolled(more: object = {}) {
  const login = `passkey${++made}`
  const { id } = await given(api.admin, 'user', { login, password: PASSWORD, ...more })
  const path = `/api/users/${id}/second_factors`
  const byPassword = at(HOST, { authorization: basic(login, PASSWORD) })
  const device = createAuthenticator(ORIGIN)
  const begun = await expectCreated(byPassword.post(path, { kind: 'passkey', name: 'Laptop' }))
  const body = { passkey: device.attest(begun.options as { challenge: string }) }
  const confirmed = await byPassword.put(`${path}/${begun.id}/confirm`, body)
  expect(confirmed.status).toBe(200)
  return { id, login, path, byPassword, device, begun, body, confirmed: confirmed.body, factor: Number(begun.id) }
}

type Enrolled = Awaited<ReturnType<typeof enrolled>>

/** Requests as a browser sends them that sees the service by this host name. */
const at = (host: string, headers: Record<string, string>): Caller => api.as({ host, ...headers })

async function ask(caller: Caller): Promise<{ challenge: string }> {
  const { status, body } = await caller.post('/api/session/passkey')
  expect(status).toBe(200)
  return body.options
}

const logIn = ({ byPassword }: Pick<Enrolled, 'byPassword'>, passkey: unknown) =>
  byPassword.post('/api/session', { passkey })

async function browser(user: Enrolled): Promise<Caller> {
  const begun = await logIn(user, user.device.assert(await ask(user.byPassword)))
  expect(begun.status).toBe(201)
  const cookie = String(begun.headers['set-cookie']).split(';', 1)[0] ?? ''
  return at(HOST, { cookie, 'x-csrf-token': begun.body.csrf_token })
}

/** Expects a refusal with a sentence for the user, and another one in the log and the history of logins. */
async function expectRefused(user: Enrolled, passkey: unknown, sentence: RegExp, reason: RegExp) {
  logged.length = 0
  const { status, body } = await logIn(user, passkey)
  expect([status, body.error?.details]).toEqual([401, expect.stringMatching(sentence)])
  const noted = logged.find(({ msg }) => msg === 'second factor refused')
  expect(noted?.reason).toMatch(reason)
  expect(noted?.reason).not.toBe(body.error.details)
  const search = encodeURIComponent(`user = ${user.login} and outcome = refused and method = factor`)
  const { results } = (await api.admin.get(`/api/login_events?search=${search}&order=id DESC`)).body
  expect(results[0].reason).toMatch(reason)
}

test('is set up, named, listed with its last use, proven, audited and removed', async () => {
  const user = await enrolled({ admin: true })
  expect(user.begun).toMatchObject({ kind: 'passkey', name: 'Laptop', host: HOST, confirmed: false })
  expect(user.begun).not.toHaveProperty('secret')
  expect(user.confirmed.recovery_codes).toHaveLength(10)
  expect((await user.byPassword.get('/api/status')).status).toBe(401)
  const seen = await browser(user)
  const [listed] = (await seen.get(user.path)).body.results
  expect(listed).toMatchObject({ name: 'Laptop', confirmed: true, last_used_at: expect.any(String) })
  expect(JSON.stringify(listed)).not.toMatch(/public_key|credential/)
  await sql`update session_factors set proven_at = now() - interval '16 minutes'`.execute(api.database.db)
  const create = () => seen.post('/api/roles', { name: `by passkey ${++made}` })
  expect((await create()).status).toBe(403)
  expect((await seen.post('/api/session/proof', { passkey: user.device.assert(await ask(seen)) })).status).toBe(200)
  expect((await create()).status).toBe(201)

  // A second one needs no other recovery codes, and keeps those of the first.
  const second = createAuthenticator(ORIGIN)
  const begun = await expectCreated(seen.post(user.path, { kind: 'passkey', name: 'Phone' }))
  const { body } = await seen.put(`${user.path}/${begun.id}/confirm`, {
    passkey: second.attest(begun.options as { challenge: string }),
  })
  expect(body.recovery_codes).toEqual([])
  const path = `${user.path}/${user.factor}`
  expect((await seen.delete(path)).body.error.errors).toHaveProperty('code')
  expect((await seen.delete(path, { passkey: user.device.assert(await ask(seen)) })).status).toBe(200)
  const [code] = user.confirmed.recovery_codes
  expect((await user.byPassword.post('/api/session', { code })).status).toBe(201)
  expect((await logIn(user, second.assert(await ask(user.byPassword)))).status).toBe(201)
  expect((await api.admin.delete(`${user.path}/${begun.id}`)).status).toBe(200)
  expect((await user.byPassword.get('/api/status')).status).toBe(200)
  const audits = await api.admin.get('/api/audits?search=type=second_factor and action=destroy')
  expect(audits.body.results[0].audited_changes).toMatchObject({ kind: 'passkey', name: 'Phone', host: HOST })
})

describe('nobody is let in by', () => {
  test('a passkey of another host name', async () => {
    const user = await enrolled()
    const elsewhere = at(ELSEWHERE, { authorization: basic(user.login, PASSWORD) })
    expect((await elsewhere.post('/api/session/passkey')).body.error.errors.passkey[0]).toMatch(
      /^belongs to the host name console\.example\.com, and this is old\.example\.com/,
    )
    const challenge = await ask(user.byPassword)
    await expectRefused(
      { ...user, byPassword: elsewhere },
      user.device.assert(challenge),
      /^This passkey belongs to the host name console\.example\.com, and this is old\.example\.com/,
      /^a passkey of the host name console\.example\.com was used at http:\/\/old\.example\.com$/,
    )
    await expectRefused(
      user,
      user.device.assert(await ask(user.byPassword), { origin: 'https://evil.example' }),
      /^This passkey belongs to the host name evil\.example/,
      /^a passkey of the host name evil\.example was used at/,
    )
  })

  test('a replayed answer, even of two at once', async () => {
    const user = await enrolled()
    const answer = user.device.assert(await ask(user.byPassword))
    const both = await Promise.all([logIn(user, answer), logIn(user, answer)])
    expect(both.map(({ status }) => status).sort()).toEqual([201, 401])
    await expectRefused(user, answer, /was used already/, /^the answer of a passkey was used already$/)
  })

  test('a challenge of another user, of another session, or of nobody', async () => {
    const [user, other] = [await enrolled(), await enrolled()]
    const foreign = /^a passkey answered a challenge of another user or session$/
    const inSession = await ask(await browser(user))
    for (const asked of [await ask(other.byPassword), inSession, { challenge: 'bWFkZSB1cA' }])
      await expectRefused(user, user.device.assert(asked), /belongs to another login/, foreign)
    const none = /^a passkey of no or another user$/
    await expectRefused(user, other.device.assert(await ask(user.byPassword)), /not one of this account/, none)
  })

  test('an expired challenge', async () => {
    const user = await enrolled()
    const challenge = await ask(user.byPassword)
    await sql`update passkey_challenges set expires_at = now() - interval '1 second'`.execute(api.database.db)
    await expectRefused(user, user.device.assert(challenge), /time for this passkey is over/, /answered too late/)
  })

  test('a counter that goes back, a wrong signature, or something else', async () => {
    const user = await enrolled()
    const answered = async (otherwise: object = {}) => user.device.assert(await ask(user.byPassword), otherwise)
    expect((await logIn(user, await answered({ counter: 5 }))).status).toBe(201)
    for (const counter of [5, 0])
      await expectRefused(
        user,
        await answered({ counter }),
        /may have been copied/,
        /the counter of a passkey went back/,
      )
    const { response, ...rest } = await answered({ counter: 9 })
    const forged = { ...rest, response: { ...response, signature: Buffer.from('forged').toString('base64url') } }
    await expectRefused(user, forged, /^The passkey was not accepted/, /signature or the data/)
    for (const passkey of [{ id: 'x' }, 'x'])
      await expectRefused(user, passkey, /must be the one of the browser/, /not the answer of a passkey/)
    expect((await logIn(user, await answered({ counter: 10 }))).body.error.message).toMatch(/^Too many wrong codes/)
  })
})

test('a wrong passkey is not set up, and each refusal names its field', async () => {
  const user = await enrolled()
  const other = await given(api.admin, 'user', { login: `passkey${++made}`, password: PASSWORD })
  const [path, caller] = [
    `/api/users/${other.id}/second_factors`,
    at(HOST, { authorization: basic(String(other.login), PASSWORD) }),
  ]
  const refused = async (body: object, by = caller) => (await by.post(path, body)).body.error.errors
  expect(await refused({ kind: 'sms' })).toEqual({ kind: ['must be totp or passkey'] })
  expect(await refused({ kind: 'passkey' })).toEqual({ name: ["can't be blank"] })
  expect(await refused({ kind: 'passkey', name: 'x'.repeat(101) })).toHaveProperty('name')
  const byAddress = at('192.0.2.1', { authorization: basic(String(other.login), PASSWORD) })
  expect((await refused({ kind: 'passkey', name: 'x' }, byAddress)).kind[0]).toMatch(/belongs to a host name/)
  const { id, options } = await expectCreated(caller.post(path, { kind: 'passkey', name: 'x' }))
  const confirm = async (passkey: unknown) =>
    (await caller.put(`${path}/${id}/confirm`, { passkey })).body.error.errors.passkey[0]
  expect(await confirm(user.body.passkey), 'what another user has set up').toMatch(/another login/)
  expect(await confirm({ id: 1 })).toMatch(/^is refused: The answer of the passkey must be/)
  const device = createAuthenticator(ORIGIN)
  const asked = options as { challenge: string }
  expect(await confirm(device.attest(asked, { origin: 'http://evil.example' }))).toMatch(/host name evil\.example/)
  expect(await confirm(device.attest(asked))).toMatch(/was used already/)
  expect((await caller.post('/api/session/passkey')).body.error.errors.passkey[0]).toMatch(/this account has none/)
  expect((await caller.get('/api/status')).status).toBe(200)
})
