import { once } from 'node:events'
import { get, type OutgoingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import Fastify from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { rows } from '../../src/database/sql.ts'
import { createDelegation } from '../../src/http/access/delegation.ts'
import { loadSettings } from '../../src/settings/settings.ts'
import { sql } from '../../src/sql.ts'
import { ADMIN, basic, expectCreated, openTestApi, type Reply, type TestApi } from '../support/api.ts'
import { given, type Shown, unique } from '../support/given.ts'
import { quiet } from '../support/settings.ts'
import { failures, forgetLogins, membersOf, userNamed } from './directory-world.ts'

// Core-api §4.7.

const PROXY = '192.0.2.10'
const log: { msg: string; level: number; address?: string; reason?: string }[] = []
let api: TestApi

beforeAll(async () => {
  const write = (line: string) => void log.push(JSON.parse(line))
  api = await openTestApi({
    env: { MILLWRIGHT_TRUSTED_PROXIES: `${PROXY},2001:db8::/32` },
    log: pino({ level: 'warn' }, { write }),
  })
})
beforeEach(async () => {
  await rows(api.database.db, sql`delete from users where auth_source_id <> 1`)
  await rows(api.database.db, sql`delete from external_usergroups`)
  await rows(api.database.db, sql`delete from auth_sources where type = 'AuthSourceExternal' and name <> 'External'`)
  await forgetLogins(api)
  await choose({ authorize_login_delegation: true, authorize_login_delegation_api: true })
  await choose({ authorize_login_delegation_auth_source_user_autocreate: 'External' })
  log.length = 0
})
afterAll(() => api?.[Symbol.asyncDispose]())

async function choose(values: Record<string, unknown>): Promise<void> {
  for (const [name, value] of Object.entries(values)) {
    expect((await api.admin.put(`/api/settings/${name}`, { setting: { value } })).status).toBe(200)
  }
}

/** Sends a request with these headers about the user, `REMOTE-USER`, `REMOTE-USER-EMAIL` and so on. */
function saying(words: Record<string, string>, { from = PROXY, url = '/api', ...more }: Origin = {}): Promise<Reply> {
  const headers = Object.fromEntries(
    Object.entries(words).map(([name, value]) => [
      `remote-user${name && `-${name}`}`,
      Buffer.from(value).toString('latin1'),
    ]),
  )
  return api.nobody.send({ method: 'GET', url, remoteAddress: from, ...more, headers: { ...headers, ...more.headers } })
}

interface Origin {
  readonly from?: string
  readonly url?: string
  readonly method?: 'POST'
  readonly headers?: Record<string, string>
}

const refused = { status: 401, body: { error: { message: 'Unable to authenticate user eve' } } }
const externalSource = async (): Promise<Shown> =>
  (await api.admin.get('/api/auth_source_externals')).body.results.find(({ name }: Shown) => name === 'External')

describe('a trusted web server', () => {
  test('brings in somebody unknown, as it describes them, in the places of the source', async () => {
    const organization = await given(api.admin, 'organization')
    const location = await given(api.admin, 'location')
    const { id } = await externalSource()
    const places = { organization_ids: [organization.id], location_ids: [location.id] }
    expect((await api.admin.put(`/api/auth_source_externals/${id}`, places)).status).toBe(200)
    const words = { '': 'eve', email: 'eve@example.test', firstname: 'Ève', lastname: '日本' }
    expect((await saying(words)).status).toBe(200)
    expect(await userNamed(api, 'eve')).toMatchObject({
      firstname: 'Ève',
      lastname: '日本',
      mail: 'eve@example.test',
      admin: false,
      auth_source_id: id,
      organizations: [{ id: organization.id }],
      locations: [{ id: location.id }],
    })
    await api.admin.put(`/api/auth_source_externals/${id}`, { organization_ids: [], location_ids: [] })
  })

  test('may change what is known of somebody, but not make it unknown', async () => {
    await saying({ '': 'eve', email: 'eve@example.test', firstname: 'Eve' })
    await saying({ '': 'EVE', firstname: 'Evelyn', email: '' })
    expect(await userNamed(api, 'eve')).toMatchObject({ firstname: 'Evelyn', mail: 'eve@example.test' })
  })

  test('saying the same again costs no statement', async () => {
    await saying({ '': 'eve' })
    await forgetLogins(api)
    await saying({ '': 'eve' })
    const { result, count } = await api.counting(() => saying({ '': 'eve' }))
    expect([result.status, count]).toEqual([200, 0])
  })

  test('says which groups somebody is in, exactly; silence leaves them', async () => {
    const { id } = await externalSource()
    const [a, b, c] = [await linked(id, 'Staff'), await linked(id, 'Admins'), await linked(id, 'Others')]
    const unlinked = await given(api.admin, 'usergroup')
    const groups = async () =>
      Promise.all([a, b, c, unlinked].map(async (group) => (await membersOf(api, group.id)).length))
    await saying({ '': 'eve', groups: 'Staff: admins :Nowhere:Others' })
    expect(await groups()).toEqual([1, 0, 1, 0])
    const eve = await userNamed(api, 'eve')
    await rows(api.database.db, sql`insert into usergroup_users values (${unlinked.id}, ${eve?.id})`)
    await saying({ '': 'eve', groups: 'Admins' })
    expect(await groups()).toEqual([0, 1, 0, 1])
    await saying({ '': 'eve', firstname: 'Eve' })
    expect(await groups()).toEqual([0, 1, 0, 1])
    await saying({ '': 'eve', groups: '' })
    expect(await groups()).toEqual([0, 0, 0, 1])
  })

  test('makes the source of new users when it is missing, and none when the setting is blank', async () => {
    const name = unique('source')
    await choose({ authorize_login_delegation_auth_source_user_autocreate: name })
    expect((await saying({ '': 'eve' })).status).toBe(200)
    const { body } = await api.admin.get('/api/auth_source_externals?per_page=all')
    const source = body.results.find((each: Shown) => each.name === name)
    expect((await userNamed(api, 'eve'))?.auth_source_id).toBe(source.id)

    await choose({ authorize_login_delegation_auth_source_user_autocreate: '' })
    expect(await saying({ '': 'mallory' })).toMatchObject({ status: 401 })
    expect(await userNamed(api, 'mallory')).toBeUndefined()
    expect((await saying({ '': 'eve', firstname: 'Unheard' })).status).toBe(200)
    expect((await userNamed(api, 'eve'))?.firstname).toBeNull()
  })

  test('never speaks for users of other sources, nor makes a directory or the internal source its own', async () => {
    expect(await saying({ '': 'admin' })).toMatchObject({ status: 401 })
    await choose({ authorize_login_delegation_auth_source_user_autocreate: 'Internal' })
    expect(await saying({ '': 'eve' })).toMatchObject(refused)
    expect(await userNamed(api, 'eve')).toBeUndefined()
    expect(await failures(api)).toBe(0)
  })

  test('counts alone: a password beside it is not looked at', async () => {
    const authorization = basic(ADMIN.login, ADMIN.password)
    expect(await saying({ '': 'admin' }, { headers: { authorization } })).toMatchObject({ status: 401 })
    expect((await saying({ '': 'eve' }, { url: '/api/settings', headers: { authorization } })).status).toBe(403)
  })

  test('can start a session, and disabled users stay out', async () => {
    const headers = { 'content-type': 'application/json' }
    const started = await saying({ '': 'eve' }, { url: '/api/session', method: 'POST', headers })
    expect(started).toMatchObject({ status: 201, body: { login: 'eve' } })
    await api.admin.put('/api/users/eve', { disabled: true })
    expect((await saying({ '': 'eve' })).body.error.message).toMatch(/account is disabled/)
  })

  test.each(['', '   ', 'x'.repeat(101), 'two words', 'a/b'])('that says %j brings in nobody', async (login) => {
    expect((await saying({ '': login })).status).toBe(401)
    expect(await rows(api.database.db, sql`select from users where auth_source_id <> 1`)).toEqual([])
  })
})

describe('REMOTE-USER', () => {
  test.each([
    ['another address', { from: '192.0.2.11' }],
    ['the machine itself', { from: '127.0.0.1' }],
    ['an address that says it forwards for the proxy', { from: '192.0.2.12', headers: { 'x-forwarded-for': PROXY } }],
  ])('from %s is ignored, and logged once', async (_, origin) => {
    for (let times = 0; times < 3; times++) expect((await saying({ '': 'eve' }, origin)).status).toBe(401)
    expect(await userNamed(api, 'eve')).toBeUndefined()
    const lines = log.filter(({ msg }) => msg === 'REMOTE-USER ignored')
    expect(lines).toMatchObject([{ level: 40, address: origin.from, reason: 'not a trusted proxy' }])
  })

  test('from elsewhere does not disturb a login of its own, and is logged', async () => {
    const from = '192.0.2.99'
    const authorization = basic(ADMIN.login, ADMIN.password)
    expect((await saying({ '': 'eve' }, { from, headers: { authorization }, url: '/api/settings' })).status).toBe(200)
    expect(log.filter(({ address }) => address === from)).toHaveLength(1)
  })

  test.each(['2001:db8::7', `::ffff:${PROXY}`])('from the trusted address %s counts', async (from) => {
    expect((await saying({ '': 'eve' }, { from })).status).toBe(200)
  })

  test('of a proxy that forwards for somebody counts, whoever that is', async () => {
    expect((await saying({ '': 'eve' }, { headers: { 'x-forwarded-for': '203.0.113.5' } })).status).toBe(200)
    const { body } = await api.admin.get('/api/audits?search=type=user and action=create')
    expect(body.results[0]).toMatchObject({ auditable_name: 'eve', remote_address: '203.0.113.5' })
  })

  test.each(['authorize_login_delegation', 'authorize_login_delegation_api'])(
    'counts only with the setting %s',
    async (name) => {
      await choose({ [name]: false })
      expect((await saying({ '': 'eve' })).status).toBe(401)
      expect(await userNamed(api, 'eve')).toBeUndefined()
    },
  )

  test('sent twice, maybe once by the client, is ignored', async () => {
    await using server = await listening()
    expect(await server.ask({ 'REMOTE-USER': 'eve' })).toMatchObject({ login: 'eve', groups: null })
    expect(await server.ask({ 'REMOTE-USER': ['eve', 'admin'] })).toBeNull()
    expect(await server.ask({ 'REMOTE-USER': 'eve', 'REMOTE-USER-GROUPS': ['Staff', 'Admins'] })).toBeNull()
  })
})

test('the settings of delegation take words of their kind only', async () => {
  const put = async (name: string, value: unknown) =>
    (await api.admin.put(`/api/settings/${name}`, { setting: { value } })).status
  for (const value of ['true', 'FALSE', true]) expect(await put('authorize_login_delegation', value)).toBe(200)
  for (const value of ['yes', 1, '', {}]) expect(await put('authorize_login_delegation', value)).toBe(422)
  for (const value of ['', 'https://sso.example.test/logout', '/logout'])
    expect(await put('login_delegation_logout_url', value)).toBe(200)
  for (const value of ['javascript:alert(1)', '//evil.test', 5, 'x'.repeat(3000)]) {
    expect(await put('login_delegation_logout_url', value), String(value)).toBe(422)
  }
})

async function linked(sourceId: number, name: string): Promise<Shown> {
  const group = await given(api.admin, 'usergroup')
  const path = `/api/usergroups/${group.id}/external_usergroups`
  await expectCreated(api.admin.post(path, { name, auth_source_id: sourceId }))
  return group
}

/** Starts a listener on this machine, whose address is trusted. */
async function listening() {
  const settings = {
    ...(await loadSettings(api.database.db)),
    authorize_login_delegation: true,
    authorize_login_delegation_api: true,
  }
  const read = createDelegation({ trustedProxies: ['127.0.0.0/8'], settings: () => settings, log: quiet })
  const server = Fastify()
  server.get('/', async (request) => ({ delegated: read(request) }))
  const address = await server.listen({ host: '127.0.0.1', port: 0 })
  return {
    ask: async (headers: OutgoingHttpHeaders): Promise<unknown> => {
      const [response] = await once(get(address, { headers }), 'response')
      return JSON.parse(await text(response)).delegated
    },
    [Symbol.asyncDispose]: () => server.close(),
  }
}
