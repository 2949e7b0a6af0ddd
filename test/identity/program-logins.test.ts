import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { row, rows } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { type Ended, millwright } from '../client/program.ts'
import { basic, type Caller, expectCreated, openTestApi, type Reply, type TestApi } from '../support/api.ts'
import { given, unique } from '../support/given.ts'

// Logins of programs through a browser: a code counts once and for ten minutes, and only for whom somebody has consented.

let api: TestApi
let user: Awaited<ReturnType<typeof newUser>>

beforeAll(async () => {
  api = await openTestApi()
  await api.admin.put('/api/settings/failed_login_attempts_limit', { setting: { value: 0 } })
})
afterAll(() => api?.[Symbol.asyncDispose]())
beforeEach(async () => {
  user = await newUser()
  await rows(api.database.db, sql`delete from login_requests`)
})

const PASSWORD = 'a long password'
const CLIENT = { client_id: 'millwright-cli', client_name: 'millwright on desk' }
const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code'

async function newUser() {
  const { id, login } = await given(api.admin, 'user', { login: unique('person'), password: PASSWORD })
  const byPassword = api.as({ authorization: basic(String(login), PASSWORD) })
  return { id: Number(id), login: String(login), byPassword, browser: await logIn(byPassword) }
}

async function logIn(byPassword: Caller, code?: string): Promise<Caller> {
  const begun = await byPassword.post('/api/session', code === undefined ? {} : { code })
  expect(begun.status).toBe(201)
  const cookie = String(begun.headers['set-cookie']).split(';', 1)[0] ?? ''
  return api.as({ cookie, 'x-csrf-token': begun.body.csrf_token })
}

function sendForm(url: string, form: Readonly<Record<string, string>>): Promise<Reply> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  return api.nobody.send({ method: 'POST', url, headers, payload: String(new URLSearchParams(form)) })
}

const begin = (more: object = {}) => sendForm('/oauth/device_authorization', { ...CLIENT, ...more })
const poll = (device_code: string, more: object = {}) =>
  sendForm('/oauth/token', { grant_type: DEVICE, client_id: CLIENT.client_id, device_code, ...more })
const decide = (user_code: string, decision: string, by: Caller = user.browser) =>
  by.post('/api/login_requests/device', { user_code, decision })
const errorOf = ({ status, body }: Reply) => [status, body.error]
const whoIs = (token: string) => api.as({ authorization: `Bearer ${token}` }).get('/api/current_user/login')

