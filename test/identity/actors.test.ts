import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { loadActor } from '../../src/areas/access/identity/actors.ts'
import type { Grant } from '../../src/context.ts'
import { rows } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { openTestDatabase, truncateAll } from '../support/database.ts'
import { connectRecords, insert, insertUser } from './identities.ts'

const database = await openTestDatabase()
const { db } = database
afterAll(() => database[Symbol.asyncDispose]())
beforeEach(() => truncateAll(database))

describe('who somebody is', () => {
  test('is told in one statement, and nobody is undefined', async () => {
    const id = await insertUser(db, {
      login: 'ada',
      values: { firstname: 'Ada', lastname: 'Lovelace', timezone: 'Europe/Rome' },
    })
    expect(await loadActor(db, id)).toEqual({
      ...{ id, login: 'ada', name: 'Ada Lovelace', admin: false, disabled: false, timezone: 'Europe/Rome' },
      ...{ organizations: [], locations: [], grants: new Map() },
      ...{ roles: [], secondFactor: { due: null, has: false } },
    })
    expect(await loadActor(db, id + 1)).toBeUndefined()
  })

  test('is called by the login as long as there is no name', async () => {
    const id = await insertUser(db, { login: 'ada' })
    expect(await loadActor(db, id)).toMatchObject({ name: 'ada', timezone: null })
  })
})

describe('user groups', () => {
  test('make their members administrators, however deep, and groups that contain each other do no harm', async () => {
    const [inner, middle, outer] = [await group('inner'), await group('middle'), await group('outer', true)]
    await connectRecords(db, 'usergroup_usergroups', { usergroup_id: outer, member_id: middle })
    await connectRecords(db, 'usergroup_usergroups', { usergroup_id: middle, member_id: inner })
    await connectRecords(db, 'usergroup_usergroups', { usergroup_id: inner, member_id: outer })
    const member = await insertUser(db, { login: 'member' })
    await connectRecords(db, 'usergroup_users', { usergroup_id: inner, user_id: member })
    expect(await loadActor(db, member)).toMatchObject({ admin: true })
  })

  test('give nothing to members of the group around them', async () => {
    const [inner, outer] = [await group('inner', true), await group('outer')]
    await connectRecords(db, 'usergroup_usergroups', { usergroup_id: outer, member_id: inner })
    const member = await insertUser(db, { login: 'member' })
    await connectRecords(db, 'usergroup_users', { usergroup_id: outer, user_id: member })
    expect(await loadActor(db, member)).toMatchObject({ admin: false })
  })

  test('give the roles of the groups around them, beside the own roles and the one of everybody', async () => {
    const [inner, outer] = [await group('inner'), await group('outer')]
    await connectRecords(db, 'usergroup_usergroups', { usergroup_id: outer, member_id: inner })
    const user = await insertUser(db, { login: 'user' })
    await connectRecords(db, 'usergroup_users', { usergroup_id: inner, user_id: user })
    const roles = {
      own: await role('own'),
      outer: await role('outer'),
      everybody: await role('everybody', 2),
      other: await role('other'),
    }
    await connectRecords(db, 'user_roles', { user_id: user, role_id: roles.own })
    await connectRecords(db, 'usergroup_roles', { usergroup_id: outer, role_id: roles.outer })
    for (const [name, id] of Object.entries(roles)) await filter({ role: id, permissions: [`view_${name}`] })
    expect(await grantedTo(user)).toEqual({
      view_own: [EVERYTHING],
      view_outer: [EVERYTHING],
      view_everybody: [EVERYTHING],
    })
  })
})

