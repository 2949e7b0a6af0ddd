import { afterAll, describe, expect, test } from 'vitest'
import { basic, openTestApi } from '../support/api.ts'
import { type Body, given, permissionId, unique } from '../support/given.ts'

const api = await openTestApi()
afterAll(() => api[Symbol.asyncDispose]())

const HERE = { organization_ids: [1], location_ids: [1] }
const user = (more: Body = {}) => ({ login: unique('robot'), password: 'long enough', auth_source_id: 1, ...more })
const refused = (id: number | null, errors: object) => ({ status: 422, body: { error: { id, errors } } })

describe('the mail address', () => {
  test('may be missing, as machines have none', async () => {
    for (const mail of [undefined, null, '', '  ']) {
      const { status, body } = await api.admin.post('/api/users', user({ mail }))
      expect({ status, mail: body.mail }, `${mail}`).toEqual({ status: 201, mail: null })
      const renamed = await api.admin.put(`/api/users/${body.id}`, { firstname: 'Marvin', mail })
      expect(renamed).toMatchObject({ status: 200, body: { firstname: 'Marvin', mail: null } })
    }
    expect((await api.admin.get('/api/users?search=has+mail')).body.results).toEqual([])
  })

  test('is checked where there is one', async () => {
    for (const mail of ['robot@', 'robot', 'a robot@example.test', 5])
      expect(await api.admin.post('/api/users', user({ mail })), `${mail}`).toMatchObject(
        refused(null, { mail: ['is not an email address'] }),
      )
  })

  test('is changed by whoever may, and by nobody taken away', async () => {
    const self = await api.can([], HERE)
    const path = `/api/users/${self.id}`
    for (const caller of [self, api.admin]) {
      for (const mail of [null, '', ' '])
        expect(await caller.put(path, { mail })).toMatchObject(refused(self.id, { mail: ["can't be blank"] }))
      const mail = `${unique('changed')}@example.test`
      expect(await caller.put(path, { mail })).toMatchObject({ status: 200, body: { mail } })
    }
  })
})

test('a time zone and a language are chosen, and blank ones are none', async () => {
  const self = await api.can([])
  const put = (body: Body) => self.put(`/api/users/${self.id}`, body)
  for (const chosen of [
    { timezone: 'Europe/Berlin', locale: 'de' },
    { timezone: null, locale: null },
  ]) {
    expect(await put(chosen)).toMatchObject({ status: 200, body: chosen })
    expect(await put({ timezone: '', locale: ' ' })).toMatchObject({
      status: 200,
      body: { timezone: null, locale: null },
    })
  }
  expect((await put({ timezone: 'Mars/Olympus' })).body.error.errors).toEqual({
    timezone: ['is not the name of a time zone such as Europe/Berlin'],
  })
})

describe('one’s own account', () => {
  test('is not disabled, and a wrong password of one’s own is refused, also of administrators', async () => {
    const { body: self } = await api.admin.get('/api/current_user')
    const put = (body: Body) => api.admin.put(`/api/users/${self.id}`, body)
    expect(await put({ disabled: true })).toMatchObject(
      refused(self.id, { disabled: ['It is not possible to disable yourself'] }),
    )
    const wrong = { password: 'another password', current_password: 'wrong' }
    expect(await put(wrong)).toMatchObject(refused(self.id, { current_password: ['Incorrect password'] }))
  })

  test('begins in a place of its own', async () => {
    const elsewhere = await given(api.admin, 'organization', { name: unique('Elsewhere') })
    const made = await api.admin.post('/api/users', user(HERE))
    const put = (id: number) => api.admin.put(`/api/users/${made.body.id}`, { default_organization_id: id })
    expect(await put(elsewhere.id)).toMatchObject(
      refused(made.body.id, { default_organization: ['default organizations need to be user organizations first'] }),
    )
    expect((await put(1)).status).toBe(200)
  })

  test('has tokens that end later', async () => {
    const self = await api.can(['create_personal_access_tokens'])
    const token = (expires_at: string) =>
      self.post(`/api/users/${self.id}/personal_access_tokens`, { personal_access_token: { name: 'x', expires_at } })
    expect(await token('2020-01-01T00:00:00Z')).toMatchObject(refused(null, { expires_at: ['cannot be in the past'] }))
    expect((await token('2999-01-01T00:00:00Z')).status).toBe(201)
  })
})

