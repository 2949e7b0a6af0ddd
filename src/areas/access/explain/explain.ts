import { z } from 'zod'
import { type Context, hasPermission } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import { badParameter, notFound } from '../../../errors.ts'
import { limitToVisible, permitsOwn, type Registry, type Resource, selectRecord } from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { sql } from '../../../sql.ts'
import { loadActor, loadHeldFilters } from '../identity/actors.ts'
import { findSeen, findSubject, findSubjectOf, seesAccess } from './asking.ts'
import { type Checked, checkConditions, countUnmet, KINDS } from './conditions.ts'

const NAMED = (what: string) =>
  z
    .object({
      id: z.int().meta({ description: `Id of the ${what}.` }),
      name: z.string().meta({ description: `Name of the ${what}.` }),
    })
    .nullable()

const CONDITION = z.object({
  kind: z.enum(KINDS).meta({ description: 'What it asks; all, any and not consist of parts.' }),
  text: z.string().meta({ description: 'The condition; names only what the caller sees.' }),
  met: z.boolean().nullable().meta({ description: 'Whether the record meets it; null without a record.' }),
  parts: z.array(z.unknown()).meta({ description: 'The conditions that it consists of, in the same form.' }),
})

const REASON = z.object({
  group: NAMED('group').meta({ description: 'The group through which the user has the role; null: directly.' }),
  role: NAMED('role').meta({ description: 'The role; null where the caller may not see it, or where none is needed.' }),
  filter: z
    .object({
      id: z.int().meta({ description: 'Id of the filter.' }),
      search: z.string().nullable().meta({ description: 'Its search; null: all records.' }),
    })
    .nullable()
    .meta({ description: 'The filter of the role; null as for the role.' }),
  conditions: z.array(CONDITION).meta({ description: 'What has to be true of the record.' }),
})

/** The answer of an explanation. */
export const EXPLANATION = z
  .object({
    allowed: z.boolean().meta({ description: 'Whether the user may do it.' }),
    reasons: z.array(REASON).meta({ description: 'All ways in which the user may do it.' }),
    nearest: REASON.nullable().meta({
      description: 'Where they may not: the filter of theirs with the fewest failed conditions; null: they have none.',
    }),
  })
  .meta({ title: 'Explanation', description: 'Why somebody may do something, or may not.' })

type Reason = z.infer<typeof REASON>

const ANYWHERE = { organization: null, location: null, named: false }

/** Answers why a user has a permission, for a record or at all, or has it not. {@throws Failure} */
export async function explainAccess(ctx: Context, registry: Registry, { query }: Input): Promise<Answer> {
  const { user: login = ctx.user.login, permission, id = null } = query
  const userId = await findSubject(ctx, registry, login)
  const resource = await findSubjectOf(ctx, registry, permission)
  const name = String(permission)
  if (id !== null && !resource) throw badParameter('id', id, `cannot be given: ${name} is about no records`)
  const record = resource && id !== null ? await findSeen(ctx, resource, id) : null
  // About themselves callers learn what they may do now, also with a token that has limits.
  const actor = userId === ctx.user.id ? ctx.user : await loadActor(ctx.db, userId)
  if (!actor) throw notFound('user', userId)
  const holder: Context = { ...ctx, user: actor, scope: ANYWHERE }
  const simple = await explainSimply(holder, resource, name, record)
  if (simple) return { status: 200, body: simple }
  const held = await describeHeld(holder, ctx, resource, name, record)
  const reasons = held.filter(({ conditions }) => conditions.every(({ met }) => met !== false))
  const [first] = held.toSorted((one, other) => countUnmet(one.conditions) - countUnmet(other.conditions))
  const nearest = reasons.length > 0 ? null : (first ?? null)
  const shown = seesAccess(ctx) ? [reasons, nearest] : [reasons.map(hide), nearest && hide(nearest)]
  return { status: 200, body: { allowed: reasons.length > 0, reasons: shown[0], nearest: shown[1] } }
}

