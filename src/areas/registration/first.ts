import type { Context } from '../../context.ts'
import { row } from '../../database/sql.ts'
import { sql } from '../../sql.ts'
import { requirePairs, selectRequestedOverrides, selectRequestedPairs } from './apply.ts'
import {
  buildRegistrationInsert,
  buildUsageInsert,
  type CurrentKey,
  mergeCurrentKeys,
  type Registration,
  selectLockedKeys,
  useUpKeys,
} from './claim.ts'
import { type Joinable, refuseFull } from './collections.ts'
import type { EffectiveRegistration } from './effective.ts'
import type { StoredKey } from './keys.ts'
import { type Circumstances, refuseUnusableKeys } from './refusals.ts'

/**
 * Does what `applyRegistration` and `storeRegistration` do, for a new host without pools, in fewer statements: whole
 * sites register at once, and wait for each other from the first lock to the commit. So one statement takes all locks,
 * and the next one stores everything. {@throws Failure} like those two
 */
export async function storeFirstRegistration(
  tx: Context,
  host: number,
  keys: readonly StoredKey[],
  circumstances: Circumstances,
  effective: EffectiveRegistration,
  registration: Registration,
): Promise<void> {
  const pairs = selectRequestedPairs(requirePairs(effective.content_view_environments.value))
  const overrides = selectRequestedOverrides(effective.content_overrides)
  const ids = keys.map(({ id }) => id)
  const places = await lockPlaces(
    tx,
    effective.host_collections.map(({ id }) => id),
    ids,
  )
  refuseFull(places.collections)
  const now = mergeCurrentKeys(keys, places.keys)
  refuseUnusableKeys(now, circumstances)
  await sql`
    with ${buildRegistrationInsert(host, registration)}, placed as (
      insert into host_environments (host_id, position, content_view_id, environment_id)
      select host_id, w.position, w.view, w.environment from registered, ${pairs}
    ), overridden as (
      insert into host_content_overrides (host_id, content_id, name, value)
      select host_id, w.content_id, w.name, w.value from registered, ${overrides}
    ), joined as (
      insert into host_collection_hosts (host_collection_id, host_id)
      select id, host_id from registered, unnest(${places.collections.map(({ id }) => id)}::bigint[]) id
    )
    ${buildUsageInsert(ids)}`.execute(tx.db)
  await useUpKeys(tx, now)
}

interface Places {
  readonly collections: readonly Joinable[]
  readonly keys: readonly CurrentKey[]
}

/** Locks collections before keys, each in order of their ids, as all transactions do. */
async function lockPlaces(tx: Context, collections: readonly number[], keys: readonly number[]): Promise<Places> {
  const found = await row<Places>(
    tx.db,
    sql`
      with collections as (
        select id, name, max_hosts, total_hosts from host_collections
        where id = any (${collections}::bigint[]) order by id for no key update
      ), keys as (${selectLockedKeys(keys)})
      select coalesce((select json_agg(collections) from collections), '[]') as collections,
        coalesce((select json_agg(keys) from keys), '[]') as keys`,
  )
  return found ?? { collections: [], keys: [] }
}
