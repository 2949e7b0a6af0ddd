import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { rows } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { basic, type Caller, openTestApi, type TestApi } from '../support/api.ts'
import { addEntries } from '../support/directories/entries.ts'
import { startDirectory } from '../support/directories/index.ts'
import { HASHED_PASSWORD } from '../support/directories/people.ts'
import { groupDn, userDn } from '../support/directories/slapd-data.ts'
import { given, type Shown } from '../support/given.ts'
import {
  administer,
  change,
  forgetLogins,
  givenLinkedGroup,
  givenSource,
  logIn,
  membersOf,
  userNamed,
} from './directory-world.ts'

const directory = await startDirectory('slapd')
let api: TestApi

beforeAll(async () => {
  api = await openTestApi()
})
beforeEach(async () => {
  await rows(api.database.db, sql`delete from users where auth_source_id not in (1, 2, 3)`)
  await rows(api.database.db, sql`delete from auth_sources where type = 'AuthSourceLdap'`)
  await forgetLogins(api)
})
afterAll(async () => {
  await api?.[Symbol.asyncDispose]()
  await directory?.[Symbol.asyncDispose]()
})

const audits = async (type: string, id: number) =>
  (await api.admin.get(`/api/audits?search=type=${type} and auditable_id=${id}`)).body.results.reverse()

/** Inserts users of a source as if they had logged in before. */
const insertUsers = (sourceId: number, logins: readonly string[]) =>
  rows<{ id: number }>(
    api.database.db,
    sql`insert into users (login, auth_source_id) select login, ${sourceId} from unnest(${logins}::text[]) login returning id`,
  )

const addMembers = (groupId: number, ids: readonly number[]) =>
  rows(api.database.db, sql`insert into usergroup_users select ${groupId}::bigint, unnest(${ids}::bigint[])`)

describe.skipIf(!directory)('a login', () => {
  if (!directory) return
  let source: Shown

  beforeEach(async () => {
    source = await givenSource(api, directory)
  })

  test('makes somebody a member of what their groups stand for, nested ones too, whatever the case', async () => {
    const engineering = await givenLinkedGroup(api, source.id, ['ENGINEERING'])
    const mixed = await givenLinkedGroup(api, source.id, ['mixed case'])
    const strangers = await givenLinkedGroup(api, source.id, ['restricted'])
    expect((await logIn(api, 'alice')).status).toBe(200)
    const groups = await Promise.all([engineering, mixed, strangers].map(({ id }) => membersOf(api, id)))
    expect(groups).toEqual([['alice'], ['alice'], []])
    const alice = await userNamed(api, 'alice')
    expect(await audits('user', alice?.id ?? 0)).toMatchObject([
      { action: 'create' },
      { action: 'update', user_name: 'System', audited_changes: { usergroup_ids: [[], [engineering.id, mixed.id]] } },
    ])
  })

  test('takes membership in linked groups away, and touches no other', async () => {
    const lost = await givenLinkedGroup(api, source.id, ['restricted'])
    const twice = await givenLinkedGroup(api, source.id, ['RESTRICTED', 'developers'])
    const unlinked = await given(api.admin, 'usergroup')
    const [user] = await insertUsers(source.id, ['alice'])
    for (const group of [lost, twice, unlinked]) await addMembers(group.id, [user?.id ?? 0])
    await forgetLogins(api)
    expect((await logIn(api, 'alice')).status).toBe(200)
    const groups = await Promise.all([lost, twice, unlinked].map(({ id }) => membersOf(api, id)))
    expect(groups).toEqual([[], ['alice'], ['alice']])
  })

  test('counts at once: the very request that logs in has the roles of the groups', async () => {
    const group = await givenLinkedGroup(api, source.id, ['developers'])
    await api.admin.put(`/api/usergroups/${group.id}`, { admin: true })
    await insertUsers(source.id, ['bob'])
    const bob = api.as({ authorization: basic('bob', directory.password) })
    expect((await bob.get('/api/settings')).status).toBe(200)
    await administer(directory, (client) =>
      client.modify(groupDn('developers'), change('delete', 'member', [userDn('bob')])),
    )
    await forgetLogins(api)
    try {
      expect((await bob.get('/api/settings')).status).toBe(403)
    } finally {
      await administer(directory, (client) =>
        client.modify(groupDn('developers'), change('add', 'member', [userDn('bob')])),
      )
    }
  })

  test('leaves the last administrator in the group that makes one, also when its link is deleted', async () => {
    const group = await givenLinkedGroup(api, source.id, ['developers', 'restricted'])
    await api.admin.put(`/api/usergroups/${group.id}`, { admin: true })
    await logIn(api, 'alice')
    const alice = api.as({ authorization: basic('alice', directory.password) })
    const links = (await alice.get(`/api/usergroups/${group.id}/external_usergroups`)).body.results
    const { id: link } = links.find(({ name }: Shown) => name === 'developers')
    await rows(api.database.db, sql`update users set disabled = true where login = 'admin'`)
    await rows(
      api.database.db,
      sql`delete from usergroup_users where user_id <> (select id from users where login = 'alice')`,
    )
    await forgetLogins(api)
    try {
      expect((await alice.delete(`/api/usergroups/${group.id}/external_usergroups/${link}`)).status).toBe(200)
      await forgetLogins(api)
      expect((await alice.get('/api/current_user')).body).toMatchObject({ login: 'alice', effective_admin: true })
    } finally {
      await rows(api.database.db, sql`update users set disabled = false where login = 'admin'`)
      await forgetLogins(api)
    }
    expect((await api.admin.put(`/api/usergroups/${group.id}`, { name: 'plain again' })).status).toBe(200)
    await forgetLogins(api)
    await logIn(api, 'alice')
    expect(await membersOf(api, group.id), 'once there is another').toEqual([])
  })

  test('that changes nothing writes nothing', async () => {
    await givenLinkedGroup(api, source.id, ['developers'])
    await logIn(api, 'alice')
    await forgetLogins(api)
    const { result, texts } = await api.counting(() => logIn(api, 'alice'))
    expect(result.status).toBe(200)
    const written = texts.filter((text) => /^\s*(with .*)?(insert|update|delete)/is.test(text))
    expect(written.filter((text) => !text.includes('insert into login_events'))).toEqual([]) // once an hour
  })

  test('leaves groups alone where the source does not synchronize them, or is asked with the account of the user', async () => {
    const group = await givenLinkedGroup(api, source.id, ['developers'])
    await api.admin.put(`/api/auth_source_ldaps/${source.id}`, { usergroup_sync: false })
    expect((await logIn(api, 'alice')).status).toBe(200)
    await api.admin.put(`/api/auth_source_ldaps/${source.id}`, {
      usergroup_sync: true,
      account: `uid=$login,${directory.usersBase}`,
    })
    expect((await logIn(api, 'bob')).status).toBe(200)
    expect(await membersOf(api, group.id)).toEqual([])
  })
})

