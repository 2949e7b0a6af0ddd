import { rootCertificates } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LDAP_EFFECTS, listFieldsWith } from '../../src/areas/access/auth-source/effects.ts'
import { rows } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { basic, type Caller, openTestApi, type TestApi } from '../support/api.ts'
import { type Body, given, resourceNamed, type Shown, unique } from '../support/given.ts'
import { startListener } from '../support/peers/listener.ts'

// Whoever decides which server checks passwords can log in as every user of the source
// (docs/decisions/0015-secrets-and-destinations.md).

const PATH = '/api/auth_source_ldaps'
const HERE = { organization_ids: [1], location_ids: [1] }
const NOT_YOURS = ["can't be changed without all the rights that the people and groups of this source have"]
const NOT_TRUSTED = ['can be switched on by administrators and those with the permission escalate_roles only']

let api: TestApi
let editor: Caller & { id: number }
let escalating: Caller & { id: number }
let role: Shown
beforeAll(async () => {
  api = await openTestApi()
  const assigning = ['assign_locations', 'assign_organizations']
  const may = ['view_authenticators', 'create_authenticators', 'edit_authenticators', ...assigning]
  editor = await api.can(may, HERE)
  escalating = await api.can([...may, 'escalate_roles'], HERE)
  role = await given(api.admin, 'role')
  const { body } = await api.admin.get('/api/permissions?search=name%3Dedit_roles')
  await given(api.admin, 'filter', { role_id: role.id, permission_ids: [body.results[0].id] })
})
afterAll(() => api?.[Symbol.asyncDispose]())

const source = (more: Body = {}) =>
  given(api.admin, 'auth_source_ldap', { host: 'ldap.example.test', use_netgroups: true, ...HERE, ...more })
const put = (caller: Caller, { id }: Shown, body: Body) => caller.put(`${PATH}/${id}`, { auth_source_ldap: body })
const person = (auth_source: Shown, more: Body = {}) =>
  given(api.admin, 'user', { auth_source_id: auth_source.id, ...HERE, ...more })
const refusing = (errors: Body) => ({ status: 422, body: { error: { errors } } })

/** A changed value of each field that decides something; a new field needs one here. */
const OTHERS: Readonly<Record<string, unknown>> = {
  host: 'other.example.test',
  port: 1389,
  tls: true,
  start_tls: true,
  ca_certificate: rootCertificates[0],
  account: 'cn=other',
  base_dn: 'dc=other',
  ldap_filter: '(uid=bob)',
  attr_login: 'description',
  server_type: 'directory_a',
  groups_base: 'ou=other',
  attr_firstname: 'cn',
  attr_lastname: 'cn',
  attr_mail: 'cn',
  attr_photo: 'photo',
  usergroup_sync: false,
  use_netgroups: false,
}
const DECIDING = listFieldsWith(LDAP_EFFECTS, 'login', 'follows')

test('every field of a directory is known to decide something, or nothing', () => {
  const { placed } = resourceNamed('auth_source_ldap')
  expect(placed.map(({ name }) => name).sort()).toEqual(
    [...listFieldsWith(LDAP_EFFECTS, 'login', 'follows', 'registers', 'nothing')].sort(),
  )
  expect(Object.keys(OTHERS).sort()).toEqual([...DECIDING].sort())
})

describe.each(DECIDING)('%s', (field) => {
  const change = { [field]: OTHERS[field] }

  test('is not changed by those who have less than the people and groups of the source', async () => {
    const ofAdministrators = await source()
    await person(ofAdministrators, { admin: true })
    const ofOthers = await source()
    await person(ofOthers, { role_ids: [role.id] })
    for (const [caller, one] of [
      [editor, ofAdministrators],
      [escalating, ofAdministrators],
      [editor, ofOthers],
    ] as const) {
      const before = (await api.admin.get(`${PATH}/${one.id}`)).body
      expect(await put(caller, one, change)).toMatchObject(refusing({ [field]: NOT_YOURS }))
      expect((await api.admin.get(`${PATH}/${one.id}`)).body).toEqual(before)
      expect((await put(caller, one, { ...before, name: unique('renamed') })).status).toBe(200)
    }
    expect((await put(escalating, ofOthers, change)).status).toBe(200)
    expect((await put(api.admin, ofAdministrators, change)).status).toBe(200)
  })

  test('is changed by those who lack nothing that they have', async () => {
    const one = await source()
    const { body } = await api.admin.get(`/api/users/${editor.id}`)
    await person(one, { role_ids: body.roles.map(({ id }: Shown) => id) })
    await person(one)
    expect((await put(editor, one, change)).status).toBe(200)
  })
})

