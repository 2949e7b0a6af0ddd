import type { Actor, Grant } from '../../../context.ts'
import { type Db, row, rows, type Sql } from '../../../database/sql.ts'
import { sql } from '../../../sql.ts'

/**
 * Loads a user with everything that authorization needs (core-api §5.2, §7.1), in one statement; undefined when there
 * is no such user.
 *
 * `admin` counts user groups, however deep. Grants come from the user's own roles, those of the groups, and the
 * built-in default role. Organizations and locations include all descendants. A grant names the organizations of its
 * filter even if the permission's resource has none; they have no effect then.
 */
export async function loadActor(db: Db, userId: number): Promise<Actor | undefined> {
  const found = await row<ActorRow>(db, buildStatement(userId))
  if (!found) return undefined
  return Object.freeze({
    id: found.id,
    login: found.login,
    name: [found.firstname, found.lastname].filter(Boolean).join(' ') || found.login,
    admin: found.admin,
    disabled: found.disabled,
    timezone: found.timezone || null,
    organizations: found.organizations,
    locations: found.locations,
    secondFactor: { has: found.has_factor, due: found.factor_due },
    roles: found.roles,
    grants: grantsOf(found.filters),
  })
}

interface ActorRow {
  readonly id: number
  readonly login: string
  readonly firstname: string | null
  readonly lastname: string | null
  readonly admin: boolean
  readonly disabled: boolean
  readonly timezone: string | null
  readonly organizations: number[]
  readonly locations: number[]
  readonly has_factor: boolean
  readonly factor_due: string | null
  readonly roles: readonly string[]
  readonly filters: readonly FilterRow[]
}

interface FilterRow {
  readonly permissions: readonly string[]
  readonly search: string | null
  readonly organizations: number[] | null
  readonly locations: number[] | null
}

const EVERYTHING: Grant = Object.freeze({ search: null, organizations: null, locations: null })

/** Collects grants of filters by permission. An unlimited grant makes all others of its permission superfluous. */
export function grantsOf(filters: readonly FilterRow[]): ReadonlyMap<string, readonly Grant[]> {
  const grants = new Map<string, Grant[]>()
  for (const filter of filters) {
    const grant = grantOf(filter)
    for (const permission of filter.permissions) {
      const others = grants.get(permission) ?? []
      if (others[0] === EVERYTHING) continue
      grants.set(permission, grant === EVERYTHING ? [EVERYTHING] : [...others, grant])
    }
  }
  return grants
}

function grantOf({ search, organizations, locations }: FilterRow): Grant {
  if (search === null && organizations === null && locations === null) return EVERYTHING
  return Object.freeze({ search, organizations, locations })
}

/** A filter of one of somebody's roles, with all its conditions. */
export interface HeldFilter extends Grant {
  readonly id: number
  readonly role_id: number
  readonly role_name: string
}

/**
 * Loads the filters that give somebody a permission, by their own roles, those of their groups, and the default role.
 */
export async function loadHeldFilters(db: Db, userId: number, permission: string): Promise<HeldFilter[]> {
  return rows(
    db,
    sql`
      ${selectHeldFilters(userId)}
      select held_filters.id, role_id, roles.name as role_name, search, organizations, locations
      from held_filters join roles on roles.id = role_id
      where exists (select from filter_permissions join permissions on permissions.id = permission_id
                    where filter_id = held_filters.id and permissions.name = ${permission})
      order by held_filters.id`,
  )
}

/** A filter of a role, with the permissions that it gives. */
export interface RoleFilter extends FilterRow {
  readonly id: number
  readonly role_id: number
}

/** Loads the filters of these roles. */
export async function loadFiltersOf(db: Db, roles: readonly number[]): Promise<RoleFilter[]> {
  return rows(
    db,
    sql`
      select filters.id, filters.role_id, filters.search,
             ${selectLimits('organization')} as organizations, ${selectLimits('location')} as locations,
             (select coalesce(jsonb_agg(permissions.name order by permissions.name), '[]')
              from filter_permissions join permissions on permissions.id = permission_id
              where filter_id = filters.id) as permissions
      from filters where filters.role_id = any (${roles}::bigint[]) order by filters.id`,
  )
}

/**
 * Selects the filters of a user. `union` without `all` ends at groups that were seen, so that circles of groups do no
 * harm.
 */
function selectHeldFilters(userId: number): Sql {
  return sql`
    with recursive
    groups (id) as (
      select usergroup_id from usergroup_users where user_id = ${userId}
      union
      select outside.usergroup_id from usergroup_usergroups outside join groups on groups.id = outside.member_id
    ),
    held_roles (id) as (
      select role_id from user_roles where user_id = ${userId}
      union
      select role_id from usergroup_roles join groups on groups.id = usergroup_roles.usergroup_id
      union
      select id from roles where builtin = 2
    ),
    held_filters as (
      select filters.search, filters.id, filters.role_id,
             ${selectLimits('organization')} as organizations,
             ${selectLimits('location')} as locations
      from filters join held_roles on held_roles.id = filters.role_id
    )`
}

function buildStatement(userId: number): Sql {
  return sql`
    ${selectHeldFilters(userId)}
    select users.id, users.login, users.firstname, users.lastname, users.disabled, users.timezone,
           users.admin or exists (select from usergroups join groups using (id) where usergroups.admin) as admin,
           ${selectOwnPlaces('organization', userId)} as organizations,
           ${selectOwnPlaces('location', userId)} as locations,
           exists (select from second_factors f where f.user_id = users.id and f.confirmed_at is not null) as has_factor,
           (select to_json(since) from second_factor_dues d where d.user_id = users.id) as factor_due,
           array(select name from roles join held_roles using (id) where builtin <> 2) as roles,
           coalesce((
             select jsonb_agg(jsonb_build_object(
               'search', search, 'organizations', organizations, 'locations', locations,
               'permissions', (select coalesce(jsonb_agg(permissions.name), '[]')
                               from filter_permissions join permissions on permissions.id = permission_id
                               where filter_id = held_filters.id)) order by held_filters.id)
             from held_filters), '[]') as filters
    from users where users.id = ${userId}`
}

type Taxonomy = 'organization' | 'location'

/**
 * Selects the organizations (locations) that limit a filter: its own if it overrides those of its role, else the
 * role's.
 */
function selectLimits(kind: Taxonomy): Sql {
  const column = sql.ref(`${kind}_id`)
  return sql`(
    with named as (
      select ${column} as id from ${sql.table(`filter_${kind}s`)} where filter_id = filters.id and filters.override
      union
      select ${column} from ${sql.table(`role_${kind}s`)} where role_id = filters.role_id and not filters.override
    )
    select jsonb_agg(tree.id order by tree.id) from ${sql.table(`${kind}s`)} tree
    where tree.id in (select id from named) or tree.ancestor_ids && array(select id from named)
  )`
}

/**
 * Selects the organizations (locations) of a user: the assigned ones with descendants, and those that take in all
 * users.
 */
function selectOwnPlaces(kind: Taxonomy, userId: number): Sql {
  return sql`coalesce((
    with named as (
      select ${sql.ref(`${kind}_id`)} as id from ${sql.table(`user_${kind}s`)} where user_id = ${userId}
    )
    select jsonb_agg(tree.id order by tree.id) from ${sql.table(`${kind}s`)} tree
    where tree.id in (select id from named) or tree.ancestor_ids && array(select id from named)
      or 'User' = any (tree.select_all_types)
  ), '[]')`
}
