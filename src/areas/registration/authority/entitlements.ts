import type { Context } from '../../../context.ts'
import { rows, type Sql } from '../../../database/sql.ts'
import { Failure } from '../../../errors.ts'
import { sql } from '../../../sql.ts'
import type { EffectiveRegistration } from '../effective.ts'
import type { RecordName, RegistrationOwner } from '../key.ts'

/** The installed products of a host, and whether pools may be chosen for them. */
export interface Needs {
  /** Ids of its products, as the client sent them. */
  readonly products: readonly string[]
  /** Whether keys with auto-attach choose pools for the host. */
  readonly autoheal: boolean
}

interface Pool {
  readonly id: number
  /** How many this host may still use; null: any number. */
  readonly available: number | null
  readonly multi_entitlement: boolean
  readonly custom: boolean
  readonly support_level: string | null
  readonly products: readonly string[]
}

/** Quantities by pool id. */
type Taken = Map<number, number>

/**
 * Binds to a host the pools that its keys grant, and no others: all pools of keys without auto-attach; of the others
 * what the host's products need. Pools that cannot be had are skipped (content-api §5.3). {@throws Failure} malformed
 * when no key succeeds
 */
export async function attachPools(
  tx: Context,
  host: number,
  owner: RegistrationOwner,
  effective: EffectiveRegistration,
  needs: Needs,
): Promise<void> {
  const taken: Taken = new Map()
  if (owner.content_access_mode === 'entitlement') {
    const auto = needs.autoheal ? effective.auto_attach : []
    const named = [...effective.subscriptions.map(({ id }) => id), ...auto.flatMap(({ among }) => among ?? [])]
    const any = auto.some(({ among }) => among === null) ? needs.products : []
    const pools = await lockPools(tx, host, owner, named, any)
    for (const { id, quantity } of effective.subscriptions) take(taken, pools.get(id), quantity)
    for (const { among } of auto)
      choose(taken, [...pools.values()], among, needs.products, effective.service_level.value)
    refuseWithoutSuccess(effective, taken)
  }
  await store(tx, host, taken)
}

type ProductNeeds = Pick<Needs, 'products'> & { readonly service_level: string | null }

/** Chooses pools for the products that no pool of the host provides yet. Yields the ids of the new ones. */
export async function choosePools(
  tx: Context,
  host: number,
  owner: RegistrationOwner,
  needs: ProductNeeds,
): Promise<readonly number[]> {
  const had = await loadTaken(tx, host)
  const taken = new Map(had)
  chooseByNeed(taken, await lockPools(tx, host, owner, [], needs.products), needs)
  await store(tx, host, taken)
  return [...taken.keys()].filter((id) => !had.has(id))
}

/** Loads the ids of the pools that `choosePools` would choose, and stores nothing. */
export async function loadSuggestedPools(
  ctx: Context,
  host: number,
  owner: RegistrationOwner,
  needs: ProductNeeds,
): Promise<readonly number[]> {
  const had = await loadTaken(ctx, host)
  const taken = new Map(had)
  chooseByNeed(taken, await loadPools(ctx, selectPools(host, owner, [], needs.products)), needs)
  return [...taken.keys()].filter((id) => !had.has(id))
}

async function loadTaken(ctx: Context, host: number): Promise<ReadonlyMap<number, number>> {
  const had = await rows<{ id: number; quantity: number }>(
    ctx.db,
    sql`select subscription_id as id, quantity from host_entitlements where host_id = ${host}`,
  )
  return new Map(had.map(({ id, quantity }) => [id, quantity]))
}

function chooseByNeed(
  taken: Taken,
  pools: ReadonlyMap<number, Pool>,
  { products, service_level: level }: ProductNeeds,
): void {
  choose(taken, [...pools.values()], null, products, level)
}

/** Locks in order of their ids the named pools and those for these products. */
async function lockPools(
  tx: Context,
  host: number,
  owner: RegistrationOwner,
  named: readonly number[],
  any: readonly string[],
): Promise<ReadonlyMap<number, Pool>> {
  return loadPools(tx, sql`${selectPools(host, owner, named, any)} for no key update of s`)
}

