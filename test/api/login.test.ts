import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/sql.ts'
import { basic, type Caller, expectCreated, openTestApi, type TestApi } from '../support/api.ts'

// Core-api §4: who is let in, and how soon a change takes effect. Nothing here waits.

let api: TestApi
let users = 0

beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.[Symbol.asyncDispose]())

const PASSWORD = 'a long password'

/** Creates a user with this password, and yields the caller. */
async function newUser(more: object = {}): Promise<Caller & { id: number; login: string }> {
  const login = `person${++users}`
  const user = { login, mail: 'p@example.test', password: PASSWORD, auth_source_id: 1, ...more }
  const { id } = await expectCreated(api.admin.post('/api/users', { user }))
  return { ...withPassword(login, PASSWORD), id, login }
}

function withPassword(login: string, password: string): Caller {
  return api.as({ authorization: basic(login, password) })
}

async function status(caller: Caller): Promise<number> {
  return (await caller.get('/api/status')).status
}

describe('passwords', () => {
  test('let in, whatever the case of the login', async () => {
    const { login } = await newUser()
    expect(await status(withPassword(login.toUpperCase(), PASSWORD))).toBe(200)
    for (const wrong of ['', ' ', `${PASSWORD} `, PASSWORD.toUpperCase(), 'x'.repeat(5000), 'a\0b']) {
      expect(await status(withPassword(login, wrong)), JSON.stringify(wrong.slice(0, 20))).toBe(401)
    }
  })

  test('of users of the hidden or an external source never do', async () => {
    const { body } = await api.admin.get('/api/auth_sources')
    const external = body.results.find(({ type }: { type: string }) => type === 'AuthSourceExternal')
    const { login } = await newUser({ auth_source_id: external.id })
    expect(await status(withPassword(login, PASSWORD))).toBe(401)
  })

  test('a changed one counts at once, and the old one no more', async () => {
    const user = await newUser()
    expect(await status(user)).toBe(200)
    expect((await api.admin.put(`/api/users/${user.id}`, { password: 'another password' })).status).toBe(200)
    expect(await status(user)).toBe(401)
    expect(await status(withPassword(user.login, 'another password'))).toBe(200)
  })

  test('of a disabled account are refused at once, with a reason', async () => {
    const user = await newUser()
    expect(await status(user)).toBe(200)
    await api.admin.put(`/api/users/${user.id}`, { disabled: true })
    expect(await user.get('/api/status')).toMatchObject({
      status: 401,
      body: { error: { message: 'User account is disabled, please contact your administrator' } },
    })
    await api.admin.put(`/api/users/${user.id}`, { disabled: false })
    expect(await status(user)).toBe(200)
  })

  test('of a deleted user are refused at once', async () => {
    const user = await newUser()
    expect(await status(user)).toBe(200)
    await api.admin.delete(`/api/users/${user.id}`)
    expect(await status(user)).toBe(401)
  })

  test('garbage in the header is no login', async () => {
    for (const authorization of [
      '',
      'Basic',
      'Basic ',
      'Basic !!!',
      'Bearer',
      'Bearer ',
      'Digest x',
      'Basic Og==',
      '\u00ff',
    ]) {
      expect(await status(api.as({ authorization })), authorization).toBe(401)
    }
  })
})

