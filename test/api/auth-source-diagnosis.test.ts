import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rows } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { expectCreated, openTestApi, type Reply, type TestApi } from '../support/api.ts'
import { type Fault, startFault } from '../support/directories/faults.ts'
import { startDirectory } from '../support/directories/index.ts'
import { given, type Shown, unique } from '../support/given.ts'

const PATH = '/api/auth_source_ldaps'
const directory = await startDirectory('slapd')
let api: TestApi
let fault: Fault

beforeAll(async () => {
  api = await openTestApi({ env: { MILLWRIGHT_VENDOR_PORT: '0' } })
  const nowhere = { host: '127.0.0.1', port: 9, tlsPort: 9, baseDn: '', certificates: undefined as never }
  fault = await startFault('refuses', nowhere)
})
afterAll(async () => {
  await api?.[Symbol.asyncDispose]()
  await fault?.[Symbol.asyncDispose]()
  await directory?.[Symbol.asyncDispose]()
})

const NAMES = [
  ...['resolve', 'connect', 'tls', 'bind', 'base_dn', 'login_attribute', 'sample', 'groups_base', 'membership'],
]
const stepNames = ({ body }: Reply) => body.steps.map(({ name }: Shown) => name)
const step = ({ body }: Reply, name: string) => body.steps.find((each: Shown) => each.name === name)
const unreachable = (more: object = {}) =>
  given(api.admin, 'auth_source_ldap', { host: fault.host, port: fault.port, ...more })

