import type { Context } from '../../../context.ts'
import { rows, type Sql } from '../../../database/sql.ts'
import type { Condition } from '../../../kernel/index.ts'
import { joinAny, sql } from '../../../sql.ts'
import { APPLIED, type AppliedField, type RecordName, VIEW_ENVIRONMENT_LABEL } from '../../registration/index.ts'
import {
  type Expectations,
  formatKeyList,
  keyValueOf,
  selectExpectedRows,
  selectKeysOfHosts,
} from './drift-expected.ts'

/** A field in which a host differs from what its keys would give it now. */
export interface HostDifference {
  readonly field: AppliedField
  readonly host_value: unknown
  readonly key_value: unknown
  /** The key that decides; null when several do. */
  readonly key: RecordName | null
}

/** A host with its keys, and the fields in which it differs from them. */
export interface DriftingHost {
  readonly id: number
  readonly name: string
  readonly keys: readonly number[]
  readonly differences: readonly HostDifference[]
}

/** Leaves those hosts `t` of a key that differ from their keys in at least one of the fields. */
export function limitToDrifting(key: number, expectations: Expectations, fields: readonly AppliedField[]): Condition {
  return {
    sql: sql`t.id in (select g.host_id from ${selectComparison(key, expectations)} where ${joinAny(fields.map(selectDiffers))})`,
    tables: TABLES,
  }
}

const TABLES = [
  'activation_key_hosts',
  'registrations',
  'host_environments',
  'host_collection_hosts',
  'host_content_overrides',
  'host_entitlements',
  'subscriptions',
]

/** Loads how hosts of a key differ from their keys, in one statement. Hosts without a difference are included. */
export async function loadDifferences(
  ctx: Context,
  key: number,
  expectations: Expectations,
  fields: readonly AppliedField[],
  hosts: readonly number[],
): Promise<DriftingHost[]> {
  const columns = fields.flatMap((field) => [
    sql`${selectDiffers(field)} as ${sql.ref(`differs_${field}`)}`,
    sql`${HOST_VALUES[field]} as ${sql.ref(`host_${field}`)}`,
  ])
  const found = await rows<{ id: number; name: string; keys: number[] } & Readonly<Record<string, unknown>>>(
    ctx.db,
    sql`select t.id, t.name, g.keys, ${sql.join(columns)} from ${selectComparison(key, expectations, hosts)}
      join hosts t on t.id = g.host_id order by t.id`,
  )
  return found.map((row) => {
    const effective = expectations.lists.get(formatKeyList(row.keys))?.effective
    const differences = fields.flatMap((field): HostDifference[] => {
      if (!effective || row[`differs_${field}`] !== true) return []
      const { value, key } = keyValueOf(field, effective)
      return [{ field, host_value: row[`host_${field}`] ?? null, key_value: value, key }]
    })
    return { id: row.id, name: row.name, keys: row.keys, differences }
  })
}

/** Loads the values of hosts in some fields, in the form of answers and audits. */
export async function loadFieldValues(
  ctx: Context,
  fields: readonly AppliedField[],
  hosts: readonly number[],
): Promise<ReadonlyMap<number, Readonly<Record<string, unknown>>>> {
  const columns = fields.map((field) => sql`${HOST_VALUES[field]} as ${sql.ref(field)}`)
  const found = await rows<{ host_id: number } & Readonly<Record<string, unknown>>>(
    ctx.db,
    sql`select r.host_id, ${sql.join(columns)} from registrations r where r.host_id = any (${hosts}::bigint[])`,
  )
  return new Map(found.map(({ host_id, ...values }) => [host_id, values]))
}

/** Selects hosts of the key as `g`, their registrations as `r`, and what their keys would give them as `x`. */
function selectComparison(key: number, expectations: Expectations, hosts?: readonly number[]): Sql {
  return sql`${selectKeysOfHosts(key, hosts)} g join ${selectExpectedRows(expectations)} on x.keys = g.keys join registrations r on r.host_id = g.host_id`
}

