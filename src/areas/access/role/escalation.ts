import { type Context, hasPermission } from '../../../context.ts'
import { row, rows, type Sql } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import type { Registry } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { selectAdministratorsByGroup } from '../identity/administrators.ts'
import { selectUsergroupIds } from '../user/groups.ts'
import { hasGrant, isCovered, isWithinOwnPlaces, loadGrants, type RoleGrant, selectRoleIds } from './rights.ts'

/**
 * Refuses what would let the caller act as these users (an id, or a subselect of ids) unless the caller has all their
 * permissions and places (docs/decisions/0016-speaking-for-others.md). {@throws Failure} invalid
 */
export async function refuseImpersonation(ctx: Context, users: number | Sql, id: number | null = null): Promise<void> {
  if (users === ctx.user.id && !ctx.user.limited) return
  const given = typeof users === 'number' ? sql`select ${users}::bigint` : users
  const lacking = await loadLacking(ctx, { users: given })
  if (lacking) throw invalid({ base: [LACKING[lacking]] }, typeof users === 'number' ? users : id)
}

const LACKING = {
  administrator: 'Administrators can be changed by administrators only',
  rights:
    "You can't do this for somebody who may do more than you, or who belongs to organizations or locations that are not yours",
}

/** Users, and groups that people could join, by subselects of ids: those whose rights a caller would get. */
export interface Rights {
  readonly users: Sql
  readonly usergroups?: Sql
}

/**
 * Yields the permissions that the caller lacks to act as any of these users or members of these groups; null for none.
 */
export async function loadLacking(ctx: Context, { users, usergroups }: Rights): Promise<keyof typeof LACKING | null> {
  if (ctx.user.admin) return null
  const others = ctx.user.limited ? users : sql`select one.id from (${users}) one (id) where one.id <> ${ctx.user.id}`
  const around = usergroups && selectGroupsAround(usergroups)
  const found = await row<{ admin: boolean; elsewhere: boolean }>(
    ctx.db,
    sql`
      select exists (select from users t where t.id in (${others}) and (t.admin or t.id in ${selectAdministratorsByGroup()}))
          ${around ? sql`or exists (select from usergroups where admin and id in ${around})` : sql``} as admin,
        exists (select from users t where t.id in (${others}) and ${isElsewhere(ctx, 't')}) as elsewhere`,
  )
  if (found?.admin) return 'administrator'
  if (found?.elsewhere) return 'rights'
  if (mayEscalate(ctx)) return null
  const roles = around
    ? sql`(${selectRoleIds(others)}) union select role_id from usergroup_roles where usergroup_id in ${around}`
    : selectRoleIds(others)
  const grants = await loadGrants(ctx, roles)
  return grants.every((grant) => hasGrant(ctx, grant)) ? null : 'rights'
}

/**
 * Refuses to hand out roles that the caller does not hold, unless they have `escalate_roles`. {@throws Failure} invalid
 */
export async function refuseEscalation(
  ctx: Context,
  wanted: unknown,
  before: unknown,
  id: number | null,
): Promise<void> {
  const added = mayEscalate(ctx) ? [] : listAdded(before, wanted)
  if (added.length === 0) return
  if (await holdsRoles(ctx, added)) return
  throw invalid({ role_ids: ["You can't assign roles that you do not have yourself"] }, id)
}

/**
 * Refuses to add members to a group unless the caller may hand out its roles and those of all groups around it.
 * {@throws Failure} invalid
 */
export async function refuseEscalationByGroup(ctx: Context, group: number): Promise<void> {
  if (mayEscalate(ctx)) return
  const given = await rows<{ role_id: number }>(ctx.db, selectRolesAround(group))
  await refuseEscalation(
    ctx,
    given.map(({ role_id }) => role_id),
    [],
    group,
  )
}

/**
 * Refuses to hand out a role to people in other organizations or locations unless the role itself is limited to the
 * caller's: what it permits depends on the places of its holder. {@throws Failure} invalid
 */
export async function refuseBeyondPlaces(
  ctx: Context,
  registry: Registry,
  { roles, users }: { readonly roles: Sql; readonly users: Sql | 'anybody' },
  id: number | null,
): Promise<void> {
  if (await mayGiveToAnybody(ctx, registry, roles)) return
  const anywhere =
    users === 'anybody' ||
    (await row(ctx.db, sql`select from users t where t.id in (${users}) and ${isElsewhere(ctx, 't')} limit 1`))
  if (!anywhere) return
  const message =
    "You can't hand out roles without limits to people who belong, or may belong, to organizations or locations that are not yours"
  throw invalid({ role_ids: [message] }, id)
}

/** Whether the caller may give these roles to anybody: what they permit is limited to the caller's places, whoever holds them. */
export async function mayGiveToAnybody(ctx: Context, registry: Registry, roles: Sql): Promise<boolean> {
  if (mayEscalate(ctx)) return true
  const grants = await loadGrants(ctx, roles)
  return grants.every((grant) => isWithinOwnPlaces(ctx, registry, grant))
}

/**
 * Refuses a change of a role that grants more than before, unless the caller has that within their own organizations
 * and locations. {@throws Failure} invalid
 */
