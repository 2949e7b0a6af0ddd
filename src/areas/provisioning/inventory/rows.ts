import { beginPortion, type Context, hasPermission } from '../../../context.ts'
import { rows, type Sql } from '../../../database/sql.ts'
import { openKept, selectSealed } from '../../../encryption/hidden-values.ts'
import { Failure } from '../../../errors.ts'
import {
  type Condition,
  compileRequestSearch,
  findResource,
  joinConditions,
  limitToReachable,
  limitToVisible,
  type Registry,
} from '../../../kernel/index.ts'
import { parseExact, printExact } from '../../../lib/lossless-json.ts'
import { membersOf } from '../../../lib/values.ts'
import { HIDDEN } from '../../../requests/masks.ts'
import { sql } from '../../../sql.ts'
import { admitReveal, recordReveals } from '../../access/index.ts'
import { isGlobal, resolveReferences, selectEffectiveRows } from '../../parameters/index.ts'

/** The number of hosts that one statement reads. */
const PORTION = 5000

/** The keys of a row that a client can leave out, by the name of the input that says so. */
export const INVENTORY_INPUTS: Readonly<Record<string, readonly string[]>> = {
  Organization: ['organization'],
  Location: ['location'],
  'Host Group': ['host_group'],
  'Host Collections': ['host_collections'],
  'Host Parameters': ['host_parameters'],
  IPv4: ['ipv4'],
  IPv6: ['ipv6'],
  Subnet: ['subnet'],
  'Subnet v6': ['subnet6'],
  'Smart Proxies': ['smart_proxies'],
  'Content Attributes': ['content_attributes'],
  Facts: ['facts'],
}

/** Which hosts an inventory lists, and which keys of each. */
export interface InventoryWish {
  readonly search: string | null
  readonly keys: ReadonlySet<string>
}

/**
 * Selects the hosts that the caller may see as rows of an inventory, each as JSON text, in portions of one statement each, in
 * order of their ids.
 */
export async function* selectInventoryRows(
  ctx: Context,
  registry: Registry,
  wish: InventoryWish,
  further: readonly Condition[] = [],
): AsyncGenerator<readonly string[]> {
  const hosts = findResource(registry, 'host')
  for (let after = 0; ; ) {
    const now = await beginPortion(ctx)
    const conditions = [
      ...limitToVisible(now, hosts, 'view_hosts'),
      ...(await compileRequestSearch(now, hosts, wish.search)),
      ...further,
    ]
    const mayReveal = wish.keys.has('host_parameters') && hasPermission(now, REVEAL) && (await admitReveal(now, false))
    const revealed = mayReveal ? joinConditions(limitToVisible(now, findResource(registry, 'parameter'), REVEAL)) : null
    const selected = selectRow(now, registry, wish.keys, revealed)
    const sealed = revealed === null ? sql`null` : selectSealedParameters(now, registry, revealed)
    const found = await rows<{ id: number; row: string; sealed: Sealed | null }>(
      now.db,
      sql`with listed as materialized (select t.id from hosts t where t.id > ${after} and ${joinConditions(conditions)}
          order by t.id limit ${PORTION + 1})
        select h.id, (${selected})::text as row, ${sealed} as sealed
        from listed join hosts h on h.id = listed.id left join interfaces i on i.host_id = h.id and i."primary" order by h.id`,
    )
    const portion = found.slice(0, PORTION)
    const last = portion.at(-1)
    if (last === undefined) return
    await recordReveals(
      now,
      hosts,
      portion.flatMap(({ id, sealed: hidden }) => (hidden === null ? [] : [id])),
    )
    yield await Promise.all(portion.map(({ row, sealed: hidden }) => openRow(now, row, hidden)))
    if (found.length <= PORTION) return
    after = last.id
  }
}

/** Selects a host `h` with its primary interface `i` as JSON with these keys. */
function selectRow(ctx: Context, registry: Registry, keys: ReadonlySet<string>, revealed: Sql | null): Sql {
  const all: readonly (readonly [key: string, value: () => Sql])[] = [
    ['id', () => sql`h.id`],
    ['name', () => sql`h.name`],
    ['organization', () => selectText(sql`x.name from organizations x where x.id = h.organization_id`)],
    ['location', () => selectText(sql`x.name from locations x where x.id = h.location_id`)],
    ['host_group', () => selectText(sql`x.title from hostgroups x where x.id = h.hostgroup_id`)],
    ['host_collections', () => selectCollections(ctx, registry)],
    ['host_parameters', () => selectParameters(ctx, registry, revealed)],
    ['ipv4', () => sql`host(i.ip)`],
    ['ipv6', () => sql`host(i.ip6)`],
    ['subnet', () => selectSubnet(sql`i.subnet_id`)],
    ['subnet6', () => selectSubnet(sql`i.subnet6_id`)],
    ['smart_proxies', selectProxies],
    ['content_attributes', selectContent],
    ['facts', () => selectFacts(ctx, registry)],
  ]
  const shown = all.filter(([key]) => key === 'id' || key === 'name' || keys.has(key))
  return sql`json_build_object(${sql.join(shown.map(([key, value]) => sql`${sql.lit(key)}, ${value()}`))})`
}

