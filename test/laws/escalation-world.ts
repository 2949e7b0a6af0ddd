import { generateToken } from '../../src/areas/access/identity/tokens.ts'
import { type Db, row, rows, type Sql } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import type { Random } from '../fuzz/random.ts'
import type { Caller, TestApi } from '../support/api.ts'
import { given } from '../support/given.ts'
import type { Limits } from './rights.ts'

/** Two organizations and two locations, each with one below it, to which roles and people are assigned at random. */
export interface Tenants {
  readonly organizations: readonly number[]
  readonly locations: readonly number[]
}

export async function openTenants({ admin }: TestApi): Promise<Tenants> {
  const tree = async (kind: 'organization' | 'location') => {
    const [first, second] = [(await given(admin, kind)).id, (await given(admin, kind)).id]
    return [first, second, (await given(admin, kind, { parent_id: first })).id]
  }
  const [organizations, locations] = [await tree('organization'), await tree('location')]
  const everywhere = { organization_ids: organizations, location_ids: locations }
  await given(admin, 'auth_source_ldap', { name: 'people', host: 'ldap.example.test', ...everywhere })
  await given(admin, 'auth_source_oidc', { name: 'login', issuer: 'https://login.example.test', ...everywhere })
  for (const organization of organizations)
    await given(admin, 'smart_proxy', {
      organization_ids: [organization],
      location_ids: locations.slice(0, 1 + (organization % 2)),
    })
  return { organizations, locations }
}

/** Permissions that the author of a walk always has, besides random ones: writes to everything that grants permissions. */
const WRITERS = [
  ...[
    'users',
    'usergroups',
    'roles',
    'filters',
    'external_usergroups',
    'personal_access_tokens',
    'ssh_keys',
    'user_identities',
  ],
  ...['authenticators', 'smart_proxies', 'organizations', 'locations'],
].flatMap((word) => ['view', 'create', 'edit', 'destroy'].map((verb) => `${verb}_${word}`))
const ALSO = ['assign_organizations', 'assign_locations', 'revoke_personal_access_tokens']

/** Permissions of others, and possibly of the author. */
const OTHERS = ['view_hosts', 'edit_hosts', 'view_domains', 'edit_domains', 'view_architectures', 'edit_architectures']

const SEARCHES = ['id > 5', 'id > 0']

/**
 * Creates an author with random permissions to write to people and roles, and a few others with random, partly equal
 * permissions.
 */
export async function randomPeople(
  random: Random,
  { as, database: { db } }: TestApi,
  tenants: Tenants,
  walk: number,
): Promise<{ readonly author: Caller; readonly login: string; readonly limits: Limits | null }> {
  const own = [...WRITERS.filter(() => random.chance(0.8)), ...ALSO.filter(() => random.chance(0.9))]
  const mine = await roleOf(
    random,
    db,
    `author ${walk}`,
    [...own, ...OTHERS.filter(() => random.chance(0.4))],
    tenants,
    { limited: 0.3, searched: 0.1 },
  )
  const roles = [mine, mine]
  for (let made = 0; made < 5; made++) {
    const permissions = [...OTHERS, ...own].filter(() => random.chance(0.15))
    roles.push(await roleOf(random, db, `role ${walk} ${made}`, permissions, tenants, { limited: 0.4, searched: 0.4 }))
  }
  const login = `author${walk}`
  const author = await personOf(random, db, login, tenants, [mine, ...(random.chance(0.4) ? [random.one(roles)] : [])])
  for (let made = 0; made < 6; made++)
    await personOf(
      random,
      db,
      `person${walk}_${made}`,
      tenants,
      random.some(2, () => random.one(roles)),
    )
  for (let made = 0; made < 4; made++) await groupOf(random, db, `group ${walk} ${made}`, roles)
  const token = generateToken()
  await rows(
    db,
    sql`insert into personal_access_tokens (user_id, name, token) values (${author}, 'walk', ${token.digest})`,
  )
  const limits = random.chance(0.25)
    ? {
        permissions: own.filter(() => random.chance(0.9)),
        organizations: random.chance(0.3) ? [random.one(tenants.organizations)] : null,
      }
    : null
  if (limits)
    await rows(
      db,
      sql`insert into token_limits (personal_access_token_id, permissions, organization_ids)
        select id, ${limits.permissions}::text[], ${limits.organizations}::bigint[] from personal_access_tokens where token = ${token.digest}`,
    )
  return { author: as({ authorization: `Bearer ${token.value}` }), login, limits }
}

