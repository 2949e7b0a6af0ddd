import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApi, type TestApi } from '../support/api.ts'
import { given } from '../support/given.ts'

// What a change of filters, groups and members would give and take, to one user or to everybody, before it is stored.

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.[Symbol.asyncDispose]())

const whatIf = (body: object, caller = api.admin) => caller.post('/api/access/what_if', body)

async function places() {
  return {
    organization_ids: [Number((await given(api.admin, 'organization')).id)],
    location_ids: [Number((await given(api.admin, 'location')).id)],
  }
}

async function permissionId(name: string): Promise<number> {
  return (await api.admin.get(`/api/permissions?search=name=${name}`)).body.results[0].id
}

/** A filter as it would be sent to be created. */
async function filterOf(role: { id: number }, permission: string, more: object = {}) {
  return { role_id: role.id, permission_ids: [await permissionId(permission)], ...more }
}

describe('filters', () => {
  test('the answers before are what the stored change then makes true', async () => {
    const where = await places()
    const role = await given(api.admin, 'role')
    const narrow = await given(api.admin, 'filter', await filterOf(role, 'view_domains', { search: 'name ~ narrow' }))
    const user = await api.can(['view_hosts'], where)
    await api.admin.put(`/api/users/${user.id}`, { role_ids: [role.id] })
    const [one, two] = [
      await given(api.admin, 'domain', { name: 'narrow.example.test', ...where }),
      await given(api.admin, 'domain', { name: 'wide.example.test', ...where }),
    ]
    const wide = await filterOf(role, 'view_domains', { search: 'name ~ wide' })
    const answer = await whatIf({ user: user.login, add_filters: [wide], remove_filters: [narrow.id] })
    expect(answer.body).toEqual({
      admin: { before: false, after: false },
      gains: [expect.objectContaining({ count: 1, samples: [{ id: two.id, name: 'wide.example.test' }] })],
      losses: [expect.objectContaining({ count: 1, samples: [{ id: one.id, name: 'narrow.example.test' }] })],
    })
    const statuses = async () =>
      Promise.all([one, two].map(async ({ id }) => (await user.get(`/api/domains/${id}`)).status))
    expect(await statuses(), 'nothing is stored').toEqual([200, 404])
    await api.admin.delete(`/api/filters/${narrow.id}`)
    await given(api.admin, 'filter', wide)
    expect(await statuses()).toEqual([404, 200])
  })

  test('for everybody: who gains and loses, directly, through groups within groups, and not who has more anyway', async () => {
    const role = await given(api.admin, 'role')
    const filter = await given(api.admin, 'filter', await filterOf(role, 'view_models'))
    const everything = await given(api.admin, 'role')
    await given(api.admin, 'filter', await filterOf(everything, 'edit_models'))
    const direct = await given(api.admin, 'user', { role_ids: [role.id] })
    const nested = await given(api.admin, 'user')
    const inner = await given(api.admin, 'usergroup', { user_ids: [nested.id] })
    await given(api.admin, 'usergroup', { usergroup_ids: [inner.id], role_ids: [role.id] })
    await given(api.admin, 'user', { role_ids: [role.id, everything.id] })
    const { body } = await whatIf({
      add_filters: [await filterOf(role, 'edit_models', { search: 'name ~ a' })],
      remove_filters: [filter.id],
    })
    const samples = [direct, nested].map(({ id, login }) => ({ id, name: login }))
    expect(body.gains).toEqual([{ permissions: ['edit_models'], resource: 'model', users: { count: 2, samples } }])
    expect(body.losses).toEqual([expect.objectContaining({ permissions: ['view_models'], resource: 'model' })])
    expect(body.losses[0].users.count).toBe(3)
    expect(body.administrators).toEqual({ gains: { count: 0, samples: [] }, losses: { count: 0, samples: [] } })
  })

  test('places of a role limit its imagined filters, too', async () => {
    const [here, there] = [await places(), await places()]
    const role = await given(api.admin, 'role', there)
    const user = await given(api.admin, 'user', {
      organization_ids: [...here.organization_ids, ...there.organization_ids],
      location_ids: [...here.location_ids, ...there.location_ids],
      role_ids: [role.id],
    })
    const [, far] = [await given(api.admin, 'domain', here), await given(api.admin, 'domain', there)]
    const { body } = await whatIf({ user: user.login, add_filters: [await filterOf(role, 'view_domains')] })
    expect(body.gains).toEqual([
      { permissions: ['view_domains'], resource: 'domain', count: 1, samples: [{ id: far.id, name: far.name }] },
    ])
  })
})

