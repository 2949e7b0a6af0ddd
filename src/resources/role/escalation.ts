import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { row, rows } from '../../database/sql.ts'
import { invalid } from '../../errors.ts'
import { holds } from '../../kernel/authorize.ts'
import { groupsOf } from '../user/groups.ts'

/** Whoever lacks `escalate_roles` can hand out only roles that they hold themselves. {@throws Failure} invalid */
export async function refuseEscalation(
  ctx: Context,
  wanted: unknown,
  before: unknown,
  id: number | null,
): Promise<void> {
  if (mayEscalate(ctx) || !Array.isArray(wanted)) return
  const kept = new Set(Array.isArray(before) ? before : [])
  const added = wanted.filter((role) => !kept.has(role))
  if (added.length === 0) return
  const own = await heldRoles(ctx, ctx.user.id)
  if (added.every((role) => own.has(role))) return
  throw invalid({ role_ids: ["You can't assign roles that you do not have yourself"] }, id)
}

/** A member of a group gets the roles of it and of every group around it: who adds one, hands those out. {@throws Failure} invalid */
export async function refuseEscalationByGroup(ctx: Context, group: number): Promise<void> {
  if (mayEscalate(ctx)) return
  const given = await rows<{ role_id: number }>(
    ctx.db,
    sql`select distinct role_id from usergroup_roles where usergroup_id in ${groupsAround(group)}`,
  )
  await refuseEscalation(
    ctx,
    given.map(({ role_id }) => role_id),
    [],
    group,
  )
}

/** Refuses to let anybody but administrators touch a group that makes administrators of its members. {@throws Failure} invalid */
export async function refuseAdminGroup(ctx: Context, group: number): Promise<void> {
  if (ctx.user.admin) return
  const admin = await row(ctx.db, sql`select from usergroups where admin and id in ${groupsAround(group)}`)
  if (admin) throw invalid({ base: ['Groups of administrators can be changed by administrators only'] }, group)
}

/** Taking the locations and organizations off a role that one holds would lift one's own limits. {@throws Failure} invalid */
export async function refuseLiftingLimits(ctx: Context, role: number): Promise<void> {
  if (mayEscalate(ctx) || !(await heldRoles(ctx, ctx.user.id)).has(role)) return
  throw invalid({ base: ["You can't change the locations and organizations of a role that you have yourself"] }, role)
}

/** Who can log in as somebody has their roles, so those must be one's own as well. {@throws Failure} invalid */
export async function refuseTakingOver(ctx: Context, user: number): Promise<void> {
  if (mayEscalate(ctx) || user === ctx.user.id) return
  const own = await heldRoles(ctx, ctx.user.id)
  const theirs = await heldRoles(ctx, user)
  if ([...theirs].every((role) => own.has(role))) return
  throw invalid({ base: ["You can't do this for somebody who has roles that you do not have yourself"] }, user)
}

function mayEscalate(ctx: Context): boolean {
  return ctx.user.admin || holds(ctx, 'escalate_roles')
}

async function heldRoles(ctx: Context, user: number): Promise<ReadonlySet<unknown>> {
  const held = await rows<{ role_id: number }>(
    ctx.db,
    sql`select role_id from user_roles where user_id = ${user}
      union
      select role_id from usergroup_roles, users t where t.id = ${user} and usergroup_id in ${groupsOf('t')}
      union
      select id from roles where builtin = 2`,
  )
  return new Set(held.map(({ role_id }) => role_id))
}

/** A subselect of the id of a group and of all groups that it is inside of, however deep. */
function groupsAround(group: number) {
  return sql`(
    with recursive around (id) as (
      select ${group}::bigint
      union
      select outside.usergroup_id from usergroup_usergroups outside join around on outside.member_id = around.id
    )
    select id from around)`
}
