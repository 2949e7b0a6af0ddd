import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/sql.ts'
import { basic, type Caller, expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { given } from '../support/given.ts'

// Personal access tokens with limits: never more than their user may, and never more than they name.

let api: TestApi
let here: { id: number }
let there: { id: number }
beforeAll(async () => {
  api = await openTestApi()
  await api.admin.put('/api/settings/failed_login_attempts_limit', { setting: { value: 0 } })
  here = await given(api.admin, 'organization')
  there = await given(api.admin, 'organization')
})
afterAll(() => api?.[Symbol.asyncDispose]())

const PASSWORD = 'a long password'
let made = 0

/** Creates a token of a user, and yields its caller and record. */
async function newToken(user: number, limits: object, by: Caller = api.admin) {
  const body = await expectCreated(
    by.post(`/api/users/${user}/personal_access_tokens`, { name: `t${++made}`, ...limits }),
  )
  return { ...api.as(bearer(body.token_value)), value: body.token_value as string, body, id: Number(body.id) }
}

const bearer = (value: string) => ({ authorization: `Bearer ${value}` })

async function administrator() {
  const login = `boss${++made}`
  return given(api.admin, 'user', { login, password: PASSWORD, admin: true })
}

describe('a limited token of an administrator', () => {
  test('reaches no route that needs another permission', async () => {
    const { id } = await administrator()
    const token = await newToken(id, { permissions: ['view_domains'] })
    expect(token.body).toMatchObject({ permissions: ['view_domains'], organization_ids: null, allowed_addresses: null })
    expect((await token.get('/api/domains')).status).toBe(200)
    const reached: string[] = []
    for (const { id: name, method, path, access } of api.routes) {
      if (access.kind !== 'permission' || access.anyOf.includes('view_domains')) continue
      const send = { GET: token.get, POST: token.post, PUT: token.put, DELETE: token.delete }[method]
      const { status } = await send(path.replaceAll(/:\w+/g, '1'), method === 'GET' ? undefined : {})
      if (status !== 403) reached.push(`${name}: ${status}`)
    }
    expect(reached).toEqual([])
  })

  test('cannot become more by what it makes', async () => {
    const { id, login } = await administrator()
    const token = await newToken(id, {
      permissions: [
        ...[
          'view_users',
          'create_users',
          'edit_users',
          'view_roles',
          'register_hosts',
          'revoke_personal_access_tokens',
        ],
        ...['view_personal_access_tokens', 'create_personal_access_tokens', 'create_ssh_keys', 'assign_organizations'],
      ],
    })
    const manager = (await api.admin.get('/api/roles?search=name=Manager')).body.results[0].id
    const attempts = {
      token: await token.post(`/api/users/${id}/personal_access_tokens`, { name: 'more' }),
      rotation: await token.post(`/api/users/${id}/personal_access_tokens/${token.id}/rotate`),
      password: await token.put(`/api/users/${id}`, { password: 'another password' }),
      admin: await token.post('/api/users', { login: 'x1', password: PASSWORD, auth_source_id: 1, admin: true }),
      role: await token.post('/api/users', { login: 'x2', password: PASSWORD, auth_source_id: 1, role_ids: [manager] }),
      command: await token.post('/api/registration_commands', {}),
      sessions: await token.delete('/api/current_user/sessions'),
      session: await token.post('/api/session'),
    }
    for (const [what, { status }] of Object.entries(attempts))
      expect([403, 422], `${what}: ${status}`).toContain(status)
    const still = api.as({ authorization: basic(login, PASSWORD) })
    expect((await still.get('/api/status')).status).toBe(200)
  })

  test('stays in its organization', async () => {
    const { id } = await administrator()
    const token = await newToken(id, { organization_ids: [here.id] })
    const [near, far] = [
      await given(api.admin, 'domain', { organization_ids: [here.id] }),
      await given(api.admin, 'domain', { organization_ids: [there.id] }),
    ]
    const names = (await token.get('/api/domains?per_page=all')).body.results.map(({ id: one }: { id: number }) => one)
    expect(names).toContain(near.id)
    expect(names).not.toContain(far.id)
    expect((await token.get(`/api/domains/${far.id}`)).status).toBe(404)
    expect((await token.get(`/api/domains?organization_id=${there.id}`)).status).toBe(404)
    expect(
      (await token.post('/api/domains', { name: 'far.example.test', organization_ids: [there.id] })).status,
    ).not.toBe(201)
  })
})

describe('a limited token of somebody else', () => {
  test('has what both the user and the limits have', async () => {
    const user = await api.can(['view_domains', 'edit_domains'], { organization_ids: [here.id] })
    const token = await newToken(user.id, { permissions: ['view_domains', 'view_hosts'] }, user)
    expect((await token.get('/api/domains')).status).toBe(200)
    expect((await token.get('/api/hosts')).status).toBe(403)
    expect((await token.get(`/api/users/${user.id}`)).status).toBe(403)
    expect((await token.get('/api/current_user')).status).toBe(200)
    await api.admin.put(`/api/users/${user.id}`, { role_ids: [] })
    expect((await token.get('/api/domains')).status).toBe(403)
  })

  test('permits nothing once its organization is gone', async () => {
    const gone = await given(api.admin, 'organization')
    const user = await api.can(['view_domains', 'create_domains'], { organization_ids: [gone.id, here.id] })
    const token = await newToken(user.id, { organization_ids: [gone.id] }, user)
    expect((await token.get('/api/domains')).status).toBe(200)
    await api.admin.delete(`/api/organizations/${gone.id}`)
    expect((await token.get('/api/domains')).status).toBe(403)
    expect((await token.post('/api/domains', { name: 'nowhere.example.test' })).status).toBe(403)
  })

  test('counts from its addresses only, as a bearer and as a password, remembered or not', async () => {
    const user = await api.can(['view_domains'])
    const token = await newToken(user.id, { allowed_addresses: ['192.0.2.0/24', '2001:db8::1'] }, user)
    for (const authorization of [`Bearer ${token.value}`, basic(user.login, token.value)]) {
      const from = (remoteAddress: string) =>
        api.nobody.send({ url: '/api/domains', headers: { authorization }, remoteAddress })
      expect((await from('192.0.2.9')).status).toBe(200)
      expect((await from('2001:db8::1')).status).toBe(200)
      const refused = await from('198.51.100.1')
      expect(refused).toMatchObject({
        status: 401,
        body: { error: { details: 'This token may not be used from this address.' } },
      })
    }
  })
})

test.each([
  [{ permissions: ['view_nonsense'] }, 'permissions', 'must be names of permissions'],
  [{ permissions: 'view_hosts' }, 'permissions', 'must be a list of texts'],
  [{ permissions: [] }, 'permissions', "can't be empty"],
  [{ organization_ids: [0] }, 'organization_ids', 'must be ids of organizations'],
  [{ location_ids: ['x'] }, 'location_ids', 'must be a list of ids'],
  [{ allowed_addresses: ['10.0.0.0/33'] }, 'allowed_addresses', 'must be addresses and networks'],
])('the limits %j are refused', async (limits, field, message) => {
  const { id } = await given(api.admin, 'user')
  const { status, body } = await api.admin.post(`/api/users/${id}/personal_access_tokens`, { name: 'bad', ...limits })
  expect(status).toBe(422)
  expect(body.error.errors[field][0]).toContain(message)
  expect((await api.admin.get(`/api/users/${id}/personal_access_tokens`)).body.total).toBe(0)
})

test("somebody else's organization cannot be named", async () => {
  const user = await api.can(['view_domains'], { organization_ids: [here.id] })
  const { status } = await user.post(`/api/users/${user.id}/personal_access_tokens`, {
    name: 'x',
    organization_ids: [there.id],
  })
  expect(status).toBe(422)
})

test('a replaced value counts as long as asked for, and a revoked token at once no more', async () => {
  const user = await api.can(['view_domains'])
  const first = await newToken(user.id, { permissions: ['view_domains'] }, user)
  const path = `/api/users/${user.id}/personal_access_tokens/${first.id}`
  const rotated = await user.post(`${path}/rotate`, { overlap_minutes: 5 })
  expect(rotated.status).toBe(200)
  const second = api.as(bearer(rotated.body.token_value))
  expect([await first.get('/api/domains'), await second.get('/api/domains')].map(({ status }) => status)).toEqual([
    200, 200,
  ])
  expect((await first.get('/api/hosts')).status).toBe(403)
  await sql`update replaced_tokens set expires_at = now() - interval '1 second'`.execute(api.database.db)
  await expect.poll(async () => (await first.get('/api/domains')).status).toBe(401)
  expect((await second.get('/api/domains')).status).toBe(200)
  const third = (await user.post(`${path}/rotate`, { overlap_minutes: 0 })).body.token_value
  expect((await second.get('/api/domains')).status).toBe(401)
  await user.delete(path)
  expect((await api.as(bearer(third)).get('/api/domains')).status).toBe(401)
  expect((await user.post(`${path}/rotate`)).status).toBe(422)
  expect((await user.post(`${path}/rotate`, { overlap_minutes: -1 })).body.error.errors).toHaveProperty(
    'overlap_minutes',
  )
})

test('the setting limits how long new tokens last', async () => {
  const { id } = await given(api.admin, 'user')
  await api.admin.put('/api/settings/personal_access_token_days', { setting: { value: 30 } })
  const create = (expires_at?: Date) =>
    api.admin.post(`/api/users/${id}/personal_access_tokens`, { name: `t${++made}`, expires_at })
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)
  const statuses = [await create(), await create(inDays(31)), await create(inDays(29))].map(({ status }) => status)
  await api.admin.put('/api/settings/personal_access_token_days', { setting: { value: 0 } })
  expect(statuses).toEqual([422, 422, 201])
})

