import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { given, type Shown } from '../support/given.ts'

// `GET /api/users/:id/may`: its answer equals what happens when the user tries.

let api: TestApi
let models: Readonly<Record<'gamma' | 'delta', Shown>>
beforeAll(async () => {
  api = await openTestApi()
  models = {
    gamma: await given(api.admin, 'model', { name: 'Gamma' }),
    delta: await given(api.admin, 'model', { name: 'Delta' }),
  }
})
afterAll(() => api?.[Symbol.asyncDispose]())

const ask = (user: number, permission: string, record: number | string, resource = 'model') =>
  api.admin.get(`/api/users/${user}/may?permission=${permission}&resource=${resource}&record=${record}`)

test('a filter lets somebody do what its condition holds for, and nothing else', async () => {
  const user = await api.can(['view_models'], { search: 'name = Gamma' })
  for (const { id, name } of Object.values(models)) {
    const may = name === 'Gamma'
    const { status, body } = await ask(user.id, 'view_models', id)
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { may, admin: false, disabled: false, record_id: id, filters: [{ search: 'name = Gamma', may }] },
    })
    expect((await user.get(`/api/models/${id}`)).status).toBe(may ? 200 : 404)
  }
  expect((await ask(user.id, 'edit_models', models.gamma.id)).body).toMatchObject({ may: false, filters: [] })
})

test('roles of groups count, and so do organizations', async () => {
  const [inside, outside] = [await given(api.admin, 'organization'), await given(api.admin, 'organization')]
  const location = await given(api.admin, 'location')
  const role = await given(api.admin, 'role')
  const granted = { role_id: role.id, permission_names: ['view_domains'] }
  await expectCreated(api.admin.post('/api/filters', { filter: granted }))
  const user = await api.can(['view_models'], { organization_ids: [inside.id], location_ids: [location.id] })
  await given(api.admin, 'usergroup', { user_ids: [user.id], role_ids: [role.id] })
  for (const place of [inside, outside]) {
    const { id } = await given(api.admin, 'domain', { organization_ids: [place.id], location_ids: [location.id] })
    const may = place === inside
    const { body } = await ask(user.id, 'view_domains', id, 'domain')
    expect(body).toMatchObject({ may, filters: [{ role_id: role.id, may }] })
    expect((await user.get(`/api/domains/${id}`)).status).toBe(may ? 200 : 404)
  }
})

test('administrators may, who is disabled may not', async () => {
  const admin = await given(api.admin, 'user', { admin: true })
  expect((await ask(admin.id, 'edit_models', models.gamma.id)).body).toMatchObject({ may: true, admin: true })
  await api.admin.put(`/api/users/${admin.id}`, { user: { disabled: true } })
  expect((await ask(admin.id, 'edit_models', models.gamma.id)).body).toMatchObject({ may: false, disabled: true })
})

test('only administrators ask, and say what they mean', async () => {
  const here = { organization_ids: [1], location_ids: [1] }
  const user = await api.can(['view_users', 'view_models', 'view_filters', 'view_roles'], here)
  const path = `/api/users/${user.id}/may?permission=view_models&resource=model&record=${models.gamma.id}`
  expect((await user.get(path)).status).toBe(403)
  expect((await ask(user.id, 'view_models', 4711)).status).toBe(404)
  expect((await ask(4711, 'view_models', models.gamma.id)).status).toBe(404)
  expect((await ask(user.id, 'view_models', 1, 'nothing')).status).toBe(400)
  expect((await ask(user.id, 'nothing', models.gamma.id)).status).toBe(400)
  expect((await api.admin.get(`/api/users/${user.id}/may`)).status).toBe(400)
})
