import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { row, rows } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { type Caller, expectCreated, openTestApi, type Reply, type TestApi } from '../support/api.ts'
import { type Fault, startFault } from '../support/directories/faults.ts'
import { startDirectory } from '../support/directories/index.ts'
import { type Body, given, type Shown, unique } from '../support/given.ts'

const directory = await startDirectory('slapd')
let api: TestApi
let group: Shown
let external: Shown
let blackHole: Fault
let refusing: Fault
/** Resolves when the directory has timed out; other tests need not wait for it. */
let unanswered: Promise<Reply & { readonly milliseconds: number }>

beforeAll(async () => {
  api = await openTestApi()
  group = await given(api.admin, 'usergroup')
  external = (await api.admin.get('/api/auth_source_externals')).body.results[0]
  const nowhere = { host: '127.0.0.1', port: 9, tlsPort: 9, baseDn: '', certificates: undefined as never }
  blackHole = await startFault('black hole', nowhere)
  refusing = await startFault('refuses', nowhere)
  const { id } = await ldap({ host: blackHole.host, port: blackHole.port })
  const start = performance.now()
  unanswered = post({ name: 'developers', auth_source_id: id }).then((reply) => ({
    ...reply,
    milliseconds: performance.now() - start,
  }))
})
afterAll(async () => {
  await api?.[Symbol.asyncDispose]()
  await blackHole?.[Symbol.asyncDispose]()
  await refusing?.[Symbol.asyncDispose]()
  await directory?.[Symbol.asyncDispose]()
})

const ldap = (more: Body = {}): Promise<Shown> => given(api.admin, 'auth_source_ldap', more)
const pathOf = ({ id }: Shown) => `/api/usergroups/${id}/external_usergroups`

function post(external_usergroup: object, to: Shown = group, caller: Caller = api.admin): Promise<Reply> {
  return caller.post(pathOf(to), { external_usergroup })
}

const linked = (more: object = {}, to: Shown = group): Promise<Shown> =>
  expectCreated(post({ name: unique('staff'), auth_source_id: external.id, ...more }, to))
const refused = (errors: object, id: number | null = null) => ({ status: 422, body: { error: { id, errors } } })

async function storedLinks(): Promise<unknown[]> {
  return rows(api.database.db, sql`select id, name, auth_source_id, usergroup_id from external_usergroups order by id`)
}

