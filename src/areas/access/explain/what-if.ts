import { z } from 'zod'
import type { Actor, Context } from '../../../context.ts'
import { row, rows } from '../../../database/sql.ts'
import { invalid, notFound } from '../../../errors.ts'
import {
  joinConditions,
  limitToVisible,
  permissionOf,
  permitsOwn,
  type Registry,
  type Resource,
} from '../../../kernel/index.ts'
import { isValidText } from '../../../lib/lossless-json.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { NOT_STORABLE } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'
import { grantsOf, loadActor, type RoleFilter } from '../identity/actors.ts'
import { findSubject, requireForAll, resourceOfType, SEEING } from './asking.ts'
import { compareForAll } from './everybody.ts'
import { type Change, loadFilters, loadHolders, SAMPLES } from './imagined.ts'
import { readChange } from './question.ts'

const DIFFERENCE = z.object({
  permissions: z.array(z.string()).meta({ description: 'Permissions that differ alike.' }),
  resource: z.string().nullable().meta({ description: 'The kind of the records; null: no records.' }),
  count: z
    .int()
    .nullable()
    .meta({ description: 'Number of records, of those that the caller sees; null: no records.' }),
  samples: z
    .array(
      z.object({
        id: z.int().meta({ description: 'Id of the record.' }),
        name: z.string().nullable().meta({ description: 'Its name, if it has one.' }),
      }),
    )
    .meta({ description: 'Some of them.' }),
})

const USERS = z.object({
  count: z.int().meta({ description: 'Number of users, of those that the caller sees.' }),
  samples: z
    .array(
      z.object({
        id: z.int().meta({ description: 'Id of the user.' }),
        name: z.string().meta({ description: 'Their login.' }),
      }),
    )
    .meta({ description: 'Some of them.' }),
})

const DIFFERENCE_FOR_ALL = z.object({
  permissions: z.array(z.string()).meta({ description: 'Permissions that differ for the same users.' }),
  resource: z.string().nullable().meta({ description: 'The kind of the records; null: no records.' }),
  users: USERS.meta({ description: 'For whom.' }),
})

/** The answer about one user. */
const DIFFERENCES = z
  .object({
    gains: z.array(DIFFERENCE).meta({ description: 'What the user could do in addition.' }),
    losses: z.array(DIFFERENCE).meta({ description: 'What the user could no longer do.' }),
    admin: z
      .object({
        before: z.boolean().meta({ description: 'Whether they are an administrator now.' }),
        after: z.boolean().meta({ description: 'Whether they would be one.' }),
      })
      .meta({ description: 'Administrators may do everything.' }),
  })
  .meta({ title: 'Differences', description: 'What a user would gain and lose.' })

const DIFFERENCES_FOR_ALL = z
  .object({
    gains: z.array(DIFFERENCE_FOR_ALL).meta({ description: 'Permissions that users would get, or for more records.' }),
    losses: z
      .array(DIFFERENCE_FOR_ALL)
      .meta({ description: 'Permissions that users would lose, or for some records.' }),
    administrators: z
      .object({
        gains: USERS.meta({ description: 'Users who would become administrators.' }),
        losses: USERS.meta({ description: 'Users who would no longer be administrators.' }),
      })
      .meta({ description: 'Administrators may do everything.' }),
  })
  .meta({ title: 'DifferencesForAll', description: 'Which users would gain and lose which permissions.' })

/** The answer: what the user, or everybody, would gain and lose. */
export const WHAT_IF = z.union([DIFFERENCES, DIFFERENCES_FOR_ALL])

type Difference = z.infer<typeof DIFFERENCE>