describe('a device', () => {
  test('gets a token of whoever consents, once, which ends and is revoked by its value', async () => {
    const begun = (await begin()).body
    expect(begun).toMatchObject({ expires_in: 600, interval: 5, verification_uri: 'http://localhost/device' })
    expect(begun.user_code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/)
    expect(errorOf(await poll(begun.device_code))).toEqual([400, 'authorization_pending'])
    const typed = begun.user_code.toLowerCase().replace('-', ' ')
    const asked = await decide(typed, 'ask')
    expect(asked.body).toMatchObject({ client_name: 'millwright on desk', address: '127.0.0.1', permissions: null })
    expect((await decide(typed, 'allow')).status).toBe(200)
    expect((await decide(typed, 'deny')).body.error.errors).toEqual({
      user_code: ['is wrong, has expired, or was used already'],
    })

    const granted = await poll(begun.device_code)
    expect(granted.headers['cache-control']).toBe('no-store')
    expect(granted.body).toMatchObject({ token_type: 'Bearer', expires_in: 30 * 86_400, login: user.login })
    expect(errorOf(await poll(begun.device_code))).toEqual([400, 'invalid_grant'])
    const { access_token, token_id } = granted.body
    const who = (await whoIs(access_token)).body
    expect(who).toMatchObject({ login: user.login, method: 'token', address: '127.0.0.1', token_id, permissions: null })
    expect(Math.round((Date.parse(who.expires_at) - Date.now()) / 86_400_000)).toBe(30)
    const audits = await rows(
      api.database.db,
      sql`select user_id, action from audits where auditable_type = 'PersonalAccessToken' and auditable_id = ${token_id}`,
    )
    expect(audits).toEqual([{ user_id: user.id, action: 'create' }])
    const events = sql`select method, outcome from login_events where user_id = ${user.id} and method = 'device' order by id`
    expect(await rows(api.database.db, events)).toContainEqual({ method: 'device', outcome: 'granted' })

    expect((await sendForm('/oauth/revoke', { token: access_token })).status).toBe(200)
    expect((await whoIs(access_token)).status).toBe(401)
    expect((await sendForm('/oauth/revoke', { token: 'unknown' })).status).toBe(200)
  })

  test('is told to slow down, that it was denied, and that its code has expired', async () => {
    const { device_code, user_code } = (await begin()).body
    await poll(device_code)
    expect(errorOf(await poll(device_code))).toEqual([400, 'slow_down'])
    const longer = await row(api.database.db, sql`select poll_interval as seconds from login_requests`)
    expect(longer).toEqual({ seconds: 10 })
    await decide(user_code, 'deny')
    expect(errorOf(await poll(device_code))).toEqual([400, 'access_denied'])

    const late = (await begin()).body
    await rows(api.database.db, sql`update login_requests set expires_at = now() - interval '1 second'`)
    expect((await decide(late.user_code, 'allow')).status).toBe(422)
    expect(errorOf(await poll(late.device_code))).toEqual([400, 'expired_token'])
  })

  test('gets one token of two requests at once, and none for an account that is disabled meanwhile', async () => {
    const { device_code, user_code } = (await begin()).body
    await decide(user_code, 'allow')
    const both = await Promise.all([poll(device_code), poll(device_code)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 400])

    const other = (await begin()).body
    await decide(other.user_code, 'allow')
    expect((await api.admin.put(`/api/users/${user.id}`, { disabled: true })).status).toBe(200)
    expect(errorOf(await poll(other.device_code))).toEqual([400, 'access_denied'])
  })

  test('may ask for some permissions only, and gets no others', async () => {
    expect(errorOf(await begin({ scope: 'view_everything' }))).toEqual([400, 'invalid_scope'])
    const { device_code, user_code } = (await begin({ scope: 'view_hosts view_domains' })).body
    expect((await decide(user_code, 'ask')).body.permissions).toEqual(['view_hosts', 'view_domains'])
    await decide(user_code, 'allow')
    const { access_token, scope } = (await poll(device_code)).body
    expect(scope).toBe('view_hosts view_domains')
    expect((await whoIs(access_token)).body.permissions).toEqual(['view_hosts', 'view_domains'])
    const limited = api.as({ authorization: `Bearer ${access_token}` })
    expect((await limited.post(`/api/users/${user.id}/personal_access_tokens`, { name: 'x' })).status).toBe(403)
    // Everybody may send a value that is unknown: logins stay in the cache.
    const countRead = async () => (await api.counting(() => whoIs(access_token))).count
    // Once is enough: news of an earlier change may arrive in between, and empties it as well.
    await expect
      .poll(async () => {
        await countRead()
        const cached = await countRead()
        await sendForm('/oauth/revoke', { token: 'unknown' })
        return (await countRead()) - cached
      })
      .toBe(0)
    expect((await sendForm('/oauth/revoke', { token: access_token })).status).toBe(200)
    expect((await whoIs(access_token)).status).toBe(401)
  })

  test('is refused with a word for what is wrong', async () => {
    expect(errorOf(await begin({ client_id: 'other' }))).toEqual([400, 'invalid_client'])
    expect(errorOf(await poll('unknown'))).toEqual([400, 'invalid_grant'])
    expect(errorOf(await poll('', {}))).toEqual([400, 'invalid_request'])
    expect(errorOf(await poll('x', { grant_type: 'password' }))).toEqual([400, 'unsupported_grant_type'])
    expect(errorOf(await poll('x', { client_id: 'other' }))).toEqual([400, 'invalid_client'])
  })

  test('cannot fill the table from one network', async () => {
    await Promise.all(Array.from({ length: 49 }, () => begin()))
    expect([(await begin()).status, errorOf(await begin())]).toEqual([200, [400, 'slow_down']])
  })
})

