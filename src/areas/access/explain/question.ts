import { z } from 'zod'
import { type Context, withBelow } from '../../../context.ts'
import { row, rows } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import { findResource, joinConditions, limitToVisible, type Registry, TAXONOMIES } from '../../../kernel/index.ts'
import { isMembers } from '../../../lib/values.ts'
import { withPartName } from '../../../records/parts.ts'
import { type Sql, sql } from '../../../sql.ts'
import { readNewFilter, refuseLockedRole } from '../filter/filter.ts'
import type { RoleFilter } from '../identity/actors.ts'
import type { Change } from './imagined.ts'

const names = (description: string, by = 'id or name') =>
  z
    .array(z.union([z.int(), z.string()]))
    .optional()
    .meta({ description: `${description}, by ${by}.` })

const FILTER = z
  .looseObject({
    role_id: z.int().optional().meta({ description: 'The role that would get it, or else role_name.' }),
    permission_ids: z.array(z.int()).optional().meta({ description: 'Permissions, or else permission_names.' }),
    search: z.string().nullable().optional().meta({ description: 'Only records that match this search.' }),
  })
  .meta({ description: 'A filter, with the keys with which filters are created.' })

/** The question: what would change, and for whom. */
export const QUESTION = z.object({
  user: z.string().optional().meta({ description: 'Login of the user; missing: the group, or else everybody.' }),
  usergroup: z
    .union([z.int(), z.string()])
    .optional()
    .meta({ description: 'The group that would be changed, by id or name; missing: the user, or everybody.' }),
  add_roles: names('Roles that the user, everybody or the group would get'),
  remove_roles: names('Roles that they would no longer have themselves'),
  add_usergroups: names('Groups that users would join, or that would be within the group'),
  remove_usergroups: names('Groups that users would leave, or that would no longer be within the group'),
  add_users: names('Users that would join the group', 'id or login'),
  remove_users: names('Users that would leave the group', 'id or login'),
  add_filters: z.array(FILTER).optional().meta({ description: 'Filters that roles would get.' }),
  remove_filters: z.array(z.int()).optional().meta({ description: 'Ids of filters that roles would lose.' }),
})

type Sent = Readonly<Record<string, unknown>>

const MOST = 1000

/** Reads what would change. {@throws Failure} invalid, unknown_reference */
export async function readChange(ctx: Context, registry: Registry, body: Sent): Promise<Change> {
  const group = await readGroup(ctx, body)
  return {
    group,
    addRoles: await readIds(ctx, ROLES, 'add_roles', body),
    removeRoles: await readIds(ctx, ROLES, 'remove_roles', body),
    addGroups: await readIds(ctx, GROUPS, 'add_usergroups', body),
    removeGroups: await readIds(ctx, GROUPS, 'remove_usergroups', body),
    addUsers: await readUsers(ctx, registry, 'add_users', body, group),
    removeUsers: await readUsers(ctx, registry, 'remove_users', body, group),
    addFilters: await readNewFilters(ctx, registry, body.add_filters),
    removeFilters: await readFilters(ctx, body.remove_filters),
  }
}

interface Named {
  readonly plural: string
  readonly label: string
  readonly limits: readonly Sql[]
}

const ROLES: Named = { plural: 'roles', label: 'name', limits: [] }
const GROUPS: Named = { plural: 'usergroups', label: 'name', limits: [] }

async function readGroup(ctx: Context, { user, usergroup }: Sent): Promise<number | null> {
  if (usergroup === undefined || usergroup === null) return null
  if (user !== undefined) throw invalid({ usergroup: ['cannot be given together with user'] })
  const parsed = z.union([z.int(), z.string()]).safeParse(usergroup)
  if (!parsed.success) throw invalid({ usergroup: ['must be the id or name of a group'] })
  const [id = null] = await readIds(ctx, GROUPS, 'usergroup', { usergroup: [parsed.data] })
  return id
}

