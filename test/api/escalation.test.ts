import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { basic, type Caller, expectCreated, openTestApi, type Reply, type TestApi } from '../support/api.ts'

// Nobody can grant more than they have, and there is always an administrator left.

let api: TestApi
let permissions: Map<string, number>
let count = 0
const HERE = { organization_ids: [1], location_ids: [1] }

beforeAll(async () => {
  api = await openTestApi()
  const { body } = await api.admin.get('/api/permissions?per_page=all')
  permissions = new Map(body.results.map(({ name, id }: { name: string; id: number }) => [name, id]))
})
afterAll(() => api?.[Symbol.asyncDispose]())

const create = (path: string, body: object) => expectCreated(api.admin.post(`/api/${path}`, body))
const errorsOf = ({ body }: Reply) => Object.keys(body?.error?.errors ?? {})
const roleId = async (name: string) => (await api.admin.get(`/api/roles/${name}`)).body.id

function userBody(more: object = {}) {
  const login = `target${++count}`
  return { login, mail: 't@example.test', password: 'long enough', auth_source_id: 1, ...HERE, ...more }
}

describe('whoever may edit users', () => {
  let editor: Caller & { id: number }

  beforeAll(async () => {
    editor = await api.can(
      ['view_users', 'create_users', 'edit_users', 'destroy_users', 'assign_locations', 'assign_organizations'],
      HERE,
    )
  })

  test('makes no administrators', async () => {
    const { id } = await create('users', userBody())
    expect(errorsOf(await editor.put(`/api/users/${id}`, { admin: true }))).toEqual(['admin'])
    expect(errorsOf(await editor.put(`/api/users/${editor.id}`, { admin: true }))).toEqual(['admin'])
    expect(errorsOf(await editor.post('/api/users', userBody({ admin: true })))).toEqual(['admin'])
    expect((await editor.put(`/api/users/${id}`, { admin: false, firstname: 'Same' })).status).toBe(200)
  })

  test('hands out no roles but their own', async () => {
    const { id } = await create('users', userBody())
    const own = (await api.admin.get(`/api/users/${editor.id}`)).body.roles[0].id
    const manager = await roleId('Manager')
    expect(errorsOf(await editor.put(`/api/users/${id}`, { role_ids: [manager] }))).toEqual(['role_ids'])
    expect(errorsOf(await editor.put(`/api/users/${editor.id}`, { role_ids: [own, manager] }))).toEqual(['role_ids'])
    expect(errorsOf(await editor.put(`/api/users/${id}`, { role_names: ['Manager'] }))).toEqual(['role_ids'])
    expect(errorsOf(await editor.post('/api/users', userBody({ roles: [{ id: manager }] })))).toEqual(['role_ids'])
    expect((await editor.put(`/api/users/${id}`, { role_ids: [own] })).status).toBe(200)
  })

  test('touches no administrator, by flag or by group', async () => {
    const byFlag = await create('users', userBody({ admin: true }))
    const byGroup = await create('users', userBody())
    const inner = await create('usergroups', { name: 'inner', user_ids: [byGroup.id] })
    await create('usergroups', { name: 'outer', admin: true, usergroup_ids: [inner.id] })
    for (const { id, login } of [byFlag, byGroup]) {
      expect((await editor.put(`/api/users/${id}`, { password: 'taken over' })).status).toBe(422)
      expect((await editor.delete(`/api/users/${id}`)).status).toBe(422)
      expect((await api.as({ authorization: basic(login, 'taken over') }).get('/api/status')).status).toBe(401)
    }
    expect((await api.admin.get(`/api/users/${byGroup.id}`)).body).toMatchObject({
      admin: false,
      effective_admin: true,
    })
  })
})

