import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, openTestApi, type TestApi } from '../support/api.ts'
import { given } from '../support/given.ts'

// Two roles compared, and permissions that nobody used.

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.[Symbol.asyncDispose]())

const compare = (roles: unknown, caller: Caller = api.admin) =>
  caller.get(`/api/access/compare?roles=${encodeURIComponent(String(roles))}`)
const unused = (query: string, caller: Caller = api.admin) => caller.get(`/api/access/unused?${query}`)

/** A role with one filter for each of these permissions, each with its search. */
async function roleWith(
  searches: Readonly<Record<string, string | null>>,
  more: Readonly<Record<string, unknown>> = {},
) {
  const role = await given(api.admin, 'role', more)
  for (const [permission, search] of Object.entries(searches)) {
    const { body } = await api.admin.get(`/api/permissions?search=name=${permission}`)
    await given(api.admin, 'filter', { role_id: role.id, permission_ids: [body.results[0].id], search })
  }
  return { id: role.id, name: String(role.name) }
}

async function places() {
  return {
    organization_ids: [Number((await given(api.admin, 'organization')).id)],
    location_ids: [Number((await given(api.admin, 'location')).id)],
  }
}

describe('two roles', () => {
  test('permissions of one, of both, and those with other conditions', async () => {
    const one = await roleWith({ view_models: null, edit_models: null, view_domains: 'name ~ a' })
    const other = await roleWith({ view_models: null, destroy_models: null, view_domains: 'name ~ b' })
    const { body } = await compare(`${one.id}, ${other.name}`)
    const conditions = (search: string) => [
      { filter: expect.any(Number), search, organizations: null, locations: null },
    ]
    expect(body).toEqual({
      roles: [
        { ...one, only: ['edit_models'] },
        { ...other, only: ['destroy_models'] },
      ],
      both: ['view_models'],
      different: [{ permission: 'view_domains', conditions: [conditions('name ~ a'), conditions('name ~ b')] }],
    })
    expect((await compare(`${one.id},${one.id}`)).body).toMatchObject({
      both: ['edit_models', 'view_domains', 'view_models'],
      different: [],
    })
  })

  test('names only places of the asker, and only to those who see all roles and filters', async () => {
    const [here, there] = [await places(), await places()]
    const [one, other] = [await roleWith({ view_domains: null }, here), await roleWith({ view_domains: null }, there)]
    const seer = await api.can(['view_roles', 'view_filters'], here)
    const { body } = await compare(`${one.id},${other.id}`, seer)
    const [[mine], [theirs]] = body.different[0].conditions
    expect([mine.organizations.length, theirs.organizations, theirs.locations]).toEqual([1, [], []])
    const { status, body: refused } = await compare(`${one.id},${other.id}`, await api.can(['view_roles'], here))
    expect({ status, missing: refused.error.missing_permissions }).toEqual({ status: 403, missing: ['view_filters'] })
  })

  test.each(['', '1', '1,2,3', 'Viewer,no such role'])('%j is refused', async (roles) => {
    const { status, body } = await compare(roles)
    expect(status).toBe(400)
    expect(JSON.stringify(body)).toContain('must be the ids or names of two roles, with a comma between')
  })
})

describe('unused', () => {
  test('permissions to change something without an audit; those that only read are not known', async () => {
    const where = await places()
    const role = await roleWith({ create_models: null, destroy_models: null, view_models: null })
    const user = await api.can(['view_hosts'], where)
    const group = await given(api.admin, 'usergroup', { role_ids: [role.id], user_ids: [user.id] })
    const before = {
      days: 30,
      unused: ['create_models', 'destroy_models'],
      used: [],
      unknown: ['view_models'],
      complete: true,
    }
    expect((await unused(`role=${role.name}&days=30`)).body).toMatchObject(before)
    await given(user, 'model')
    const after = { unused: ['destroy_models'], used: ['create_models'], unknown: ['view_models'] }
    expect((await unused(`role=${role.id}`)).body).toMatchObject(after)
    const { body } = await unused(`user=${user.login}`)
    expect(body).toMatchObject({ unused: ['destroy_models'], used: ['create_models'] })
    expect(body.unknown).toEqual(expect.arrayContaining(['view_hosts', 'view_models']))
    await api.admin.put(`/api/usergroups/${group.id}`, { user_ids: [] })
    expect((await unused(`role=${role.id}`)).body.used, 'nobody has it any more').toEqual([])
    await api.admin.put('/api/settings/audits_keep', { setting: { value: '10' } })
    expect((await unused(`role=${role.id}&days=11`)).body.complete).toBe(false)
  })

  test('only by users and audits that the asker sees', async () => {
    const [here, there] = [await places(), await places()]
    const role = await roleWith({ create_models: null })
    const far = await api.can(['view_hosts'], there)
    await api.admin.put(`/api/users/${far.id}`, { role_ids: [role.id] })
    await given(far, 'model')
    const all = ['view_users', 'view_roles', 'view_filters', 'view_usergroups', 'view_audit_logs']
    const seer = await api.can(all, here)
    expect((await unused(`role=${role.id}`, seer)).body.unused).toEqual(['create_models'])
    expect((await unused(`role=${role.id}`)).body.used).toEqual(['create_models'])
    expect((await unused(`user=${far.login}`, seer)).status).toBe(404)
    const blind = await api.can(['view_roles'], here)
    expect((await unused('', blind)).body.error.missing_permissions).toEqual(['view_audit_logs'])
    const self = await api.can(['view_audit_logs', 'edit_models'], here)
    expect((await unused('', self)).body.unused).toEqual(['edit_models'])
    expect((await unused(`role=${role.id}`, self)).status).toBe(403)
  })

  test.each([
    ['days=0', 'must be a whole number of days from 1 to 3650'],
    ['days=x', 'must be a whole number of days from 1 to 3650'],
    ['role=no-such-role', 'must be the id or name of a role'],
    ['role=Viewer&user=admin', 'cannot be given together with user'],
  ])('%s is refused', async (query, reason) => {
    const { status, text } = await unused(query)
    expect(status).toBe(400)
    expect(text).toContain(reason)
  })
})
