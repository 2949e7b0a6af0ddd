import { z } from 'zod'
import type { Actor, Context } from '../../../context.ts'
import { row, rows } from '../../../database/sql.ts'
import { denied, invalid, notFound } from '../../../errors.ts'
import {
  joinConditions,
  limitToVisible,
  permissionOf,
  permitsOwn,
  type Registry,
  type Resource,
} from '../../../kernel/index.ts'
import { isValidText } from '../../../lib/valid-text.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { NOT_STORABLE } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'
import { type Change, loadActor } from '../identity/actors.ts'
import { findSubject, resourceOfType, SEEING, seesAccess } from './asking.ts'

const names = (description: string) =>
  z
    .array(z.union([z.int(), z.string()]))
    .optional()
    .meta({ description: `${description}, by id or name.` })

/** The question: a user, and what would be given to them and taken from them. */
export const QUESTION = z.object({
  user: z.string().meta({ description: 'Login of the user.' }),
  add_roles: names('Roles that they would get'),
  remove_roles: names('Roles that they would no longer have themselves'),
  add_usergroups: names('Groups that they would join'),
  remove_usergroups: names('Groups that they would leave'),
})

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

/** The answer: what the user would gain and lose. */
export const DIFFERENCES = z.object({
  gains: z.array(DIFFERENCE).meta({ description: 'What the user could do in addition.' }),
  losses: z.array(DIFFERENCE).meta({ description: 'What the user could no longer do.' }),
  admin: z
    .object({
      before: z.boolean().meta({ description: 'Whether they are an administrator now.' }),
      after: z.boolean().meta({ description: 'Whether they would be one.' }),
    })
    .meta({ description: 'Administrators may do everything.' }),
})

type Difference = z.infer<typeof DIFFERENCE>

/** Answers what a user would gain and lose by a change of roles and groups. Nothing is stored. {@throws Failure} */
export async function compareAccess(ctx: Context, registry: Registry, { body }: Input): Promise<Answer> {
  if (!seesAccess(ctx)) throw denied(SEEING)
  const odd = Object.keys(body).find((key) => !isValidText(body[key]))
  if (odd !== undefined) throw invalid({ [odd]: [NOT_STORABLE] })
  const change: Change = {
    addRoles: await findIds(ctx, 'roles', 'add_roles', body.add_roles),
    removeRoles: await findIds(ctx, 'roles', 'remove_roles', body.remove_roles),
    addGroups: await findIds(ctx, 'usergroups', 'add_usergroups', body.add_usergroups),
    removeGroups: await findIds(ctx, 'usergroups', 'remove_usergroups', body.remove_usergroups),
  }
  if (typeof body.user !== 'string' || body.user === '') throw invalid({ user: ['must be a login'] })
  const id = await findSubject(ctx, registry, body.user)
  const [before, after] = [await loadActor(ctx.db, id), await loadActor(ctx.db, id, change)]
  if (!before || !after) throw notFound('user', id)
  const admin = { before: before.admin, after: after.admin }
  const gains = await listDifferences(ctx, registry, after, before)
  const losses = await listDifferences(ctx, registry, before, after)
  return { status: 200, body: { gains, losses, admin } }
}

async function findIds(ctx: Context, table: 'roles' | 'usergroups', key: string, sent: unknown): Promise<number[]> {
  if (sent === undefined || sent === null) return []
  const parsed = z
    .array(z.union([z.int(), z.string()]))
    .max(1000)
    .safeParse(sent)
  if (!parsed.success) throw invalid({ [key]: ['must be a list of ids or names'] })
  const wanted = parsed.data.map(String)
  const found = await rows<{ id: number; name: string }>(
    ctx.db,
    sql`select id, name from ${sql.table(table)} where name = any (${wanted}::text[]) or id::text = any (${wanted}::text[])`,
  )
  const unknown = wanted.find((one) => !found.some(({ id, name }) => String(id) === one || name === one))
  if (unknown !== undefined) throw invalid({ [key]: [`must be ids or names of ${table}: ${unknown}`] })
  return found.map(({ id }) => id)
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

const SAMPLES = 5

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
