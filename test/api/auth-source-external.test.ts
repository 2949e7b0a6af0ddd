import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApi, type TestApi } from '../support/api.ts'
import { given, type Shown, unique } from '../support/given.ts'

let api: TestApi
let id: number
const PATH = '/api/auth_source_externals'

beforeAll(async () => {
  api = await openTestApi()
  id = (await api.admin.get(PATH)).body.results[0].id
})
afterAll(() => api?.[Symbol.asyncDispose]())

const put = (body: object) => api.admin.put(`${PATH}/${id}`, { auth_source_external: body })

describe('an external source', () => {
  test('is found by its id only, with or without something behind it', async () => {
    for (const segment of [id, `${id}-anything`, `${id}-External`]) {
      expect((await api.admin.get(`${PATH}/${segment}`)).body).toMatchObject({ id, name: 'External' })
      expect((await api.admin.put(`${PATH}/${segment}`, {})).status).toBe(200)
    }
    for (const segment of ['External', `${id}anything`, `x${id}`, '0', '999']) {
      expect(await api.admin.get(`${PATH}/${segment}`)).toMatchObject({
        status: 404,
        body: { error: { message: `Resource auth_source_external not found by id '${segment}'` } },
      })
    }
  })

  test('of another kind is not there', async () => {
    const ldap = await given(api.admin, 'auth_source_ldap')
    expect((await api.admin.get(`${PATH}/${ldap.id}`)).status).toBe(404)
    expect((await api.admin.put(`${PATH}/${ldap.id}`, { name: 'x' })).status).toBe(404)
    expect((await api.admin.get(`/api/auth_source_ldaps/${id}`)).status).toBe(404)
    expect((await api.admin.put(`/api/auth_source_ldaps/${id}`, { name: 'x' })).status).toBe(404)
    expect((await api.admin.delete(`/api/auth_source_ldaps/${id}`)).status).toBe(404)
  })

  test('is neither made nor deleted', async () => {
    const missing = { status: 404, body: { status: 404, error: 'Not Found' } }
    expect(await api.admin.post(PATH, { auth_source_external: { name: 'other' } })).toMatchObject(missing)
    expect(await api.admin.delete(`${PATH}/${id}`)).toMatchObject(missing)
  })

  test('keeps what is not sent, with or without the root', async () => {
    const before = (await api.admin.get(`${PATH}/${id}`)).body
    for (const body of [undefined, {}, { auth_source_external: {} }, { auth_source_external: null }]) {
      expect(await api.admin.put(`${PATH}/${id}`, body)).toMatchObject({ status: 200, body: before })
    }
    const flat = await api.admin.put(`${PATH}/${id}`, { name: 'Flat' })
    expect(flat.body.name).toBe('Flat')
    await put({ name: 'External' })
  })

  test('has a name that is not blank, not too long and unique', async () => {
    const refused = (message: string) => ({ status: 422, body: { error: { id, errors: { name: [message] } } } })
    for (const name of ['', ' ', null]) expect(await put({ name })).toMatchObject(refused("can't be blank"))
    expect(await put({ name: 'x'.repeat(61) })).toMatchObject(refused('is too long (maximum is 60 characters)'))
    expect(await put({ name: 'Internal' })).toMatchObject(refused('has already been taken'))
    expect(await put({ name: ' External ' })).toMatchObject({ status: 200, body: { name: 'External' } })
  })

  test('takes locations and organizations by ids, names, titles and objects', async () => {
    const outer = await given(api.admin, 'location')
    const inner = await given(api.admin, 'location', { name: unique('inner'), parent_id: outer.id })
    const organization = await given(api.admin, 'organization')
    const ways = [
      { location_ids: [inner.id], organization_ids: [organization.id] },
      { location_names: [inner.title], organization_names: [organization.name] },
      { location_titles: [inner.title], organization_titles: [organization.title] },
      { locations: [{ id: inner.id }], organizations: [{ name: organization.name }] },
    ]
    for (const way of ways) {
      await put({ location_ids: [], organization_ids: [] })
      const { body } = await put(way)
      expect(body.locations, JSON.stringify(way)).toEqual([
        { id: inner.id, name: inner.name, title: `${outer.name}/${inner.name}`, description: null },
      ])
      expect(body.organizations).toMatchObject([{ id: organization.id, title: organization.title }])
    }
    const unknown = { status: 422, body: { error: { message: 'Could not find location with name: Nowhere' } } }
    expect(await put({ location_names: ['Nowhere'] })).toMatchObject(unknown)
    expect(await put({ location_titles: ['Nowhere'] })).toMatchObject(unknown)
  })

  test('is changed by those with edit_authenticators', async () => {
    const viewer = await api.can(['view_authenticators'])
    expect((await viewer.get(`${PATH}/${id}`)).status).toBe(200)
    expect(await viewer.put(`${PATH}/${id}`, { name: 'x' })).toMatchObject({
      status: 403,
      body: { error: { missing_permissions: ['edit_authenticators'] } },
    })
    const editor = await api.can(['edit_authenticators'])
    expect((await editor.put(`${PATH}/${id}`, { name: 'External' })).status).toBe(200)
  })

  test('needs a JSON content type to be changed', async () => {
    const { status } = await api.admin.send({ method: 'PUT', url: `${PATH}/${id}`, payload: 'name=x' })
    expect(status).toBe(415)
  })

  test('has lists of its users and of its external user groups', async () => {
    const user = await given(api.admin, 'user', { auth_source_id: id })
    const group = await given(api.admin, 'usergroup')
    const linked = await api.admin.post(`/api/usergroups/${group.id}/external_usergroups`, {
      external_usergroup: { name: 'staff', auth_source_id: id },
    })
    expect(linked.status).toBe(201)
    const users = await api.admin.get(`${PATH}/${id}/users`)
    expect(users.body.results.map(({ login }: Shown) => login)).toEqual([user.login])
    const groups = await api.admin.get(`${PATH}/${id}/external_usergroups`)
    expect(groups.body.results).toEqual([
      { id: linked.body.id, name: 'staff', auth_source: { id, type: 'AuthSourceExternal', name: 'External' } },
    ])
    expect((await api.admin.get(`${PATH}/${id}`)).body.external_usergroups).toEqual([
      { id: linked.body.id, name: 'staff' },
    ])
    const blind = await api.can(['view_users', 'view_external_usergroups'])
    expect((await blind.get(`${PATH}/${id}/users`)).status).toBe(404)
    expect((await blind.get(`${PATH}/${id}/external_usergroups`)).status).toBe(404)
  })

  test('leaves one audit per change', async () => {
    await put({ name: 'Renamed' })
    await put({ name: 'Renamed' })
    const { body } = await api.admin.get(
      `/api/audits?search=type+%3D+auth_source+and+auditable_id+%3D+${id}&order=id+DESC`,
    )
    expect(body.results[0]).toMatchObject({ action: 'update', audited_changes: { name: ['External', 'Renamed'] } })
    await put({ name: 'External' })
  })
})
