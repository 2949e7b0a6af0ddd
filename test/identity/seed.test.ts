import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { loadCandidate } from '../../src/areas/access/directories/candidates.ts'
import { verifyPassword } from '../../src/areas/access/identity/passwords.ts'
import { seedIdentity } from '../../src/areas/access/identity/seed.ts'
import { row, rows } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { openTestDatabase, truncateAll } from '../support/database.ts'
import { insert } from './identities.ts'

const database = await openTestDatabase()
const { db } = database
afterAll(() => database[Symbol.asyncDispose]())
beforeEach(() => truncateAll(database))

const declared = (...names: string[]) => names.map((name) => ({ name, resourceType: name.replace(/^.*_/, '') }))
const PERMISSIONS = [
  ...declared(
    'view_hosts',
    'edit_hosts',
    'view_settings',
    'edit_settings',
    'view_organizations',
    'create_organizations',
  ),
  ...declared('view_roles', 'edit_roles', 'view_bookmarks'),
  { name: 'escalate_roles', resourceType: null },
]
const seed = (overrides: Partial<Parameters<typeof seedIdentity>[1]> = {}) =>
  seedIdentity(db, { adminLogin: 'admin', adminPassword: 'secret', permissions: PERMISSIONS, ...overrides })

describe('seeding', () => {
  test('creates what every installation has', async () => {
    expect(await seed()).toEqual({ generatedPassword: null, created: true, ignoresPassword: false })
    expect(await rows(db, sql`select type, name from auth_sources order by id`)).toEqual([
      { type: 'AuthSourceInternal', name: 'Internal' },
      { type: 'AuthSourceHidden', name: 'Hidden' },
      { type: 'AuthSourceExternal', name: 'External' },
    ])
    expect(await rows(db, sql`select name, title from organizations`)).toEqual([
      { name: 'Default Organization', title: 'Default Organization' },
    ])
    expect(await rows(db, sql`select name, title from locations`)).toEqual([
      { name: 'Default Location', title: 'Default Location' },
    ])
    const admin = await loadCandidate(db, 'ADMIN')
    expect(admin).toMatchObject({ login: 'admin', authSourceType: 'AuthSourceInternal' })
    expect(await verifyPassword(admin?.password ?? null, 'secret')).toBe('right')
  })

  test('gives roles the permissions of the catalogue, one filter per resource type, and creates no empty role', async () => {
    await seed()
    const everyRole = await rolePermissions()
    expect(Object.keys(everyRole).sort()).toEqual(
      [
        ...['Default role', 'Edit hosts', 'Bookmarks manager', 'Manager', 'Organization admin', 'Site manager'],
        ...['System admin', 'View hosts', 'Viewer'],
      ].sort(),
    )
    expect(everyRole['Default role']).toEqual(['view_bookmarks'])
    expect(everyRole.Viewer).toEqual(['view_bookmarks', 'view_hosts', 'view_organizations', 'view_roles'])
    expect(everyRole['Organization admin']).toEqual([
      'edit_hosts',
      'view_bookmarks',
      'view_hosts',
      'view_organizations',
      'view_roles',
    ])
    expect(everyRole.Manager).not.toContain('escalate_roles')
    expect(everyRole.Manager).toContain('edit_settings')
    expect(everyRole['System admin']).toContain('escalate_roles')
    const mixed = sql`
      select filter_id from filter_permissions join permissions on permissions.id = permission_id
      group by filter_id having count(distinct coalesce(resource_type, '')) > 1`
    expect(await rows(db, mixed)).toEqual([])
  })

  test('makes up a password that works, and tells it once', async () => {
    const { generatedPassword } = await seed({ adminPassword: null })
    expect(generatedPassword).toMatch(/^(\w{6}-){3}\w{6}$/)
    const admin = await loadCandidate(db, 'admin')
    expect(await verifyPassword(admin?.password ?? null, generatedPassword ?? '')).toBe('right')
    expect(await seed({ adminPassword: null })).toEqual({
      generatedPassword: null,
      created: false,
      ignoresPassword: false,
    })
  })

  test('again changes nothing', async () => {
    await seed()
    const before = await everything()
    expect(await seed({ adminLogin: 'other', adminPassword: 'other' })).toEqual({
      generatedPassword: null,
      created: false,
      ignoresPassword: true,
    })
    expect(await everything()).toEqual(before)
  })

  test('by several processes at once has one of them create the administrator', async () => {
    const results = await Promise.all([1, 2, 3, 4].map((n) => seed({ adminPassword: `secret ${n}` })))
    expect(results.filter(({ created }) => created)).toHaveLength(1)
    expect(await rows(db, sql`select from users`)).toHaveLength(1)
    expect(await rows(db, sql`select from auth_sources`)).toHaveLength(3)
  })

  test('does not bring back a default organization that was renamed', async () => {
    await seed()
    await rows(db, sql`update organizations set name = 'Acme', title = 'Acme'`)
    await seed()
    expect(await rows(db, sql`select name from organizations`)).toEqual([{ name: 'Acme' }])
  })
})

describe('a new version of the program', () => {
  test('adds its permissions to locked roles and once to the default role, and removes those it no longer knows', async () => {
    await seed()
    await rows(db, sql`delete from filters where role_id = (select id from roles where builtin = 2)`)
    await seed({
      permissions: [
        ...PERMISSIONS.filter(({ name }) => name !== 'edit_hosts'),
        ...declared('view_tasks', 'view_models'),
      ],
    })
    const everyRole = await rolePermissions()
    expect(everyRole.Viewer).toEqual([
      'view_bookmarks',
      'view_hosts',
      'view_models',
      'view_organizations',
      'view_roles',
      'view_tasks',
    ])
    expect(everyRole['Edit hosts']).toEqual(['view_hosts'])
    expect(everyRole['Default role']).toEqual(['view_tasks'])
    expect(await row(db, sql`select from permissions where name = 'edit_hosts'`)).toBeUndefined()
  })

  test('keeps a permission that somebody still uses, and leaves roles of people alone', async () => {
    const auditor = await insert(db, 'roles', { name: 'Viewer' })
    const filter = await insert(db, 'filters', { role_id: auditor })
    const old = await insert(db, 'permissions', { name: 'view_old' })
    await rows(db, sql`insert into filter_permissions (filter_id, permission_id) values (${filter}, ${old})`)
    await seed()
    expect((await rolePermissions()).Viewer).toEqual(['view_old'])
  })
})

async function rolePermissions(): Promise<Record<string, string[]>> {
  const found = await rows<{ name: string; permissions: string[] }>(
    db,
    sql`
      select roles.name, array_remove(array_agg(permissions.name order by permissions.name), null) as permissions
      from roles
      left join filters on filters.role_id = roles.id
      left join filter_permissions on filter_id = filters.id
      left join permissions on permissions.id = permission_id
      group by roles.name`,
  )
  return Object.fromEntries(found.map(({ name, permissions }) => [name, permissions]))
}

async function everything(): Promise<unknown[]> {
  const tables = [
    'users',
    'auth_sources',
    'organizations',
    'locations',
    'permissions',
    'roles',
    'filters',
    'filter_permissions',
  ]
  return Promise.all(tables.map((table) => rows(db, sql`select * from ${sql.table(table)} order by 1, 2`)))
}
