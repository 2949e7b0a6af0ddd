import { TOTP } from 'otpauth'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { row, rows } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { basic, type Caller, expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { given } from '../support/given.ts'

// A second factor beside the password: its codes count once, and a password alone lets nobody in any more.

let api: TestApi
const logged: { readonly msg: string; readonly reason?: string }[] = []
beforeAll(async () => {
  const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line)) })
  api = await openTestApi({ env: { MILLWRIGHT_VENDOR_PORT: '0' }, log })
  await api.admin.put('/api/settings/failed_login_attempts_limit', { setting: { value: 0 } })
})
afterAll(() => api?.[Symbol.asyncDispose]())

const PASSWORD = 'a long password'
let made = 0

async function newUser(more: object = {}) {
  const login = `factor${++made}`
  const user = await given(api.admin, 'user', { login, password: PASSWORD, ...more })
  return {
    id: Number(user.id),
    login,
    path: `/api/users/${user.id}/second_factors`,
    byPassword: api.as({ authorization: basic(login, PASSWORD) }),
  }
}

/** Sets a factor up, and lets its confirmation lie in the past, so that the present code was not used. */
async function enrolled(more: object = {}) {
  const user = await newUser(more)
  const { secret, id } = await expectCreated(user.byPassword.post(user.path, { kind: 'totp' }))
  const codeIn = (seconds = 0) => new TOTP({ secret }).generate({ timestamp: Date.now() + seconds * 1000 })
  const confirmed = await user.byPassword.put(`${user.path}/${id}/confirm`, { code: codeIn() })
  expect(confirmed.status).toBe(200)
  await sql`update second_factors set last_step = 0 where id = ${id}`.execute(api.database.db)
  return {
    ...user,
    factor: Number(id),
    secret: String(secret),
    codeIn,
    recovery: confirmed.body.recovery_codes as string[],
  }
}

type Enrolled = Awaited<ReturnType<typeof enrolled>>

const logIn = ({ byPassword }: Pick<Enrolled, 'byPassword'>, code?: string) =>
  byPassword.post('/api/session', code === undefined ? {} : { code })

/** Yields the browser of somebody who has logged in. */
async function browser(user: Enrolled, code = user.codeIn()): Promise<Caller> {
  const begun = await logIn(user, code)
  expect(begun.status).toBe(201)
  const cookie = String(begun.headers['set-cookie']).split(';', 1)[0] ?? ''
  return api.as({ cookie, 'x-csrf-token': begun.body.csrf_token })
}

describe('a confirmed factor', () => {
  test('closes the password on both ports, with a sentence that names tokens', async () => {
    const user = await enrolled()
    const vendor = api.asVendor({ authorization: basic(user.login, PASSWORD) })
    for (const answer of [
      await user.byPassword.get('/api/status'),
      await user.byPassword.get('/api/users'),
      await vendor.get('/api/status'),
    ]) {
      expect(answer.status).toBe(401)
      expect(answer.headers['set-cookie']).toBeUndefined()
    }
    const { body } = await user.byPassword.get('/api/status')
    expect(body.error.details).toMatch(/use a personal access token in place of the password/)
    expect((await logIn(user)).body.error.message).toBe('The second factor is missing')
    const seen = await browser(user)
    expect((await seen.get('/api/current_user')).body.login).toBe(user.login)
    const token = (await seen.post(`/api/users/${user.id}/personal_access_tokens`, { name: 'cli' })).body.token_value
    expect((await api.as({ authorization: basic(user.login, token) }).get('/api/status')).status).toBe(200)
  })

  test('ends other sessions, and shows its secret once', async () => {
    const user = await newUser()
    const begun = await logIn(user)
    const cookie = String(begun.headers['set-cookie']).split(';', 1)[0] ?? ''
    const { secret, id, otpauth_url } = await expectCreated(user.byPassword.post(user.path, { kind: 'totp' }))
    expect(otpauth_url).toMatch(new RegExp(`^otpauth://totp/Millwright:${user.login}\\?.*secret=${secret}`))
    await user.byPassword.put(`${user.path}/${id}/confirm`, { code: new TOTP({ secret }).generate() })
    expect((await api.as({ cookie }).get('/api/status')).status).toBe(401)
    const shown =
      (await api.admin.get(`${user.path}/${id}`)).text + (await api.admin.get('/api/audits?per_page=all')).text
    expect(shown).not.toContain(secret)
    const stored = await row<{ secret: string }>(
      api.database.db,
      sql`select secret from second_factors where id = ${id}`,
    )
    expect(stored?.secret).not.toContain(secret)
  })
})

