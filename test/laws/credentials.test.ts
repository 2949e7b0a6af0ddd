import { hash } from 'node:crypto'
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { rows, type Sql } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { BEHIND_PROXY, clientBody, newKey, newSite, register, type Site, showing } from '../registration/clients.ts'
import { basic, openTestApi, type TestApi } from '../support/api.ts'
import { createAuthenticator } from '../support/authenticator.ts'
import { given, type Shown, unique } from '../support/given.ts'

// What is stored with a credential and shown of it limits what it opens: changing one stored fact changes what is answered.
// A column of a table of credentials that limits nothing says why. SECURITY.md has the table for people.

let api: TestApi
let site: Site
let other: Site
let town: Shown
let far: Shown

beforeAll(async () => {
  api = await openTestApi({ env: BEHIND_PROXY })
  site = await newSite(api)
  other = await newSite(api)
  for (const each of [site, other]) await newKey(api, each, 'plain')
  const organization_ids = [site.id, other.id]
  town = await given(api.admin, 'location', { organization_ids })
  far = await given(api.admin, 'location', { organization_ids })
})
afterAll(() => api?.[Symbol.asyncDispose]())

/** One credential of a kind: its row, and what is answered to whoever has it. */
interface Made {
  readonly row: Sql
  readonly ask: () => Promise<string>
}

/** A table of credentials: how one is made, which columns limit it, with another value for each, and which only tell of it. */
interface Kind {
  readonly make: () => Promise<Made>
  readonly limits: Readonly<Record<string, () => Sql | Promise<Sql>>>
  readonly tells: Readonly<Record<string, string>>
}

const newName = () => `${unique('c')}.example.test`
const places = () => ({ organization_ids: [site.id, other.id], location_ids: [town.id, far.id] })
const expired = () => sql`now() - interval '1 minute'`
const NOBODYS = () => sql`'\\x00'::bytea`

/** A host that waits for its installation, and its build token. */
async function newBuilding(): Promise<{ id: number; token: string }> {
  const { id } = await given(api.admin, 'host', { name: newName(), build: true })
  const token = unique('build')
  await sql`update build_tokens set token_hash = ${hash('sha256', token, 'buffer')} where host_id = ${id}`.execute(
    api.database.db,
  )
  return { id, token }
}

/** The id of a token of somebody else. */
async function newTokenOf(): Promise<Sql> {
  const { id } = await given(api.admin, 'user')
  return sql`${(await api.admin.post(`/api/users/${id}/personal_access_tokens`, { name: 'else' })).body.id}`
}

/** A user with a passkey, who can ask for a challenge and log in by answering one. */
async function newPasskey() {
  const { id, login } = await given(api.admin, 'user', { password: 'long enough' })
  const as = api.as({ authorization: basic(login, 'long enough'), host: 'console.example.test' })
  const device = createAuthenticator('http://console.example.test')
  const path = `/api/users/${id}/second_factors`
  const { id: factor, options } = (await as.post(path, { kind: 'passkey', name: 'mine' })).body
  await as.put(`${path}/${factor}/confirm`, { passkey: device.attest(options) })
  const challenge = async () => (await as.post('/api/session/passkey')).body.options ?? { challenge: 'none' }
  const logIn = async (asked: { challenge: string }) =>
    (await as.post('/api/session', { passkey: device.assert(asked) })).status
  return { id, factor, challenge, logIn }
}

const nobodysId = async () => sql`${(await given(api.admin, 'user')).id}`

