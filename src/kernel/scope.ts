import { sql } from 'kysely'
import type { Context, Places } from '../context.ts'
import type { Sql } from '../database/sql.ts'
import { all, any } from '../search/sql.ts'
import { type Condition, ROOT } from './condition.ts'
import { type Resource, singularOf } from './definition.ts'
import { familyOf, takesIn, withBelow } from './trees.ts'

/** The two kinds of scope. Both are trees, and both work the same way. */
export const TAXONOMIES = [
  { kind: 'organization', plural: 'organizations' },
  { kind: 'location', plural: 'locations' },
] as const
export type Taxonomy = (typeof TAXONOMIES)[number]
const [ORGANIZATION] = TAXONOMIES

/** What kinds of them a resource belongs to. */
export function taxonomiesOf({ taxable }: Pick<Resource, 'taxable'>): readonly Taxonomy[] {
  if (!taxable) return []
  return taxable === 'organization' ? [ORGANIZATION] : TAXONOMIES
}

/** The link table of a taxable resource, `user_organizations`, and its column that points at the record. */
export function taxonomyLink({ table }: Pick<Resource, 'table'>, { plural }: Taxonomy): { table: string; own: string } {
  const singular = singularOf(table)
  return { table: `${singular}_${plural}`, own: `${singular}_id` }
}

/**
 * What the context of a request and the caller's own taxonomies leave of a taxable resource (core-api §5.3): records
 * linked to the context, to what lies below it or above it; without a context, to any of the caller's. Both kinds must
 * hold. Administrators without a context see everything, machines what lies where they act.
 */
export function limitToScope(ctx: Context, resource: Pick<Resource, 'taxable' | 'table' | 'type'>): Condition[] {
  if (resource.taxable === 'when_named') return []
  const { admin, places } = ctx.user
  const named = taxonomiesOf(resource).flatMap((taxonomy) => {
    const current = ctx.scope[taxonomy.kind]
    if (current !== null) return linkedTo(ctx, resource, taxonomy, [current])
    return admin || places ? [] : linkedTo(ctx, resource, taxonomy, ctx.user[taxonomy.plural])
  })
  return admin || !places ? named : [...named, ...inPlaces(ctx, resource, places)]
}

/** What the places of a machine leave: the records of any of them. */
function inPlaces(
  ctx: Context,
  resource: Pick<Resource, 'taxable' | 'table' | 'type'>,
  places: readonly Places[],
): Condition[] {
  const alternatives = places.map((place) => limitToGranted(ctx, resource, place))
  if (alternatives.some((conditions) => conditions.length === 0)) return []
  return [
    {
      sql: any(alternatives.map((conditions) => all(conditions.map((condition) => condition.sql)))),
      tables: alternatives.flat().flatMap(({ tables }) => tables),
    },
  ]
}

/** Yields the context of the caller about no organization and no location in particular. */
export function withoutScope(ctx: Context): Context {
  return { ...ctx, scope: { organization: null, location: null, named: false } }
}

/** The rows of the table that are records of this resource for this caller at all. */
export function limitToMembers(ctx: Context, resource: Resource): Condition[] {
  const { records } = resource
  const own = records?.where ? [{ sql: records.where(ctx, ROOT), tables: records.tables ?? [] }] : []
  return records?.limits ? [...own, ...records.limits(ctx, resource)] : own
}

/**
 * Records linked to one of these, to a descendant or to an ancestor of one, or to one that takes in the whole type. The
 * trees are known here, so that the database compares with plain ids: it then sees how many records are meant, and takes
 * the index of the order for many and that of the links for few.
 */
function linkedTo(
  ctx: Context,
  resource: Pick<Resource, 'taxable' | 'table' | 'type'>,
  taxonomy: Taxonomy,
  ids: readonly number[],
): Condition[] {
  const tree = ctx.trees[taxonomy.plural]
  if (saysItself(resource)) return [ownIn(taxonomy, withBelow(tree, ids))]
  const family = familyOf(tree, ids)
  if (takesIn(tree, family, resource.type)) return []
  const link = taxonomyLink(resource, taxonomy)
  return [
    {
      sql: sql`exists (select from ${sql.table(link.table)} l where ${sql.ref(`l.${link.own}`)} = ${sql.ref(`${ROOT}.id`)} and ${sql.ref(`l.${taxonomy.kind}_id`)} = any (${family}::bigint[]))`,
      tables: [link.table],
    },
  ]
}

/** Records linked directly to this location or organization: what naming one in a request narrows a list to. */
export function limitToPlace(resource: Resource, taxonomy: Taxonomy, id: number): Condition {
  if (saysItself(resource)) return ownIn(taxonomy, [id])
  const link = taxonomyLink(resource, taxonomy)
  return {
    sql: sql`exists (select from ${sql.table(link.table)} l where ${sql.ref(`l.${link.own}`)} = ${sql.ref(`${ROOT}.id`)} and ${sql.ref(`l.${taxonomy.kind}_id`)} = ${id})`,
    tables: [link.table],
  }
}

function saysItself({ taxable }: Pick<Resource, 'taxable'>): boolean {
  return taxable === 'own' || taxable === 'organization'
}

/** Records that say themselves that they belong to one of these. */
function ownIn({ kind }: Taxonomy, ids: readonly number[]): Condition {
  return { sql: sql`${sql.ref(`${ROOT}.${kind}_id`)} = any (${ids}::bigint[])`, tables: [] }
}

/** Locations or organizations that the caller may see: their own with all below, unless they are an administrator. */
export function limitToOwnTaxonomies(ctx: Context, { kind, plural }: Taxonomy, alias: string): Sql {
  if (ctx.user.admin) return sql`true`
  const id = sql.ref(`${alias}.id`)
  return any([
    sql`${id} = any (${ctx.user[plural]}::bigint[])`,
    sql`exists (select from ${sql.table(`user_${plural}`)} m where m.user_id = ${ctx.user.id} and ${sql.ref(`m.${kind}_id`)} in (select ${id} union all select unnest(${sql.ref(`${alias}.ancestor_ids`)})))`,
  ])
}

/** The conditions of a grant's organizations and locations; records of types without taxonomies are never limited by them. */
export function limitToGranted(
  ctx: Context,
  resource: Pick<Resource, 'taxable' | 'table' | 'type'>,
  granted: Readonly<Record<Taxonomy['plural'], readonly number[] | null>>,
): Condition[] {
  return taxonomiesOf(resource).flatMap((taxonomy) => {
    const ids = granted[taxonomy.plural]
    return ids === null ? [] : linkedTo(ctx, resource, taxonomy, ids)
  })
}