/** Answers what a user or everybody would gain and lose by a change. Nothing is stored. {@throws Failure} */
export async function compareAccess(ctx: Context, registry: Registry, { body }: Input): Promise<Answer> {
  requireForAll(ctx, SEEING)
  const odd = Object.keys(body).find((key) => !isValidText(body[key]))
  if (odd !== undefined) throw invalid({ [odd]: [NOT_STORABLE] })
  const { user: login } = body
  const change = await readChange(ctx, registry, body)
  if (login === undefined && !isAnything(change))
    throw invalid({ user: ['must be a login, unless something changes for everybody'] })
  if (login === undefined) return { status: 200, body: await compareForAll(ctx, registry, change) }
  if (typeof login !== 'string' || login === '') throw invalid({ user: ['must be a login'] })
  const id = await findSubject(ctx, registry, login)
  const before = await loadActor(ctx.db, id)
  const holders = await loadHolders(ctx, sql`t.id = ${id}`, change)
  const [holder] = holders
  if (!before || !holder) throw notFound('user', id)
  const filters = await loadFilters(ctx, holders, change)
  const withRoles = (admin: boolean, roles: readonly number[], given: readonly RoleFilter[]): Actor => {
    return { ...before, admin, grants: grantsOf(given.filter(({ role_id }) => roles.includes(role_id))) }
  }
  const [one, other] = [
    withRoles(holder.admin, holder.roles, filters.before),
    withRoles(holder.admin_then, holder.roles_then, filters.after),
  ]
  const admin = { before: holder.admin, after: holder.admin_then }
  const gains = await listDifferences(ctx, registry, other, one)
  const losses = await listDifferences(ctx, registry, one, other)
  return { status: 200, body: { gains, losses, admin } }
}

function isAnything({ group: _group, ...lists }: Change): boolean {
  return Object.values(lists).some((list) => list.length > 0)
}

/** Lists what one form of a user may do and the other may not, by kinds of records that differ alike. */
async function listDifferences(ctx: Context, registry: Registry, more: Actor, less: Actor): Promise<Difference[]> {
  if (less.admin) return []
  const types = await rows<{ name: string; resource_type: string | null }>(
    ctx.db,
    sql`select name, resource_type from permissions order by name`,
  )
  const changed = types
    .filter(({ name }) => more.admin || JSON.stringify(more.grants.get(name)) !== JSON.stringify(less.grants.get(name)))
    .map(({ name, resource_type }) => {
      const resource = resourceOfType(registry, name, resource_type)
      const grants = JSON.stringify([more.grants.get(name), less.grants.get(name)])
      return { name, resource, alike: `${resource?.name} ${grants}` }
    })
  const groups = Map.groupBy(changed, ({ alike }) => alike)
  const differences: Difference[] = []
  for (const [first, ...others] of groups.values()) {
    if (!first) continue
    const permissions = [first, ...others].map(({ name }) => name)
    const counted = await countBetween(ctx, first, more, less)
    if (counted) differences.push({ permissions, resource: first.resource?.name ?? null, ...counted })
  }
  return differences
}

interface Permitted {
  readonly name: string
  readonly resource: Resource | null
}

/** Counts the records, of those that the caller sees, that one form of a user reaches and the other does not. */
async function countBetween(ctx: Context, { name, resource }: Permitted, more: Actor, less: Actor) {
  if (!resource) return more.grants.has(name) || more.admin ? { count: null, samples: [] } : null
  const scope = { organization: null, location: null, named: false }
  const by = (user: Actor) => joinConditions(limitToVisible({ ...ctx, user, scope }, resource, name))
  const has = (user: Actor) => user.admin || user.grants.has(name)
  const seen = joinConditions(
    limitToVisible(ctx, resource, permissionOf(resource, 'view'), permitsOwn(resource, 'show')),
  )
  const between = sql`${seen} and ${has(more) ? by(more) : sql`false`} and (${has(less) ? by(less) : sql`false`}) is not true`
  const label = resource.placed.find((field) => field.name === resource.label)?.column?.name
  const found = await row<{ count: number; samples: Difference['samples'] }>(
    ctx.db,
    sql`
      with between_both as (select t.id, ${label === undefined ? sql`null` : sql`${sql.ref(`t.${label}`)}::text`} as name
        from ${sql.table(resource.table)} t where ${between})
      select (select count(*)::integer from between_both) as count,
        (select coalesce(jsonb_agg(s), '[]') from (select id, name from between_both order by id limit ${SAMPLES}) s) as samples`,
  )
  return found && found.count > 0 ? found : null
}