const KINDS: Readonly<Record<string, Kind>> = {
  registration_tokens: {
    make: async () => {
      const user = await api.can(['register_hosts'], places())
      const hostgroup = await given(api.admin, 'hostgroup', places())
      const facts = { organization_id: site.id, location_id: town.id, hostgroup_id: hostgroup.id }
      const sent = { registration_command: { ...facts, activation_keys: ['plain'] } }
      const { registration_command: command } = (await user.post('/api/registration_commands', sent)).body
      const [, query, token] = /register(\?[^']*)' -H 'Authorization: Bearer ([^']*)'/.exec(command) ?? []
      const as = api.as({ authorization: `Bearer ${token}` })
      const { body: consumer } = await register(api, site, 'plain', clientBody(newName()), `&location_id=${town.id}`)
      const report = { uuid: consumer.uuid, host: facts }
      return {
        row: sql`user_id = ${user.id}`,
        ask: async () => `${(await as.get(`/register${query}`)).status} ${(await as.post('/register', report)).status}`,
      }
    },
    limits: {
      token_hash: NOBODYS,
      user_id: async () => sql`${(await api.can(['view_hosts'], places())).id}`,
      organization_id: () => sql`${other.id}`,
      location_id: () => sql`${far.id}`,
      hostgroup_id: async () => sql`${(await given(api.admin, 'hostgroup', places())).id}`,
      activation_keys: () => sql`'{else}'`,
      created_at: () => sql`now() + interval '1 hour'`,
      expires_at: expired,
    },
    tells: { id: 'names it', uses: 'counts its uses', last_used_at: 'of its last use' },
  },
  personal_access_tokens: {
    make: async () => {
      const user = await api.can(['view_hosts'])
      return { row: sql`user_id = ${user.id}`, ask: async () => (await user.get('/api/current_user')).text }
    },
    limits: {
      token: NOBODYS,
      user_id: async () => sql`${(await given(api.admin, 'user')).id}`,
      expires_at: expired,
      revoked: () => sql`true`,
    },
    tells: { id: 'names it', name: 'for its owner', last_used_at: 'of its last use', created_at: '', updated_at: '' },
  },
  replaced_tokens: {
    make: async () => {
      const user = await api.can(['view_hosts'])
      const path = `/api/users/${user.id}/personal_access_tokens`
      const { id, token_value: value } = (await user.post(path, { name: 'old' })).body
      await user.post(`${path}/${id}/rotate`)
      const as = api.as({ authorization: `Bearer ${value}` })
      return { row: sql`personal_access_token_id = ${id}`, ask: async () => (await as.get('/api/current_user')).text }
    },
    limits: { token: NOBODYS, personal_access_token_id: newTokenOf, expires_at: expired },
    tells: {},
  },
  token_limits: {
    make: async () => {
      const user = await api.can(['view_hosts', 'view_domains'], places())
      const limits = {
        permissions: ['view_domains'],
        organization_ids: [site.id],
        location_ids: [town.id],
        allowed_addresses: ['127.0.0.1'],
      }
      const { body } = await user.post(`/api/users/${user.id}/personal_access_tokens`, { name: 'new', ...limits })
      const as = api.as({ authorization: `Bearer ${body.token_value}` })
      const ask = async () => `${(await as.get('/api/domains')).status} ${(await as.get('/api/hosts')).status}`
      return { row: sql`personal_access_token_id = ${body.id}`, ask }
    },
    limits: {
      personal_access_token_id: newTokenOf,
      permissions: () => sql`'{view_hosts}'`,
      organization_ids: () => sql`'{0}'`,
      location_ids: () => sql`'{0}'`,
      allowed_addresses: () => sql`'{192.0.2.1}'`,
    },
    tells: {},
  },
  passkey_challenges: {
    make: async () => {
      const { id, challenge, logIn } = await newPasskey()
      const asked = await challenge()
      const row = sql`digest = ${hash('sha256', asked.challenge, 'buffer')}`
      const ask = async () => {
        const status = await logIn(asked)
        // It counts once: for the next question it was not used.
        if (status === 201)
          await sql`update passkey_challenges set used = false where user_id = ${id}`.execute(api.database.db)
        return String(status)
      }
      return { row, ask }
    },
    limits: {
      digest: NOBODYS,
      user_id: nobodysId,
      session_id: async () => {
        await api.admin.post('/api/session', {})
        return sql`(select min(id) from sessions)`
      },
      second_factor_id: async () => sql`${(await newPasskey()).factor}`,
      used: () => sql`true`,
      expires_at: expired,
    },
    tells: {},
  },
  second_factors: {
    make: async () => {
      const { factor, challenge, logIn } = await newPasskey()
      const ask = async () => {
        const asked = await challenge()
        return `${asked.challenge === 'none'} ${await logIn(asked)}`
      }
      return { row: sql`id = ${factor}`, ask }
    },
    limits: {
      user_id: nobodysId,
      kind: () => sql`'totp', host = null, credential = null, public_key = null`,
      host: () => sql`'elsewhere.example.test'`,
      credential: () => sql`'another'`,
      public_key: NOBODYS,
      sign_count: () => sql`1000000`,
    },
    tells: {
      ...{ id: 'names it', name: '', last_used_at: '', created_at: '', updated_at: '' },
      ...{ secret: 'of codes, as are those of recovery_codes', last_step: 'of codes: test/api/second-factors' },
      confirmed_at: 'without it, the password suffices',
    },
  },
  recovery_codes: {
    make: async () => {
      const { id, login } = await given(api.admin, 'user', { password: 'long enough' })
      const as = api.as({ authorization: basic(login, 'long enough') })
      const path = `/api/users/${id}/second_factors`
      const { id: factor, secret } = (await as.post(path, { kind: 'totp' })).body
      const { body } = await as.put(`${path}/${factor}/confirm`, { code: new TOTP({ secret }).generate() })
      const row = sql`second_factor_id = ${factor}`
      const ask = async () => {
        const { status } = await as.post('/api/session', { code: body.recovery_codes[0] })
        // It counts once: for the next question it was not used.
        if (status === 201) await sql`update recovery_codes set used_at = null where ${row}`.execute(api.database.db)
        return String(status)
      }
      return { row, ask }
    },
    limits: {
      second_factor_id: async () => {
        const { id } = await given(api.admin, 'user')
        const { body } = await api.admin.post(`/api/users/${id}/second_factors`, { kind: 'totp' })
        return sql`${body.id}`
      },
      digest: () => sql`digest || '\\x00'::bytea`,
      used_at: () => sql`now()`,
    },
    tells: {},
  },
  sessions: {
    make: async () => {
      const { login, id } = await given(api.admin, 'user', { password: 'long enough', admin: true })
      const begun = await api.as({ authorization: basic(login, 'long enough') }).post('/api/session')
      const cookie = String(begun.headers['set-cookie']).split(';', 1)[0] ?? ''
      const browser = api.as({ cookie, 'x-csrf-token': begun.body.csrf_token })
      const name = unique('written')
      return {
        row: sql`user_id = ${id}`,
        ask: async () => {
          const { body } = await browser.get('/api/current_user')
          const { status } = await browser.put('/api/session', {})
          const scope = await browser.get('/api/domains?per_page=1')
          return `${body?.login} ${status} ${scope.headers['x-millwright-organization']} ${name}`
        },
      }
    },
    limits: {
      token: NOBODYS,
      csrf: NOBODYS,
      user_id: async () => sql`${(await given(api.admin, 'user')).id}`,
      last_seen_at: () => sql`now() - interval '1 year'`,
    },
    tells: {
      id: 'names it',
      organization_id: 'chosen by its user for requests that name none; the user decides which there may be',
      location_id: 'likewise',
      ...{ created_at: 'for its user', address: 'where it was begun', user_agent: 'what it was begun by' },
    },
  },
  build_tokens: {
    make: async () => {
      const { id, token } = await newBuilding()
      const ask = async () => (await api.nobody.get(`/unattended/provision?token=${token}`)).text
      return { row: sql`host_id = ${id}`, ask }
    },
    limits: {
      host_id: async () => sql`${(await given(api.admin, 'host', { name: newName() })).id}`,
      token_hash: NOBODYS,
      expires_at: expired,
    },
    tells: { token: 'the same, encrypted, for templates that name it', created_at: '' },
  },
  registrations: {
    make: async () => {
      const { body } = await register(api, site, 'plain', clientBody(newName()))
      const path = `/rhsm/consumers/${body.uuid}`
      const renewed = await api.nobody.post(path, {}, showing(body.idCert.cert))
      const ask = async () => {
        const [now, before] = [renewed.body, body].map(({ idCert }) => api.nobody.get(path, showing(idCert.cert)))
        return `${(await now)?.text} ${(await before)?.status}`
      }
      return { row: sql`uuid = ${body.uuid}`, ask }
    },
    limits: {
      host_id: async () => {
        await sql`delete from activation_key_hosts`.execute(api.database.db)
        return sql`${(await given(api.admin, 'host', { name: newName(), organization_id: other.id })).id}`
      },
      uuid: () => sql`gen_random_uuid()`,
      certificate: () => sql`former_certificate`,
      expires_at: expired,
      former_certificate: () => sql`certificate`,
      former_until: expired,
    },
    tells: {
      ...{ serial: 'of the certificate, which is compared as a whole', user_id: 'who registered it' },
      ...{ registered_at: '', updated_at: '', last_checkin: '', registered_through: '', system_uuid: 'of the machine' },
      ...{ service_level: 'told by the host', release_version: '', purpose_usage: '', purpose_role: '' },
      ...{ purpose_addons: '', autoheal: '', facts: '', installed_products: '', guest_ids: '' },
    },
  },
  login_requests: {
    make: async () => {
      const cookie = String((await api.admin.post('/api/session', {})).headers['set-cookie']).split(';', 1)[0] ?? ''
      const { csrf_token } = (await api.as({ cookie }).get('/api/session')).body
      const sendForm = async (url: string, form: Record<string, string>) => {
        const headers = { 'content-type': 'application/x-www-form-urlencoded' }
        const payload = String(new URLSearchParams({ client_id: 'millwright-cli', ...form }))
        return (await api.nobody.send({ method: 'POST', url, headers, payload })).body
      }
      const { device_code, user_code } = await sendForm('/oauth/device_authorization', { scope: 'view_hosts' })
      const row = sql`digest = ${hash('sha256', device_code, 'buffer')}`
      await sql`update login_requests set poll_interval = 0 where ${row}`.execute(api.database.db)
      const ask = async () => {
        const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
        const { error } = await sendForm('/oauth/token', { grant_type, device_code })
        const deciding = { user_code, decision: 'ask' }
        const shown = await api.as({ cookie, 'x-csrf-token': csrf_token }).post('/api/login_requests/device', deciding)
        return `${error} ${shown.status} ${JSON.stringify(shown.body.permissions)}`
      }
      return { row, ask }
    },
    limits: {
      digest: NOBODYS,
      user_digest: NOBODYS,
      state: () => sql`'denied', user_id = (select min(id) from users)`,
      expires_at: expired,
      permissions: () => sql`null`,
    },
    tells: {
      ...{ client_name: 'what it calls itself', address: 'who asked', user_id: 'who has decided, with the state' },
      ...{ poll_interval: 'changes an error only', polled_at: 'the same' },
      ...{ challenge: 'of browsers: test/identity/program-logins', redirect_uri: 'the same' },
    },
  },
  activation_keys: {
    make: async () => {
      const key = unique('key')
      const id = await newKey(api, site, key, { location_ids: [town.id] })
      const ask = async () => {
        const { status, body } = await register(api, site, key, clientBody(newName()))
        return `${status} ${JSON.stringify(body.environments)}`
      }
      return { row: sql`id = ${id}`, ask }
    },
    limits: {
      organization_id: () => sql`${other.id}`,
      name: () => sql`'renamed' || id`,
      environment_id: () => sql`null`,
      content_view_id: () => sql`null`,
      max_hosts: () => sql`usage_count, unlimited_hosts = false`,
      enabled: () => sql`false`,
      single_use: () => sql`true, used_at = now()`,
      expires_at: expired,
    },
    tells: {
      ...{ id: 'names it', description: '', user_id: 'who made it', created_at: '', updated_at: '' },
      ...{ unlimited_hosts: 'changes with max_hosts', usage_count: 'counted against max_hosts' },
      ...{ used_at: 'counts with single_use', auto_attach: 'what its hosts get, and so do these:' },
      ...{ release_version: '', service_level: '', purpose_usage: '', purpose_role: '', purpose_addons: '' },
    },
  },
}