test('a user of an external source is a service account: tokens let it in, no password does', async () => {
  const { body } = await api.admin.get('/api/auth_sources')
  const external = body.results.find(({ type }: { type: string }) => type === 'AuthSourceExternal')
  const user = await given(api.admin, 'user', { auth_source_id: external.id })
  const token = await newToken(user.id, {})
  expect((await token.get('/api/current_user')).body.login).toBe(user.login)
  expect((await api.as({ authorization: basic(user.login, PASSWORD) }).get('/api/status')).status).toBe(401)
})

test('a token that is revoked or replaced in one process is refused by another', async () => {
  const user = await api.can(['view_domains'])
  await using other = await openTestApi({ beside: api })
  for (const end of ['revoke', 'replace']) {
    const token = await newToken(user.id, { permissions: ['view_domains'] }, user)
    const elsewhere = other.as(bearer(token.value))
    expect((await elsewhere.get('/api/domains')).status).toBe(200)
    const path = `/api/users/${user.id}/personal_access_tokens/${token.id}`
    const ended = end === 'revoke' ? await user.delete(path) : await user.post(`${path}/rotate`, { overlap_minutes: 0 })
    expect(ended.status).toBe(200)
    await expect.poll(async () => (await elsewhere.get('/api/domains')).status, { interval: 5 }).toBe(401)
  }
})
