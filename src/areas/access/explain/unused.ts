import { z } from 'zod'
import { type Context, hasPermission } from '../../../context.ts'
import { rows, type Sql } from '../../../database/sql.ts'
import { badParameter, denied, notFound } from '../../../errors.ts'
import { findResource, joinConditions, limitToVisible, permissionOf, type Registry } from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { sql } from '../../../sql.ts'
import { loadActor, loadFiltersOf } from '../identity/actors.ts'
import { selectMembers } from '../role/escalation.ts'
import { findSubject, requireForAll, SEEING } from './asking.ts'

const NAMES = z.array(z.string())

/** The answer: what nobody used. */
export const UNUSED = z
  .object({
    days: z.int().meta({ description: 'The number of days of which audits were searched.' }),
    complete: z.boolean().meta({
      description: 'Whether audits of all this time are kept (setting audits_keep); else use before that is not known.',
    }),
    unused: NAMES.meta({
      description: 'Permissions to create, edit and destroy that no audit shows in use, of those that the caller sees.',
    }),
    used: NAMES.meta({ description: 'Permissions for which there are such audits.' }),
    unknown: NAMES.meta({
      description: 'Permissions whose use is not recorded, such as all to view something.',
    }),
  })
  .meta({ title: 'Unused', description: 'Permissions that nobody used for some days, as far as audits show.' })

/** Answers which permissions of a user or role nobody used for some days, by audits. {@throws Failure} */
export async function answerUnused(ctx: Context, registry: Registry, { query }: Input): Promise<Answer> {
  const audits = findResource(registry, 'audit')
  const view = permissionOf(audits, 'view')
  if (!hasPermission(ctx, view)) throw denied([view])
  const days = readDays(query.days)
  const { permissions, users } = await findHeld(ctx, registry, query)
  const since = new Date(ctx.now().getTime() - days * 86_400_000)
  const acted = await rows<Acted>(
    ctx.db,
    sql`
      select distinct t.action, t.auditable_type as type from audits t
      where t.created_at >= ${since.toISOString()}::timestamptz and t.user_id in (${users})
        and ${joinConditions(limitToVisible(ctx, audits, view))}`,
  )
  const known = mapAudited(registry)
  const has = (one: Acted) => acted.some(({ action, type }) => action === one.action && type === one.type)
  const recorded = permissions.filter((name) => known.has(name))
  const used = recorded.filter((name) => known.get(name)?.some(has))
  const { audits_keep: keep } = ctx.settings
  const body = {
    days,
    complete: keep === 0 || keep >= days,
    unused: recorded.filter((name) => !used.includes(name)),
    used,
    unknown: permissions.filter((name) => !known.has(name)),
  }
  return { status: 200, body }
}

const MOST_DAYS = 3650

function readDays(sent: unknown): number {
  const days = Number(sent ?? 90)
  if (!Number.isInteger(days) || days < 1 || days > MOST_DAYS)
    throw badParameter('days', sent, `must be a whole number of days from 1 to ${MOST_DAYS}`)
  return days
}

interface Held {
  readonly permissions: readonly string[]
  /** A subselect of the users who could use them. */
  readonly users: Sql
}

async function findHeld(ctx: Context, registry: Registry, { user, role }: Input['query']): Promise<Held> {
  if (user !== undefined && role !== undefined) throw badParameter('role', role, 'cannot be given together with user')
  if (role !== undefined) return findHeldByRole(ctx, registry, role)
  const id = await findSubject(ctx, registry, user ?? ctx.user.login)
  const actor = await loadActor(ctx.db, id)
  if (!actor) throw notFound('user', id)
  const all = actor.admin ? await rows<{ name: string }>(ctx.db, sql`select name from permissions`) : null
  const permissions = all ? all.map(({ name }) => name) : [...actor.grants.keys()]
  return { permissions: permissions.toSorted(), users: sql`select ${id}::bigint` }
}

async function findHeldByRole(ctx: Context, registry: Registry, sent: unknown): Promise<Held> {
  requireForAll(ctx, SEEING)
  const wanted = String(sent)
  const found = await rows<{ id: number; builtin: number; groups: number[] }>(
    ctx.db,
    sql`select id, builtin, array(select usergroup_id from usergroup_roles where role_id = roles.id) as groups
      from roles where id::text = ${wanted} or name = ${wanted} order by id::text = ${wanted} desc`,
  )
  const [role] = found
  if (!role) throw badParameter('role', sent, 'must be the id or name of a role')
  const filters = await loadFiltersOf(ctx.db, [role.id])
  const seen = joinConditions(limitToVisible(ctx, findResource(registry, 'user'), 'view_users'))
  const users = sql`select t.id from users t where ${seen} and (${role.builtin === 2}
    or t.id in (select user_id from user_roles where role_id = ${role.id}) or t.id in ${selectMembers(role.groups)})`
  return { permissions: [...new Set(filters.flatMap(({ permissions }) => permissions))].toSorted(), users }
}

interface Acted {
  readonly action: string
  readonly type: string
}

const VERBS = [
  ['create', 'create'],
  ['edit', 'update'],
  ['destroy', 'destroy'],
] as const

/** Maps each permission to change records to the audits that its use leaves, of all resources that require it. */
function mapAudited(registry: Registry): ReadonlyMap<string, readonly Acted[]> {
  const audited = new Map<string, Acted[]>()
  for (const resource of registry.values()) {
    if (!resource.audited || !resource.type) continue
    for (const [verb, action] of VERBS) {
      const name = permissionOf(resource, verb)
      audited.set(name, [...(audited.get(name) ?? []), { action, type: resource.type }])
    }
    const reveal = resource.furtherPermissions.find((name) => name.startsWith('reveal_'))
    if (reveal) audited.set(reveal, [{ action: 'reveal', type: resource.type }])
  }
  return audited
}