describe('consent', () => {
  test('needs a session with its CSRF token, and a fresh second factor', async () => {
    const { user_code } = (await begin()).body
    expect((await decide(user_code, 'allow', user.byPassword)).status).toBe(403)
    expect((await decide(user_code, 'allow', api.nobody)).status).toBe(401)
    const cookie = String((await user.byPassword.post('/api/session', {})).headers['set-cookie']).split(';', 1)[0] ?? ''
    expect((await decide(user_code, 'allow', api.as({ cookie }))).status).toBe(401)

    const path = `/api/users/${user.id}/second_factors`
    const { id, secret } = await expectCreated(user.byPassword.post(path, { kind: 'totp' }))
    const code = (seconds = 0) => new TOTP({ secret }).generate({ timestamp: Date.now() + seconds * 1000 })
    await user.byPassword.put(`${path}/${id}/confirm`, { code: code() })
    const browser = await logIn(user.byPassword, code(30))
    await rows(api.database.db, sql`update session_factors set proven_at = now() - interval '1 day'`)
    const stale = await decide(user_code, 'allow', browser)
    expect([stale.status, stale.body.error.details]).toEqual([403, expect.stringMatching(/Prove your second factor/)])
  })

  test('is not found by guessing codes', async () => {
    const { user_code } = (await begin()).body
    for (let tries = 0; tries < 5; tries++) expect((await decide('BBBB-BBBB', 'ask')).status).toBe(422)
    const locked = await decide(user_code, 'ask')
    expect([locked.status, Number(locked.headers['retry-after']) > 200]).toEqual([401, true])
    expect((await decide('aeiou', 'ask', (await newUser()).browser)).body.error.errors).toEqual({
      user_code: ['must be eight letters, such as BCDF-GHJK'],
    })
  })

  test('leaves no code in the database, and nothing of it after its time', async () => {
    const { device_code, user_code } = (await begin()).body
    const stored = JSON.stringify(await rows(api.database.db, sql`select l::text from login_requests l`))
    expect([device_code, user_code, user_code.replace('-', '')].filter((code) => stored.includes(code))).toEqual([])
    await rows(api.database.db, sql`update login_requests set expires_at = now() - interval '1 hour'`)
    await api.jobs.find(({ name }) => name === 'delete_idle_sessions')?.work(new AbortController().signal)
    expect(await rows(api.database.db, sql`select from login_requests`)).toEqual([])
  })
})

describe('a browser on the machine of the program', () => {
  const REDIRECT = 'http://127.0.0.1:50000/'
  const verifier = randomBytes(32).toString('base64url')
  const REQUEST = {
    ...CLIENT,
    response_type: 'code',
    redirect_uri: REDIRECT,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state: 'some-state',
  }
  const ask = (decision: string, more: object = {}) =>
    user.browser.post('/api/login_requests/browser', { ...REQUEST, decision, ...more })
  const codeOf = ({ body }: Reply) => new URL(body.redirect_to).searchParams.get('code') ?? ''
  const exchange = (code: string, more: object = {}) =>
    sendForm('/oauth/token', {
      ...{ grant_type: 'authorization_code', client_id: CLIENT.client_id, redirect_uri: REDIRECT },
      ...{ code, code_verifier: verifier, ...more },
    })

  test('brings a code that counts once, for the verifier of the program only', async () => {
    expect((await ask('ask')).body).toEqual({
      client_name: 'millwright on desk',
      address: '127.0.0.1',
      permissions: null,
      redirect_to: null,
    })
    const allowed = await ask('allow')
    expect(allowed.body.redirect_to).toMatch(/^http:\/\/127\.0\.0\.1:50000\/\?state=some-state&code=[\w-]{43}$/)
    const code = codeOf(allowed)
    const { access_token } = (await exchange(code)).body
    expect((await whoIs(access_token)).body.login).toBe(user.login)
    expect(errorOf(await exchange(code))).toEqual([400, 'invalid_grant'])

    for (const wrong of [{ code_verifier: 'x'.repeat(43) }, { redirect_uri: 'http://127.0.0.1:50001/' }]) {
      const stolen = codeOf(await ask('allow'))
      expect(errorOf(await exchange(stolen, wrong))).toEqual([400, 'invalid_grant'])
      expect(errorOf(await exchange(stolen))).toEqual([400, 'invalid_grant'])
    }
    const late = codeOf(await ask('allow'))
    await rows(api.database.db, sql`update login_requests set expires_at = now()`)
    expect(errorOf(await exchange(late))).toEqual([400, 'invalid_grant'])
    expect((await ask('deny')).body.redirect_to).toBe(`${REDIRECT}?state=some-state&error=access_denied`)
  })

  test.each([
    'https://127.0.0.1:50000/',
    'http://127.0.0.1/',
    'http://127.0.0.1:99999/',
    'http://127.0.0.1:50000@evil.example.test/',
    'http://127.0.0.1.evil.example.test:50000/',
    'http://localhost:50000/',
    'http://[::1]:50000/?x=1',
    'http://127.0.0.1:50000/#x',
    'http://127.0.0.1:50000/\\evil',
    '//127.0.0.1:50000/',
    'javascript:alert(1)',
    ['http://127.0.0.1:50000/'],
  ])('is not sent to %s', async (redirect_uri) => {
    for (const decision of ['ask', 'allow', 'deny']) {
      const { status, body } = await ask(decision, { redirect_uri })
      expect([status, Object.keys(body.error.errors)]).toEqual([422, ['redirect_uri']])
    }
  })

  test('is told which field of the request is wrong', async () => {
    const wrong = { response_type: 'token', code_challenge_method: 'plain', code_challenge: 'x', state: 'x' }
    expect(Object.keys((await ask('allow', wrong)).body.error.errors)).toEqual(Object.keys(wrong).toSorted(byAnswer))
    expect(Object.keys((await ask('allow', { client_id: 'x' })).body.error.errors)).toEqual(['client_id'])
    expect(Object.keys((await ask('allow', { scope: 'x' })).body.error.errors)).toEqual(['scope'])
    expect(Object.keys((await ask('perhaps')).body.error.errors)).toEqual(['decision'])
  })
})

