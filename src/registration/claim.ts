import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { rows } from '../database/sql.ts'
import { Failure } from '../errors.ts'
import type { StoredKey } from './keys.ts'
import { type Circumstances, refuseUnusable } from './refusals.ts'

/** The identity that a host gets, and what is stored beside it. */
export interface Registration {
  readonly uuid: string
  readonly serial: string
  readonly certificate: string
  readonly expiresAt: Date
  readonly systemUuid: string | null
  readonly service_level: string | null
  readonly release_version: string | null
  readonly purpose_usage: string | null
  readonly purpose_role: string | null
  readonly purpose_addons: readonly string[]
  readonly autoheal: boolean
  readonly facts: unknown
  readonly installedProducts: unknown
  readonly registeredThrough: string | null
  readonly user: number | null
}

type Current = Pick<StoredKey, 'id' | 'enabled' | 'expired' | 'used' | 'max_hosts' | 'usage_count'>

/**
 * Stores the registration of a host in place of the one it had, and takes its places at the keys. The keys are locked in
 * one order, as the last records of all, and looked at once more: two hosts never take the same last place, and a host that
 * registers again does not lose its own. {@throws Failure} conflict, unknown_reference
 */
export async function claim(
  tx: Context,
  host: number,
  keys: readonly StoredKey[],
  circumstances: Circumstances,
  registration: Registration,
  isNew: boolean,
): Promise<void> {
  const held = [...circumstances.holds]
  const ids = keys.map(({ id }) => id)
  const current = await lockKeys(tx, [...new Set([...ids, ...held])])
  const now = keys.map((key) => {
    const found = current.get(key.id)
    if (!found) throw new Failure('not_found', `Couldn't find activation key '${key.name}'`)
    return { ...key, ...found }
  })
  refuseUnusable(now, circumstances)
  if (!isNew) await sql`delete from registrations where host_id = ${host}`.execute(tx.db)
  await insert(tx, host, ids, registration)
  const once = now.filter(({ single_use, used }) => single_use && !used).map(({ id }) => id)
  if (once.length > 0)
    await sql`update activation_keys set used_at = now() where id = any (${once}::bigint[])`.execute(tx.db)
}

/** Weak enough for others to refer to them meanwhile. */
async function lockKeys(tx: Context, ids: readonly number[]): Promise<ReadonlyMap<number, Current>> {
  if (ids.length === 0) return new Map()
  const found = await rows<Current>(
    tx.db,
    sql`
      select id, enabled, coalesce(expires_at <= now(), false) as expired, used_at is not null as used, max_hosts, usage_count
      from activation_keys where id = any (${ids}::bigint[]) order by id for no key update`,
  )
  return new Map(found.map((key) => [key.id, key]))
}

async function insert(tx: Context, host: number, keys: readonly number[], registration: Registration): Promise<void> {
  const { facts, installedProducts, purpose_addons, ...values } = registration
  await sql`
    with registered as (
      insert into registrations (host_id, uuid, serial, certificate, expires_at, system_uuid, service_level, release_version,
        purpose_usage, purpose_role, purpose_addons, autoheal, facts, installed_products, registered_through, user_id, last_checkin)
      values (${host}, ${values.uuid}, ${values.serial}, ${values.certificate}, ${values.expiresAt}, ${values.systemUuid},
        ${values.service_level}, ${values.release_version}, ${values.purpose_usage}, ${values.purpose_role},
        ${[...purpose_addons]}::text[], ${values.autoheal}, ${JSON.stringify(facts)}::jsonb,
        ${JSON.stringify(installedProducts)}::jsonb, ${values.registeredThrough}, ${values.user}, now())
      returning host_id
    )
    insert into activation_key_hosts (activation_key_id, host_id, position)
    select key.id, registered.host_id, key.place - 1
    from registered, unnest(${keys}::bigint[]) with ordinality key (id, place)`.execute(tx.db)
}