function selectDiffers(field: AppliedField): Sql {
  return DIFFERS[field]
}

function limitToOtherWord(field: AppliedField): Sql {
  const [wanted, own] = [sql.ref(`x.${field}`), sql.ref(`r.${field}`)]
  return sql`(${wanted} is not null and ${wanted} is distinct from ${own})`
}

const DIFFERS: Readonly<Record<AppliedField, Sql>> = {
  content_view_environments: sql`(x.content_view_environments is not null and x.content_view_environments <> coalesce((
    select jsonb_agg(jsonb_build_array(l.content_view_id, l.environment_id) order by l.position)
    from host_environments l where l.host_id = r.host_id), '[]'))`,
  host_collections: sql`x.host_collections <> coalesce((
    select jsonb_agg(l.host_collection_id order by l.host_collection_id) from host_collection_hosts l where l.host_id = r.host_id), '[]')`,
  content_overrides: sql`x.content_overrides <> coalesce((
    select jsonb_object_agg(l.content_id || ' ' || l.name, l.value) from host_content_overrides l where l.host_id = r.host_id), '{}')`,
  subscriptions: sql`exists (
    select from jsonb_to_recordset(x.subscriptions) as w (id bigint, quantity integer) join subscriptions s on s.id = w.id
    left join host_entitlements l on l.host_id = r.host_id and l.subscription_id = w.id
    where l.quantity is distinct from case when s.multi_entitlement then coalesce(w.quantity, 1) else 1 end)`,
  service_level: limitToOtherWord('service_level'),
  release_version: limitToOtherWord('release_version'),
  purpose_usage: limitToOtherWord('purpose_usage'),
  purpose_role: limitToOtherWord('purpose_role'),
  purpose_addons: sql`(x.purpose_addons is not null
    and not (x.purpose_addons @> r.purpose_addons and x.purpose_addons <@ r.purpose_addons))`,
}

const HOST_VALUES: Readonly<Record<AppliedField, Sql>> = {
  content_view_environments: sql`coalesce((
    select json_agg(${VIEW_ENVIRONMENT_LABEL} order by l.position) from host_environments l
    join content_views v on v.id = l.content_view_id join lifecycle_environments e on e.id = l.environment_id
    where l.host_id = r.host_id), '[]')`,
  host_collections: sql`coalesce((
    select json_agg(json_build_object('id', c.id, 'name', c.name) order by c.name, c.id)
    from host_collection_hosts l join host_collections c on c.id = l.host_collection_id where l.host_id = r.host_id), '[]')`,
  content_overrides: sql`coalesce((
    select json_agg(json_build_object('content_label', c.label, 'name', l.name, 'value', l.value) order by c.label, l.name)
    from host_content_overrides l join contents c on c.id = l.content_id where l.host_id = r.host_id), '[]')`,
  subscriptions: sql`coalesce((
    select json_agg(json_build_object('id', s.id, 'name', s.name, 'quantity', l.quantity) order by s.name, s.id)
    from host_entitlements l join subscriptions s on s.id = l.subscription_id where l.host_id = r.host_id), '[]')`,
  service_level: sql`r.service_level`,
  release_version: sql`r.release_version`,
  purpose_usage: sql`r.purpose_usage`,
  purpose_role: sql`r.purpose_role`,
  purpose_addons: sql`r.purpose_addons`,
}

/** Reads the fields that a request names: all without a list, undefined if the list is empty or names unknown fields. */
export function readAppliedFields(sent: readonly unknown[] | null): readonly AppliedField[] | undefined {
  if (sent === null) return APPLIED
  const known = APPLIED.filter((field) => sent.includes(field))
  return known.length === new Set(sent).size && known.length > 0 ? known : undefined
}

/** The message for unknown fields. */
export const NOT_FIELDS = `must be one or more of ${APPLIED.join(', ')}`