describe('filters', () => {
  test('of several roles add up, and an unlimited one says it all', async () => {
    const user = await userWithRoles('first', 'second')
    await filter({ role: user.roles[0], permissions: ['view_hosts', 'edit_hosts'], values: { search: 'name = a' } })
    await filter({ role: user.roles[1], permissions: ['edit_hosts'], values: { search: 'name = b' } })
    await filter({ role: user.roles[1], permissions: ['view_hosts'], values: { search: null } })
    expect(await grantedTo(user.id)).toEqual({
      view_hosts: [EVERYTHING],
      edit_hosts: [
        { ...EVERYTHING, search: 'name = a' },
        { ...EVERYTHING, search: 'name = b' },
      ],
    })
  })

  test('inherit the organizations and locations of their role, with descendants, unless they override them', async () => {
    const [top, below, elsewhere] = [
      await organization('top'),
      await organization('below', 1),
      await organization('elsewhere'),
    ]
    const place = await insert(db, 'locations', { name: 'place', title: 'place' })
    const user = await userWithRoles('limited')
    const [limited = 0] = user.roles
    await connectRecords(db, 'role_organizations', { role_id: limited, organization_id: top })
    await connectRecords(db, 'role_locations', { role_id: limited, location_id: place })
    await filter({ role: limited, permissions: ['inherits'], values: { search: 'a = b' } })
    const overriding = await filter({ role: limited, permissions: ['overrides'], values: { override: true } })
    await connectRecords(db, 'filter_organizations', { filter_id: overriding, organization_id: elsewhere })
    await filter({ role: limited, permissions: ['overrides_with_nothing'], values: { override: true } })
    expect(await grantedTo(user.id)).toEqual({
      inherits: [{ search: 'a = b', organizations: [top, below], locations: [place] }],
      overrides: [{ search: null, organizations: [elsewhere], locations: null }],
      overrides_with_nothing: [EVERYTHING],
    })
  })

  test('without override keep no organizations of their own', async () => {
    const own = await organization('own')
    const user = await userWithRoles('unlimited')
    const inheriting = await filter({ role: user.roles[0], permissions: ['view_hosts'] })
    await connectRecords(db, 'filter_organizations', { filter_id: inheriting, organization_id: own })
    expect(await grantedTo(user.id)).toEqual({ view_hosts: [EVERYTHING] })
  })
})

test('organizations and locations of somebody are the assigned ones with descendants, and those that take in all users', async () => {
  const [top, below, elsewhere] = [
    await organization('top'),
    await organization('below', 1),
    await organization('elsewhere'),
  ]
  const open = await insert(db, 'organizations', { name: 'open', title: 'open', select_all_types: ['Host', 'User'] })
  await insert(db, 'locations', { name: 'other', title: 'other', select_all_types: ['Host'] })
  const user = await insertUser(db, { login: 'user' })
  await connectRecords(db, 'user_organizations', { user_id: user, organization_id: top })
  const actor = await loadActor(db, user)
  expect(actor).toMatchObject({ organizations: [top, below, open], locations: [] })
  expect(actor?.organizations).not.toContain(elsewhere)
})

const EVERYTHING: Grant = { search: null, organizations: null, locations: null }

const group = (name: string, admin = false) => insert(db, 'usergroups', { name, admin })
const role = (name: string, builtin = 0) => insert(db, 'roles', { name, builtin })
const organization = (name: string, parent?: number) =>
  insert(db, 'organizations', { name, title: name, parent_id: parent ?? null, ancestor_ids: parent ? [parent] : [] })

async function userWithRoles(...names: string[]): Promise<{ id: number; roles: number[] }> {
  const id = await insertUser(db, { login: 'user' })
  const roles: number[] = []
  for (const name of names) roles.push(await role(name))
  for (const role_id of roles) await connectRecords(db, 'user_roles', { user_id: id, role_id })
  return { id, roles }
}

interface NewFilter {
  readonly role: number | undefined
  readonly permissions: readonly string[]
  readonly values?: Record<string, unknown>
}

async function filter({ role: role_id, permissions, values }: NewFilter): Promise<number> {
  const id = await insert(db, 'filters', { role_id, ...values })
  for (const name of permissions) {
    await rows(db, sql`insert into permissions (name) values (${name}) on conflict do nothing`)
    await rows(db, sql`insert into filter_permissions select ${id}::bigint, id from permissions where name = ${name}`)
  }
  return id
}

async function grantedTo(user: number): Promise<Record<string, readonly Grant[]>> {
  return Object.fromEntries((await loadActor(db, user))?.grants ?? [])
}
