import { type Context, familyOf, includesAllOf } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { refuseInvalid } from '../../../errors.ts'
import { type Draft, linkTableOf, type Resource, TAXONOMIES, type Taxonomy } from '../../../kernel/index.ts'
import { joinAll, sql } from '../../../sql.ts'

/** Organization and location of a host, by id; anything but a number means none. */
type TaxonomyIds = Readonly<Record<Taxonomy['kind'], unknown>>

/** Links of a host whose targets may belong to organizations and locations, by column. */
const OF_HOST = [
  'hostgroup',
  'environment',
  'medium',
  'ptable',
  'realm',
  'compute_resource',
  'config_proxy',
  'config_ca_proxy',
]
const OF_INTERFACE = ['domain', 'subnet', 'subnet6']

const TARGETS: Readonly<Record<string, string>> = {
  config_proxy: 'smart_proxy',
  config_ca_proxy: 'smart_proxy',
  subnet6: 'subnet',
}

/** Whether values of a host or its primary interface include links to records that may belong to organizations or locations. */
export function hasPlacedLinks(...values: readonly Draft[]): boolean {
  return values.some((each) => [...OF_HOST, ...OF_INTERFACE].some((name) => (each[name] ?? null) !== null))
}

/** The links that must suit the new places of a host that moves; it keeps all others, which somebody chose before. */
const SUITING_MOVES = ['compute_resource', 'subnet', 'subnet6']

/** The links of a host before a write, and whether the write moves it to other places. */
export interface FormerLinks {
  readonly isMoved: boolean
  /** Ids by column. */
  readonly links: Readonly<Record<string, unknown>>
}

/**
 * Refuses links to records that belong to organizations or locations unless one of these is the host's, above it or
 * below it. Records that belong to none are for all. An existing host keeps its links, but for those that a move must
 * suit. One statement. {@throws Failure} invalid, naming the fields
 */
export async function refuseForeign(
  ctx: Context,
  resource: Resource,
  id: number,
  place: TaxonomyIds,
  former: FormerLinks | null,
): Promise<void> {
  const checks = TAXONOMIES.flatMap((taxonomy) => {
    const own = place[taxonomy.kind]
    return typeof own === 'number' ? selectForeign(ctx, resource, taxonomy, own, former) : []
  })
  if (checks.length === 0) return
  const found = await row<Record<string, boolean | null>>(
    ctx.db,
    sql`select ${sql.join(checks.map(({ key, foreign }) => sql`${foreign} as ${sql.ref(key)}`))}
      from hosts t left join interfaces i on i.host_id = t.id and i."primary" where t.id = ${id}`,
  )
  const errors: Record<string, string[]> = {}
  for (const { key, field, message } of checks) if (found?.[key]) errors[field] = [...(errors[field] ?? []), message]
  refuseInvalid(errors, id)
}

function selectForeign(ctx: Context, resource: Resource, taxonomy: Taxonomy, own: number, former: FormerLinks | null) {
  const tree = ctx.trees[taxonomy.plural]
  const family = familyOf(tree, [own])
  return [...OF_HOST, ...OF_INTERFACE].flatMap((name) => {
    const target = resource.registry.get(TARGETS[name] ?? name)
    if (!target || includesAllOf(tree, family, target.type)) return []
    const link = linkTableOf(target, taxonomy)
    const holder = OF_INTERFACE.includes(name) ? 'i' : 't'
    const kept = former && !(former.isMoved && SUITING_MOVES.includes(name)) ? former.links[`${name}_id`] : null
    const column = sql.ref(`${holder}.${name}_id`)
    const linked = sql`from ${sql.table(link.table)} l where ${sql.ref(`l.${link.own}`)} = ${column}`
    const foreign = joinAll([
      ...(typeof kept === 'number' ? [sql`${column} is distinct from ${kept}`] : []),
      sql`exists (select ${linked})`,
      sql`not exists (select ${linked} and ${sql.ref(`l.${taxonomy.kind}_id`)} = any (${family}::bigint[]))`,
    ])
    const message = `does not belong to the ${taxonomy.kind} of the host`
    return [{ key: `${name}_${taxonomy.kind}`, field: `${name}_id`, foreign, message }]
  })
}