describe('a code', () => {
  test('counts once, even in two logins at once', async () => {
    const user = await enrolled()
    const code = user.codeIn()
    const both = await Promise.all([logIn(user, code), logIn(user, code)])
    expect(both.map(({ status }) => status).sort()).toEqual([201, 401])
    const again = await logIn(user, code)
    expect(again).toMatchObject({
      status: 401,
      body: { error: { details: 'This code was used already. Wait for the next one.' } },
    })
    // The log and the history of logins have a sentence of their own.
    const reason = 'a code of a time that was used already'
    expect(logged.filter(({ msg }) => msg === 'second factor refused').at(-1)).toMatchObject({ user: user.id, reason })
    const search = encodeURIComponent(`user = ${user.login} and outcome = refused and method = factor`)
    expect((await api.admin.get(`/api/login_events?search=${search}`)).body.results).toMatchObject([
      { reason },
      { reason },
    ])
    expect((await logIn(user, user.codeIn(-30))).status, 'an earlier code').toBe(401)
    expect((await logIn(user, user.codeIn(30))).status, 'the next code').toBe(201)
  })

  test.each([
    ['two minutes old', -120],
    ['two minutes early', 120],
  ])('is refused when %s', async (_name, seconds) => {
    const user = await enrolled()
    expect((await logIn(user, user.codeIn(seconds))).body.error.details).toMatch(/^This code is wrong/)
  })

  test('of somebody else is refused, and so is one of another kind', async () => {
    const [user, other] = [await enrolled(), await enrolled()]
    for (const code of [other.codeIn(), other.recovery[0], '', 'x'.repeat(5000), { $ne: 1 }, 12])
      expect((await user.byPassword.post('/api/session', { code })).status, JSON.stringify(code)).toBe(401)
  })

  test('cannot be guessed: five wrong ones close the account for minutes, also for right ones', async () => {
    const user = await enrolled()
    const wrong = await Promise.all(Array.from({ length: 8 }, (_, at) => logIn(user, String(100_000 + at))))
    expect(wrong.every(({ status }) => status === 401)).toBe(true)
    const locked = await logIn(user, user.codeIn())
    expect(locked).toMatchObject({
      status: 401,
      body: { error: { message: expect.stringMatching(/^Too many wrong codes for this account: 5 within 5 minutes/) } },
    })
    expect(Number(locked.headers['retry-after'])).toBeGreaterThan(200)
    await sql`update second_factor_failures set until = now()`.execute(api.database.db)
    expect((await logIn(user, user.codeIn())).status).toBe(201)
  })
})

test('a recovery code counts once, however it is typed, and is stored as a keyed digest', async () => {
  const user = await enrolled()
  const [first = '', second = ''] = user.recovery
  expect(new Set(user.recovery).size).toBe(10)
  expect((await logIn(user, ` ${first.toUpperCase().replaceAll('-', ' ')}`)).status).toBe(201)
  expect((await logIn(user, first)).body.error.details).toBe('This recovery code was used already. Each counts once.')
  const both = await Promise.all([logIn(user, second), logIn(user, second)])
  expect(both.map(({ status }) => status).sort()).toEqual([201, 401])
  expect((await api.admin.get(`${user.path}/${user.factor}`)).body.recovery_codes_left).toBe(8)
  const stored = await rows<{ digest: Buffer }>(api.database.db, sql`select digest from recovery_codes`)
  expect(stored.map(({ digest }) => digest.toString('latin1')).join()).not.toContain(first)
})

test('an unconfirmed factor changes nothing, and a wrong code does not confirm it', async () => {
  const user = await newUser()
  const { id } = await expectCreated(user.byPassword.post(user.path, { kind: 'totp' }))
  for (const code of ['000000', '', null, 'abc'])
    expect((await user.byPassword.put(`${user.path}/${id}/confirm`, { code })).body.error.errors).toHaveProperty('code')
  expect((await user.byPassword.get('/api/status')).status).toBe(200)
  expect((await user.byPassword.post(user.path, { kind: 'sms' })).body.error.errors).toEqual({
    kind: ['must be totp or passkey'],
  })
})

describe('removal', () => {
  test("of one's own factor needs a code", async () => {
    const user = await enrolled()
    const seen = await browser(user)
    const path = `${user.path}/${user.factor}`
    expect((await seen.delete(path)).body.error.errors).toHaveProperty('code')
    expect((await seen.delete(path, { code: '000000' })).status).toBe(401)
    expect((await seen.delete(path, { code: user.recovery[0] })).status).toBe(200)
    expect((await user.byPassword.get('/api/status')).status).toBe(200)
  })

  test("by an administrator is audited; others need the permission, and never remove an administrator's", async () => {
    const places = {
      organization_ids: [(await given(api.admin, 'organization')).id],
      location_ids: [(await given(api.admin, 'location')).id],
    }
    const [user, boss] = [await enrolled(places), await enrolled({ admin: true, ...places })]
    const [nobody, helper] = [
      await api.can(['view_users'], places),
      await api.can(['view_users', 'view_second_factors', 'destroy_second_factors'], places),
    ]
    expect((await nobody.delete(`${user.path}/${user.factor}`)).status).toBe(403)
    expect((await helper.delete(`${boss.path}/${boss.factor}`)).status).toBe(422)
    expect((await api.admin.delete(`${user.path}/${user.factor}`)).status).toBe(200)
    expect((await user.byPassword.get('/api/status')).status).toBe(200)
    const { body } = await api.admin.get('/api/audits?search=type=second_factor and action=destroy')
    expect(body.results[0]).toMatchObject({ action: 'destroy', user_name: 'Admin User' })
  })
})

