import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { row, rows, type Sql } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import { hasPermission } from '../../../kernel/authorize.ts'
import type { Registry } from '../../../kernel/definition.ts'
import { selectAdministratorsByGroup } from '../identity/administrators.ts'
import { selectUsergroupIds } from '../user/groups.ts'
import { hasGrant, isCovered, isWithinOwnPlaces, loadGrants, type RoleGrant, selectRoleIds } from './rights.ts'

/**
 * Whoever can act as these users (one, or those of a subselect of ids) has to have all their permissions and be in all
 * their organizations and locations (docs/decisions/0016-speaking-for-others.md). {@throws Failure} invalid
 */
export async function refuseImpersonation(ctx: Context, users: number | Sql, id: number | null = null): Promise<void> {
  if (users === ctx.user.id) return
  const given = typeof users === 'number' ? sql`select ${users}::bigint` : users
  const lacking = await loadLacking(ctx, { users: given })
  if (lacking) throw invalid({ base: [LACKING[lacking]] }, typeof users === 'number' ? users : id)
}

const LACKING = {
  administrator: 'Administrators can be changed by administrators only',
  rights:
    "You can't do this for somebody who may do more than you, or who belongs to organizations or locations that are not yours",
}

/** Whose rights somebody would get: people, and groups that could be joined; subselects of ids. */
export interface Rights {
  readonly users: Sql
  readonly usergroups?: Sql
}

/** What the caller lacks to act as these people and as any member of these groups; null where that is nothing. */
export async function loadLacking(ctx: Context, { users, usergroups }: Rights): Promise<keyof typeof LACKING | null> {
  if (ctx.user.admin) return null
  const others = sql`select one.id from (${users}) one (id) where one.id <> ${ctx.user.id}`
  const around = usergroups && groupsAround(usergroups)
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

/** Whoever lacks `escalate_roles` can hand out only roles that they hold themselves. {@throws Failure} invalid */
export async function refuseEscalation(
  ctx: Context,
  wanted: unknown,
  before: unknown,
  id: number | null,
): Promise<void> {
  const added = mayEscalate(ctx) ? [] : listAdded(before, wanted)
  if (added.length === 0) return
  const own = await loadHeldRoles(ctx, ctx.user.id)
  if (added.every((role) => own.has(role))) return
  throw invalid({ role_ids: ["You can't assign roles that you do not have yourself"] }, id)
}

/** A member of a group gets the roles of it and of every group around it: who adds one, hands those out. {@throws Failure} invalid */
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
 * A role that one holds says more where its holder belongs to more places: it is handed to people of other organizations
 * or locations only where it is itself limited to the caller's. {@throws Failure} invalid
 */
export async function refuseBeyondPlaces(
  ctx: Context,
  registry: Registry,
  { roles, users }: { readonly roles: Sql; readonly users: Sql | 'anybody' },
  id: number | null,
): Promise<void> {
  if (mayEscalate(ctx)) return
  const grants = await loadGrants(ctx, roles)
  if (grants.every((grant) => isWithinOwnPlaces(ctx, registry, grant))) return
  const anywhere =
    users === 'anybody' ||
    (await row(ctx.db, sql`select from users t where t.id in (${users}) and ${isElsewhere(ctx, 't')} limit 1`))
  if (!anywhere) return
  const message =
    "You can't hand out roles without limits to people who belong, or may belong, to organizations or locations that are not yours"
  throw invalid({ role_ids: [message] }, id)
}

/**
 * What a role grants more than before has to be the caller's own, within their own organizations and locations.
 * {@throws Failure} invalid
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

/** What the role grants now, for `refuseWidening` to compare with; nothing is read for those who may grant everything. */
export async function loadGrantsBefore(ctx: Context, role: number): Promise<readonly RoleGrant[]> {
  return mayEscalate(ctx) ? [] : loadGrants(ctx, sql`select ${role}::bigint`)
}

/** Refuses to let anybody but administrators touch a group that makes administrators of its members. {@throws Failure} invalid */
export async function refuseAdminGroup(ctx: Context, group: number): Promise<void> {
  if (ctx.user.admin) return
  const admin = await row(ctx.db, sql`select from usergroups where admin and id in ${groupsAround(group)}`)
  if (admin) throw invalid({ base: ['Groups of administrators can be changed by administrators only'] }, group)
}

/** Whether the caller may hand out what they do not have. */
export function mayEscalate(ctx: Context): boolean {
  return ctx.user.admin || hasPermission(ctx, 'escalate_roles')
}

/** Ids of the roles that somebody holds, also by groups and by being anybody at all. */
export async function loadHeldRoles(ctx: Context, user: number): Promise<ReadonlySet<unknown>> {
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

/** Those of the ids that were not there before. */
export function listAdded(before: unknown, wanted: unknown): readonly unknown[] {
  const kept = new Set(Array.isArray(before) ? before : [])
  return Array.isArray(wanted) ? wanted.filter((id) => !kept.has(id)) : []
}

/** A subselect of the roles that members of a group get by it. */
export function selectRolesAround(group: number): Sql {
  return sql`select distinct role_id from usergroup_roles where usergroup_id in ${groupsAround(group)}`
}

/** A subselect of the users in these groups, however deep. */
export function selectMembers(groups: readonly unknown[]): Sql {
  return sql`(select user_id from usergroup_users where usergroup_id in ${groupsWithin(groups)})`
}

/** Whether a source says who is in one of these groups, or in one within them: that may be anybody. */
export async function isLinked(ctx: Context, groups: readonly unknown[]): Promise<boolean> {
  const link = sql`select from external_usergroups where usergroup_id in ${groupsWithin(groups)} limit 1`
  return (await row(ctx.db, link)) !== undefined
}

/** A subselect of these groups and of all groups within them, however deep. */
function groupsWithin(groups: readonly unknown[]): Sql {
  return sql`(
    with recursive inside (id) as (
      select unnest(${groups}::bigint[])
      union
      select down.member_id from usergroup_usergroups down join inside on down.usergroup_id = inside.id
    )
    select id from inside)`
}

/** A subselect of the ids of a group, or of those of a subselect, and of all groups around them, however deep. */
function groupsAround(groups: number | Sql): Sql {
  const inner = typeof groups === 'number' ? sql`select ${groups}::bigint` : groups
  return sql`(
    with recursive around (id) as (
      ${inner}
      union
      select outside.usergroup_id from usergroup_usergroups outside join around on outside.member_id = around.id
    )
    select id from around)`
}

/** Whether the user with this alias belongs to an organization or location that is not the caller's. */
function isElsewhere(ctx: Context, alias: string): Sql {
  if (ctx.user.admin) return sql`false`
  const id = sql.ref(`${alias}.id`)
  return sql`(
    exists (select from user_organizations o where o.user_id = ${id} and o.organization_id <> all (${ctx.user.organizations}::bigint[]))
    or exists (select from user_locations l where l.user_id = ${id} and l.location_id <> all (${ctx.user.locations}::bigint[])))`
}