describe('a link to a group of a source', () => {
  test('has id, name and source, everywhere', async () => {
    const own = await given(api.admin, 'usergroup')
    const { status, body: made } = await post({ name: 'shapes', auth_source_id: external.id }, own)
    expect(status).toBe(201)
    const source = { id: external.id, type: 'AuthSourceExternal', name: 'External' }
    expect(made).toEqual({ id: expect.any(Number), name: 'shapes', auth_source: source })
    expect(Object.keys(made)).toEqual(['id', 'name', 'auth_source'])
    const path = `${pathOf(own)}/${made.id}`
    expect((await api.admin.get(path)).body).toEqual(made)
    expect((await api.admin.get(pathOf(own))).body).toMatchObject({ total: 1, subtotal: 1, results: [made] })
    expect((await api.admin.put(path, {})).body).toEqual(made)
    expect((await api.admin.put(`${path}/refresh`)).body).toEqual(made)
    expect((await api.admin.get(`/api/usergroups/${own.id}`)).body.external_usergroups).toEqual([
      { id: made.id, name: 'shapes' },
    ])
    const deleted = await api.admin.delete(path)
    expect(deleted).toMatchObject({
      status: 200,
      body: { id: made.id, name: 'shapes', auth_source_id: external.id, usergroup_id: own.id },
    })
    expect((await api.admin.get(path)).status).toBe(404)
  })

  test('needs a name and a source that exist', async () => {
    const blank = ["can't be blank"]
    expect(await post({})).toMatchObject(refused({ name: blank, auth_source_id: blank }))
    expect(await post({ name: ' ', auth_source_id: null })).toMatchObject(
      refused({ name: blank, auth_source_id: blank }),
    )
    const long = { name: 'x'.repeat(256), auth_source_id: external.id }
    expect(await post(long)).toMatchObject(refused({ name: ['is too long (maximum is 255 characters)'] }))
    expect(await post({ name: 'a', auth_source_id: 999 })).toMatchObject({
      status: 422,
      body: { error: { message: "Couldn't find AuthSource with 'id'=999" } },
    })
  })

  test('to the hidden source is refused', async () => {
    const hidden = await row<{ id: number }>(
      api.database.db,
      sql`select id from auth_sources where type = 'AuthSourceHidden'`,
    )
    expect(await post({ name: 'a', auth_source_id: hidden?.id })).toMatchObject({
      status: 422,
      body: { error: { message: `Couldn't find AuthSource with 'id'=${hidden?.id}` } },
    })
  })

  test('has a name that is unique in its source', async () => {
    const first = await linked()
    const other = await given(api.admin, 'usergroup')
    const taken = { name: ['has already been taken'] }
    const again = { name: first.name, auth_source_id: external.id }
    expect(await post(again)).toMatchObject(refused(taken))
    expect(await post(again, other)).toMatchObject(refused(taken))
    const second = await linked()
    expect(await api.admin.put(`${pathOf(group)}/${second.id}`, { name: first.name })).toMatchObject(
      refused(taken, second.id),
    )
    expect((await post({ ...again, auth_source_id: 1 })).status).toBe(201)
    const race = { name: unique('race'), auth_source_id: external.id }
    const replies = await Promise.all([post(race), post(race, other), post(race)])
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 422, 422])
  })

  test('is found below its own user group and its own source only, by id', async () => {
    const made = await linked()
    const other = await given(api.admin, 'usergroup')
    const source = await ldap()
    expect((await api.admin.get(`${pathOf(other)}/${made.id}`)).status).toBe(404)
    expect((await api.admin.put(`${pathOf(other)}/${made.id}`, { name: 'x' })).status).toBe(404)
    expect((await api.admin.put(`${pathOf(other)}/${made.id}/refresh`)).status).toBe(404)
    expect((await api.admin.delete(`${pathOf(other)}/${made.id}`)).status).toBe(404)
    expect((await api.admin.get(`${pathOf(group)}/${made.name}`)).status).toBe(404)
    const below = `/api/auth_source_externals/${external.id}/external_usergroups`
    expect((await api.admin.get(`${below}/${made.id}`)).body).toEqual(made)
    const elsewhere = `/api/auth_source_ldaps/${source.id}/external_usergroups`
    expect((await api.admin.get(`${elsewhere}/${made.id}`)).status).toBe(404)
    expect((await api.admin.get(elsewhere)).body).toMatchObject({ total: 0, results: [] })
    expect((await api.admin.get(pathOf({ id: 999 }))).body).toEqual({ message: "Usergroup not found by id '999'" })
  })

  test('moves to another user group where the body names one', async () => {
    const made = await linked()
    const other = await given(api.admin, 'usergroup')
    const moved = await api.admin.put(`${pathOf(group)}/${made.id}`, { usergroup_id: other.id, name: 'moved' })
    expect(moved).toMatchObject({ status: 200, body: { id: made.id, name: 'moved' } })
    expect((await api.admin.get(`${pathOf(other)}/${made.id}`)).status).toBe(200)
  })

  test('needs a JSON content type to be made, changed and refreshed', async () => {
    const { id } = await linked()
    const url = `${pathOf(group)}/${id}`
    expect((await api.admin.send({ method: 'POST', url: pathOf(group) })).status).toBe(415)
    expect((await api.admin.send({ method: 'PUT', url })).status).toBe(415)
    expect((await api.admin.send({ method: 'PUT', url: `${url}/refresh` })).status).toBe(415)
  })

  test('needs the permissions of external user groups, and to see the user group', async () => {
    const { id } = await linked()
    const path = `${pathOf(group)}/${id}`
    const attempts: Record<string, (caller: Caller) => Promise<Reply>> = {
      view_external_usergroups: (caller) => caller.get(path),
      create_external_usergroups: (caller) => post({ name: unique('a'), auth_source_id: external.id }, group, caller),
      edit_external_usergroups: (caller) => caller.put(`${path}/refresh`),
      destroy_external_usergroups: (caller) => caller.delete(path),
    }
    const bystander = await api.can(['view_usergroups'])
    for (const [permission, attempt] of Object.entries(attempts)) {
      expect((await attempt(bystander)).body.error.missing_permissions, permission).toEqual([permission])
      const blind = await api.can([permission])
      expect((await attempt(blind)).status, permission).toBe(404)
      const allowed = await api.can([permission, 'view_usergroups'])
      expect([200, 201], permission).toContain((await attempt(allowed)).status)
    }
  })

  test('to a group that makes administrators, or hands out roles one lacks, is not for everybody', async () => {
    const all = ['view', 'create', 'edit', 'destroy'].map((verb) => `${verb}_external_usergroups`)
    const caller = await api.can([...all, 'view_usergroups'])
    const role = await given(api.admin, 'role')
    const powerful = await given(api.admin, 'usergroup', { role_ids: [role.id] })
    const admins = await given(api.admin, 'usergroup', { admin: true })
    const around = await given(api.admin, 'usergroup', { admin: true })
    const inner = await given(api.admin, 'usergroup')
    await api.admin.put(`/api/usergroups/${around.id}`, { usergroup_ids: [inner.id] })
    const home = await given(api.admin, 'usergroup')
    const plain = await linked({}, home)
    const theirs = await linked({}, admins)
    const before = await storedLinks()
    const reason = /^Groups of administrators can be|You can't assign roles that you do not have yourself$/
    const closed = { status: 422, body: { error: { full_messages: [expect.stringMatching(reason)] } } }
    for (const target of [powerful, admins, inner]) {
      const attempt = { name: unique('attempt'), auth_source_id: external.id }
      expect(await post(attempt, target, caller)).toMatchObject(closed)
      const move = { usergroup_id: target.id }
      expect(await caller.put(`${pathOf(home)}/${plain.id}`, move)).toMatchObject(closed)
    }
    expect(await caller.put(`${pathOf(admins)}/${theirs.id}`, { name: 'mine' })).toMatchObject(closed)
    expect(await caller.delete(`${pathOf(admins)}/${theirs.id}`)).toMatchObject(closed)
    expect(await storedLinks()).toEqual(before)
    expect((await api.admin.delete(`${pathOf(admins)}/${theirs.id}`)).status).toBe(200)
  })
})