describe('the people and groups of a source', () => {
  const change = { port: 1389 }

  test('have the rights of the groups that they are in, however deep', async () => {
    for (const rights of [{ role_ids: [role.id] }, { admin: true }]) {
      const one = await source()
      const { id } = await person(one)
      const inner = await given(api.admin, 'usergroup', { user_ids: [id] })
      await given(api.admin, 'usergroup', { usergroup_ids: [inner.id], ...rights })
      expect(await put(editor, one, change)).toMatchObject(refusing({ port: NOT_YOURS }))
    }
  })

  test('are also those that groups there stand for, with and without members', async () => {
    const one = await source()
    const group = await given(api.admin, 'usergroup', { role_ids: [role.id] })
    await sql`insert into external_usergroups (name, auth_source_id, usergroup_id) values ('staff', ${one.id}, ${group.id})`.execute(
      api.database.db,
    )
    expect(await put(editor, one, change)).toMatchObject(refusing({ port: NOT_YOURS }))
    expect((await put(escalating, one, change)).status).toBe(200)
  })

  test('may belong anywhere, if groups stand for them: their roles are limited to places of the editor', async () => {
    const { body } = await api.admin.get(`/api/users/${editor.id}`)
    const [own] = body.roles as Shown[]
    const limited = await given(api.admin, 'role', HERE)
    for (const { id } of (await api.admin.get(`/api/roles/${own?.id}`)).body.filters) {
      const { permissions } = (await api.admin.get(`/api/filters/${id}`)).body
      const permission_ids = permissions.map((one: Shown) => one.id)
      await given(api.admin, 'filter', { role_id: limited.id, permission_ids })
    }
    for (const [roleId, expected] of [
      [own?.id, refusing({ port: NOT_YOURS })],
      [limited.id, { status: 200 }],
    ] as const) {
      const one = await source()
      const group = await given(api.admin, 'usergroup', { role_ids: [roleId] })
      await sql`insert into external_usergroups (name, auth_source_id, usergroup_id) values ('staff', ${one.id}, ${group.id})`.execute(
        api.database.db,
      )
      expect(await put(editor, one, change)).toMatchObject(expected)
    }
  })

  test('are not of organizations and locations where the editor is not', async () => {
    const elsewhere = { organization_ids: [1, (await given(api.admin, 'organization')).id] }
    const one = await source()
    await person(one, elsewhere)
    expect(await put(editor, one, change)).toMatchObject(refusing({ port: NOT_YOURS }))
    expect(await put(escalating, one, change)).toMatchObject(refusing({ port: NOT_YOURS }))
  })

  test('of the external source follow its name, which a setting calls it by', async () => {
    const { results } = (await api.admin.get('/api/auth_source_externals')).body
    const path = `/api/auth_source_externals/${results[0].id}`
    await api.admin.put(path, HERE)
    const { id } = await person(results[0], { admin: true })
    expect(await editor.put(path, { name: unique('x') })).toMatchObject(refusing({ name: NOT_YOURS }))
    expect((await editor.put(path, { name: results[0].name, location_ids: [1] })).status).toBe(200)
    expect((await api.admin.delete(`/api/users/${id}`)).status).toBe(200)
    expect((await editor.put(path, { name: unique('x') })).status).toBe(200)
  })

  test('are those of the seeded roles, too', async () => {
    const withRole = async (name: string) => {
      const { body } = await api.admin.get(`/api/roles/${encodeURIComponent(name)}`)
      const { login } = await given(api.admin, 'user', { role_ids: [body.id], password: 'long enough', ...HERE })
      return api.as({ authorization: basic(login, 'long enough') })
    }
    const [manager, system] = [await withRole('Manager'), await withRole('System admin')]
    const others = await source()
    await person(others, { role_ids: [role.id] })
    const administrators = await source()
    await person(administrators, { admin: true })
    const registering = { onthefly_register: true, account_password: 'secret' }
    for (const one of [others, administrators])
      expect(await put(manager, one, change)).toMatchObject(refusing({ port: NOT_YOURS }))
    expect(await put(manager, await source(), registering)).toMatchObject(refusing({ onthefly_register: NOT_TRUSTED }))
    expect((await put(system, others, change)).status).toBe(200)
    expect((await put(system, others, registering)).status).toBe(200)
    expect(await put(system, administrators, change)).toMatchObject(refusing({ port: NOT_YOURS }))
  })
})