describe('whoever may edit user groups', () => {
  let editor: Caller & { id: number }

  beforeAll(async () => {
    editor = await api.can(['view_usergroups', 'create_usergroups', 'edit_usergroups', 'view_users'], HERE)
  })

  test('makes no groups of administrators', async () => {
    const { id } = await create('usergroups', { name: 'plain' })
    expect(errorsOf(await editor.put(`/api/usergroups/${id}`, { admin: true }))).toEqual(['admin'])
    expect(errorsOf(await editor.post('/api/usergroups', { name: 'admins', admin: true }))).toEqual(['admin'])
  })

  test('does not join one, neither directly nor through another group', async () => {
    const inside = await create('usergroups', { name: 'inside' })
    const admins = await create('usergroups', { name: 'the admins', admin: true, usergroup_ids: [inside.id] })
    const own = await create('usergroups', { name: 'own', user_ids: [editor.id] })
    for (const attempt of [
      await editor.put(`/api/usergroups/${admins.id}`, { user_ids: [editor.id] }),
      await editor.put(`/api/usergroups/${inside.id}`, { user_ids: [editor.id] }),
      await editor.put(`/api/usergroups/${inside.id}`, { usergroup_ids: [own.id] }),
      await editor.put(`/api/usergroups/${admins.id}`, { usergroup_ids: [own.id] }),
    ]) {
      expect(attempt.status).toBe(422)
    }
    expect((await editor.get('/api/current_user')).body.effective_admin).toBe(false)
  })

  test('gets no roles by joining a group that has them', async () => {
    const member = await create('usergroups', { name: 'member' })
    const managers = await create('usergroups', {
      name: 'managers',
      role_ids: [await roleId('Manager')],
      usergroup_ids: [member.id],
    })
    const own = await create('usergroups', { name: 'mine', user_ids: [editor.id] })
    for (const attempt of [
      await editor.put(`/api/usergroups/${managers.id}`, { user_ids: [editor.id] }),
      await editor.put(`/api/usergroups/${managers.id}`, { usergroup_ids: [member.id, own.id] }),
      await editor.put(`/api/usergroups/${member.id}`, { user_ids: [editor.id] }),
      await editor.put(`/api/usergroups/${own.id}`, { role_ids: [await roleId('Manager')] }),
      await editor.post('/api/usergroups', { name: 'new', role_names: ['Manager'], user_ids: [editor.id] }),
    ]) {
      expect(errorsOf(attempt)).toEqual(['role_ids'])
    }
    expect((await editor.get('/api/architectures')).status).toBe(403)
    expect((await editor.put(`/api/usergroups/${managers.id}`, { name: 'renamed' })).status).toBe(200)
  })
})

describe('whoever may edit roles and filters', () => {
  const KEEPER = ['view_roles', 'edit_roles', 'view_filters', 'create_filters', 'edit_filters']

  test('grants only permissions that they have', async () => {
    const keeper = await api.can([...KEEPER, 'view_architectures'])
    const role = await create('roles', { name: 'granted' })
    const post = (name: string) =>
      keeper.post('/api/filters', { role_id: role.id, permission_ids: [permissions.get(name)] })
    expect(errorsOf(await post('destroy_architectures'))).toEqual(['permission_ids'])
    const { id } = await expectCreated(post('view_architectures'))
    const more = [permissions.get('view_architectures'), permissions.get('edit_architectures')]
    expect(errorsOf(await keeper.put(`/api/filters/${id}`, { permission_ids: more }))).toEqual(['permission_ids'])
  })

  test('grants them for no more records than they have them for', async () => {
    const keeper = await api.can(KEEPER)
    const limited = await create('roles', { name: 'limited' })
    const permission_ids = [permissions.get('view_architectures')]
    const filter = await create('filters', { role_id: limited.id, permission_ids, search: 'name = i386' })
    const roles = (await api.admin.get(`/api/users/${keeper.id}`)).body.roles
    await api.admin.put(`/api/users/${keeper.id}`, {
      role_ids: [...roles.map(({ id }: { id: number }) => id), limited.id],
    })
    expect((await keeper.get('/api/architectures')).body.total).toBe(1)
    for (const attempt of [
      await keeper.put(`/api/filters/${filter.id}`, { search: null }),
      await keeper.put(`/api/filters/${filter.id}`, { search: 'name = x86_64' }),
      await keeper.post('/api/filters', { role_id: limited.id, permission_ids }),
    ]) {
      expect(errorsOf(attempt)).toEqual(['permission_ids'])
    }
    expect((await keeper.get('/api/architectures')).body.total).toBe(1)
    const same = { role_id: limited.id, permission_ids, search: 'name = i386' }
    expect((await keeper.post('/api/filters', same)).status).toBe(201)
  })

  test('does not take the limits off a role that they have', async () => {
    const keeper = await api.can(KEEPER, HERE)
    const role = await create('roles', { name: 'local', location_ids: [1] })
    await create('filters', { role_id: role.id, permission_ids: [permissions.get('view_users')] })
    const roles = (await api.admin.get(`/api/users/${keeper.id}`)).body.roles
    await api.admin.put(`/api/users/${keeper.id}`, {
      role_ids: [...roles.map(({ id }: { id: number }) => id), role.id],
    })
    expect((await keeper.put(`/api/roles/${role.id}`, { location_ids: [] })).status).toBe(422)
    const [{ id }] = (await api.admin.get(`/api/roles/${role.id}`)).body.filters
    expect((await keeper.put(`/api/filters/${id}`, { override: true, location_ids: [] })).status).toBe(422)
    expect((await keeper.put(`/api/roles/${role.id}`, { description: 'fine' })).status).toBe(200)
  })

  test('escalate_roles lifts all of that', async () => {
    const trusted = await api.can([...KEEPER, 'escalate_roles'])
    const role = await create('roles', { name: 'escalated' })
    const body = { role_id: role.id, permission_ids: [permissions.get('destroy_architectures')] }
    expect((await trusted.post('/api/filters', body)).status).toBe(201)
  })
})