describe('personal access tokens', () => {
  async function newToken(user: Caller & { id: number }, more: object = {}) {
    return expectCreated(user.post(`/api/users/${user.id}/personal_access_tokens`, { name: `token ${users}`, ...more }))
  }

  test('are shown once, and let in as Bearer or in place of the password', async () => {
    const user = await newUser()
    const token = await newToken(user)
    expect(token).toMatchObject({ 'active?': true, 'revoked?': false, user_id: user.id, last_used_at: null })
    expect(await status(api.as({ authorization: `Bearer ${token.token_value}` }))).toBe(200)
    expect(await status(withPassword(user.login, token.token_value))).toBe(200)
    expect(await status(withPassword('admin', token.token_value))).toBe(401)
    const shown = (await user.get(`/api/users/${user.id}/personal_access_tokens/${token.id}`)).body
    expect(shown).not.toHaveProperty('token_value')
    expect(shown.last_used_at).not.toBeNull()
  })

  test('are refused as soon as they are revoked, and stay in the list', async () => {
    const user = await newUser()
    const token = await newToken(user)
    const bearer = api.as({ authorization: `Bearer ${token.token_value}` })
    expect(await status(bearer)).toBe(200)
    const { body } = await user.delete(`/api/users/${user.id}/personal_access_tokens/${token.id}`)
    expect(body).toMatchObject({ id: token.id, 'revoked?': true, 'active?': false })
    expect(await status(bearer)).toBe(401)
    expect((await user.get(`/api/users/${user.id}/personal_access_tokens`)).body.total).toBe(1)
  })

  test('are refused from the moment they expire', async () => {
    const user = await newUser()
    const token = await newToken(user, { expires_at: '2999-01-01 00:00:00 UTC' })
    expect(token).toMatchObject({ expires_at: '2999-01-01 00:00:00 UTC', 'active?': true })
    await sql`update personal_access_tokens set expires_at = now() where id = ${token.id}`.execute(api.database.db)
    expect((await user.get(`/api/users/${user.id}/personal_access_tokens/${token.id}`)).body['active?']).toBe(false)
    expect(await status(api.as({ authorization: `Bearer ${token.token_value}` }))).toBe(401)
  })

  test('have a name of their own among those of their user', async () => {
    const [user, other] = [await newUser(), await newUser()]
    const name = 'backup'
    await newToken(user, { name })
    await newToken(other, { name })
    expect(await user.post(`/api/users/${user.id}/personal_access_tokens`, { name })).toMatchObject({
      status: 422,
      body: { error: { errors: { name: ['has already been taken'] } } },
    })
  })

  test('of others are neither seen nor made nor revoked without permission', async () => {
    const [user, other] = [await newUser(), await newUser()]
    const token = await newToken(other)
    expect((await user.get(`/api/users/${other.id}/personal_access_tokens`)).status).toBe(404)
    expect((await user.post(`/api/users/${other.id}/personal_access_tokens`, { name: 'mine' })).status).toBe(404)
    expect((await user.delete(`/api/users/${other.id}/personal_access_tokens/${token.id}`)).status).toBe(404)
    expect(await status(api.as({ authorization: `Bearer ${token.token_value}` }))).toBe(200)
    const place = { organization_ids: [1], location_ids: [1] }
    const owner = await newUser(place)
    const onlooker = await api.can(['view_users'], place)
    const { status: seen, body } = await onlooker.get(`/api/users/${owner.id}/personal_access_tokens`)
    expect({ seen, missing: body.error?.missing_permissions }).toEqual({
      seen: 403,
      missing: ['view_personal_access_tokens'],
    })
  })

  test('of administrators are made and revoked by administrators only', async () => {
    const keeper = await api.can(
      ['view_users', 'view_personal_access_tokens', 'create_personal_access_tokens', 'revoke_personal_access_tokens'],
      { organization_ids: [1], location_ids: [1] },
    )
    const boss = await newUser({ admin: true, organization_ids: [1], location_ids: [1] })
    const token = await newToken(boss)
    const tokens = `/api/users/${boss.id}/personal_access_tokens`
    expect((await keeper.get(tokens)).body.total).toBe(1)
    expect((await keeper.post(tokens, { name: 'mine' })).status).toBe(422)
    expect((await keeper.delete(`${tokens}/${token.id}`)).status).toBe(422)
    const colleague = await newUser({ organization_ids: [1], location_ids: [1] })
    const theirs = `/api/users/${colleague.id}/personal_access_tokens`
    expect((await keeper.post(theirs, { name: 'for them' })).status).toBe(201)
  })
})