test('a setting requires a factor after a grace period, and then leads to one', async () => {
  const role = await given(api.admin, 'role')
  const user = await newUser({ role_ids: [role.id] })
  const free = await newUser()
  await api.admin.put('/api/settings/second_factor_roles', { setting: { value: [role.name] } })
  expect((await user.byPassword.get('/api/status')).status).toBe(200)
  await sql`update second_factor_dues set since = now() - interval '8 days'`.execute(api.database.db)
  await expect
    .poll(async () => (await user.byPassword.get('/api/users')).body.error?.details)
    .toMatch(/must have a second factor/)
  expect((await user.byPassword.post(user.path, { kind: 'totp' })).status).toBe(201)
  expect((await free.byPassword.get('/api/status')).status).toBe(200)
  await api.admin.put('/api/settings/second_factor_roles', { setting: { value: [] } })
})

test('tokens, roles and sources need a fresh proof, also in a batch', async () => {
  const user = await enrolled({ admin: true })
  const seen = await browser(user)
  const create = () => seen.post('/api/roles', { name: `fresh${++made}` })
  const batch = (path: string) =>
    seen.post('/api/batch', { operations: [{ method: 'POST', path, body: { name: `fresh${++made}` } }] })
  expect((await create()).status).toBe(201)
  await sql`update session_factors set proven_at = now() - interval '16 minutes'`.execute(api.database.db)
  expect((await create()).body.error.details).toMatch(/^Prove your second factor again first/)
  for (const path of [
    '/api/%72oles',
    '/api\\roles',
    '/api/ro\nles',
    '/api/x/../roles',
    '/api/roles?a=b',
    '/api/users/1',
    '/api/users/1/',
    '/api/v2/users/1',
    '/api/organizations/1/users/1',
  ])
    expect((await batch(path)).status, path).toBe(403)
  // Organizations and locations say where rights count, not which; ended sessions give none.
  const harmless =
    /\/(?:organizations|locations)(?:\/:\w+)?(?:\/simple_content_access\/\w+)?$|\/sessions(?:\/:id)?$|\/sample$/
  for (const { method, path, invalidates } of api.routes) {
    if (method === 'GET' || invalidates !== 'identities' || harmless.test(path)) continue
    const { body } = await seen.send({ method, url: path.replaceAll(/:\w+/g, '1'), payload: {} })
    expect(body.error?.details, `${method} ${path}`).toMatch(/^Prove your second factor again first/)
  }
  expect((await seen.get('/api/roles')).status).toBe(200)
  expect((await seen.post('/api/session/proof', { code: '000000' })).status).toBe(401)
  expect((await seen.post('/api/session/proof', { code: user.codeIn(30) })).status).toBe(200)
  expect((await create()).status).toBe(201)
})

test('logins are stored with how, from where and why they were refused, and sessions of others can be ended', async () => {
  const user = await enrolled()
  await logIn(user, '000000')
  const seen = await browser(user)
  await api.as({ authorization: basic('nobody-has-this', 'x') }).get('/api/status')
  const search = async (text: string) =>
    (await api.admin.get(`/api/login_events?search=${encodeURIComponent(text)}`)).body.results
  expect(await search(`user = ${user.login} and outcome = refused and method = factor`)).toMatchObject([
    { user: { login: user.login }, reason: 'a wrong code', address: '127.0.0.1' },
  ])
  expect(await search(`user = ${user.login} and outcome = granted`)).toHaveLength(1)
  const [unknown] = await search('outcome = refused and method = password')
  expect(unknown).toMatchObject({ user: null, reason: 'wrong login, password or token' })
  expect(JSON.stringify(unknown)).not.toContain('nobody-has-this')
  const path = `/api/users/${user.id}/sessions`
  const { body } = await api.admin.get(path)
  expect(body.results).toHaveLength(1)
  expect((await (await api.can(['view_users'])).get(path)).status).toBe(404)
  expect((await api.admin.delete(`${path}/${body.results[0].id}`)).status).toBe(200)
  expect((await seen.get('/api/status')).status).toBe(401)
})

test('a program that has to log in again costs no statement for a login that is stored already', async () => {
  const program = await api.can(['view_models'])
  await program.get('/api/models')
  const changed = { user: { description: 'no longer remembered' } }
  expect((await api.admin.put(`/api/users/${program.id}`, changed)).status).toBe(200)
  const texts = (await api.counting(() => program.get('/api/models'))).texts.join('\n')
  expect(texts).toContain('held_roles')
  expect(texts).not.toContain('insert into login_events')
})
