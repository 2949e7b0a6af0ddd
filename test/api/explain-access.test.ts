import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, openTestApi, type TestApi } from '../support/api.ts'
import { given } from '../support/given.ts'

// "Why may I not?": the answer agrees with what requests are answered, and names nothing that the asker may not see.

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.[Symbol.asyncDispose]())

const explain = (caller: Caller, query: Record<string, string | number>) =>
  caller.get(
    `/api/access/explain?${new URLSearchParams(Object.fromEntries(Object.entries(query).map(([key, value]) => [key, String(value)])))}`,
  )

async function places() {
  return {
    organization_ids: [Number((await given(api.admin, 'organization')).id)],
    location_ids: [Number((await given(api.admin, 'location')).id)],
  }
}

/** A role with one filter. */
async function roleWith(permission: string, more: object = {}) {
  const role = await given(api.admin, 'role')
  const { body } = await api.admin.get(`/api/permissions?search=name=${permission}`)
  const filter = await given(api.admin, 'filter', { role_id: role.id, permission_ids: [body.results[0].id], ...more })
  return { id: role.id, name: String(role.name), filter: filter.id }
}

test('names the filter of the role through the group, and the condition of the nearest filter that failed', async () => {
  const where = await places()
  const role = await roleWith('edit_domains', {
    search: 'name = one.example.test or (name ~ two and not name ~ twofold)',
  })
  const user = await given(api.admin, 'user', { ...where, password: 'a long password' })
  const group = await given(api.admin, 'usergroup', { user_ids: [user.id], role_ids: [role.id] })
  const [one, two] = [
    await given(api.admin, 'domain', { name: 'one.example.test', ...where }),
    await given(api.admin, 'domain', { name: 'twofold.example.test', ...where }),
  ]
  const may = await explain(api.admin, { user: user.login, permission: 'edit_domains', id: one.id })
  const reason = {
    group: { id: group.id, name: group.name },
    role: { id: role.id, name: role.name },
    filter: { id: role.filter },
  }
  expect(may.body).toMatchObject({ allowed: true, nearest: null, reasons: [reason] })
  const mayNot = await explain(api.admin, { user: user.login, permission: 'edit_domains', id: 'twofold.example.test' })
  expect(mayNot.body).toMatchObject({
    allowed: false,
    reasons: [],
    nearest: {
      ...reason,
      conditions: [
        {
          kind: 'any',
          met: false,
          parts: [
            { kind: 'search', text: 'name = one.example.test', met: false },
            {
              kind: 'all',
              met: false,
              parts: [
                { text: 'name ~ two', met: true },
                { kind: 'not', met: false },
              ],
            },
          ],
        },
        { kind: 'membership', met: true },
      ],
    },
  })
  expect(two.id).not.toBe(one.id)
  expect((await explain(api.admin, { user: user.login, permission: 'view_hosts' })).body).toEqual({
    allowed: false,
    reasons: [],
    nearest: null,
  })
  const [administrator] = (await explain(api.admin, { permission: 'view_hosts' })).body.reasons
  expect(administrator.conditions[0].text).toBe('the user is an administrator')
})

test('agrees with the answers to requests', async () => {
  const [here, there] = [await places(), await places()]
  const users = [
    await api.can(['view_domains'], here),
    await api.can(['view_domains'], { ...here, search: 'name ~ a' }),
    await api.can(['view_hosts'], here),
  ]
  const domains = [
    await given(api.admin, 'domain', { name: 'a.here.test', ...here }),
    await given(api.admin, 'domain', { name: 'b.here.test', ...here }),
    await given(api.admin, 'domain', { name: 'a.far.test', ...there }),
  ]
  for (const user of users)
    for (const domain of domains) {
      const { status } = await user.get(`/api/domains/${domain.id}`)
      const { body } = await explain(api.admin, { user: user.login, permission: 'view_domains', id: domain.id })
      expect(body.allowed, `${user.login} ${domain.name}`).toBe(status === 200)
      expect(body.nearest === null, JSON.stringify(body)).toBe(status === 200 || user === users[2])
    }
})

