import { type Context, type Grant, withBelow } from '../../../context.ts'
import { rows, type Sql } from '../../../database/sql.ts'
import { type Registry, TAXONOMIES, type Taxonomy, taxonomiesOf } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'

/** One permission that a role grants; without organizations (locations) it holds in all of them. */
export interface RoleGrant {
  readonly permission: string
  /** The type of the records that the permission is about. */
  readonly type: string | null
  readonly search: string | null
  readonly organizations: readonly number[]
  readonly locations: readonly number[]
}

/** Loads everything that roles grant, by a subselect of their ids. */
export async function loadGrants(ctx: Context, roles: Sql): Promise<readonly RoleGrant[]> {
  const found = await rows<RoleGrant>(
    ctx.db,
    sql`
      select p.name as permission, p.resource_type as type, f.search,
        ${selectLimits('organization')} as organizations, ${selectLimits('location')} as locations
      from filters f
      join filter_permissions fp on fp.filter_id = f.id
      join permissions p on p.id = fp.permission_id
      where f.role_id in (${roles})
      order by f.id, p.id`,
  )
  return found.map((grant) => ({ ...grant, search: grant.search?.trim() || null }))
}

/** Selects the roles of users, their own and those of their groups, without the default role. */
export function selectRoleIds(users: Sql): Sql {
  return sql`
    with recursive member_of (id) as (
      select usergroup_id from usergroup_users where user_id in (${users})
      union
      select up.usergroup_id from usergroup_usergroups up join member_of on up.member_id = member_of.id
    )
    select role_id from user_roles where user_id in (${users})
    union
    select role_id from usergroup_roles where usergroup_id in (select id from member_of)`
}

/** Whether the caller has this permission for all those records, apart from the caller's places. */
export function hasGrant(ctx: Context, grant: RoleGrant): boolean {
  // A condition with `current_user` means something else for each user.
  const comparable = !grant.search?.includes('current_user')
  const isAlike = (own: Grant) => own.search === null || (comparable && own.search === grant.search)
  const own = ctx.user.grants.get(grant.permission) ?? []
  return own.some((one) => isAlike(one) && TAXONOMIES.every(({ plural }) => isWithin(grant[plural], one[plural])))
}

/** Whether the grant is limited to the caller's organizations and locations, whoever gets it. */
export function isWithinOwnPlaces(ctx: Context, registry: Registry, grant: RoleGrant): boolean {
  return placesOfType(registry, grant.type).every(({ plural }) => isWithin(grant[plural], ctx.user[plural]))
}

/** Whether one of the grants includes all of another. */
export function isCovered(ctx: Context, grant: RoleGrant, others: readonly RoleGrant[]): boolean {
  return others.some(
    (other) =>
      other.permission === grant.permission &&
      (other.search === null || other.search === grant.search) &&
      TAXONOMIES.every(({ plural }) => isWithin(grant[plural], withDescendants(ctx, plural, other[plural]))),
  )
}

/** Whether a limit is within another; only no limit includes no limit. */
function isWithin(limit: readonly number[], reach: readonly number[] | null): boolean {
  return reach === null || (limit.length > 0 && limit.every((id) => reach.includes(id)))
}

function withDescendants(ctx: Context, plural: Taxonomy['plural'], ids: readonly number[]): readonly number[] | null {
  return ids.length === 0 ? null : withBelow(ctx.trees[plural], ids)
}

/** The taxonomies that limit who sees records of a type, in all resources of that type. */
function placesOfType(registry: Registry, type: string | null): readonly Taxonomy[] {
  const placed = [...registry.values()].filter(
    (resource) => resource.type === type && resource.taxable !== 'when_named',
  )
  return TAXONOMIES.filter((taxonomy) => placed.some((resource) => taxonomiesOf(resource).includes(taxonomy)))
}

/** Selects the organizations (locations) of a filter, or of its role where it has none of its own. */
function selectLimits(kind: Taxonomy['kind']): Sql {
  const column = sql.ref(`${kind}_id`)
  return sql`case when f.override
    then array(select ${column} from ${sql.table(`filter_${kind}s`)} where filter_id = f.id)
    else array(select ${column} from ${sql.table(`role_${kind}s`)} where role_id = f.role_id) end`
}