describe('a test that fails', () => {
  test('is answered with 200, the sentence that clients know, and every step', async () => {
    const source = await unreachable()
    const tested = await api.admin.put(`${PATH}/${source.id}/test`)
    expect(tested.status).toBe(200)
    expect(Object.keys(tested.body)).toEqual(['id', 'type', 'name', 'success', 'message', 'steps'])
    expect(tested.body).toMatchObject({ id: source.id, type: 'AuthSourceLdap', name: source.name, success: false })
    expect(tested.body.message).toMatch(/^Unable to connect to LDAP server \(TCP connection: The server refuses/)
    expect(stepNames(tested)).toEqual(NAMES)
    expect(step(tested, 'resolve')).toMatchObject({ status: 'ok' })
    expect(step(tested, 'connect')).toMatchObject({
      status: 'failed',
      advice: expect.stringContaining('Check the port'),
    })
    expect(step(tested, 'membership')).toMatchObject({ status: 'skipped', milliseconds: 0 })
  })

  test('says that $login stands for nobody', async () => {
    const source = await unreachable({ account: 'uid=$login,dc=example,dc=test' })
    const { status, body } = await api.admin.put(`${PATH}/${source.id}/test`)
    expect(status).toBe(200)
    expect(body.success).toBe(false)
  })

  test('takes nulls for blanks', async () => {
    const source = await unreachable({ base_dn: null, groups_base: null, account: 'cn=a', account_password: null })
    const { status, body } = await api.admin.put(`${PATH}/${source.id}/test`)
    expect(status).toBe(200)
    expect(body.message).toMatch(/^Unable to connect to LDAP server/)
  })
})

describe('a test', () => {
  test('needs a JSON content type, also without a body', async () => {
    const { id } = await unreachable()
    const plain = await api.admin.send({ method: 'PUT', url: `${PATH}/${id}/test` })
    expect(plain.status).toBe(415)
    const headers = { 'content-type': 'application/json' }
    expect((await api.admin.send({ method: 'PUT', url: `${PATH}/${id}/test`, headers })).status).toBe(200)
    expect((await api.admin.send({ method: 'POST', url: `${PATH}/test` })).status).toBe(415)
  })

  test('finds the source as show does, and 404 where there is none', async () => {
    const source = await unreachable()
    for (const segment of [source.id, source.name, `${source.id}-x`]) {
      expect((await api.admin.put(`${PATH}/${segment}/test`)).body.id).toBe(source.id)
    }
    expect(await api.admin.put(`${PATH}/999/test`)).toMatchObject({
      status: 404,
      body: { error: { message: "Resource auth_source_ldap not found by id '999'" } },
    })
    const external = await api.admin.get('/api/auth_source_externals')
    expect((await api.admin.put(`${PATH}/${external.body.results[0].id}/test`)).status).toBe(404)
  })

  test('of what is stored needs edit_authenticators, of what is not stored that or create_authenticators', async () => {
    const places = { location_ids: [1], organization_ids: [1] }
    const source = await unreachable(places)
    const body = { name: 'new', host: fault.host, port: fault.port }
    const expected = {
      view_authenticators: [403, 403],
      destroy_authenticators: [403, 403],
      create_authenticators: [403, 200],
      edit_authenticators: [200, 200],
    }
    for (const [permission, statuses] of Object.entries(expected)) {
      const caller = await api.can([permission], places)
      const replies = [await caller.put(`${PATH}/${source.id}/test`), await caller.post(`${PATH}/test`, body)]
      expect(
        replies.map(({ status }) => status),
        permission,
      ).toEqual(statuses)
    }
  })

  test('of changed values judges them, and stores none of them', async () => {
    const source = await unreachable()
    const before = (await api.admin.get(`${PATH}/${source.id}`)).body
    const put = (auth_source_ldap: object) => api.admin.put(`${PATH}/${source.id}/test`, { auth_source_ldap })
    expect(await put({ port: 'abc', ldap_filter: '((' })).toMatchObject({
      status: 422,
      body: {
        error: {
          id: source.id,
          errors: { port: ['must be an integer'], ldap_filter: ['invalid LDAP filter syntax'] },
        },
      },
    })
    const tested = await put({ host: 'no-such-host.invalid', name: 'other', account_password: 'secret' })
    expect(tested).toMatchObject({ status: 200, body: { name: source.name, success: false } })
    expect(step(tested, 'resolve').status).toBe('failed')
    expect((await api.admin.get(`${PATH}/${source.id}`)).body).toEqual(before)
    const found = await rows(
      api.database.db,
      sql`select from audits where auditable_type = 'AuthSource' and auditable_id = ${source.id}`,
    )
    expect(found).toHaveLength(1)
  })

  test('never sends the stored password to another server', async () => {
    const source = await unreachable({ account: 'cn=service', account_password: 'hush' })
    const put = (body: object) => api.admin.put(`${PATH}/${source.id}/test`, { auth_source_ldap: body })
    for (const change of [{ host: 'elsewhere.example.test' }, { port: 4 }, { start_tls: true }, { tls: true }]) {
      expect(await put(change)).toMatchObject({
        status: 422,
        body: { error: { errors: { account_password: [expect.stringMatching(/^has to be sent again/)] } } },
      })
    }
    expect((await put({ port: source.port, base_dn: 'dc=other' })).status).toBe(200)
    expect((await put({ port: source.port + 1, account_password: 'their own' })).status).toBe(200)
  })

  test('of what is not stored judges it as a creation does, answers the outcome alone, and stores nothing', async () => {
    const count = async () => (await api.admin.get(PATH)).body.total
    const before = await count()
    expect(await api.admin.post(`${PATH}/test`, { auth_source_ldap: { onthefly_register: true } })).toMatchObject({
      status: 422,
      body: {
        error: {
          id: null,
          errors: { name: ["can't be blank"], host: ["can't be blank"], account_password: ["can't be blank"] },
        },
      },
    })
    const body = { auth_source_ldap: { name: unique('unsaved'), host: fault.host, port: fault.port } }
    const tested = await api.admin.post(`${PATH}/test`, body)
    expect(tested.status).toBe(200)
    expect(Object.keys(tested.body)).toEqual(['success', 'message', 'steps'])
    expect(tested.body.success).toBe(false)
    expect(stepNames(tested)).toEqual(NAMES)
    expect(await count()).toBe(before)
  })
})

describe.skipIf(!directory)('a test that succeeds', () => {
  if (!directory) return

  const working = () => ({
    host: directory.host,
    port: directory.tlsPort,
    tls: true,
    ca_certificate: directory.ca,
    account: directory.serviceAccount.dn,
    account_password: directory.serviceAccount.password,
    base_dn: directory.usersBase,
    groups_base: directory.groupsBase,
  })

  const succeeded = { success: true, message: 'Test connection to LDAP server was successful.' }

  test('is answered with 200 and the sentence that clients know', async () => {
    const source = await given(api.admin, 'auth_source_ldap', working())
    const tested = await api.admin.put(`${PATH}/${source.id}/test`)
    expect(tested).toMatchObject({ status: 200, body: { id: source.id, name: source.name, ...succeeded } })
    expect(stepNames(tested)).toEqual(NAMES)
    expect(step(tested, 'tls').details).toBeDefined()
    for (const { status, message } of tested.body.steps) {
      expect(['ok', 'warning']).toContain(status)
      expect(message).not.toBe('')
    }
    expect(tested.text).not.toContain(directory.serviceAccount.password)
  })

  test('names the attribute or the filter where nobody is found, though the answer has referrals', async () => {
    const everything = { ...working(), base_dn: directory.baseDn }
    const failed = async (values: object) => {
      const { body } = await api.admin.post(`${PATH}/test`, { ...everything, name: unique('unsaved'), ...values })
      return body.steps.find(({ status }: Shown) => status === 'failed')
    }
    const absent = await failed({ attr_login: 'employeeNumber' })
    expect(absent).toMatchObject({ name: 'login_attribute', code: 'login_attribute_absent' })
    expect(absent.message).toContain('employeeNumber')
    expect(absent.details.referrals).toHaveLength(1)
    const filtered = await failed({ ldap_filter: '(objectClass=device)' })
    expect(filtered).toMatchObject({ name: 'sample', code: 'nobody' })
    expect(filtered.message).toContain('(objectClass=device)')
  })

  test('has the words of clients for server types on their port, in requests and answers', async () => {
    const client = api.asVendor(await api.can(['create_authenticators', 'edit_authenticators']))
    const values = { ...working(), name: unique('unsaved'), server_type: 'active_directory', attr_login: 'uid' }
    const { status, body } = await client.post(`${PATH}/test`, values)
    expect(status).toBe(200)
    expect(JSON.stringify(body)).not.toContain('directory_b')
    expect(body.steps.find(({ code }: Shown) => code === 'type_differs').message).toContain('active_directory')
  })

  test('of values that are not stored needs no record', async () => {
    const tested = await api.admin.post(`${PATH}/test`, { auth_source_ldap: { ...working(), name: unique('unsaved') } })
    expect(tested).toMatchObject({ status: 200, body: succeeded })
  })

  test('says who a person would be here and what they may do, to those who see all rights', async () => {
    const role = await given(api.admin, 'role')
    const filter = { role_id: role.id, permission_names: ['view_domains'] }
    await expectCreated(api.admin.post('/api/filters', { filter }))
    const inner = await given(api.admin, 'usergroup')
    const outer = await given(api.admin, 'usergroup', { usergroup_ids: [inner.id], role_ids: [role.id] })
    const other = await given(api.admin, 'usergroup', { admin: true })
    const source = await given(api.admin, 'auth_source_ldap', working())
    for (const [group, name] of [
      [inner, 'DEVELOPERS'],
      [other, 'restricted'],
    ] as const) {
      const external_usergroup = { name, auth_source_id: source.id }
      await expectCreated(api.admin.post(`/api/usergroups/${group.id}/external_usergroups`, { external_usergroup }))
    }
    const path = `${PATH}/${source.id}/test?login=ALICE`
    const personOf = async (caller = api.admin, auth_source_ldap: object = {}) =>
      (await caller.put(path, { auth_source_ldap })).body.person
    expect(await personOf()).toMatchObject({
      ...{ login: 'alice', firstname: 'Alice', lastname: 'Archer', mail: 'alice@example.test' },
      groups: expect.arrayContaining(['developers', 'company']),
      rights: { result: 'refused', reason: expect.stringContaining('creates none'), usergroups: [], permissions: [] },
    })
    const created = (await personOf(api.admin, { onthefly_register: true })).rights
    expect(created).toMatchObject({ result: 'created', reason: null, admin: false })
    expect(created.usergroups.map(({ id }: Shown) => id).sort()).toEqual([inner.id, outer.id].sort())
    expect(created.roles).toContainEqual({ id: role.id, name: role.name })
    expect(created.permissions).toContain('view_domains')
    const user = await given(api.admin, 'user', { login: 'alice', auth_source_id: source.id })
    await api.admin.put(`/api/usergroups/${other.id}`, { usergroup: { user_ids: [user.id] } })
    expect((await personOf()).rights).toMatchObject({ result: 'known', admin: false }) // the directory ends the membership
    expect((await personOf(api.admin, { usergroup_sync: false })).rights).toMatchObject({ admin: true })
    const unsaved = { ...working(), name: unique('unsaved') }
    const post = (login: string, caller = api.admin) =>
      caller.post(`${PATH}/test?login=${login}`, { auth_source_ldap: unsaved })
    const blind = (await post('alice', await api.can(['create_authenticators']))).body.person
    expect(blind).toMatchObject({ login: 'alice', rights: null })
    expect((await post('alice')).body.person.rights.reason).toBe('A user of another source has this login here.')
    expect((await post('nobody-at-all')).body).toMatchObject({ success: false, person: null })
  })

  test('tries sent values instead of the stored ones, and the stored ones where none are sent', async () => {
    const source = await given(api.admin, 'auth_source_ldap', working())
    const wrong = { account_password: 'wrong' }
    const failed = await api.admin.put(`${PATH}/${source.id}/test`, { auth_source_ldap: wrong })
    expect(failed).toMatchObject({ status: 200, body: { success: false } })
    expect(step(failed, 'bind').status).toBe('failed')
    expect((await api.admin.put(`${PATH}/${source.id}/test`)).body).toMatchObject(succeeded)
    const broken = await given(api.admin, 'auth_source_ldap', { ...working(), ...wrong })
    const { account_password } = working()
    expect((await api.admin.put(`${PATH}/${broken.id}/test`, { account_password })).body).toMatchObject(succeeded)
    expect((await api.admin.put(`${PATH}/${broken.id}/test`)).body.success).toBe(false)
  })
})