const LIMITS = Object.entries(KINDS).flatMap(([table, { limits }]) =>
  Object.keys(limits).map((column) => [table, column] as const),
)

test('every column of every table of credentials limits it, or says why not', async () => {
  const { db } = api.database
  const found = await rows<{ table: string; columns: string[] }>(
    db,
    sql`select table_name as table, array_agg(column_name::text) as columns from information_schema.columns
      where table_schema = 'public' group by 1 having bool_or(data_type = 'bytea') or table_name = any (${Object.keys(KINDS)}::text[])`,
  )
  // Digests of secrets are bytes, and so is what these have; what becomes of old tokens is held by test/switching.
  const others = new Set(['avatars', 'old_tokens', 'report_texts', 'spent_values'])
  for (const { table, columns } of found.filter(({ table }) => !others.has(table))) {
    const { limits = {}, tells = {} } = KINDS[table] ?? {}
    expect({ table, columns: columns.sort() }).toEqual({
      table,
      columns: [...Object.keys(limits), ...Object.keys(tells)].sort(),
    })
  }
})

describe('changing this one fact changes what is answered:', () => {
  test.each(LIMITS)('%s.%s', async (table, column) => {
    const { make, limits } = KINDS[table] ?? {}
    const { row, ask } = (await make?.()) ?? { row: sql`false`, ask: async () => '' }
    const before = await ask()
    expect(await ask(), 'the same, while nothing changes').toBe(before)
    const value = await limits?.[column]?.()
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${value} where ${row}`.execute(api.database.db)
    await vi.waitFor(async () => expect(await ask()).not.toBe(before), { timeout: 5000, interval: 100 })
  })
})