describe('sessions', () => {
  async function logIn(user: Caller, said = {}) {
    const { status: started, body, headers } = await user.post('/api/session', undefined, said)
    expect(started).toBe(201)
    const setCookie = String(headers['set-cookie'])
    return { cookie: setCookie.split(';')[0] ?? '', csrf: String(body.csrf_token), setCookie, body }
  }

  test('start with a cookie that scripts cannot read, and a CSRF token', async () => {
    const user = await newUser()
    const { setCookie, body } = await logIn(user)
    expect(setCookie).toMatch(/^millwright_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/)
    expect(body).toEqual({ login: user.login, csrf_token: expect.stringMatching(/^[\w-]{40,}$/) })
  })

  test('let in to read with the cookie alone, to write with the CSRF token', async () => {
    const user = await newUser({ admin: true })
    const { cookie, csrf } = await logIn(user)
    const browser = api.as({ cookie })
    expect(await status(browser)).toBe(200)
    expect((await browser.post('/api/architectures', { name: 'forged' })).status).toBe(401)
    expect((await browser.post('/api/architectures', { name: 'forged' }, { 'x-csrf-token': 'guess' })).status).toBe(401)
    expect((await browser.delete('/api/architectures/i386')).status).toBe(401)
    expect((await browser.post('/api/architectures', { name: 'mine' }, { 'x-csrf-token': csrf })).status).toBe(201)
  })

  test('end at once when asked to, and the cookie is cleared', async () => {
    const { cookie, csrf } = await logIn(await newUser())
    const browser = api.as({ cookie })
    expect(await status(browser)).toBe(200)
    expect((await browser.delete('/api/session')).status).toBe(401)
    const { status: ended, headers } = await browser.delete('/api/session', undefined, { 'x-csrf-token': csrf })
    expect(ended).toBe(200)
    expect(headers['set-cookie']).toMatch(/Max-Age=0/)
    expect(await status(browser)).toBe(401)
  })

  test('end with a new password and with a disabled account', async () => {
    for (const change of [{ password: 'another password' }, { disabled: true }]) {
      const user = await newUser()
      const { cookie } = await logIn(user)
      expect(await status(api.as({ cookie }))).toBe(200)
      await api.admin.put(`/api/users/${user.id}`, change)
      expect(await status(api.as({ cookie }))).toBe(401)
    }
  })

  test('end when they were idle for too long', async () => {
    const user = await newUser()
    const { cookie } = await logIn(user)
    await sql`update sessions set last_seen_at = now() - interval '2 hours' where user_id = ${user.id}`.execute(
      api.database.db,
    )
    expect(await api.nobody.get('/api/status', { cookie })).toMatchObject({ status: 401, text: '' })
    expect(await status(api.as({ cookie, authorization: basic(user.login, PASSWORD) }))).toBe(200)
  })

  test('are listed for whom they belong to, and ended one by one or all but the own', async () => {
    const user = await newUser()
    const address = '/api/current_user/sessions'
    const program = `Firefox <b>\u00e4 ${'x'.repeat(300)}`
    const here = await logIn(user, { 'user-agent': program })
    const there = await logIn(user)
    const stranger = await logIn(await newUser({ admin: true }))
    const caller = api.as({ cookie: here.cookie })
    const { body, text } = await caller.get(address)
    expect(body).toMatchObject({ total: 2, subtotal: 2, page: 1, per_page: 20 })
    const own = body.results.find(({ current }: { current: boolean }) => current)
    const other = body.results.find(({ current }: { current: boolean }) => !current)
    expect(own).toEqual({
      id: expect.any(Number),
      created_at: expect.stringMatching(/ UTC$/),
      last_seen_at: expect.stringMatching(/ UTC$/),
      address: '127.0.0.1',
      user_agent: program.slice(0, 255),
      current: true,
    })
    for (const { cookie, csrf } of [here, there, stranger])
      for (const secret of [cookie.split('=')[1] ?? cookie, csrf]) expect(text).not.toContain(secret)
    expect((await user.get(`${address}?per_page=1&page=2`)).body).toMatchObject({
      total: 2,
      results: [{ current: false }],
    })
    expect((await caller.get(`${address}?page=0`)).status).toBe(400)

    // Not the sessions of others, even as an administrator, and nothing without an id; a cookie without a token ends
    // nothing.
    const theirs = (await api.as({ cookie: stranger.cookie }).get(address)).body.results[0].id
    const token = { 'x-csrf-token': here.csrf }
    for (const id of [theirs, 0, 'x', '9'.repeat(30), '%00'])
      expect((await caller.delete(`${address}/${id}`, undefined, token)).status, String(id)).toBe(404)
    expect((await api.admin.delete(`${address}/${own.id}`)).status).toBe(404)
    expect((await caller.delete(`${address}/${other.id}`)).status).toBe(401)

    expect(await status(api.as({ cookie: there.cookie }))).toBe(200)
    expect((await caller.delete(`${address}/${other.id}`, undefined, token)).body).toEqual(other)
    expect(await status(api.as({ cookie: there.cookie }))).toBe(401)
    expect((await caller.delete(`${address}/${other.id}`, undefined, token)).status).toBe(404)

    const more = [await logIn(user), await logIn(user)]
    expect((await caller.delete(address, undefined, token)).body.results).toHaveLength(2)
    for (const { cookie } of more) expect(await status(api.as({ cookie }))).toBe(401)
    for (const { cookie } of [here, stranger]) expect(await status(api.as({ cookie }))).toBe(200)

    await sql`update sessions set last_seen_at = now() - interval '2 hours' where id = ${own.id}`.execute(
      api.database.db,
    )
    expect((await user.get(address)).body).toMatchObject({ total: 0, results: [] })
  })

  test('cookies that mean nothing let nobody in', async () => {
    for (const value of ['', 'x', 'a'.repeat(43), '%00', '"']) {
      expect(await status(api.as({ cookie: `millwright_session=${value}` })), value).toBe(401)
    }
  })
})