/** Answers where no filter decides: for disabled users, administrators, and records of the user's own. */
async function explainSimply(holder: Context, resource: Resource | null, permission: string, record: number | null) {
  const buildReason = (text: string): Reason => ({
    ...HIDDEN,
    conditions: [{ kind: 'search', text, met: true, parts: [] }],
  })
  const { user } = holder
  if (user.disabled) return { allowed: false, reasons: [], nearest: null }
  if (user.admin) return { allowed: true, reasons: [buildReason('the user is an administrator')], nearest: null }
  if (user.limited) {
    const allowed = hasPermission(holder, permission) && (await reaches(holder, resource, permission, record))
    return { allowed, reasons: allowed ? [buildReason('the token with limits includes it')] : [], nearest: null }
  }
  const operation = OPERATIONS[permission.split('_', 1)[0] ?? '']
  if (!resource || record === null || !operation || !permitsOwn(resource, operation)) return null
  const nobodys: Context = { ...holder, user: { ...user, grants: new Map() } }
  const own = await selectRecord(
    holder.db,
    resource,
    ['id'],
    record,
    limitToVisible(nobodys, resource, permission, true),
  )
  return own ? { allowed: true, reasons: [buildReason('the record is the user’s own')], nearest: null } : null
}

async function reaches(holder: Context, resource: Resource | null, permission: string, record: number | null) {
  if (!resource || record === null) return true
  const conditions = limitToVisible(holder, resource, permission)
  return (await selectRecord(holder.db, resource, ['id'], record, conditions)) !== undefined
}

const OPERATIONS: Readonly<Record<string, 'show' | 'update' | 'delete'>> = {
  view: 'show',
  edit: 'update',
  destroy: 'delete',
}

const HIDDEN = { group: null, role: null, filter: null }

/** Leaves nothing by which somebody who sees no roles could tell one from another. */
function hide(_reason: Reason): Reason {
  return { ...HIDDEN, conditions: [] }
}

/** Describes every filter that gives the user the permission for some records, once for each way to its role. */
async function describeHeld(
  holder: Context,
  asker: Context,
  resource: Resource | null,
  permission: string,
  record: number | null,
): Promise<Reason[]> {
  const filters = await loadHeldFilters(asker.db, holder.user.id, permission)
  const ways = await loadWays(asker, holder.user.id, [...new Set(filters.map(({ role_id }) => role_id))])
  const described: Reason[] = []
  for (const filter of filters) {
    const checked: readonly Checked[] = resource ? await checkConditions(holder, asker, resource, filter, record) : []
    const conditions = checked.map((one) => ({ ...one, parts: [...one.parts] }))
    for (const { group } of ways.filter(({ role_id }) => role_id === filter.role_id))
      described.push({
        group,
        role: { id: filter.role_id, name: filter.role_name },
        filter: { id: filter.id, search: filter.search },
        conditions,
      })
  }
  return described
}

/** Loads how the user has these roles: through which groups, or (null) directly or as the default role. */
async function loadWays({ db }: Context, userId: number, roles: readonly number[]): Promise<readonly Way[]> {
  const found = await rows<{ role_id: number; group_id: number | null; group_name: string | null }>(
    db,
    sql`
      with recursive member_of (id) as (
        select usergroup_id from usergroup_users where user_id = ${userId}
        union
        select up.usergroup_id from usergroup_usergroups up join member_of on up.member_id = member_of.id
      )
      select role_id, null::bigint as group_id, null as group_name
      from user_roles where user_id = ${userId} and role_id = any (${roles}::bigint[])
      union all
      select id, null, null from roles where builtin = 2 and id = any (${roles}::bigint[])
      union all
      select r.role_id, g.id, g.name from usergroup_roles r join usergroups g on g.id = r.usergroup_id
      where g.id in (select id from member_of) and r.role_id = any (${roles}::bigint[])`,
  )
  return found.map(({ role_id, group_id, group_name }) => ({
    role_id,
    group: group_id === null ? null : { id: group_id, name: String(group_name) },
  }))
}

interface Way {
  readonly role_id: number
  readonly group: Reason['group']
}
