import type { Context } from '../../context.ts'
import { rows, type Sql } from '../../database/sql.ts'
import { Failure } from '../../errors.ts'
import { sql } from '../../sql.ts'
import type { SubscriptionAttributes } from './key.ts'
import type { StoredKey } from './keys.ts'
import { type Circumstances, refuseUnusableKeys } from './refusals.ts'

/** The new identity of a host, with what is stored beside it. */
export interface Registration extends SubscriptionAttributes {
  readonly uuid: string
  readonly serial: string
  readonly certificate: string
  readonly expiresAt: Date
  readonly systemUuid: string | null
  readonly autoheal: boolean
  readonly facts: unknown
  readonly installedProducts: unknown
  readonly registeredThrough: string | null
  readonly user: number | null
}

/** The facts of a key that may change between reading and locking it. */
export type CurrentKey = Pick<StoredKey, 'id' | 'enabled' | 'expired' | 'used' | 'max_hosts' | 'usage_count'>

/**
 * Stores the registration of a host in place of an earlier one, and takes its places at the keys. These are locked in
 * order of their ids, as the last records of all, and checked again: two hosts never take the same last place, and a
 * host that registers again keeps its own. {@throws Failure} conflict, unknown_reference
 */
export async function storeRegistration(
  tx: Context,
  host: number,
  keys: readonly StoredKey[],
  circumstances: Circumstances,
  registration: Registration,
): Promise<void> {
  const ids = keys.map(({ id }) => id)
  const now = mergeCurrentKeys(keys, await lockKeys(tx, [...new Set([...ids, ...circumstances.holds])]))
  refuseUnusableKeys(now, circumstances)
  await sql`delete from registrations where host_id = ${host}`.execute(tx.db)
  await sql`with ${buildRegistrationInsert(host, registration)} ${buildUsageInsert(ids)}`.execute(tx.db)
  await useUpKeys(tx, now)
}

async function lockKeys(tx: Context, ids: readonly number[]): Promise<readonly CurrentKey[]> {
  return ids.length === 0 ? [] : rows<CurrentKey>(tx.db, selectLockedKeys(ids))
}

/** Selects the keys and locks them, in a mode in which other transactions can still insert references to them. */
export function selectLockedKeys(ids: readonly number[]): Sql {
  return sql`
    select id, enabled, coalesce(expires_at <= now(), false) as expired, used_at is not null as used, max_hosts, usage_count
    from activation_keys where id = any (${ids}::bigint[]) order by id for no key update`
}

/** Updates keys by their locked state. {@throws Failure} not_found for one that was deleted */
export function mergeCurrentKeys(keys: readonly StoredKey[], current: readonly CurrentKey[]): StoredKey[] {
  const byId = new Map(current.map((key) => [key.id, key]))
  return keys.map((key) => {
    const found = byId.get(key.id)
    if (!found) throw new Failure('not_found', `Couldn't find activation key '${key.name}'`)
    return { ...key, ...found }
  })
}

/** Uses up keys that are for one registration. */
export async function useUpKeys(tx: Context, keys: readonly StoredKey[]): Promise<void> {
  const once = keys.filter(({ single_use, used }) => single_use && !used).map(({ id }) => id)
  if (once.length === 0) return
  await sql`update activation_keys set used_at = now() where id = any (${once}::bigint[])`.execute(tx.db)
}

/** Builds the insert of a registration as a part of a statement, under the name `registered`. */
export function buildRegistrationInsert(host: number, registration: Registration): Sql {
  const { facts, installedProducts, purpose_addons, ...values } = registration
  return sql`
    registered as (
      insert into registrations (host_id, uuid, serial, certificate, expires_at, system_uuid, service_level, release_version,
        purpose_usage, purpose_role, purpose_addons, autoheal, facts, installed_products, registered_through, user_id, last_checkin)
      values (${host}, ${values.uuid}, ${values.serial}, ${values.certificate}, ${values.expiresAt}, ${values.systemUuid},
        ${values.service_level}, ${values.release_version}, ${values.purpose_usage}, ${values.purpose_role},
        ${[...purpose_addons]}::text[], ${values.autoheal}, ${JSON.stringify(facts)}::jsonb,
        ${JSON.stringify(installedProducts)}::jsonb, ${values.registeredThrough}, ${values.user}, now())
      returning host_id
    )`
}

/** Builds the insert that takes a place at each key for the host of `registered`. */
export function buildUsageInsert(keys: readonly number[]): Sql {
  return sql`
    insert into activation_key_hosts (activation_key_id, host_id, position)
    select key.id, registered.host_id, key.place - 1
    from registered, unnest(${keys}::bigint[]) with ordinality key (id, place)`
}