test('an editor of users may send back an answer, also of users as whom they may not act', async () => {
  const { id: role } = await given(api.admin, 'role')
  await given(api.admin, 'filter', {
    role_id: role,
    permission_ids: [await permissionId(api.admin, 'view_architectures')],
  })
  const { id, login } = await given(api.admin, 'user', { ...HERE, role_ids: [role] })
  const editor = await api.can(['view_users', 'edit_users'], HERE)
  const { body } = await editor.get(`/api/users/${id}`)
  const put = (more: Body) => editor.put(`/api/users/${id}`, { login, auth_source_id: body.auth_source_id, ...more })
  expect(await put({ role_ids: [role], firstname: 'Ada' })).toMatchObject({ status: 200, body: { firstname: 'Ada' } })
  for (const more of [{ login: unique('mine') }, { auth_source_id: 3 }, { password: 'known to the editor' }])
    expect(await put(more), JSON.stringify(more)).toMatchObject(refused(id, { base: [expect.any(String)] }))
})

describe('who moves to the internal source', () => {
  test('needs a password there', async () => {
    const external = (await api.admin.get('/api/auth_source_externals')).body.results[0]
    const { id, login } = await given(api.admin, 'user', { password: '', auth_source_id: external.id })
    expect((await api.admin.put(`/api/users/${id}`, { password: '', description: 'blank' })).status).toBe(200)
    expect((await api.admin.post('/api/users', user({ password: '' }))).status).toBe(422)
    const move = (more: Body = {}) => api.admin.put(`/api/users/${id}`, { auth_source_id: 1, ...more })
    expect(await move()).toMatchObject(refused(id, { password: ["can't be blank"] }))
    expect((await api.admin.get(`/api/users/${id}`)).body.auth_source_id).toBe(external.id)
    expect((await move({ password: 'long enough' })).status).toBe(200)
    const self = api.as({ authorization: basic(login, 'long enough') })
    expect((await self.get('/api/current_user')).body.login).toBe(login)
    expect((await api.admin.put(`/api/users/${id}`, { auth_source_id: external.id })).status).toBe(200)
    expect((await move()).status, 'the password of before').toBe(200)
  })
})

describe('who deletes users', () => {
  test('does not delete themselves, whatever else is in the way', async () => {
    const self = await api.can(['view_users', 'destroy_users'], HERE)
    const group = await given(api.admin, 'usergroup', { user_ids: [self.id] })
    const host = await given(api.admin, 'host', { owner_id: self.id, owner_type: 'User' })
    for (const path of [self.id, self.login, `${self.id}-me`].map((segment) => `/api/users/${segment}`)) {
      const { status, body } = await self.delete(path)
      expect({ status, body }, path).toEqual({
        status: 403,
        body: {
          error: {
            message: 'Access denied',
            details: 'You are trying to delete your own account',
            missing_permissions: null,
          },
        },
      })
    }
    expect((await self.delete(`/api/usergroups/${group.id}/users/${self.id}`)).status).toBe(404)
    const byOther = await api.admin.delete(`/api/users/${self.id}`)
    expect(byOther).toMatchObject(refused(self.id, { base: [`${self.login} is used by ${host.name}`] }))
    expect((await api.admin.get(`/api/users/${self.id}`)).status).toBe(200)
  })

  test('deletes others that they see, and gets what they were', async () => {
    const { id, login } = await given(api.admin, 'user', HERE)
    const kept = await given(api.admin, 'user', HERE)
    const elsewhere = await given(api.admin, 'user', { organization_ids: [], location_ids: [] })
    const caller = await api.can(['destroy_users'], { ...HERE, search: `login != ${kept.login}` })
    expect(await caller.delete(`/api/users/${login}`)).toMatchObject({ status: 200, body: { id, login } })
    expect((await api.admin.get(`/api/users/${id}`)).status).toBe(404)
    for (const other of [kept, elsewhere]) expect((await caller.delete(`/api/users/${other.id}`)).status).toBe(404)
  })
})