describe.skipIf(!directory)('a refresh', () => {
  if (!directory) return
  let source: Shown

  beforeEach(async () => {
    source = await givenSource(api, directory)
  })

  test('by request makes the members from the source those of all linked groups, and leaves the others', async () => {
    const group = await givenLinkedGroup(api, source.id, ['engineering', 'Mixed Case'])
    const [alice, , mixed, zoe] = await insertUsers(source.id, ['Alice', 'carol', 'mixedcase', 'zoe'])
    const local = await given(api.admin, 'user')
    await addMembers(group.id, [local.id, alice?.id ?? 0, zoe?.id ?? 0])
    const { body } = await api.admin.get(`/api/usergroups/${group.id}/external_usergroups`)
    const { status } = await api.admin.put(
      `/api/usergroups/${group.id}/external_usergroups/${body.results[0].id}/refresh`,
    )
    expect(status).toBe(200)
    expect(await membersOf(api, group.id)).toEqual(['Alice', 'carol', local.login, 'mixedcase'].sort())
    expect(await userNamed(api, 'bob')).toBeUndefined()
    expect((await audits('usergroup', group.id)).at(-1)).toMatchObject({
      action: 'update',
      user_name: 'Admin User',
      audited_changes: { user_ids: [[alice?.id, zoe?.id, local.id], expect.arrayContaining([local.id, mixed?.id])] },
    })
    const refreshed = await rows(api.database.db, sql`select from external_usergroups where refreshed_at is not null`)
    expect(refreshed).toHaveLength(2)
  })

  test.each(['posix', 'directory_c'])(
    'keeps to what a login says where a group is called as a person is: %s',
    async (server_type) => {
      const named = await givenSource(api, directory, { server_type, attr_login: 'cn' })
      const person = (cn: string) => ({
        dn: userDn(`u-${cn}`),
        attributes: { objectClass: 'inetOrgPerson', uid: `u-${cn}`, cn, sn: cn, userPassword: HASHED_PASSWORD },
      })
      const listing = (cn: string, member: readonly string[]) => ({
        dn: groupDn(cn),
        attributes: { objectClass: 'groupOfNames', cn, member },
      })
      const added = [
        ...[person('carl-k'), person('dora-k')],
        listing('carl-k', [userDn('u-dora-k')]),
        listing('outer', [groupDn('carl-k'), `cn=carl-k,${directory.usersBase}`]),
      ]
      await administer(directory, (client) => addEntries(client, added))
      try {
        const group = await givenLinkedGroup(api, named.id, ['outer'])
        for (const login of ['carl-k', 'dora-k']) expect((await logIn(api, login)).status).toBe(200)
        expect(await membersOf(api, group.id)).toEqual(['dora-k'])
        const { body } = await api.admin.get(`/api/usergroups/${group.id}/external_usergroups`)
        await api.admin.put(`/api/usergroups/${group.id}/external_usergroups/${body.results[0].id}/refresh`)
        expect(await membersOf(api, group.id), 'by request').toEqual(['dora-k'])
        await refresh()
        expect(await membersOf(api, group.id), 'in the background').toEqual(['dora-k'])
      } finally {
        await administer(directory, async (client) => {
          for (const { dn } of added.toReversed()) await client.del(dn)
        })
      }
    },
  )

  test('in the background does the same for every group of every source', async () => {
    const first = await givenLinkedGroup(api, source.id, ['developers'])
    const other = await givenSource(api, directory)
    const second = await givenLinkedGroup(api, other.id, ['company'])
    await insertUsers(source.id, ['alice', 'carol'])
    await insertUsers(other.id, ['bob', 'nomail'])
    await refresh()
    expect(await membersOf(api, first.id)).toEqual(['alice'])
    expect(await membersOf(api, second.id)).toEqual(['bob', 'nomail'])
  })

  test('in the background does not remove many, and says so once; by request it does', async () => {
    const group = await givenLinkedGroup(api, source.id, ['developers'])
    const members = await insertUsers(
      source.id,
      Array.from({ length: 12 }, (_, index) => `gone${index}`),
    )
    await insertUsers(source.id, ['alice'])
    await addMembers(
      group.id,
      members.map(({ id }) => id),
    )
    const before = (await audits('usergroup', group.id)).length
    await refresh()
    await refresh()
    expect(await membersOf(api, group.id)).toHaveLength(12)
    const written = (await audits('usergroup', group.id)).slice(before)
    expect(written).toMatchObject([{ user_name: 'System', audited_changes: {} }])
    expect(written[0].comment).toMatch(/^Refresh refused: it would have removed 12 of 12 members/)
    const { body } = await api.admin.get(`/api/usergroups/${group.id}/external_usergroups`)
    await api.admin.put(`/api/usergroups/${group.id}/external_usergroups/${body.results[0].id}/refresh`)
    expect(await membersOf(api, group.id)).toEqual(['alice'])
  })

  test('that finds nobody empties no group, by request, in the background or when a link is made', async () => {
    const group = await givenLinkedGroup(api, source.id, ['developers'])
    const [alice] = await insertUsers(source.id, ['alice'])
    await addMembers(group.id, [alice?.id ?? 0])
    const path = `/api/usergroups/${group.id}/external_usergroups`
    const link = (await api.admin.get(path)).body.results[0]
    await api.admin.put(`/api/auth_source_ldaps/${source.id}`, { ldap_filter: '(uid=nobody)' })
    const refused = await api.admin.put(`${path}/${link.id}/refresh`)
    expect(refused.status).toBe(422)
    expect(refused.body.error.errors.auth_source_id).toEqual([
      `LDAP error - the directory lists nobody, and ${group.name} has 1 members of this source: ` +
        'check the filter and the permissions of the account, or remove the members from the user group',
    ])
    await refresh()
    expect(await membersOf(api, group.id)).toEqual(['alice'])
    expect((await audits('usergroup', group.id)).at(-1).comment).toMatch(/The directory lists nobody/)
    expect((await api.admin.post(path, { name: 'mixed case', auth_source_id: source.id })).status).toBe(201)
    expect(await membersOf(api, group.id)).toEqual(['alice'])
    for (const { id } of (await api.admin.get(path)).body.results) await api.admin.delete(`${path}/${id}`)
    expect(await membersOf(api, group.id), 'without links').toEqual([])
  })

  test('of server type directory_b works on a server without its classes and attributes', async () => {
    await api.admin.delete(`/api/auth_source_ldaps/${source.id}`)
    const other = await givenSource(api, directory, { server_type: 'directory_b', attr_login: 'uid' })
    const tested = (await api.admin.put(`/api/auth_source_ldaps/${other.id}/test`)).body
    expect(tested.steps.find(({ name }: Shown) => name === 'sample')).toMatchObject({ status: 'ok' })
    const group = await givenLinkedGroup(api, other.id, ['engineering'])
    expect((await logIn(api, 'carol')).status).toBe(200)
    expect(await membersOf(api, group.id)).toEqual(['carol'])
    const { body } = await api.admin.get(`/api/usergroups/${group.id}/external_usergroups`)
    const path = `/api/usergroups/${group.id}/external_usergroups/${body.results[0].id}/refresh`
    expect((await api.admin.put(path)).status).toBe(200)
    expect(await membersOf(api, group.id)).toEqual(['carol'])
  })

  test('of a directory that fails changes nothing, and that of the others goes on', async () => {
    const group = await givenLinkedGroup(api, source.id, ['developers'])
    const users = await insertUsers(source.id, ['alice', 'zoe'])
    await addMembers(
      group.id,
      users.map(({ id }) => id),
    )
    await api.admin.put(`/api/auth_source_ldaps/${source.id}`, { account_password: 'wrong' })
    const other = await givenSource(api, directory)
    const good = await givenLinkedGroup(api, other.id, ['developers'])
    await insertUsers(other.id, ['bob'])
    await refresh()
    expect(await membersOf(api, group.id)).toEqual(['alice', 'zoe'])
    expect(await membersOf(api, good.id)).toEqual(['bob'])
    const { body } = await api.admin.get(`/api/usergroups/${group.id}/external_usergroups`)
    const refused = await api.admin.put(`/api/usergroups/${group.id}/external_usergroups/${body.results[0].id}/refresh`)
    expect(refused.status).toBe(422)
    expect(refused.body.error.errors.auth_source_id[0]).toMatch(/^LDAP error - /)
  })
})

