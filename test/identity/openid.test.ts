import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeJwt, type JWTPayload } from 'jose'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { OPENID_PROBLEMS } from '../../src/openid/problems.ts'
import { basic, openTestApi, type TestApi } from '../support/api.ts'
import { given, type Shown, unique } from '../support/given.ts'
import { claimsOf, type OpenIdPeer, startOpenIdPeer } from '../support/peers/openid.ts'
import { givenLinkedGroup, membersOf, userNamed } from './directory-world.ts'
import { beginLogin, callbackOf, comeBack, cookieOf, givenProvider, logInAt, refusalOf } from './openid-world.ts'

// Logins at a real provider: who is let in, and that nobody is where anything is wrong.

const folder = mkdtempSync(join(tmpdir(), 'millwright-openid-'))
const HERE = { organization_ids: [1], location_ids: [1] }
let people = 0
const log: { msg: string; reason?: string; detail?: string }[] = []
let api: TestApi
let peer: OpenIdPeer
let source: Shown
let ours: ReturnType<TestApi['as']>

beforeAll(async () => {
  peer = await startOpenIdPeer()
  const write = (line: string) => void log.push(JSON.parse(line))
  api = await openTestApi({
    log: pino({ level: 'warn' }, { write }),
    env: { MILLWRIGHT_VENDOR_PORT: '1', MILLWRIGHT_ENCRYPTION_KEY_FILE: join(folder, 'key') },
  })
  await api.admin.put('/api/settings/failed_login_attempts_limit', { value: 0 })
  source = await givenProvider(api, peer, { audience: 'https://api.example.test', ...HERE })
  ours = api.admin
})
beforeEach(() => {
  peer.tamper = null
  log.length = 0
})
afterAll(async () => {
  await api?.[Symbol.asyncDispose]()
  await peer?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

function newPerson(claims: Record<string, unknown> = {}): string {
  const subject = `subject-${++people}`
  peer.people.set(subject, { preferred_username: `person${people}`, ...claims })
  return subject
}

describe('a person at the provider', () => {
  test('gets a user with profile, place and groups, and the groups follow', async () => {
    const staff = await givenLinkedGroup(api, source.id, ['staff'])
    const operators = await givenLinkedGroup(api, source.id, ['operators'])
    const claims = { given_name: 'Ann', family_name: 'Lee', email: 'ann@example.test', groups: ['staff'] }
    const subject = newPerson({ preferred_username: 'ann', ...claims })
    const { url } = await beginLogin(api, source.id)
    const asked = new URL(url).searchParams
    expect([asked.get('code_challenge_method'), asked.has('state'), asked.has('nonce')]).toEqual(['S256', true, true])

    const reply = await logInAt(api, peer, source.id, subject)
    expect([reply.status, reply.headers.location]).toEqual([302, '/'])
    const browser = api.as({ cookie: cookieOf(reply) })
    expect((await browser.get('/api/current_user')).body).toMatchObject({
      login: 'ann',
      firstname: 'Ann',
      lastname: 'Lee',
      mail: 'ann@example.test',
      auth_source_id: source.id,
      organizations: [{ id: 1 }],
    })
    expect([await membersOf(api, staff.id), await membersOf(api, operators.id)]).toEqual([['ann'], []])

    peer.people.set(subject, { preferred_username: 'renamed', ...claims, groups: ['operators'] })
    expect(refusalOf(await logInAt(api, peer, source.id, subject))).toBeNull()
    expect([await membersOf(api, staff.id), await membersOf(api, operators.id)]).toEqual([[], ['ann']])
    expect(await userNamed(api, 'renamed')).toBeUndefined()
  })

  test('comes back to the page they wanted, and to no other service', async () => {
    const subject = newPerson()
    for (const [wanted, reached] of [
      ['/hosts?search=a', '/hosts?search=a'],
      ['//evil.test', '/'],
      ['/\\evil.test', '/'],
      ['https://evil.test', '/'],
    ]) {
      const { url, cookie } = await beginLogin(api, source.id, `?return_to=${encodeURIComponent(String(wanted))}`)
      expect((await comeBack(api, await peer.logIn(url, subject), cookie)).headers.location).toBe(reached)
    }
  })

  test('is linked to an account by an administrator, or by proof of both logins, and never by what looks the same', async () => {
    const user = await given(ours, 'user', {
      login: 'carol',
      mail: 'carol@example.test',
      password: 'carols-password',
      ...HERE,
    })
    const subject = newPerson({ preferred_username: 'carol', email: 'carol@example.test' })
    expect(refusalOf(await logInAt(api, peer, source.id, subject))).toBe('name_taken')

    const carol = api.as({ authorization: `Basic ${Buffer.from('carol:carols-password').toString('base64')}` })
    const own = { user_identity: { subject, auth_source_oidc_id: source.id } }
    expect((await carol.post(`/api/users/${user.id}/user_identities`, own)).status).toBe(403)
    const permissions = ['users', 'user_identities', 'authenticators'].flatMap((word) => [
      `view_${word}`,
      `create_${word}`,
    ])
    const helper = await api.can(permissions, HERE)
    const refused = await helper.post(`/api/users/${user.id}/user_identities`, own)
    expect([refused.status, Object.keys(refused.body.error.errors ?? {})]).toEqual([422, ['base']])
    const started = await carol.post('/api/session')
    const session = { cookie: cookieOf(started), 'x-csrf-token': started.body.csrf_token }
    const begun = await api.as(session).post(`/api/auth_source_oidcs/${source.id}/link`)
    const answer = await peer.logIn(begun.body.url, subject)
    const stranger = await comeBack(api, answer, cookieOf(begun))
    expect(refusalOf(stranger)).toBe('not_your_session')

    const again = await api.as(session).post(`/api/auth_source_oidcs/${source.id}/link`)
    const both = `${cookieOf(again)}; ${session.cookie}`
    const linked = await comeBack(api, await peer.logIn(again.body.url, subject), both)
    expect([linked.headers.location, refusalOf(await logInAt(api, peer, source.id, subject))]).toEqual([
      '/account',
      null,
    ])

    const [identity] = (await carol.get(`/api/users/${user.id}/user_identities`)).body.results
    expect((await carol.delete(`/api/users/${user.id}/user_identities/${identity.id}`)).status).toBe(200)
    expect(refusalOf(await logInAt(api, peer, source.id, subject))).toBe('name_taken')
    const made = await ours.post(`/api/users/${user.id}/user_identities`, own)
    expect(made.status).toBe(201)
    const browser = api.as({ cookie: cookieOf(await logInAt(api, peer, source.id, subject)) })
    expect((await browser.get('/api/current_user')).body.login).toBe('carol')
    expect((await ours.delete(`/api/users/${user.id}/user_identities/${made.body.id}`)).status).toBe(200)
    expect((await browser.get('/api/current_user')).status).toBe(401)
  })

  test.each(['PS256', 'ES256', 'EdDSA', 'RS256'])(
    'is known by signatures of the kind %s, after new keys, too',
    async (kind) => {
      await peer.rotate(kind)
      expect(refusalOf(await logInAt(api, peer, source.id, newPerson()))).toBeNull()
    },
  )

  test('is let in by one process after another has begun, and refused by both after a logout', async () => {
    await using second = await openTestApi({
      beside: api,
      env: { MILLWRIGHT_ENCRYPTION_KEY_FILE: join(folder, 'key') },
    })
    const { url, cookie } = await beginLogin(api, source.id)
    const answer = await peer.logIn(url, newPerson())
    const session = cookieOf(await comeBack(second, answer, cookie))
    log.length = 0
    expect(refusalOf(await comeBack(api, answer, cookie))).toBe('replayed')
    const { csrf_token } = (await api.as({ cookie: session }).get('/api/session')).body
    const browser = { cookie: session, 'x-csrf-token': csrf_token }
    expect((await second.as(browser).delete('/api/session')).status).toBe(200)
    await vi.waitFor(async () => expect((await api.as(browser).get('/api/current_user')).status).toBe(401))
  })

  test('has to set up no second factor here: the provider asks for it', async () => {
    const role = await given(api.admin, 'role')
    const session = cookieOf(await logInAt(api, peer, source.id, newPerson()))
    const user = await userNamed(api, `person${people}`)
    await api.admin.put(`/api/users/${user?.id}`, { role_ids: [role.id] })
    const { login } = await given(api.admin, 'user', { password: 'a long password', role_ids: [role.id] })
    const other = api.as({ authorization: basic(login, 'a long password') })
    await api.admin.put('/api/settings/second_factor_grace_days', { value: 0 })
    await api.admin.put('/api/settings/second_factor_roles', { value: [role.name] })
    const refusal = async (who: typeof other) => String((await who.get('/api/architectures')).body.error?.details)
    await expect.poll(() => refusal(other)).toMatch(/must have a second factor/)
    expect(await refusal(api.as({ cookie: session }))).not.toMatch(/second factor/)
    await api.admin.put('/api/settings/second_factor_roles', { value: [] })
  })

  test('logs out here and there, and is logged out here by the provider', async () => {
    const subject = newPerson()
    const begin = async () => {
      const cookie = cookieOf(await logInAt(api, peer, source.id, subject))
      const { csrf_token } = (await api.as({ cookie }).get('/api/session')).body
      return api.as({ cookie, 'x-csrf-token': csrf_token })
    }
    const { body } = await (await begin()).delete('/api/session')
    const there = new URL(body.logout_url)
    expect([there.origin, there.searchParams.get('post_logout_redirect_uri')]).toEqual([
      peer.issuer,
      'http://localhost/',
    ])
    expect(decodeJwt(String(there.searchParams.get('id_token_hint'))).sub).toBe(subject)

    const browser = await begin()
    const now = Math.floor(Date.now() / 1000)
    const good = {
      iss: peer.issuer,
      aud: peer.client.client_id,
      iat: now,
      exp: now + 120,
      jti: unique('jti'),
      sub: subject,
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    }
    const report = async (claims: JWTPayload) => {
      const form = new URLSearchParams({ logout_token: await peer.sign(claims, { typ: 'logout+jwt' }) })
      return api.nobody.send({
        method: 'POST',
        url: `/api/auth_source_oidcs/${source.id}/backchannel_logout`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: form.toString(),
      })
    }
    for (const wrong of [
      { aud: 'another' },
      { events: {} },
      { nonce: 'n' },
      { iss: 'https://other.test' },
      { sub: undefined },
      { iat: now - 1000 },
      { jti: undefined },
    ]) {
      const claims: JWTPayload = { ...good, ...wrong }
      expect([(await report(claims)).status, wrong]).toEqual([400, wrong])
    }
    expect((await browser.get('/api/current_user')).status).toBe(200)
    expect((await report(good)).status).toBe(200)
    expect((await browser.get('/api/current_user')).status).toBe(401)
    expect((await report(good)).status).toBe(400)
  })
})

describe('a program', () => {
  const audience = 'https://api.example.test'
  const now = () => Math.floor(Date.now() / 1000)
  const send = async (claims: JWTPayload, header: Record<string, unknown> = { typ: 'at+jwt' }) => {
    const token = await peer.sign({ iss: peer.issuer, aud: audience, iat: now(), exp: now() + 60, ...claims }, header)
    return api.as({ authorization: `Bearer ${token}` }).get('/api/current_user')
  }

  test('sends a token of the provider, whose audience has to be this service', async () => {
    expect((await send({ sub: 'robot', preferred_username: 'robot' })).body).toMatchObject({ login: 'robot' })
    for (const [claims, sentence] of [
      [{ aud: peer.client.client_id }, OPENID_PROBLEMS.wrong_audience],
      [{ nonce: 'of an ID token' }, OPENID_PROBLEMS.wrong_audience],
      [{ exp: now() - 90 }, OPENID_PROBLEMS.expired],
      [{ iat: now() + 600 }, OPENID_PROBLEMS.early],
      [{ nbf: now() + 600 }, OPENID_PROBLEMS.early],
      [{ iss: 'https://other.example.test' }, OPENID_PROBLEMS.wrong_issuer],
    ] as const) {
      const { status, body } = await send({ sub: 'robot', ...claims })
      expect([status, body.error.details ?? body.error.message], JSON.stringify(claims)).toEqual([401, sentence])
    }
  })

  test('is accepted by the settings of existing servers, and logs in as their command line does', async () => {
    const token = (more: JWTPayload = {}) =>
      peer.sign({
        ...{ iss: 'urn:old', aud: 'old', iat: now(), exp: now() + 60, sub: 'x', preferred_username: 'olduser' },
        ...more,
      })
    const settings = {
      oidc_issuer: 'http://127.0.0.1/old',
      oidc_jwks_url: `${peer.issuer}/jwks`,
      oidc_audience: ['old'],
      oidc_algorithm: 'RS256',
    }
    for (const [name, value] of Object.entries(settings)) {
      expect([name, (await ours.put(`/api/settings/${name}`, { setting: { value } })).status]).toEqual([name, 200])
      const editor = await api.can(['view_settings', 'edit_settings'])
      expect((await editor.put(`/api/settings/${name}`, { setting: { value } })).status).toBe(422)
    }
    const iss = settings.oidc_issuer
    const vendor = api.asVendor({ authorization: `Bearer ${await token({ iss })}` })
    const reply = await vendor.get('/api/users/extlogin')
    expect([reply.status, reply.body.login]).toEqual([200, 'olduser'])
    const session = await api.asVendor().get('/api/current_user', { cookie: cookieOf(reply) })
    expect([session.status, session.body?.login]).toEqual([200, 'olduser'])
    const other = api.asVendor({ authorization: `Bearer ${await token({ iss, aud: 'another' })}` })
    expect((await other.get('/api/users/extlogin')).status).toBe(401)
  })
})

/** Changes the claims of the ID token that the provider answers with. */
function forge(change: (claims: JWTPayload) => JWTPayload, header: Record<string, unknown> = {}) {
  return async (path: string, body: Record<string, unknown>) =>
    path === '/token' ? { ...body, id_token: await peer.sign(change(claimsOf(body)), header) } : body
}

/** Unsigned text in the form of a token. */
function encode(...parts: object[]): string {
  return parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
}

describe('nobody is let in', () => {
  const now = () => Math.floor(Date.now() / 1000)

  /** Expects a refusal with this code, which the log explains in words of its own, and no new user. */
  async function expectRefused(code: keyof typeof OPENID_PROBLEMS, reply: Awaited<ReturnType<typeof comeBack>>) {
    expect([refusalOf(reply), reply.headers['set-cookie']]).toEqual([code, undefined])
    const [event] = log.filter(({ msg }) => msg === 'login at a provider refused')
    expect(event).toMatchObject({ reason: code, detail: expect.stringMatching(/.{5}/) })
    expect(event?.detail).not.toBe(OPENID_PROBLEMS[code])
  }

  /** Logs in as somebody new, and expects that it fails. */
  async function expectNobody(
    code: keyof typeof OPENID_PROBLEMS,
    claims: Record<string, unknown> = {},
    id = source.id,
  ) {
    const subject = newPerson(claims)
    await expectRefused(code, await logInAt(api, peer, id, subject))
    expect(await userNamed(api, `person${people}`)).toBeUndefined()
  }

  test('each failure has a sentence of its own', () => {
    const sentences = Object.values(OPENID_PROBLEMS)
    expect(new Set(sentences).size).toBe(sentences.length)
  })

  test('by a provider that is down', async () => {
    const down = await givenProvider(api, peer, { issuer: 'http://127.0.0.1:1' })
    await expectNobody('unreachable', {}, down.id)
    expect((await ours.get('/api/current_user')).status).toBe(200) // a password is the way in
  })

  test('by a provider that is slow', async () => {
    peer.tamper = (path, body) => (path === '/token' ? 'hold' : body)
    await expectNobody('slow')
  })

  test('by a provider that calls itself otherwise', async () => {
    peer.tamper = (path, body) => (path.includes('well-known') ? { ...body, issuer: 'http://127.0.0.1:2' } : body)
    const wrong = await givenProvider(api, peer, {})
    await expectNobody('wrong_issuer', {}, wrong.id)
    peer.tamper = forge((claims) => ({ ...claims, iss: 'https://other.test' }))
    await expectNobody('wrong_issuer')
  })

  test('by a key that the provider does not publish, however often', async () => {
    peer.tamper = forge((claims) => claims, { kid: 'unknown' })
    const before = peer.asked.get('/jwks') ?? 0
    for (let i = 0; i < 8; i++) {
      log.length = 0
      await expectNobody('unknown_key')
    }
    expect((peer.asked.get('/jwks') ?? 0) - before).toBeLessThanOrEqual(5)
  })

  test('by a token without a signature, or signed with the secret of the client', async () => {
    peer.tamper = (path, body) =>
      path === '/token' ? { ...body, id_token: `${encode({ alg: 'none' }, claimsOf(body))}.` } : body
    await expectNobody('wrong_algorithm')
    log.length = 0
    peer.tamper = (path, body) =>
      path === '/token' ? { ...body, id_token: `${encode({ alg: 'HS256' }, claimsOf(body))}.c2lnbmF0dXJl` } : body
    await expectNobody('wrong_algorithm')
  })

  test('by a token that somebody has changed', async () => {
    peer.tamper = (path, body) => {
      if (path !== '/token') return body
      const [header, , signature] = String(body.id_token).split('.')
      return { ...body, id_token: [header, encode({ ...claimsOf(body), sub: 'another' }), signature].join('.') }
    }
    await expectNobody('bad_signature')
  })

  test('by a token of another login, or of another service', async () => {
    peer.tamper = forge((claims) => ({ ...claims, nonce: 'of another login' }))
    await expectNobody('wrong_nonce')
    log.length = 0
    peer.tamper = forge((claims) => ({ ...claims, aud: 'another-client' }))
    await expectNobody('wrong_audience')
  })

  test('by an answer that was used before, or came to another browser', async () => {
    const { url, cookie } = await beginLogin(api, source.id)
    const answer = await peer.logIn(url, newPerson())
    await expectRefused('no_login', await comeBack(api, answer, ''))
    log.length = 0
    const other = await beginLogin(api, source.id)
    await expectRefused('no_login', await comeBack(api, answer, other.cookie))
    expect(refusalOf(await comeBack(api, answer, cookie))).toBeNull()
    log.length = 0
    await expectRefused('replayed', await comeBack(api, answer, cookie))
  })

  test('by an answer of another provider', async () => {
    const another = await givenProvider(api, peer)
    const { url, cookie } = await beginLogin(api, source.id)
    const answer = await peer.logIn(url, newPerson())
    const mixed = new URL(`${callbackOf(another.id)}${answer.search}`)
    await expectRefused('wrong_provider', await comeBack(api, mixed, cookie))
    log.length = 0
    answer.searchParams.set('iss', 'https://evil.test')
    await expectRefused('wrong_provider', await comeBack(api, answer, cookie))
  })

  test('by a token that has expired or is not valid yet, beyond what clocks may differ', async () => {
    peer.tamper = forge((claims) => ({ ...claims, iat: now() - 600, exp: now() - 90 }))
    await expectNobody('expired')
    log.length = 0
    peer.tamper = forge((claims) => ({ ...claims, iat: now() + 600, exp: now() + 900 }))
    await expectNobody('early')
    peer.tamper = forge((claims) => ({ ...claims, iat: now() + 30, exp: now() + 900 }))
    expect(refusalOf(await logInAt(api, peer, source.id, newPerson()))).toBeNull()
  })

  test('by too many groups, or by a provider that leaves them out because there are', async () => {
    await expectNobody('too_many_groups', { groups: Array.from({ length: 2000 }, (_, n) => `group ${n}`) })
    log.length = 0
    await expectNobody('too_many_groups', { _claim_names: { groups: 'src1' } })
    log.length = 0
    await expectNobody('too_large', { groups: ['x'.repeat(700_000)] })
  })

  test('by a login that belongs to somebody else, that is none, or that is missing', async () => {
    await given(ours, 'usergroup', { name: 'crew' })
    for (const [code, preferred_username] of [
      ['name_taken', 'admin'],
      ['name_taken', 'ADMIN'],
      ['name_taken', 'crew'],
      ['unusable_name', 'a b'],
      ['no_name', undefined],
    ] as const) {
      log.length = 0
      await expectNobody(code, { preferred_username })
    }
  })

  test('who is unknown where unknown people are not let in, or disabled', async () => {
    const closed = await givenProvider(api, peer, { onthefly_register: false })
    await expectNobody('unknown_user', {}, closed.id)
    const subject = newPerson()
    expect(refusalOf(await logInAt(api, peer, source.id, subject))).toBeNull()
    const user = await userNamed(api, `person${people}`)
    await ours.put(`/api/users/${user?.id}`, { user: { disabled: true } })
    log.length = 0
    await expectRefused('disabled', await logInAt(api, peer, source.id, subject))
  })
})

describe('the test of a provider', () => {
  const failing = async (change: Record<string, unknown>) => {
    const { status, body } = await ours.put(`/api/auth_source_oidcs/${source.id}/test`, { auth_source_oidc: change })
    const failed = body.steps.find((step: Shown) => step.status === 'failed')
    expect([status, body.steps.length]).toEqual([200, 6])
    return [body.success, failed?.name, failed?.code]
  }
  const { client_secret } = { client_secret: 'a secret of the client!' }

  test('says which step fails', async () => {
    expect(await failing({})).toEqual([true, undefined, undefined])
    expect(await failing({ issuer: 'http://127.0.0.1:1', client_secret })).toEqual([false, 'discovery', 'unreachable'])
    expect(await failing({ issuer: `${peer.issuer}/none`, client_secret })).toEqual([
      false,
      'discovery',
      'misconfigured',
    ])
    expect(await failing({ algorithms: 'RS512' })).toEqual([false, 'algorithms', 'wrong_algorithm'])
    expect(await failing({ client_secret: 'wrong' })).toEqual([false, 'client', 'client_refused'])
  })

  test('sends the secret nowhere else than before, unless it is sent again', async () => {
    const elsewhere = { auth_source_oidc: { issuer: 'https://elsewhere.example.test' } }
    expect((await ours.put(`/api/auth_source_oidcs/${source.id}/test`, elsewhere)).status).toBe(422)
    expect((await ours.put(`/api/auth_source_oidcs/${source.id}`, elsewhere)).status).toBe(422)
  })

  test('values are checked where they are stored', async () => {
    for (const [field, value] of [
      ['issuer', 'http://login.example.test'],
      ['issuer', 'https://me:secret@login.example.test'],
      ['issuer', 'https://login.example.test/.well-known/openid-configuration'],
      ['algorithms', 'none'],
      ['algorithms', 'HS256'],
      ['scopes', 'profile'],
      ['clock_skew', 301],
    ]) {
      const { status, body } = await ours.put(`/api/auth_source_oidcs/${source.id}`, {
        auth_source_oidc: { [String(field)]: value, client_secret },
      })
      expect([status, Object.keys(body.error.errors)], `${field} ${value}`).toEqual([422, [field]])
    }
  })
})