describe('a directory that cannot be asked', () => {
  test('refuses links, changes and refreshes on auth_source_id, and nothing is stored', async () => {
    const source = await ldap({ host: refusing.host, port: refusing.port })
    const failure = { auth_source_id: [expect.stringMatching(/^LDAP error - The server refuses the connection/)] }
    const before = await storedLinks()
    expect(await post({ name: 'developers', auth_source_id: source.id })).toMatchObject(refused(failure))
    expect(await storedLinks()).toEqual(before)
    const made = await linked()
    const path = `${pathOf(group)}/${made.id}`
    expect(await api.admin.put(path, { auth_source_id: source.id })).toMatchObject(refused(failure, made.id))
    expect((await api.admin.get(path)).body).toEqual(made)
    await rows(api.database.db, sql`update external_usergroups set auth_source_id = ${source.id} where id = ${made.id}`)
    expect(await api.admin.put(`${path}/refresh`)).toMatchObject(refused(failure, made.id))
    expect((await api.admin.delete(path)).status).toBe(200)
  })

  test('because people are asked for their own password is refused as well', async () => {
    const source = await ldap({ host: refusing.host, port: refusing.port, account: 'uid=$login,dc=example' })
    const { status, body } = await post({ name: 'developers', auth_source_id: source.id })
    expect(status).toBe(422)
    expect(body.error.errors.auth_source_id[0]).toMatch(/^LDAP error - /)
  })

  test('is not asked for Domain Users of directory_b', async () => {
    const source = await ldap({ host: refusing.host, port: refusing.port, server_type: 'directory_b' })
    const { status, body } = await post({ name: 'domain USERS', auth_source_id: source.id })
    expect(status).toBe(422)
    expect(Object.keys(body.error.errors)).toEqual(['name'])
  })
})