function selectText(selected: Sql): Sql {
  return sql`(select ${selected})`
}

/** Selects a subnet as it names itself: `lab (192.0.2.0/24)`. */
function selectSubnet(id: Sql): Sql {
  return sql`(select x.name || ' (' || host(x.network) || '/' || bit_count(substring(inet_send(x.mask) from 5)) || ')'
    from subnets x where x.id = ${id})`
}

function selectProxies(): Sql {
  return sql`array(select distinct x.name from smart_proxies x where x.id in (h.config_proxy_id, h.config_ca_proxy_id) order by 1)`
}

function selectCollections(ctx: Context, registry: Registry): Sql {
  const seen = joinConditions(limitToReachable(ctx, findResource(registry, 'host_collection')))
  return sql`array(select t.name from host_collection_hosts l join host_collections t on t.id = l.host_collection_id
    where l.host_id = h.id and ${seen} order by t.name)`
}

/** Selects the effective parameters by name: those that the caller may view, hidden ones only if the caller sees them now. */
function selectParameters(ctx: Context, registry: Registry, revealed: Sql | null): Sql {
  const parameters = findResource(registry, 'parameter')
  const viewed = joinConditions(limitToVisible(ctx, parameters, 'view_params'))
  return sql`coalesce((select json_object_agg(t.name, case when t.hidden_value and not (${revealed ?? sql`false`}) then to_jsonb(${HIDDEN}::text) else t.value end)
    from (${selectEffectiveRows('h')}) t where ${isGlobal('t')} or (${viewed})), '{}')`
}

/** The permission to see hidden values of parameters. */
const REVEAL = 'reveal_params'

/** Encrypted values by the names of parameters. */
type Sealed = Readonly<Record<string, string>>

/** Selects the encrypted values among the effective parameters, for callers to whom `selectParameters` shows them. */
function selectSealedParameters(ctx: Context, registry: Registry, revealed: Sql): Sql {
  const parameters = findResource(registry, 'parameter')
  const seen = joinConditions(limitToVisible(ctx, parameters, 'view_params'))
  const sealed = selectSealed('parameters', 't')
  return sql`(select json_object_agg(t.name, ${sealed}) from (${selectEffectiveRows('h')}) t
    where ${sealed} is not null and ${revealed} and (${isGlobal('t')} or (${seen})))`
}

/** Puts decrypted values, and the secrets that they refer to, in their places. {@throws Failure} unavailable */
async function openRow(ctx: Context, row: string, sealed: Sealed | null): Promise<string> {
  if (sealed === null) return row
  const record = membersOf(parseExact(row))
  const kept = Object.entries(sealed).map(([name, text], id) => ({
    id,
    name,
    value: openKept(ctx.encryption, 'parameters', text),
  }))
  const { values, failures } = await resolveReferences(ctx, kept)
  if (failures.length > 0) throw new Failure('unavailable', failures.join(', '))
  const opened = kept.map(({ id, name, value }) => [name, values.get(id) ?? parseExact(value ?? 'null')])
  return printExact({
    ...record,
    host_parameters: { ...membersOf(record.host_parameters), ...Object.fromEntries(opened) },
  })
}

function selectContent(): Sql {
  return sql`(select json_build_object('content_view_id', v.id, 'content_view_name', v.name,
      'lifecycle_environment_id', e.id, 'lifecycle_environment_name', e.name, 'content_source_id', null,
      'content_source_name', null, 'kickstart_repository_id', null, 'kickstart_repository_name', null)
    from host_environments l join content_views v on v.id = l.content_view_id join lifecycle_environments e on e.id = l.environment_id
    where l.host_id = h.id order by l.position limit 1)`
}

function selectFacts(ctx: Context, registry: Registry): Sql {
  if (!hasPermission(ctx, 'view_facts')) return sql`'{}'::json`
  const seen = limitToVisible(ctx, findResource(registry, 'host'), 'view_facts')
  const facts = sql`coalesce((select json_object_agg(n.name, v.value) from fact_values v join fact_names n on n.id = v.fact_name_id
    where v.host_id = h.id), '{}')`
  if (seen.length === 0) return facts
  return sql`case when exists (select from hosts t where t.id = h.id and ${joinConditions(seen)}) then ${facts} else '{}' end`
}