async function readUsers(ctx: Context, registry: Registry, key: string, body: Sent, group: number | null) {
  if (body[key] === undefined || body[key] === null) return []
  if (group === null) throw invalid({ [key]: ['can be given only with usergroup: the group that they join or leave'] })
  const limits = [joinConditions(limitToVisible(ctx, findResource(registry, 'user'), 'view_users'))]
  return readIds(ctx, { plural: 'users', label: 'login', limits }, key, body)
}

async function readIds(ctx: Context, { plural, label, limits }: Named, key: string, body: Sent): Promise<number[]> {
  const sent = body[key]
  if (sent === undefined || sent === null) return []
  const parsed = z
    .array(z.union([z.int(), z.string()]))
    .max(MOST)
    .safeParse(sent)
  if (!parsed.success) throw invalid({ [key]: [`must be a list of at most ${MOST} ids or ${label}s`] })
  const wanted = parsed.data.map(String)
  const column = sql.ref(`t.${label}`)
  const found = await rows<{ id: number; name: string }>(
    ctx.db,
    sql`select t.id, ${column} as name from ${sql.table(plural)} t
      where (${column} = any (${wanted}::text[]) or t.id::text = any (${wanted}::text[]))
        and ${sql.join([sql`true`, ...limits], sql` and `)}`,
  )
  const unknown = wanted.find((one) => !found.some(({ id, name }) => String(id) === one || name === one))
  if (unknown !== undefined) throw invalid({ [key]: [`must be ids or ${label}s of ${plural}: ${unknown}`] })
  return found.map(({ id }) => id)
}

async function readFilters(ctx: Context, sent: unknown): Promise<number[]> {
  if (sent === undefined || sent === null) return []
  const parsed = z.array(z.int()).max(MOST).safeParse(sent)
  if (!parsed.success) throw invalid({ remove_filters: [`must be a list of at most ${MOST} ids of filters`] })
  const found = await rows<{ id: number; role_id: number }>(
    ctx.db,
    sql`select id, role_id from filters where id = any (${parsed.data}::bigint[])`,
  )
  const unknown = parsed.data.find((id) => !found.some((one) => one.id === id))
  if (unknown !== undefined) throw invalid({ remove_filters: [`must be ids of filters: ${unknown}`] })
  for (const role of new Set(found.map(({ role_id }) => role_id))) await refuseLockedRole(ctx, role)
  return parsed.data
}

/** Filters are computed one by one for everybody with their roles. */
const MOST_FILTERS = 50

async function readNewFilters(ctx: Context, registry: Registry, sent: unknown): Promise<RoleFilter[]> {
  if (sent === undefined || sent === null) return []
  const parsed = z.array(z.unknown()).max(MOST_FILTERS).safeParse(sent)
  if (!parsed.success) throw invalid({ add_filters: [`must be a list of at most ${MOST_FILTERS} filters`] })
  const filters: RoleFilter[] = []
  for (const [place, body] of parsed.data.entries())
    await withPartName({ key: 'add_filters', place }, null, async () => {
      if (!isMembers(body)) throw invalid({ base: ['must be an object with the keys of a filter, such as role_id'] })
      filters.push(await readImagined(ctx, registry, body, -1 - place))
    })
  return filters
}

async function readImagined(ctx: Context, registry: Registry, body: Sent, id: number): Promise<RoleFilter> {
  const draft = await readNewFilter(ctx, registry, body)
  const found = await row<{ permissions: string[]; organizations: number[]; locations: number[] }>(
    ctx.db,
    sql`select array(select name from permissions where id = any (${draft.permissions ?? []}::bigint[]) order by 1) as permissions,
        array(select organization_id from role_organizations where role_id = ${draft.role}::bigint) as organizations,
        array(select location_id from role_locations where role_id = ${draft.role}::bigint) as locations`,
  )
  const [organizations, locations] = TAXONOMIES.map(({ plural }) => {
    const ids = (draft.override ? draft[plural] : found?.[plural]) ?? []
    return ids.length === 0 ? null : withBelow(ctx.trees[plural], ids).toSorted((one, other) => one - other)
  })
  return {
    id,
    role_id: draft.role,
    permissions: found?.permissions ?? [],
    search: draft.search ?? null,
    organizations: organizations ?? null,
    locations: locations ?? null,
  }
}
