import {
  asService,
  type Context,
  familyOf,
  type Grant,
  hasPermission,
  includesAllOf,
  withBelow,
  withoutScope,
} from '../context.ts'
import { keyOf, type Sql } from '../database/sql.ts'
import {
  type Condition,
  hasOwnColumn,
  joinConditions,
  limitToVisible,
  limitToVisibleParents,
  listLinks,
  listTables,
  permissionOf,
  permitsOwn,
  type Registry,
  type Resource,
  ROOT,
  taxonomiesOf,
} from '../kernel/index.ts'
import { joinAll, joinAny, sql } from '../sql.ts'

/**
 * Leaves the audits whose records the caller may see now, or, once they are deleted, could have seen: only these tell their
 * readers what was changed. No condition where the caller sees everything. With `types` others are left out unasked.
 */
export function limitToAuditsOfSeen(ctx: Context, registry: Registry, types?: readonly string[]): Condition[] {
  if (ctx.user.admin) return []
  const anywhere = withoutScope(ctx)
  const asked = [...registry.values()].filter(({ audited, type }) => audited && (types?.includes(type) ?? true))
  const always: string[] = []
  const cases: Sql[] = []
  const tables: string[] = ['audits', 'audit_organizations', 'audit_locations']
  for (const [type, resources] of Map.groupBy(asked, (resource) => resource.type)) {
    const ways = resources.map((resource) => limitToSeen(anywhere, resource, sql.ref(`${AUDIT}.auditable_id`)))
    if (ways.includes(ALWAYS)) always.push(type)
    else if (ways.some((way) => way !== NEVER))
      cases.push(sql`when ${type} then ${joinAny(ways.filter((way) => way !== NEVER).map((way) => way.sql))}`)
    tables.push(...listTables(ways))
  }
  const type = sql.ref(`${AUDIT}.auditable_type`)
  const others = sql`${type} = any (${always}::text[])`
  const seen = cases.length === 0 ? others : sql`case ${type} ${sql.join(cases, sql` `)} else ${others} end`
  const row = sql.join(['id', 'auditable_type', 'auditable_id'].map((name) => sql.ref(`${ROOT}.${name}`)))
  return [{ sql: sql`(select ${seen} from (select ${row}) ${sql.ref(AUDIT)})`, tables: [...new Set(tables)] }]
}

/** The alias of the row of `audits`: the conditions of its record call the row of that `t`. */
const AUDIT = 'audit'
const ALWAYS: Condition = { sql: sql`true`, tables: [] }
const NEVER: Condition = { sql: sql`false`, tables: [] }

/** The condition that the caller sees the record with this id, or could have seen it before it was deleted. */
function limitToSeen(ctx: Context, resource: Resource, id: Sql): Condition {
  const permission = permissionOf(resource, 'view')
  const own = permitsOwn(resource, 'show')
  if (!own && !hasPermission(ctx, permission)) return NEVER
  const visible = [...limitToVisible(ctx, resource, permission, own), ...limitToVisibleParents(ctx, resource)]
  if (visible.length === 0) return ALWAYS
  const gone = limitToGone(ctx, resource, permission, id)
  return {
    sql: sql`coalesce((select (${joinConditions(visible)}) is true from ${sql.table(resource.table)} t where t.id = ${id}), ${gone.sql})`,
    tables: [resource.table, ...listTables(visible), ...gone.tables],
  }
}

/**
 * The condition that the caller could have seen a deleted record: by the places that its audit has, and by grants for all
 * records there, because nobody knows what a search would have found. Parts were seen with what they belonged to. Nothing
 * tells who belonged to a deleted place, or owned a deleted bookmark.
 */
function limitToGone(ctx: Context, resource: Resource, permission: string, id: Sql): Condition {
  const whole = resource.links.get(resource.partOf)
  if (whole) return limitToSeen(ctx, whole.target, selectFormer(resource, id, whole.column))
  if (ctx.user.places || isOfCaller(ctx, resource)) return NEVER
  const places = [...limitToPlacesOf(ctx, resource), joinAny(limitToGrants(ctx, resource, permission))]
  if (!resource.nestedOnly) return { sql: joinAll(places), tables: [] }
  const parents = listLinks(resource, Object.values(resource.parents)).map(({ target, column }) => {
    const former = selectFormer(resource, id, column)
    const seen = limitToSeen(ctx, target, former)
    return { sql: sql`(${former} is not null and ${seen.sql})`, tables: seen.tables }
  })
  return { sql: joinAll([...places, joinAny(parents.map((parent) => parent.sql))]), tables: listTables(parents) }
}

/** Selects the id in a column of a deleted record, which the audit of its creation or of its deletion has. */
function selectFormer({ type }: Resource, id: Sql, column: string): Sql {
  const value = sql`b.audited_changes -> ${sql.lit(column)}`
  return sql`(select (${value})::bigint from audits b
    where b.auditable_type = ${type} and b.auditable_id = ${id} and b.action <> 'update' and jsonb_typeof(${value}) = 'number' limit 1)`
}

/** Whether the rows that are records of the resource are others for this caller than for the service. */
function isOfCaller(ctx: Context, { records }: Resource): boolean {
  const read = (reader: Context) => records?.where && keyOf(records.where(reader, ROOT))
  return read(ctx) !== read(asService(ctx))
}

function limitToPlacesOf(ctx: Context, resource: Resource): Sql[] {
  return resource.taxable === 'when_named' ? [] : limitToAuditPlaces(ctx, resource, ctx.user)
}

function limitToGrants(ctx: Context, resource: Resource, permission: string): Sql[] {
  const grants = (ctx.user.grants.get(permission) ?? []).filter(({ search }) => search === null)
  return grants.map((grant) => joinAll(limitToAuditPlaces(ctx, resource, grant)))
}

/** Leaves audits in these organizations and locations, as `limitToScope` does records of this resource. */
function limitToAuditPlaces(
  ctx: Context,
  resource: Resource,
  places: Pick<Grant, 'organizations' | 'locations'>,
): Sql[] {
  return taxonomiesOf(resource).flatMap(({ kind, plural }) => {
    const ids = places[plural]
    if (ids === null) return []
    const tree = ctx.trees[plural]
    const within = hasOwnColumn(resource) ? withBelow(tree, ids) : familyOf(tree, ids)
    if (!hasOwnColumn(resource) && includesAllOf(tree, within, resource.type)) return []
    return [
      // No `exists`: PostgreSQL would read the places of all audits to look up those of a page.
      sql`(select count(*) from ${sql.table(`audit_${plural}`)} l where l.audit_id = ${sql.ref(`${AUDIT}.id`)} and ${sql.ref(`l.${kind}_id`)} = any (${within}::bigint[])) > 0`,
    ]
  })
}
