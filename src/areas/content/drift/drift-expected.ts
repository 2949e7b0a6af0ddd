import type { Context } from '../../../context.ts'
import { rows, type Sql } from '../../../database/sql.ts'
import { sql } from '../../../sql.ts'
import {
  type AppliedField,
  computeEffectiveRegistration,
  type Decided,
  type EffectiveRegistration,
  findOwnerById,
  loadKeysById,
  type RecordName,
  type RegistrationOwner,
} from '../../registration/index.ts'

/** Yields the current result of these keys, in this order, for a host. */
export interface Expected {
  /** Ids of the keys, in order. */
  readonly keys: readonly number[]
  readonly effective: EffectiveRegistration
}

/** Yields the current result for hosts of a key, by their lists of keys. */
export interface Expectations {
  readonly owner: RegistrationOwner
  readonly lists: ReadonlyMap<string, Expected>
}

/** Formats the text that identifies a list of keys. */
export function formatKeyList(keys: readonly number[]): string {
  return keys.join()
}

/**
 * Loads the lists of keys that hosts of a key are registered with, and computes what each grants (content-api §5.3).
 * Three statements, however many hosts there are.
 */
export async function loadExpectations(
  ctx: Context,
  key: { readonly id: number; readonly organization: number },
  hosts?: readonly number[],
): Promise<Expectations> {
  const found = await rows<{ keys: number[] }>(
    ctx.db,
    sql`select distinct g.keys from ${selectKeysOfHosts(key.id, hosts)} g`,
  )
  const owner = await findOwnerById(ctx.db, key.organization)
  const loaded = await loadKeysById(ctx.db, [...new Set(found.flatMap(({ keys }) => keys))])
  const byId = new Map(loaded.map((one) => [one.id, one]))
  const lists = found.map(({ keys }): Expected => {
    const grants = keys.flatMap((id) => byId.get(id) ?? [])
    return { keys, effective: computeEffectiveRegistration(grants, {}, owner) }
  })
  return { owner, lists: new Map(lists.map((list) => [formatKeyList(list.keys), list])) }
}

/** Selects `(host_id, keys)` of hosts that are registered with a key, with all of their keys in order. */
export function selectKeysOfHosts(key: number, hosts?: readonly number[]): Sql {
  const meant = hosts ? sql` and o.host_id = any (${hosts}::bigint[])` : sql``
  return sql`(
    select l.host_id, array_agg(l.activation_key_id order by l.position, l.activation_key_id) as keys
    from activation_key_hosts l
    where l.host_id in (select o.host_id from activation_key_hosts o where o.activation_key_id = ${key}${meant})
    group by l.host_id)`
}

/**
 * Selects what lists of keys grant, a row `x` for each list. Null stands for a value that no key sets, so that the
 * host keeps its own.
 */
export function selectExpectedRows({ lists }: Expectations): Sql {
  const listed = [...lists.values()].map(({ keys, effective }) => ({
    keys,
    content_view_environments: listPairs(effective),
    host_collections: effective.host_collections.map(({ id }) => id).sort((a, b) => a - b),
    content_overrides: Object.fromEntries(
      effective.content_overrides.map(({ content_id, name, value }) => [`${content_id} ${name}`, value]),
    ),
    subscriptions: effective.subscriptions.map(({ id, quantity }) => ({ id, quantity })),
    service_level: takeIfSaid(effective.service_level),
    release_version: takeIfSaid(effective.release_version),
    purpose_usage: takeIfSaid(effective.purpose_usage),
    purpose_role: takeIfSaid(effective.purpose_role),
    purpose_addons: takeIfSaid(effective.purpose_addons),
  }))
  return sql`jsonb_to_recordset(${JSON.stringify(listed)}::jsonb) as x (
    keys bigint[], content_view_environments jsonb, host_collections jsonb, content_overrides jsonb, subscriptions jsonb,
    service_level text, release_version text, purpose_usage text, purpose_role text, purpose_addons text[])`
}

function listPairs({ content_view_environments: { value } }: EffectiveRegistration): number[][] | null {
  return value.length === 0 ? null : value.map(({ content_view, environment }) => [content_view.id, environment.id])
}

function takeIfSaid<Value>({ value, from }: Decided<Value>): Value | null {
  return from === 'key' ? value : null
}

/** The value that keys give for a field, as answers show it, and the key that decides; null when several keys decide. */
export function keyValueOf(
  field: AppliedField,
  effective: EffectiveRegistration,
): { readonly value: unknown; readonly key: RecordName | null } {
  switch (field) {
    case 'content_view_environments': {
      const { value, key } = effective.content_view_environments
      return { value: value.map(({ label }) => label), key }
    }
    case 'host_collections':
      return { value: effective.host_collections.map(({ id, name }) => ({ id, name })), key: null }
    case 'content_overrides': {
      const shown = effective.content_overrides.map(({ content_label, name, value }) => ({
        content_label,
        name,
        value,
      }))
      return { value: shown, key: null }
    }
    case 'subscriptions':
      return { value: effective.subscriptions.map(({ id, name, quantity }) => ({ id, name, quantity })), key: null }
    default: {
      const { value, key } = effective[field]
      return { value, key }
    }
  }
}