describe.skipIf(!directory)('a directory that answers', () => {
  if (!directory) return
  let source: Shown

  beforeAll(async () => {
    source = await ldap({
      ...{ host: directory.host, port: directory.tlsPort, tls: true, ca_certificate: directory.ca },
      ...{ account: directory.serviceAccount.dn, account_password: directory.serviceAccount.password },
      ...{ base_dn: directory.usersBase, groups_base: directory.groupsBase, server_type: 'posix' },
    })
    for (const login of ['alice', 'bob', 'carol']) await given(api.admin, 'user', { login, auth_source_id: source.id })
  })

  async function members({ id }: Shown): Promise<string[]> {
    const { body } = await api.admin.get(`/api/usergroups/${id}`)
    return body.users.map(({ login }: Shown) => login).sort()
  }

  test('refuses groups that it does not have', async () => {
    const unknown = { name: ['is not found in the authentication source'] }
    for (const name of ['no such group', 'posix-*', '*)(cn=*', 'posix-developers)(uid=*']) {
      expect(await post({ name, auth_source_id: source.id }), name).toMatchObject(refused(unknown))
    }
    const made = await linked({ name: 'posix-empty', auth_source_id: source.id })
    expect(await api.admin.put(`${pathOf(group)}/${made.id}`, { name: 'gone' })).toMatchObject(
      refused(unknown, made.id),
    )
  })

  test('fills the user group when a link is made, changed, deleted and refreshed, and leaves other members', async () => {
    const own = await given(api.admin, 'usergroup')
    const local = await given(api.admin, 'user', { login: 'local' })
    await api.admin.put(`/api/usergroups/${own.id}`, { user_ids: [local.id] })
    const first = await linked({ name: 'posix-developers', auth_source_id: source.id }, own)
    expect(first.auth_source).toEqual({ id: source.id, type: 'AuthSourceLdap', name: source.name })
    expect(await members(own)).toEqual(['alice', 'bob', 'local'])
    const second = await linked({ name: 'posix-tree', auth_source_id: source.id }, own)
    expect(await members(own)).toEqual(['alice', 'bob', 'carol', 'local'])
    await api.admin.put(`${pathOf(own)}/${first.id}`, { name: 'Posix Mixed Case' })
    expect(await members(own)).toEqual(['alice', 'carol', 'local'])
    await api.admin.put(`/api/usergroups/${own.id}`, { user_ids: [local.id] })
    expect((await api.admin.put(`${pathOf(own)}/${first.id}/refresh`)).status).toBe(200)
    expect(await members(own)).toEqual(['alice', 'carol', 'local'])
    await api.admin.delete(`${pathOf(own)}/${second.id}`)
    expect(await members(own)).toEqual(['alice', 'local'])
    await api.admin.delete(`${pathOf(own)}/${first.id}`)
    expect(await members(own)).toEqual(['local'])
  })

  test('forgets members when a link goes to another source', async () => {
    const own = await given(api.admin, 'usergroup')
    const made = await linked({ name: 'posix-developers', auth_source_id: source.id }, own)
    expect(await members(own)).toEqual(['alice', 'bob'])
    const put = await api.admin.put(`${pathOf(own)}/${made.id}`, { auth_source_id: external.id })
    expect(put).toMatchObject({ status: 200, body: { auth_source: { id: external.id } } })
    expect(await members(own)).toEqual([])
  })

  test('is asked for links made below the source, too', async () => {
    const own = await given(api.admin, 'usergroup')
    const path = `/api/auth_source_ldaps/${source.id}/external_usergroups`
    const made = await expectCreated(api.admin.post(path, { name: 'posix-team-000', usergroup_id: own.id }))
    expect(made).toMatchObject({ name: 'posix-team-000', auth_source: { id: source.id } })
    expect((await api.admin.get(`${pathOf(own)}/${made.id}`)).body).toEqual(made)
    expect((await api.admin.delete(`${path}/${made.id}`)).status).toBe(200)
  })
})

test('a directory that never answers is named within the deadline', async () => {
  const { status, body, milliseconds } = await unanswered
  expect(status).toBe(422)
  expect(body.error.errors.auth_source_id).toEqual([
    expect.stringMatching(/^LDAP error - The server did not answer in time/),
  ])
  expect(milliseconds).toBeLessThan(13_000)
})
