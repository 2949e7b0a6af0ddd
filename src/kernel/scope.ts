import { type Context, familyOf, includesAllOf, withBelow } from '../context.ts'
import type { Sql } from '../database/sql.ts'
import { sql } from '../sql.ts'
import { type Condition, limitToAny, limitToIdsOf, ROOT } from './condition.ts'
import type { Resource } from './definition.ts'
import { listLinks, singularOf } from './resources.ts'

/** The two taxonomies, organizations and locations. Both are trees and are treated alike. */
export const TAXONOMIES = [
  { kind: 'organization', plural: 'organizations' },
  { kind: 'location', plural: 'locations' },
] as const
/** Organizations or locations, by their names in the singular and the plural. */
export type Taxonomy = (typeof TAXONOMIES)[number]
const [ORGANIZATION] = TAXONOMIES

/** What places the records of a resource: its taxonomies, its table, and its name in the trees. */
type Placing = Pick<Resource, 'taxable' | 'table' | 'type'>

/** Yields the taxonomies that records of a resource belong to: none, organizations only, or both. */
export function taxonomiesOf({ taxable }: Pick<Resource, 'taxable'>): readonly Taxonomy[] {
  if (!taxable) return []
  return taxable === 'organization' ? [ORGANIZATION] : TAXONOMIES
}

/** Yields the link table of a taxable resource, e.g. `user_organizations`, and its column with the id of the record. */
export function linkTableOf({ table }: Pick<Resource, 'table'>, { plural }: Taxonomy): { table: string; own: string } {
  const singular = singularOf(table)
  return { table: `${singular}_${plural}`, own: `${singular}_id` }
}

/**
 * Leaves the records of a taxable resource that are within scope (core-api §5.3): linked to the request's organization and
 * location, or to one below or above these; where the request has none, to any of the caller's. Administrators without
 * scope see everything; machines see what is in the places where they act.
 */
export function limitToScope(ctx: Context, resource: Placing): Condition[] {
  if (resource.taxable === 'when_named') return []
  const { admin, places } = ctx.user
  const named = taxonomiesOf(resource).flatMap((taxonomy) => {
    const current = ctx.scope[taxonomy.kind]
    if (current !== null) return limitToLinked(ctx, resource, taxonomy, [current])
    return admin || places ? [] : limitToLinked(ctx, resource, taxonomy, ctx.user[taxonomy.plural])
  })
  if (admin || !places) return named
  return [...named, ...limitToAny(places.map((place) => limitToGranted(ctx, resource, place)))]
}

/** Leaves the rows of the table that are records of this resource, within the resource's own limits for the caller. */
export function limitToMembers(ctx: Context, resource: Resource): Condition[] {
  const { records } = resource
  const own = records?.where ? [{ sql: records.where(ctx, ROOT), tables: records.tables ?? [] }] : []
  return records?.limits ? [...own, ...records.limits(ctx, resource)] : own
}

/**
 * Leaves records linked to one of these ids, its descendants or ancestors (records with one organization: its descendants);
 * no condition if one takes in the whole type. The ids are values from the trees in memory, so that the planner can
 * estimate how many records are left and choose between the index of the order and that of the links.
 */
function limitToLinked(ctx: Context, resource: Placing, taxonomy: Taxonomy, ids: readonly number[]): Condition[] {
  const tree = ctx.trees[taxonomy.plural]
  if (hasOwnColumn(resource)) return [limitToOwnIds(taxonomy, withBelow(tree, ids))]
  const family = familyOf(tree, ids)
  if (includesAllOf(tree, family, resource.type)) return []
  return [limitToLinkedBy(resource, taxonomy, sql`any (${family}::bigint[])`)]
}

/** Leaves records linked to this very location or organization, and not to one above or below it. */
export function limitToPlace(resource: Resource, taxonomy: Taxonomy, id: number): Condition {
  return hasOwnColumn(resource) ? limitToOwnIds(taxonomy, [id]) : limitToLinkedBy(resource, taxonomy, sql`${id}`)
}

/** Leaves records with a row in the link table whose id equals this. */
function limitToLinkedBy(resource: Placing, taxonomy: Taxonomy, wanted: Sql): Condition {
  const link = linkTableOf(resource, taxonomy)
  return {
    sql: sql`exists (select from ${sql.table(link.table)} l where ${sql.ref(`l.${link.own}`)} = ${sql.ref(`${ROOT}.id`)} and ${sql.ref(`l.${taxonomy.kind}_id`)} = ${wanted})`,
    tables: [link.table],
  }
}

/** Whether records have one organization or location each, in a column of their own. */
export function hasOwnColumn({ taxable }: Pick<Resource, 'taxable'>): boolean {
  return taxable === 'own' || taxable === 'organization'
}

/** Leaves records whose column for an organization or a location has one of these ids. */
function limitToOwnIds({ kind }: Taxonomy, ids: readonly number[]): Condition {
  return { sql: sql`${sql.ref(`${ROOT}.${kind}_id`)} = any (${ids}::bigint[])`, tables: [] }
}

/** Leaves records in the organizations and locations of a grant; no condition for resources without taxonomies. */
export function limitToGranted(
  ctx: Context,
  resource: Placing,
  granted: Readonly<Record<Taxonomy['plural'], readonly number[] | null>>,
): Condition[] {
  return taxonomiesOf(resource).flatMap((taxonomy) => {
    const ids = granted[taxonomy.plural]
    return ids === null ? [] : limitToLinked(ctx, resource, taxonomy, ids)
  })
}

/** Leaves the records that a request may refer to: all within scope, whatever the permissions. */
export function limitToExisting(ctx: Context, target: Resource): Condition[] {
  const { partOf } = target
  return [
    ...limitToMembers(ctx, target),
    ...limitToScope(ctx, target),
    ...(partOf === undefined ? [] : limitToLinkedInScope(ctx, target, [partOf])),
    ...limitToSeenWith(ctx, target),
  ]
}

/** Leaves records whose `seenWith` links are empty or lead to records within scope; others are not limited. */
export function limitToSeenWith(ctx: Context, resource: Resource): Condition[] {
  return limitToLinkedInScope(ctx, resource, resource.seenWith ?? [])
}

function limitToLinkedInScope(ctx: Context, resource: Resource, fields: readonly string[]): Condition[] {
  return listLinks(resource, fields).flatMap(({ target, column }) => {
    const scope = [...limitToScope(ctx, target), ...limitToSeenWith(ctx, target)]
    if (scope.length === 0 && (ctx.user.admin || !target.records?.where)) return []
    const there = limitToIdsOf(column, target.table, limitToExisting(ctx, target))
    return [{ ...there, sql: sql`(${sql.ref(`${ROOT}.${column}`)} is null or ${there.sql})` }]
  })
}