async function loadPools(ctx: Context, selected: Sql): Promise<ReadonlyMap<number, Pool>> {
  const found = await rows<Pool>(ctx.db, selected)
  return new Map(found.map((pool) => [pool.id, pool]))
}

function selectPools(host: number, owner: RegistrationOwner, named: readonly number[], any: readonly string[]): Sql {
  return sql`
      select s.id, s.multi_entitlement, not s.upstream as custom, s.support_level, p.products,
        case when s.start_date > now() or s.end_date <= now() then 0
          when s.quantity <> -1 then s.quantity - s.consumed + coalesce(own.quantity, 0) end as available
      from subscriptions s
      left join host_entitlements own on own.subscription_id = s.id and own.host_id = ${host}
      cross join lateral (
        select array(
          select x.cp_id from products x where x.id = s.product_id
            or x.id in (select l.product_id from subscription_products l where l.subscription_id = s.id)
        ) as products
      ) p
      where s.organization_id = ${owner.id} and (s.id = any (${[...named]}::bigint[]) or p.products && ${[...any]}::text[])
      order by s.id`
}

/** Takes a quantity of a pool if it can be had: it is in `taken` then. */
function take(taken: Taken, pool: Pool | undefined, quantity: number | null): void {
  if (!pool || taken.has(pool.id)) return
  const wanted = pool.multi_entitlement ? (quantity ?? 1) : 1
  if (pool.available === null || pool.available >= wanted) taken.set(pool.id, wanted)
}

/**
 * Takes the custom pools of a key, then for each product not yet provided one pool, preferably of the key's service
 * level.
 */
function choose(
  taken: Taken,
  pools: readonly Pool[],
  among: readonly number[] | null,
  products: readonly string[],
  level: string | null,
): void {
  const eligible = pools.filter(({ id }) => among === null || among.includes(id))
  for (const pool of among === null ? [] : eligible.filter(({ custom }) => custom)) take(taken, pool, null)
  const rankLevel = ({ support_level }: Pool) => Number(support_level?.toLowerCase() === level?.toLowerCase())
  const preferred = eligible.toSorted((a, b) => rankLevel(b) - rankLevel(a))
  for (const product of products) {
    const provides = (pool: Pool) => pool.products.includes(product)
    if (pools.some((pool) => taken.has(pool.id) && provides(pool))) continue
    for (const pool of preferred.filter(provides)) {
      take(taken, pool, null)
      if (taken.has(pool.id)) break
    }
  }
}

/**
 * Requires that one of the keys succeeds: its service level is offered, and it gave at least one of its pools, or has none
 * outside of auto-attach. {@throws Failure} malformed
 */
function refuseWithoutSuccess(effective: EffectiveRegistration, taken: Taken): void {
  const failed = new Set(effective.unavailable_service_levels.map(({ key }) => key.id))
  const has = ({ id }: RecordName) => effective.subscriptions.filter(({ keys }) => keys.some((key) => key.id === id))
  const succeeds = (key: RecordName) => {
    const own = has(key)
    return !failed.has(key.id) && (own.length === 0 || own.some(({ id }) => taken.has(id)))
  }
  if (effective.keys.length === 0 || effective.keys.some(succeeds)) return
  throw new Failure('malformed', 'None of the subscriptions on the activation key were available for attaching.')
}

async function store(tx: Context, host: number, taken: Taken): Promise<void> {
  const [ids, quantities] = [[...taken.keys()], [...taken.values()]]
  await sql`
    delete from host_entitlements h where h.host_id = ${host} and not exists (
      select from unnest(${ids}::bigint[], ${quantities}::integer[]) w (id, quantity)
      where w.id = h.subscription_id and w.quantity = h.quantity)`.execute(tx.db)
  if (ids.length === 0) return
  await sql`
    insert into host_entitlements (host_id, subscription_id, quantity)
    select ${host}::bigint, w.id, w.quantity from unnest(${ids}::bigint[], ${quantities}::integer[]) w (id, quantity)
    on conflict do nothing`.execute(tx.db)
}
