import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import { badParameter } from '../../../errors.ts'
import { TAXONOMIES, type Taxonomy } from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { sql } from '../../../sql.ts'
import { loadFiltersOf, type RoleFilter } from '../identity/actors.ts'
import { requireForAll } from './asking.ts'

const NAMES = z.array(z.string())

const ROLE = z.object({
  id: z.int().meta({ description: 'Id of the role.' }),
  name: z.string().meta({ description: 'Its name.' }),
  only: NAMES.meta({ description: 'Permissions that the other role does not grant.' }),
})

const CONDITIONS = z.object({
  filter: z.int().meta({ description: 'Id of the filter.' }),
  search: z.string().nullable().meta({ description: 'Its search; null: all records.' }),
  organizations: NAMES.nullable().meta({ description: 'Its organizations, of those of the caller; null: all.' }),
  locations: NAMES.nullable().meta({ description: 'Its locations, of those of the caller; null: all.' }),
})

/** The answer: where two roles differ. */
export const COMPARISON = z
  .object({
    roles: z.array(ROLE).meta({ description: 'The two roles, in the order of the request.' }),
    both: NAMES.meta({ description: 'Permissions that both grant with the same conditions.' }),
    different: z
      .array(
        z.object({
          permission: z.string().meta({ description: 'A permission that both grant with different conditions.' }),
          conditions: z
            .array(z.array(CONDITIONS))
            .meta({ description: 'The conditions of each role; one of its filters is enough.' }),
        }),
      )
      .meta({ description: 'Permissions with different conditions.' }),
  })
  .meta({ title: 'Comparison', description: 'Where two roles differ.' })

/** Answers where two roles differ. {@throws Failure} denied, bad_parameter */
export async function compareRoles(ctx: Context, { query }: Input): Promise<Answer> {
  requireForAll(ctx, ['view_roles', 'view_filters'])
  const [one, other] = await findRoles(ctx, query.roles)
  const filters = await loadFiltersOf(ctx.db, [one.id, other.id])
  const mine = groupByPermission(filters.filter(({ role_id }) => role_id === one.id))
  const theirs = groupByPermission(filters.filter(({ role_id }) => role_id === other.id))
  const shared = [...mine].flatMap(([permission, own]) => {
    const others = theirs.get(permission)
    return others ? [{ permission, own, others, alike: formatAll(own) === formatAll(others) }] : []
  })
  const names = await loadPlaceNames(ctx, filters)
  const present = (each: RoleFilter) => ({
    filter: each.id,
    search: each.search,
    organizations: names.organizations(each.organizations),
    locations: names.locations(each.locations),
  })
  const body = {
    roles: [
      { ...one, only: [...mine.keys()].filter((permission) => !theirs.has(permission)) },
      { ...other, only: [...theirs.keys()].filter((permission) => !mine.has(permission)) },
    ],
    both: shared.filter(({ alike }) => alike).map(({ permission }) => permission),
    different: shared
      .filter(({ alike }) => !alike)
      .map(({ permission, own, others }) => ({ permission, conditions: [own.map(present), others.map(present)] })),
  }
  return { status: 200, body }
}

interface Role {
  readonly id: number
  readonly name: string
}

const TWO = 'must be the ids or names of two roles, with a comma between'

async function findRoles(ctx: Context, sent: unknown): Promise<readonly [Role, Role]> {
  const text = typeof sent === 'string' ? sent : ''
  const wanted = text.split(',').map((one) => one.trim())
  const [first = '', second = ''] = wanted
  if (wanted.length !== 2 || !first || !second) throw badParameter('roles', sent ?? null, TWO)
  const found = await rows<Role>(
    ctx.db,
    sql`select id, name from roles where name = any (${wanted}::text[]) or id::text = any (${wanted}::text[])`,
  )
  const find = (segment: string): Role => {
    const role = found.find(({ id }) => String(id) === segment) ?? found.find(({ name }) => name === segment)
    if (!role) throw badParameter('roles', sent, `${TWO}; there is no role ${segment}`)
    return role
  }
  return [find(first), find(second)]
}

/** Groups filters by permission. One without conditions makes all others of its permission superfluous. */
function groupByPermission(filters: readonly RoleFilter[]): Map<string, RoleFilter[]> {
  const grouped = new Map<string, RoleFilter[]>()
  for (const filter of filters)
    for (const permission of filter.permissions) grouped.set(permission, [...(grouped.get(permission) ?? []), filter])
  const sorted = [...grouped].toSorted(([one], [other]) => (one < other ? -1 : 1))
  return new Map(
    sorted.map(([permission, own]) => {
      const unlimited = own.find(({ search, organizations, locations }) => !search && !organizations && !locations)
      return [permission, unlimited ? [unlimited] : own]
    }),
  )
}

function formatAll(filters: readonly RoleFilter[]): string {
  const formatted = filters.map(({ search, organizations, locations }) =>
    JSON.stringify([search, organizations, locations]),
  )
  return [...new Set(formatted)].toSorted().join()
}

/** Loads the titles of the places of filters, of those that the caller is in; those below another one are left out. */
async function loadPlaceNames(ctx: Context, filters: readonly RoleFilter[]) {
  const load = async ({ plural }: Taxonomy) => {
    const titles = await rows<{ id: number; title: string }>(
      ctx.db,
      sql`select id, title from ${sql.table(plural)} where id = any (${[...new Set(filters.flatMap((one) => one[plural] ?? []))]}::bigint[])
        and (${ctx.user.admin} or id = any (${ctx.user[plural]}::bigint[])) order by title`,
    )
    return (ids: readonly number[] | null) => {
      if (ids === null) return null
      const isTop = (id: number) => !ctx.trees[plural].get(id)?.above.some((above) => ids.includes(above))
      return titles.filter(({ id }) => ids.includes(id) && isTop(id)).map(({ title }) => title)
    }
  }
  const [organization, location] = TAXONOMIES
  return { organizations: await load(organization), locations: await load(location) }
}