const ORDER = ['response_type', 'code_challenge_method', 'code_challenge', 'state']
const byAnswer = (one: string, other: string) => ORDER.indexOf(one) - ORDER.indexOf(other)

describe('the command line', () => {
  const home = mkdtempSync(join(tmpdir(), 'millwright-logins-'))
  const env = { HOME: home, BROWSER: 'true' }
  let url: string
  beforeAll(async () => {
    url = await api.listen()
  })
  afterAll(() => rmSync(home, { recursive: true }))

  /** Runs a login; `decide` gets the page that it prints, as soon as it is complete. */
  async function logInBy(flag: string, decide: (page: URL) => Promise<unknown>): Promise<Ended> {
    let decided: Promise<unknown> | undefined
    const ended = await millwright(['login', url, flag], env, '', (stdout) => {
      const page = /(\S+)\n/.exec(stdout)?.[1]
      if (page !== undefined) decided ??= decide(new URL(page))
    })
    await decided
    return ended
  }

  const followBrowser = (decision: string) => async (page: URL) => {
    const { body } = await user.browser.post('/api/login_requests/browser', {
      ...Object.fromEntries(page.searchParams),
      decision,
    })
    expect((await fetch(new URL('/?state=other&code=x', body.redirect_to))).status).toBe(400)
    return fetch(body.redirect_to)
  }

  test('gets a token from a browser of its machine or of another one, and gives it back', async () => {
    const typeCode = (page: URL) => decide(page.searchParams.get('user_code') ?? '', 'allow')
    for (const [flag, consent] of [['--browser', followBrowser('allow')] as const, ['--device', typeCode] as const]) {
      const { code, stderr, stdout } = await logInBy(flag, consent)
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toContain(`Logged in at ${url} as ${user.login}`)
      expect((await millwright(['whoami'], env)).stdout).toContain(user.login)
    }
    expect((await millwright(['logout'], env)).code).toBe(0)
    const left = sql`select count(*)::int as count from personal_access_tokens where user_id = ${user.id} and not revoked`
    expect(await row(api.database.db, left)).toEqual({ count: 0 })
  })

  test('says that a login was refused', async () => {
    const { code, stderr } = await logInBy('--browser', followBrowser('deny'))
    expect([code, stderr]).toEqual([4, expect.stringContaining('the login was refused')])
  })
})