export async function refuseWidening(
  ctx: Context,
  registry: Registry,
  role: number,
  before: readonly RoleGrant[],
  { field, id }: { readonly field: string; readonly id: number | null },
): Promise<void> {
  if (mayEscalate(ctx)) return
  const after = await loadGrants(ctx, sql`select ${role}::bigint`)
  const beyond = after.filter(
    (grant) => !isCovered(ctx, grant, before) && !(hasGrant(ctx, grant) && isWithinOwnPlaces(ctx, registry, grant)),
  )
  if (beyond.length === 0) return
  const names = [...new Set(beyond.map(({ permission }) => permission))].join(', ')
  throw invalid({ [field]: [`You can't grant more than you have yourself, nor elsewhere: ${names}`] }, id)
}

/**
 * Loads what a role grants before a change, for `refuseWidening`. Callers who may grant everything need no comparison.
 */
export async function loadGrantsBefore(ctx: Context, role: number): Promise<readonly RoleGrant[]> {
  return mayEscalate(ctx) ? [] : loadGrants(ctx, sql`select ${role}::bigint`)
}

/** Refuses non-administrators to change a group that makes its members administrators. {@throws Failure} invalid */
export async function refuseAdminGroup(ctx: Context, group: number): Promise<void> {
  if (ctx.user.admin) return
  const admin = await row(ctx.db, sql`select from usergroups where admin and id in ${selectGroupsAround(group)}`)
  if (admin) throw invalid({ base: ['Groups of administrators can be changed by administrators only'] }, group)
}

/** Whether the caller may hand out permissions that they do not have. */
export function mayEscalate(ctx: Context): boolean {
  return ctx.user.admin || hasPermission(ctx, 'escalate_roles')
}

/** Whether the caller holds these roles; with a limited token, whether all that they grant is within the limits. */
async function holdsRoles(ctx: Context, roles: readonly unknown[]): Promise<boolean> {
  if (ctx.user.limited) {
    const grants = await loadGrants(ctx, sql`select unnest(${roles}::bigint[])`)
    return grants.every((grant) => hasGrant(ctx, grant))
  }
  const own = await loadHeldRoles(ctx, ctx.user.id)
  return roles.every((role) => own.has(role))
}

/** Loads the ids of somebody's roles: their own, those of their groups, and the default role. */
async function loadHeldRoles(ctx: Context, user: number): Promise<ReadonlySet<unknown>> {
  const held = await rows<{ role_id: number }>(
    ctx.db,
    sql`select role_id from user_roles where user_id = ${user}
      union
      select role_id from usergroup_roles, users t where t.id = ${user} and usergroup_id in ${selectUsergroupIds('t')}
      union
      select id from roles where builtin = 2`,
  )
  return new Set(held.map(({ role_id }) => role_id))
}

/** Yields the wanted ids that were not there before. */
export function listAdded(before: unknown, wanted: unknown): readonly unknown[] {
  const kept = new Set(Array.isArray(before) ? before : [])
  return Array.isArray(wanted) ? wanted.filter((id) => !kept.has(id)) : []
}

/** Selects the roles that membership in a group, or in those of a subselect, gives. */
export function selectRolesAround(groups: number | Sql): Sql {
  return sql`select distinct role_id from usergroup_roles where usergroup_id in ${selectGroupsAround(groups)}`
}

/** Selects the users in these groups, however deep. */
export function selectMembers(groups: readonly unknown[]): Sql {
  return sql`(select user_id from usergroup_users where usergroup_id in ${selectGroupsWithin(groups)})`
}

/** Whether one of these groups, or a group within, is linked to a source, so that anybody might become a member. */
export async function isLinked(ctx: Context, groups: readonly unknown[]): Promise<boolean> {
  const link = sql`select from external_usergroups where usergroup_id in ${selectGroupsWithin(groups)} limit 1`
  return (await row(ctx.db, link)) !== undefined
}

/** Selects these groups and all groups within them, however deep. */
function selectGroupsWithin(groups: readonly unknown[]): Sql {
  return sql`(
    with recursive inside (id) as (
      select unnest(${groups}::bigint[])
      union
      select down.member_id from usergroup_usergroups down join inside on down.usergroup_id = inside.id
    )
    select id from inside)`
}

/** Selects the ids of a group, or those of a subselect, and of all groups around them, however deep. */
function selectGroupsAround(groups: number | Sql): Sql {
  const inner = typeof groups === 'number' ? sql`select ${groups}::bigint` : groups
  return sql`(
    with recursive around (id) as (
      ${inner}
      union
      select outside.usergroup_id from usergroup_usergroups outside join around on outside.member_id = around.id
    )
    select id from around)`
}

/** Whether the user with this alias is in an organization or location that is not the caller's. */
function isElsewhere(ctx: Context, alias: string): Sql {
  if (ctx.user.admin) return sql`false`
  const id = sql.ref(`${alias}.id`)
  return sql`(
    exists (select from user_organizations o where o.user_id = ${id} and o.organization_id <> all (${ctx.user.organizations}::bigint[]))
    or exists (select from user_locations l where l.user_id = ${id} and l.location_id <> all (${ctx.user.locations}::bigint[])))`
}