describe('everybody', () => {
  test('sees and edits themselves without permission, but only what is theirs to choose', async () => {
    const user = await api.can([])
    const put = (body: object) => user.put(`/api/users/${user.id}`, body)
    expect((await user.get(`/api/users/${user.id}`)).status).toBe(200)
    expect((await user.get(`/api/users/${user.login}`)).status).toBe(200)
    expect((await put({ firstname: 'Ada', mail: 'ada@example.test', timezone: 'Europe/Berlin' })).status).toBe(200)
    expect(await put({ password: 'a new password' })).toMatchObject({
      status: 422,
      body: { error: { errors: { current_password: ["can't be blank"] } } },
    })
    expect(await put({ password: 'a new password', current_password: 'a guess' })).toMatchObject({
      status: 422,
      body: { error: { errors: { current_password: ['Incorrect password'] } } },
    })
    expect((await put({ password: 'a new password', current_password: 'long enough' })).status).toBe(200)
    const { body: before } = await api.admin.get(`/api/users/${user.id}`)
    for (const [key, value] of Object.entries({
      login: 'other',
      admin: true,
      disabled: true,
      auth_source_id: 3,
      role_ids: [],
      location_ids: [1],
      organization_ids: [1],
    })) {
      expect((await put({ [key]: value })).status, key).toBe(422)
    }
    const { body: after } = await api.admin.get(`/api/users/${user.id}`)
    expect({ ...after, last_login_on: null }).toEqual({ ...before, last_login_on: null })
  })

  test('sees nobody else', async () => {
    const user = await api.can([])
    const me = (await api.admin.get('/api/current_user')).body
    expect((await user.get('/api/users')).status).toBe(403)
    for (const id of [me.id, 'admin', 9999]) {
      expect((await user.get(`/api/users/${id}`)).status, 'whether there is one or not').toBe(403)
      expect((await user.put(`/api/users/${id}`, { password: 'taken over' })).status).toBe(403)
    }
    expect((await user.delete(`/api/users/${user.id}`)).status).toBe(403)
  })
})

describe('the last administrator', () => {
  test('stays: not deleted, not disabled, no plain user; nobody deletes themselves', async () => {
    const me = (await api.admin.get('/api/current_user')).body
    for (const { id } of (await api.admin.get('/api/users?search=admin+%3D+true&per_page=all')).body.results) {
      if (id !== me.id) await api.admin.delete(`/api/users/${id}`)
    }
    for (const { id } of (await api.admin.get('/api/usergroups?search=admin+%3D+true&per_page=all')).body.results)
      await api.admin.delete(`/api/usergroups/${id}`)
    const refused = 'The last administrator has to stay'
    for (const [body, errors] of [
      [{ admin: false }, { base: [refused] }],
      [{ disabled: true }, { disabled: ['It is not possible to disable yourself'] }],
    ] as const)
      expect(await api.admin.put(`/api/users/${me.id}`, body)).toMatchObject({
        status: 422,
        body: { error: { errors } },
      })
    expect((await api.admin.delete(`/api/users/${me.id}`)).status).toBe(403)
    const second = await create('users', userBody({ admin: true }))
    const other = api.as({ authorization: basic(second.login, 'long enough') })
    const disabled = await create('users', userBody({ admin: true, disabled: true }))
    expect((await other.put(`/api/users/${second.id}`, { admin: false })).status).toBe(200)
    expect((await api.admin.delete(`/api/users/${second.id}`)).status).toBe(200)
    expect((await api.admin.put(`/api/users/${me.id}`, { admin: false })).status).toBe(422)
    expect((await api.admin.delete(`/api/users/${disabled.id}`)).status).toBe(200)
  })

  test('two administrators who demote each other at the same time do not both succeed', async () => {
    const second = await create('users', userBody({ admin: true }))
    const me = (await api.admin.get('/api/current_user')).body
    const other = api.as({ authorization: basic(second.login, 'long enough') })
    await other.get('/api/status')
    const answers = await Promise.all([
      api.admin.put(`/api/users/${second.id}`, { admin: false }),
      other.put(`/api/users/${me.id}`, { admin: false }),
    ])
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThan(2)
    expect(answers.map(({ status }) => status).every((status) => [200, 403, 404, 409, 422].includes(status))).toBe(true)
  })
})
