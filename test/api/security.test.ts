import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, expectCreated, openTestApi, type Reply, type TestApi } from '../support/api.ts'

// Permissions on one kind of record give no access to others. Two locations, one organization; nobody belongs to both,
// unless a test says so.

let api: TestApi
let here: number
let there: number

beforeAll(async () => {
  api = await openTestApi({ env: { MILLWRIGHT_TRUSTED_PROXIES: '127.0.0.1' } })
  here = (await expectCreated(api.admin.post('/api/locations', { name: 'here' }))).id
  there = (await expectCreated(api.admin.post('/api/locations', { name: 'there' }))).id
})
afterAll(() => api?.[Symbol.asyncDispose]())

const at = (...location_ids: number[]) => ({ location_ids, organization_ids: [1] })
const errorsOf = ({ body }: Reply) => Object.keys(body?.error?.errors ?? {})
const membersOf = async (location: number) => {
  const users: readonly { id: number; inherited: boolean }[] = (await api.admin.get(`/api/locations/${location}`)).body
    .users
  return users.filter(({ inherited }) => !inherited).map(({ id }) => id)
}

async function token(caller: Caller & { id: number }, name: string): Promise<{ id: number; path: string }> {
  const path = `/api/users/${caller.id}/personal_access_tokens`
  return { id: (await expectCreated(caller.post(path, { name }))).id, path }
}

describe('whoever may edit locations', () => {
  test('does not let their own take in the users of all others', async () => {
    const stranger = await api.can([], at(there))
    const permissions = ['view_users', 'edit_users', 'view_locations', 'edit_locations', 'create_locations']
    const editor = await api.can(permissions, at(here))
    const refused = await editor.put(`/api/locations/${here}`, { ignore_types: ['User'] })
    expect(errorsOf(refused)).toEqual(['ignore_types'])
    const made = await editor.post('/api/locations', { name: 'everywhere', ignore_types: ['User'] })
    expect(errorsOf(made)).toEqual(['ignore_types'])
    expect((await editor.put(`/api/users/${stranger.id}`, { password: 'taken over' })).status).toBe(404)
    expect((await editor.put(`/api/locations/${here}`, { ignore_types: [], description: 'fine' })).status).toBe(200)
  })

  test('moves only users in and out that they may edit and assign', async () => {
    const inside = (await expectCreated(api.admin.post('/api/locations', { name: 'inside', parent_id: here }))).id
    const member = await api.can([], at(here))
    const hidden = await api.can([], { location_ids: [inside] })
    const permissions = ['view_locations', 'edit_locations', 'view_users']
    const put = async (granted: string[], user_ids: number[]) =>
      errorsOf(await (await api.can(granted, at(here))).put(`/api/locations/${inside}`, { user_ids }))
    const all = [...permissions, 'edit_users', 'assign_locations']
    expect(await put(permissions, [member.id])).toEqual(['user_ids'])
    expect(await put([...permissions, 'edit_users'], [member.id])).toEqual(['user_ids'])
    expect(await put([...permissions, 'assign_locations'], [member.id])).toEqual(['user_ids'])
    // A list replaces what its author sees: hidden users stay.
    expect(await put(all, [])).toEqual([])
    expect(await membersOf(inside)).toEqual([hidden.id])
    await api.admin.put(`/api/locations/${inside}`, { user_ids: [] })
    expect(await put(all, [member.id])).toEqual([])
    expect(await membersOf(inside)).toEqual([member.id])
  })
})

test('permissions for one location do not allow to move another one into it', async () => {
  const [a, b] = await Promise.all(
    ['limit', 'moved'].map(async (name) => (await expectCreated(api.admin.post('/api/locations', { name }))).id),
  )
  const editor = await api.can(['view_users', 'edit_users', 'view_locations', 'edit_locations'], at(a, b))
  const stranger = await api.can([], at(b))
  const [role] = (await api.admin.get(`/api/users/${editor.id}`)).body.roles
  await api.admin.put(`/api/roles/${role.id}`, { location_ids: [a] })
  expect(errorsOf(await editor.put(`/api/locations/${b}`, { parent_id: a }))).toEqual(['parent_id'])
  expect((await editor.put(`/api/users/${stranger.id}`, { password: 'taken over' })).status).toBe(404)
  expect((await editor.put(`/api/locations/${a}`, { parent_id: b })).status).toBe(200)
})