describe('registration of unknown users', () => {
  const registering = { onthefly_register: true, account_password: 'secret' }

  test('is switched on by those with the right to escalate roles, off by everybody', async () => {
    const refused = refusing({ onthefly_register: NOT_TRUSTED })
    const body = () => ({ auth_source_ldap: { name: unique('new'), host: 'a.example.test', ...HERE, ...registering } })
    expect(await editor.post(PATH, body())).toMatchObject(refused)
    const one = await source()
    expect(await put(editor, one, registering)).toMatchObject(refused)
    expect((await escalating.post(PATH, body())).status).toBe(201)
    expect((await put(escalating, one, registering)).body).toMatchObject({ onthefly_register: true })
    expect((await put(editor, one, { onthefly_register: true, name: unique('same') })).status).toBe(200)
    expect((await put(editor, one, { onthefly_register: false })).body).toMatchObject({ onthefly_register: false })
    expect(await put(editor, one, { onthefly_register: true })).toMatchObject(refused)
  })

  test.each(listFieldsWith(LDAP_EFFECTS, 'login'))(
    'is switched off when somebody else changes %s, and that is said',
    async (field) => {
      const change = { ...registering, [field]: OTHERS[field] }
      const one = await source(registering)
      const { status, body, headers } = await put(editor, one, change)
      expect([status, body.onthefly_register]).toEqual([200, false])
      expect(headers.warning).toMatch(/^299 - "onthefly_register was switched off, because/)
      const { results } = (await api.admin.get(`/api/audits?search=type=auth_source and auditable_id=${one.id}`)).body
      expect(results[0]).toMatchObject({ audited_changes: { onthefly_register: [true, false] } })
      const other = await source(registering)
      const kept = await put(escalating, other, change)
      expect([kept.status, kept.body.onthefly_register, kept.headers.warning]).toEqual([200, true, undefined])
    },
  )

  test('stays on when somebody else changes what decides nothing of it', async () => {
    const one = await source(registering)
    for (const field of listFieldsWith(LDAP_EFFECTS, 'follows')) {
      const { status, body, headers } = await put(editor, one, { [field]: OTHERS[field] })
      expect([status, body.onthefly_register, headers.warning], field).toEqual([200, true, undefined])
    }
  })

  test('offers passwords only where somebody who may has switched it on', async () => {
    let asked = 0
    await using listener = await startListener((client) => {
      asked++
      client.destroy()
    })
    const one = await source({ ...registering, host: '127.0.0.1', port: listener.port })
    const logIn = () => api.as({ authorization: basic(unique('nobody'), 'their password') }).get('/api')
    await rows(api.database.db, sql`update auth_sources set onthefly_trusted = false where id = ${one.id}`)
    expect((await logIn()).status).toBe(401)
    expect(asked).toBe(0)
    expect((await put(api.admin, one, { onthefly_register: true })).status).toBe(200)
    expect((await logIn()).status).toBe(401)
    expect(asked).toBeGreaterThan(0)
  })
})
