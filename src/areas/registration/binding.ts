import type { Context } from '../../context.ts'
import { row, rows, type Sql } from '../../database/sql.ts'
import { Failure } from '../../errors.ts'
import { sql } from '../../sql.ts'
import { choosePools } from './authority/entitlements.ts'
import type { HostRecords } from './hosts.ts'
import { findOwnerById } from './keys.ts'

/** A host whose pools change, and the id of its organization; the functions below lock it. */
export interface BindingHost {
  readonly id: number
  readonly organization: number
}

/** A pool by id or UUID and how many uses of it; null: one. */
export interface WantedPool {
  readonly name: string
  readonly quantity: number | null
}

interface Pool {
  readonly id: number
  readonly cp_id: string
  readonly name: string
  readonly multi_entitlement: boolean
  readonly active: boolean
  readonly taken: number | null
  readonly available: number | null
}

/**
 * Binds uses of pools to a host, all or none, in the transaction of the caller. Uses are added to those that the host
 * has, if the pool allows several. Yields the ids of the pools. {@throws Failure} malformed for what cannot be had,
 * not_found
 */
export async function bindPools(
  tx: Context,
  hosts: HostRecords,
  host: BindingHost,
  wanted: readonly WantedPool[],
  visible: Sql = sql`true`,
): Promise<readonly number[]> {
  await requireEntitlements(tx, host.organization)
  return withPoolAudit(tx, hosts, host.id, async () => {
    const pools = await lockPools(tx, host, wanted, visible)
    const got: number[] = []
    for (const [place, { name, quantity }] of wanted.entries()) {
      const pool = pools[place]
      if (!pool) throw createUnknownPool(name)
      if (got.includes(pool.id)) throw createRefusal(`Pool ID "${pool.cp_id}" is named twice`)
      refuseUnavailable(pool, quantity ?? 1)
      // Triggers count the uses of a pool when rows are inserted and deleted.
      await sql`delete from host_entitlements where host_id = ${host.id} and subscription_id = ${pool.id}`.execute(
        tx.db,
      )
      await sql`
        insert into host_entitlements (host_id, subscription_id, quantity)
        values (${host.id}, ${pool.id}, ${(pool.taken ?? 0) + (quantity ?? 1)})`.execute(tx.db)
      got.push(pool.id)
    }
    return got
  })
}

/**
 * Binds pools for products that no pool of the host covers yet, like a key with auto-attach. Yields the ids of the
 * pools.
 */
export async function bindByNeed(
  tx: Context,
  hosts: HostRecords,
  host: BindingHost,
  needs: { readonly products: readonly string[]; readonly service_level: string | null },
): Promise<readonly number[]> {
  await requireEntitlements(tx, host.organization)
  return withPoolAudit(tx, hosts, host.id, async () =>
    choosePools(tx, host.id, await findOwnerById(tx.db, host.organization), needs),
  )
}

/**
 * Releases pools of a host, or all of them. Yields their number. {@throws Failure} not_found for one that it does not
 * have
 */
export async function releasePools(
  tx: Context,
  hosts: HostRecords,
  host: BindingHost,
  names: readonly string[] | null,
): Promise<number> {
  return withPoolAudit(tx, hosts, host.id, async () => {
    const pools =
      names === null
        ? null
        : await lockPools(
            tx,
            host,
            names.map((name) => ({ name, quantity: null })),
            sql`true`,
          )
    for (const [place, pool] of pools?.entries() ?? [])
      if (!pool || pool.taken === null)
        throw new Failure(
          'not_found',
          `The host has no subscription of the pool "${names?.[place]?.slice(0, 100) ?? ''}"`,
        )
    const ids = pools?.flatMap((pool) => pool?.id ?? []) ?? []
    await sql`select id from subscriptions where id in (select subscription_id from host_entitlements where host_id = ${host.id})
      order by id for no key update`.execute(tx.db)
    const gone = await rows(
      tx.db,
      sql`delete from host_entitlements
        where host_id = ${host.id} and (${pools === null} or subscription_id = any (${ids}::bigint[])) returning host_id`,
    )
    return gone.length
  })
}

/** Executes a change of the pools of a registered host and audits the difference. {@throws Failure} malformed */
async function withPoolAudit<Result>(
  tx: Context,
  hosts: HostRecords,
  host: number,
  work: () => Promise<Result>,
): Promise<Result> {
  await sql`select from hosts where id = ${host} for no key update`.execute(tx.db)
  const registered = await row(tx.db, sql`select from registrations where host_id = ${host}`)
  if (!registered) throw new Failure('malformed', 'The host is not registered')
  const before = await loadTaken(tx, host)
  const result = await work()
  const after = await loadTaken(tx, host)
  if (JSON.stringify(before) === JSON.stringify(after)) return result
  await sql`update registrations set updated_at = now() where host_id = ${host}`.execute(tx.db)
  await hosts.audit(tx, host, { subscriptions: [before, after] })
  return result
}

/** Refuses organizations whose hosts need no subscriptions. {@throws Failure} malformed */
async function requireEntitlements(tx: Context, organization: number): Promise<void> {
  const { content_access_mode: mode } = await findOwnerById(tx.db, organization)
  if (mode !== 'entitlement')
    throw new Failure(
      'malformed',
      'The specified organization is in Simple Content Access mode. Attaching subscriptions is disabled',
    )
}

function refuseUnavailable(pool: Pool, quantity: number): void {
  const { cp_id: id, multi_entitlement: several } = pool
  if (pool.taken !== null && !several)
    throw createRefusal(`This unit has already had the subscription matching pool ID "${id}" attached.`)
  if (quantity > 1 && !several) throw createRefusal(`Multi-entitlement not supported for pool with ID "${id}".`)
  if (!pool.active) throw createRefusal(`Subscriptions for "${pool.name}" are not valid today.`)
  if (pool.available !== null && pool.available < quantity)
    throw createRefusal(`No subscriptions are available from the pool with ID "${id}".`)
}

function createRefusal(message: string): Failure {
  return new Failure('malformed', message)
}

function createUnknownPool(name: string): Failure {
  return new Failure('not_found', `Subscription pool with ID "${name.slice(0, 100)}" could not be found.`)
}

/** Locks pools in order of their ids, and yields them in the requested order. */
async function lockPools(
  tx: Context,
  host: BindingHost,
  wanted: readonly WantedPool[],
  visible: Sql,
): Promise<readonly (Pool | undefined)[]> {
  const names = wanted.map(({ name }) => name)
  const ids = names.filter((name) => /^\d{1,18}$/.test(name))
  const found = await rows<Pool>(
    tx.db,
    sql`
      select s.id, s.cp_id, s.name, s.multi_entitlement, s.start_date <= now() and s.end_date > now() as active, h.quantity as taken,
        case when s.quantity <> -1 then s.quantity - s.consumed end as available
      from subscriptions s left join host_entitlements h on h.subscription_id = s.id and h.host_id = ${host.id}
      where s.organization_id = ${host.organization} and (s.id = any (${ids}::bigint[]) or s.cp_id = any (${names}::text[])) and ${visible}
      order by s.id for no key update of s`,
  )
  return names.map((name) => found.find(({ id, cp_id }) => cp_id === name || String(id) === name))
}

async function loadTaken(tx: Context, host: number): Promise<readonly { name: string; quantity: number }[]> {
  return rows(
    tx.db,
    sql`select s.name, h.quantity from host_entitlements h join subscriptions s on s.id = h.subscription_id
      where h.host_id = ${host} order by s.name, s.id`,
  )
}