describe('changes of roles', () => {
  test('count for the next request', async () => {
    const user = await newUser()
    const get = async () => (await user.get('/api/architectures')).status
    const viewer = (await api.admin.get('/api/roles/Viewer')).body.id
    expect(await get()).toBe(403)
    await api.admin.put(`/api/users/${user.id}`, { role_ids: [viewer] })
    expect(await get()).toBe(200)
    await api.admin.put(`/api/users/${user.id}`, { role_ids: [] })
    expect(await get()).toBe(403)
    const group = await expectCreated(
      api.admin.post('/api/usergroups', { name: 'viewers', user_ids: [user.id], role_ids: [viewer] }),
    )
    expect(await get()).toBe(200)
    await api.admin.delete(`/api/usergroups/${group.id}`)
    expect(await get()).toBe(403)
  })

  test('a new filter, a changed one and a deleted one count for the next request', async () => {
    const user = await newUser()
    const role = await expectCreated(api.admin.post('/api/roles', { name: 'changing', user_ids: [] }))
    await api.admin.put(`/api/users/${user.id}`, { role_ids: [role.id] })
    const [{ id: view }] = (await api.admin.get('/api/permissions?search=name+%3D+view_architectures')).body.results
    const filter = await expectCreated(api.admin.post('/api/filters', { role_id: role.id, permission_ids: [view] }))
    expect((await user.get('/api/architectures')).body.total).toBeGreaterThan(1)
    await api.admin.put(`/api/filters/${filter.id}`, { search: 'name = i386' })
    expect((await user.get('/api/architectures')).body.total).toBe(1)
    await api.admin.delete(`/api/filters/${filter.id}`)
    expect((await user.get('/api/architectures')).status).toBe(403)
  })
})