describe('groups', () => {
  test('roles, members and groups within a group', async () => {
    const role = await given(api.admin, 'role')
    await given(api.admin, 'filter', await filterOf(role, 'view_architectures'))
    const [stays, leaves, joins, inner] = [
      await given(api.admin, 'user'),
      await given(api.admin, 'user'),
      await given(api.admin, 'user'),
      await given(api.admin, 'user'),
    ]
    const group = await given(api.admin, 'usergroup', { user_ids: [stays.id, leaves.id] })
    const within = await given(api.admin, 'usergroup', { user_ids: [inner.id] })
    const permissions = ['view_architectures']
    const granted = await whatIf({ usergroup: group.name, add_roles: [role.name], add_usergroups: [within.id] })
    expect(granted.body.gains).toEqual([expect.objectContaining({ permissions })])
    expect(granted.body.gains[0].users.samples.map(({ id }: { id: number }) => id)).toEqual([
      stays.id,
      leaves.id,
      inner.id,
    ])
    await api.admin.put(`/api/usergroups/${group.id}`, { role_ids: [role.id] })
    const members = { usergroup: group.id, add_users: [joins.login], remove_users: [leaves.id] }
    const { body } = await whatIf(members)
    const users = ({ id, login }: { id: number; login?: string }) => ({ count: 1, samples: [{ id, name: login }] })
    expect(body.gains).toEqual([expect.objectContaining({ permissions, users: users(joins) })])
    expect(body.losses).toEqual([expect.objectContaining({ permissions, users: users(leaves) })])
    const admins = await given(api.admin, 'usergroup', { admin: true })
    const { body: promoted } = await whatIf({ usergroup: admins.name, add_users: [joins.id] })
    expect(promoted.administrators.gains).toEqual(users(joins))
    expect(promoted.losses).toEqual([])
  })
})

test('everybody are the users that the asker sees', async () => {
  const [here, there] = [await places(), await places()]
  const role = await given(api.admin, 'role')
  const [near, far] = [
    await given(api.admin, 'user', { ...here, role_ids: [role.id] }),
    await given(api.admin, 'user', { ...there, role_ids: [role.id] }),
  ]
  const seer = await api.can(['view_users', 'view_roles', 'view_filters', 'view_usergroups'], here)
  const body = { add_filters: [await filterOf(role, 'view_domains')] }
  const answer = await whatIf(body, seer)
  expect(answer.body.gains[0].users).toEqual({ count: 1, samples: [{ id: near.id, name: near.login }] })
  expect((await whatIf(body)).body.gains[0].users.count).toBe(2)
  const group = await given(api.admin, 'usergroup')
  const [unseen, unknown] = [far.id, 999_999].map((id) => whatIf({ usergroup: group.id, add_users: [id] }, seer))
  expect((await unseen)?.text.replaceAll(String(far.id), 'ID')).toBe((await unknown)?.text.replaceAll('999999', 'ID'))
  const less = await api.can(['view_users', 'view_roles', 'view_usergroups'], here)
  expect((await whatIf(body, less)).body.error.missing_permissions).toEqual(['view_filters'])
})

describe('refused', () => {
  test.each([
    [{}, 'user', 'must be a login, unless something changes for everybody'],
    [{ user: 'admin', usergroup: 1 }, 'usergroup', 'cannot be given together with user'],
    [{ usergroup: {} }, 'usergroup', 'must be the id or name of a group'],
    [{ add_users: ['admin'] }, 'add_users', 'can be given only with usergroup: the group that they join or leave'],
    [{ remove_filters: [999_999] }, 'remove_filters', 'must be ids of filters: 999999'],
    [{ remove_filters: 'x' }, 'remove_filters', 'must be a list of at most 1000 ids of filters'],
    [{ add_filters: {} }, 'add_filters', 'must be a list of at most 50 filters'],
    [{ add_filters: [{}] }, 'add_filters.role_id', "can't be blank"],
    [{ add_filters: [3] }, 'add_filters.base', 'must be an object with the keys of a filter, such as role_id'],
  ])('%j', async (body, field, message) => {
    const { status, body: answer } = await whatIf(body)
    expect({ status, errors: answer.error.errors }).toEqual({ status: 422, errors: { [field]: [message] } })
  })

  test('filters that could not be created, with the same words', async () => {
    const role = await given(api.admin, 'role')
    const bad = await filterOf(role, 'view_domains', { search: 'nonsense = 1' })
    const created = await api.admin.post('/api/filters', { filter: bad })
    const { status, body } = await whatIf({ add_filters: [await filterOf(role, 'view_models'), bad] })
    expect(status).toBe(422)
    expect(body.error.errors).toEqual({ 'add_filters.search': created.body.error.errors.search })
    const [locked] = (await api.admin.get('/api/roles?search=name=Viewer')).body.results
    const { body: refused } = await whatIf({ add_filters: [await filterOf(locked, 'view_models')] })
    expect(JSON.stringify(refused.error.errors)).toContain('locked')
  })
})
