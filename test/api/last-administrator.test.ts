import { afterAll, beforeEach, expect, test } from 'vitest'
import { rows } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { basic, type Caller, openTestApi, type Reply, type TestApi } from '../support/api.ts'
import { type Body, given, resourceNamed } from '../support/given.ts'

// Whatever administrators do, to others or to themselves, one who can log in is left.

let api: TestApi | undefined
let admin: Caller
let me: number
let people = 0

beforeEach(async () => {
  api ??= await openTestApi()
  admin = api.admin
  me = (await admin.get('/api/current_user')).body.id
  // Deletes everybody but the first administrator.
  await rows(api.database.db, sql`delete from usergroups`)
  await rows(api.database.db, sql`delete from users where id <> ${me} and login like 'someone%'`)
})
afterAll(() => api?.[Symbol.asyncDispose]())

const REFUSED = { status: 422, body: { error: { errors: { base: ['The last administrator has to stay'] } } } }

/** The refusal to disable oneself. */
const NOT_ONESELF = {
  status: 422,
  body: { error: { errors: { disabled: ['It is not possible to disable yourself'] } } },
}

async function person(more: Body = {}): Promise<Caller & { id: number }> {
  const login = `someone${++people}`
  const { id } = await given(admin, 'user', { login, password: 'long enough', ...more })
  if (!api) throw new Error('there is no service')
  return { ...api.as({ authorization: basic(login, 'long enough') }), id }
}

/** Makes this user the only administrator, by a group inside a group. */
async function byGroup(id: number): Promise<{ inner: number; outer: number; by: Reply }> {
  const inner = (await given(admin, 'usergroup', { user_ids: [id] })).id
  const outer = (await given(admin, 'usergroup', { admin: true, usergroup_ids: [inner] })).id
  return { inner, outer, by: await admin.get(`/api/users/${id}`) }
}

test('a user who is the last one is not demoted, disabled, moved away or deleted, not by themselves either', async () => {
  for (const body of [{ admin: false }, { auth_source_id: 3 }])
    expect(await admin.put(`/api/users/${me}`, body), JSON.stringify(body)).toMatchObject(REFUSED)
  expect(await admin.put(`/api/users/${me}`, { disabled: true })).toMatchObject(NOT_ONESELF)
  expect((await admin.delete(`/api/users/${me}`)).status).toBe(403)
})

test('others count only where they can log in: enabled, with a password here or in a directory', async () => {
  await person({ admin: true, disabled: true })
  await given(admin, 'user', { login: 'someone-external', admin: true, auth_source_id: 3, password: undefined })
  expect(await admin.put(`/api/users/${me}`, { admin: false })).toMatchObject(REFUSED)
  const directory = await given(admin, 'auth_source_ldap', { host: 'ldap.example.test' })
  await given(admin, 'user', { login: 'someone-ldap', admin: true, auth_source_id: directory.id, password: undefined })
  expect((await admin.put(`/api/users/${me}`, { admin: false })).status).toBe(200)
  if (api) await rows(api.database.db, sql`update users set admin = true where id = ${me}`)
})

test('by groups: the last one keeps the membership, the group, its nesting and its flag', async () => {
  const last = await person()
  const { inner, outer } = await byGroup(last.id)
  expect((await last.put(`/api/users/${me}`, { admin: false })).status).toBe(200)
  const attempts: [string, () => Promise<Reply>][] = [
    ['out of the group', () => last.put(`/api/usergroups/${inner}`, { user_ids: [] })],
    ['the flag', () => last.put(`/api/usergroups/${outer}`, { admin: false })],
    ['the nesting', () => last.put(`/api/usergroups/${outer}`, { usergroup_ids: [] })],
    ['the inner group', () => last.delete(`/api/usergroups/${inner}`)],
    ['the outer group', () => last.delete(`/api/usergroups/${outer}`)],
    ['another source', () => last.put(`/api/users/${last.id}`, { auth_source_id: 3 })],
  ]
  for (const [what, attempt] of attempts) expect(await attempt(), what).toMatchObject(REFUSED)
  expect(await last.put(`/api/users/${last.id}`, { disabled: true })).toMatchObject(NOT_ONESELF)
  expect((await last.get('/api/current_user')).body.effective_admin).toBe(true)
  expect((await last.put(`/api/users/${me}`, { admin: true })).status).toBe(200)
  expect((await last.delete(`/api/usergroups/${outer}`)).status, 'once another is there').toBe(200)
})

test.each([
  ['demote', (caller: Caller, id: number) => caller.put(`/api/users/${id}`, { admin: false })],
  ['disable', (caller: Caller, id: number) => caller.put(`/api/users/${id}`, { disabled: true })],
  ['delete', (caller: Caller, id: number) => caller.delete(`/api/users/${id}`)],
])('two who %s each other at the same time do not both succeed', async (what, remove) => {
  for (let round = 0; round < 3; round++) {
    const [one, two] = [await person({ admin: true }), await person({ admin: true })]
    await one.get('/api/status')
    expect((await two.put(`/api/users/${me}`, { admin: false })).status).toBe(200)
    const answers = await Promise.all([remove(one, two.id), remove(two, one.id)])
    expect(answers.filter(({ status }) => status === 200).length, what).toBeLessThan(2)
    await reinstate()
  }
})

test('one is removed by flag and one by group at the same time: not both', async () => {
  for (let round = 0; round < 3; round++) {
    const [flagged, grouped] = [await person({ admin: true }), await person()]
    const { inner } = await byGroup(grouped.id)
    expect((await flagged.put(`/api/users/${me}`, { admin: false })).status).toBe(200)
    const answers = await Promise.all([
      flagged.put(`/api/usergroups/${inner}`, { user_ids: [] }),
      grouped.put(`/api/users/${flagged.id}`, { disabled: true }),
    ])
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThan(2)
    await reinstate()
  }
})

/** Makes the first administrator the only one again. */
async function reinstate(): Promise<void> {
  if (!api) throw new Error('there is no service')
  const { db } = api.database
  await rows(db, sql`update users set admin = true, disabled = false where id = ${me}`)
  await rows(db, sql`delete from ${sql.table(resourceNamed('usergroup').table)}`)
  await rows(db, sql`delete from users where login like 'someone%'`)
  await rows(db, sql`select pg_notify('identity', '')`)
  await expect.poll(async () => (await admin.get('/api/current_user')).body.effective_admin).toBe(true)
}