async function roleOf(
  random: Random,
  db: Db,
  name: string,
  permissions: readonly string[],
  { organizations, locations }: Tenants,
  { limited, searched }: { readonly limited: number; readonly searched: number },
): Promise<number> {
  const role = await inserted(db, sql`insert into roles (name) values (${name}) returning id`)
  if (random.chance(limited)) await link(db, 'role', role, 'organization', [random.one(organizations)])
  if (random.chance(limited)) await link(db, 'role', role, 'location', [random.one(locations)])
  const types = await rows<{ ids: number[] }>(
    db,
    sql`select array_agg(id) as ids from permissions where name = any (${permissions}::text[]) group by resource_type order by min(id)`,
  )
  for (const { ids } of types) {
    const override = random.chance(searched / 3)
    const search = random.chance(searched) ? random.one(SEARCHES) : null
    const filter = await inserted(
      db,
      sql`insert into filters (role_id, search, override) values (${role}, ${search}, ${override}) returning id`,
    )
    await rows(
      db,
      sql`insert into filter_permissions (filter_id, permission_id) select ${filter}::bigint, unnest(${ids}::bigint[])`,
    )
    if (override && random.chance(0.5)) await link(db, 'filter', filter, 'organization', [random.one(organizations)])
  }
  return role
}

async function personOf(
  random: Random,
  db: Db,
  login: string,
  { organizations, locations }: Tenants,
  roles: readonly number[],
): Promise<number> {
  const source = random.chance(0.2)
    ? sql`coalesce((select min(id) from auth_sources where type = 'AuthSourceLdap'), 1)`
    : sql`1`
  const disabled = !login.startsWith('author') && random.chance(0.15)
  const id = await inserted(
    db,
    sql`insert into users (login, mail, auth_source_id, disabled, admin)
      values (${login}, 'x@example.test', ${source}, ${disabled}, ${!login.startsWith('author') && random.chance(0.05)}) returning id`,
  )
  const some = (all: readonly number[]) => all.filter((_, place) => random.chance(place === 0 ? 0.9 : 0.2))
  await link(db, 'user', id, 'organization', some(organizations))
  await link(db, 'user', id, 'location', some(locations))
  await rows(
    db,
    sql`insert into user_roles (user_id, role_id) select distinct ${id}::bigint, unnest(${roles}::bigint[])`,
  )
  return id
}

async function groupOf(random: Random, db: Db, name: string, roles: readonly number[]): Promise<void> {
  const id = await inserted(
    db,
    sql`insert into usergroups (name, admin) values (${name}, ${random.chance(0.1)}) returning id`,
  )
  const held = random.some(2, () => random.one(roles))
  await rows(
    db,
    sql`insert into usergroup_roles (usergroup_id, role_id) select distinct ${id}::bigint, unnest(${held}::bigint[])`,
  )
  if (random.chance(0.3))
    await rows(
      db,
      sql`insert into external_usergroups (name, auth_source_id, usergroup_id)
        select ${name}, id, ${id}::bigint from auth_sources where type = 'AuthSourceLdap' order by id limit 1`,
    )
  await rows(
    db,
    sql`insert into usergroup_usergroups (usergroup_id, member_id) select ${id}, id from usergroups where id < ${id} order by id desc limit ${random.below(2)}`,
  )
  await rows(
    db,
    sql`insert into usergroup_users (usergroup_id, user_id) select ${id}, id from users order by id desc limit ${random.below(3)}`,
  )
}

/** Links with those that are left: an earlier walk may have deleted one. */
async function link(
  db: Db,
  what: 'role' | 'filter' | 'user',
  id: number,
  kind: 'organization' | 'location',
  ids: readonly number[],
): Promise<void> {
  const columns = sql`${sql.ref(`${what}_id`)}, ${sql.ref(`${kind}_id`)}`
  await rows(
    db,
    sql`insert into ${sql.table(`${what}_${kind}s`)} (${columns})
      select ${id}::bigint, id from ${sql.table(`${kind}s`)} where id = any (${ids}::bigint[])`,
  )
}

async function inserted(db: Db, statement: Sql): Promise<number> {
  const made = await row<{ id: number }>(db, statement)
  if (!made) throw new Error('nothing was inserted')
  return made.id
}