describe.skipIf(!directory)('somebody who has left the directory', () => {
  if (!directory) return
  let source: Shown
  let caller: Caller

  beforeEach(async () => {
    source = await givenSource(api, directory)
    for (const login of ['alice', 'bob', 'carol']) {
      expect((await logIn(api, login)).status).toBe(200)
      const { body } = await api.admin.post(`/api/users/${login}/personal_access_tokens`, { name: 'test' })
      if (login === 'carol') caller = api.as({ authorization: `Bearer ${body.token_value}` })
    }
  })
  afterEach(() => forgetLogins(api))

  test('is disabled by the background refresh, with tokens and sessions', async () => {
    const started = await api.as({ authorization: basic('carol', directory.password) }).post('/api/session')
    const browser = api.as({ cookie: String(started.headers['set-cookie']).split(';', 1)[0] ?? '' })
    expect([(await caller.get('/api')).status, (await browser.get('/api')).status]).toEqual([200, 200])
    await api.admin.put(`/api/auth_source_ldaps/${source.id}`, { ldap_filter: '(!(uid=carol))' })
    await refresh()
    await forgetLogins(api)
    expect([(await caller.get('/api')).status, (await browser.get('/api')).status]).toEqual([401, 401])
    expect(await rows(api.database.db, sql`select from sessions`)).toEqual([])
    const carol = await userNamed(api, 'carol')
    expect(carol?.disabled).toBe(true)
    expect((await audits('user', carol?.id ?? 0)).at(-1)).toMatchObject({
      user_name: 'System',
      audited_changes: { disabled: [false, true] },
      comment: `No longer found in ${source.name}`,
    })
    expect((await userNamed(api, 'alice'))?.disabled).toBe(false)
  })

  test('is not if no other administrator would be left', async () => {
    const { db } = api.database
    await rows(db, sql`update users set admin = (login = 'carol') where login in ('admin', 'carol')`)
    try {
      await rows(db, sql`update auth_sources set ldap_filter = '(!(uid=carol))' where id = ${source.id}`)
      await refresh()
      expect(await rows(db, sql`select login from users where disabled`)).toEqual([])
    } finally {
      await rows(db, sql`update users set admin = true where login = 'admin'`)
    }
  })

  test('is not when everybody seems to have left', async () => {
    await api.admin.put(`/api/auth_source_ldaps/${source.id}`, { ldap_filter: '(uid=nobody)' })
    await refresh()
    expect((await caller.get('/api')).status).toBe(200)
  })

  test('may still log in when nothing but their group memberships were hidden', async () => {
    await api.admin.put(`/api/auth_source_ldaps/${source.id}`, { groups_base: `ou=nowhere,${directory.baseDn}` })
    await refresh()
    expect((await logIn(api, 'carol')).status).toBe(200)
  })
})

async function refresh(): Promise<void> {
  const job = api.jobs.find(({ name }) => name === 'refresh_directories')
  await job?.work(new AbortController().signal)
}