describe('names nothing that the asker may not see', () => {
  test('about themselves: no role, group, filter or condition without the permissions', async () => {
    const where = await places()
    const user = await api.can(['view_domains'], { ...where, search: 'name ~ secretword' })
    const { body, text } = await explain(user, { permission: 'view_domains' })
    expect(body).toEqual({
      allowed: true,
      reasons: [{ group: null, role: null, filter: null, conditions: [] }],
      nearest: null,
    })
    expect(text).not.toContain('secretword')
    const hidden = await given(api.admin, 'domain', { name: 'hidden.example.test', ...where })
    const gone = await explain(user, { permission: 'view_domains', id: 999_999 })
    const unseen = await explain(user, { permission: 'view_domains', id: hidden.id })
    expect([unseen.status, gone.status]).toEqual([404, 404])
    expect(unseen.text.replace(String(hidden.id), '')).toBe(gone.text.replace('999999', ''))
  })

  test('about others: nobody without all roles, and of the places only the asker’s own', async () => {
    const [here, there] = [await places(), await places()]
    const far = await api.can(['view_domains'], there)
    const near = await api.can(['view_domains'], here)
    expect((await explain(near, { user: far.login, permission: 'view_domains' })).status).toBe(403)
    expect((await near.post('/api/access/what_if', { user: near.login, add_roles: [] })).status).toBe(403)
    const role = await roleWith('view_domains', { override: true, organization_ids: there.organization_ids })
    const held = await api.can(['view_hosts'], here)
    await api.admin.put(`/api/users/${held.id}`, { role_ids: [role.id] })
    const seer = await api.can(['view_users', 'view_roles', 'view_filters', 'view_usergroups', 'view_domains'], here)
    const domain = await given(api.admin, 'domain', { name: 'near.example.test', ...here })
    const { body } = await explain(seer, { user: held.login, permission: 'view_domains', id: domain.id })
    expect(body.nearest.conditions).toContainEqual({ kind: 'organizations', text: '', met: false, parts: [] })
    expect((await explain(seer, { user: far.login, permission: 'view_domains' })).status, 'not seen').toBe(404)
  })
})

test.each([
  [{ permission: 'view_nonsense' }, 400],
  [{}, 400],
  [{ permission: 'view_domains', user: 'nobody-here' }, 404],
  [{ permission: 'view_domains', id: 'x' }, 404],
  [{ permission: 'escalate_roles', id: 999_999 }, 404],
])('%j is refused', async (query, status) => {
  expect((await explain(api.admin, query)).status).toBe(status)
})

test('what if: counts and samples of what a user would gain and lose, and nothing is stored', async () => {
  const where = await places()
  const [one, other] = [await roleWith('view_domains', { search: 'name ~ wanted' }), await roleWith('edit_domains')]
  const user = await given(api.admin, 'user', { ...where, role_ids: [other.id] })
  const domain = await given(api.admin, 'domain', { name: 'wanted.example.test', ...where })
  await given(api.admin, 'domain', { name: 'rest.example.test', ...where })
  const asked = { user: user.login, add_roles: [one.name], remove_roles: [other.id] }
  const { body, status } = await api.admin.post('/api/access/what_if', asked)
  expect(status).toBe(200)
  expect(body).toEqual({
    admin: { before: false, after: false },
    gains: [
      {
        permissions: ['view_domains'],
        resource: 'domain',
        count: 1,
        samples: [{ id: domain.id, name: 'wanted.example.test' }],
      },
    ],
    losses: [expect.objectContaining({ permissions: ['edit_domains'], resource: 'domain', count: 2 })],
  })
  expect((await api.admin.get(`/api/users/${user.id}`)).body.roles.map(({ id }: { id: number }) => id)).toEqual([
    other.id,
  ])
  const group = await given(api.admin, 'usergroup', { admin: true })
  const joined = await api.admin.post('/api/access/what_if', { user: user.login, add_usergroups: [group.name] })
  expect(joined.body.admin).toEqual({ before: false, after: true })
  for (const bad of [{}, { user: user.login, add_roles: 'x' }, { user: user.login, add_roles: ['no such role'] }])
    expect((await api.admin.post('/api/access/what_if', bad)).status).toBe(422)
})