describe('a permission with a condition', () => {
  test('to edit other users opens no more of the own record than everybody may change', async () => {
    const editor = await api.can(['edit_users'], { ...at(here), search: 'login = nobody' })
    const put = (body: object) => editor.put(`/api/users/${editor.id}`, body)
    expect(errorsOf(await put({ login: 'somebody-else' }))).toEqual(['login'])
    expect(errorsOf(await put({ password: 'a new password' }))).toEqual(['current_password'])
    expect((await put({ firstname: 'Ada' })).status).toBe(200)
    const all = await api.can(['edit_users'], at(here))
    expect((await all.put(`/api/users/${all.id}`, { login: 'renamed-by-itself' })).status).toBe(200)
  })

  test('to revoke tokens reaches no others', async () => {
    const owner = await api.can([], at(here))
    const [kept, revoked] = [await token(owner, 'kept'), await token(owner, 'old')]
    const seeing = await api.can(['view_users', 'view_personal_access_tokens'], at(here))
    const revoking = await api.can(['revoke_personal_access_tokens'], { search: 'name = old' })
    const roles = [seeing, revoking].map(async ({ id }) => (await api.admin.get(`/api/users/${id}`)).body.roles)
    const role_ids = (await Promise.all(roles)).flat().map(({ id }) => id)
    await api.admin.put(`/api/users/${seeing.id}`, { role_ids })
    expect((await seeing.delete(`${kept.path}/${kept.id}`)).status).toBe(404)
    expect((await seeing.delete(`${revoked.path}/${revoked.id}`)).status).toBe(200)
    expect((await owner.delete(`${kept.path}/${kept.id}`)).status).toBe(200)
  })
})

test('who deletes a location grants nothing to those whose hidden roles were limited to it', async () => {
  const place = (await expectCreated(api.admin.post('/api/locations', { name: 'limiting' }))).id
  const role = await expectCreated(api.admin.post('/api/roles', { name: 'secret role', location_ids: [place] }))
  const { results } = (await api.admin.get('/api/permissions?search=name+%3D+view_domains')).body
  const filter = { role_id: role.id, permission_ids: [results[0].id] }
  await expectCreated(api.admin.post('/api/filters', { filter }))
  const caller = await api.can(['view_locations', 'destroy_locations'], at(place))
  expect((await caller.delete(`/api/locations/${place}`)).status).toBe(200)
  expect((await api.admin.get(`/api/roles/${role.id}/filters`)).body.results).toEqual([])
})

test('suggestions name no tokens of users that the caller does not see', async () => {
  for (const location of [here, there]) await token(await api.can([], at(location)), `of location ${location}`)
  const viewer = await api.can(['view_users', 'view_personal_access_tokens'], at(here))
  const blind = await api.can(['view_personal_access_tokens'], at(here))
  const suggested = async (caller: Caller) =>
    (await caller.get('/api/personal_access_tokens/auto_complete_search?search=name+%3D+%22of')).body.map(
      ({ part }: { part: string }) => part.trim(),
    )
  expect(await suggested(viewer)).toEqual([`name =  "of location ${here}"`])
  expect(await suggested(blind)).toEqual([])
})

test('whoever may edit users cannot become somebody with other roles than their own', async () => {
  const permissions = ['view_users', 'edit_users', 'create_personal_access_tokens', 'view_personal_access_tokens']
  const editor = await api.can(permissions, at(here))
  const powerful = await api.can(['escalate_roles'], at(here))
  const plain = await expectCreated(
    api.admin.post('/api/users', {
      ...{ login: 'plain', mail: 'plain@example.test', password: 'long enough', auth_source_id: 1, ...at(here) },
    }),
  )
  for (const change of [{ password: 'taken over' }, { login: 'mine' }, { auth_source_id: 3 }]) {
    expect(errorsOf(await editor.put(`/api/users/${powerful.id}`, change)), JSON.stringify(change)).toEqual(['base'])
  }
  expect((await editor.put(`/api/users/${powerful.id}`, { description: 'fine' })).status).toBe(200)
  expect((await editor.post(`/api/users/${powerful.id}/personal_access_tokens`, { name: 'x' })).status).toBe(422)
  expect((await editor.put(`/api/users/${plain.id}`, { password: 'forgotten, reset' })).status).toBe(200)
  expect((await editor.post(`/api/users/${plain.id}/personal_access_tokens`, { name: 'x' })).status).toBe(201)
})
