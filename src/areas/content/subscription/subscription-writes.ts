import type { Context } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import { type Around, type Registry, recordAudit } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'

interface Key {
  readonly id: number
  readonly name: string
  /** The pools of a key in the form of its audits. */
  readonly pools: readonly { readonly id: number; readonly quantity: number | null }[]
}

/** When a subscription is deleted, removes it from keys, with an audit for each. */
export const subscriptionWrites: Around = {
  async delete(tx, { id }, next, { registry }) {
    const keys = await loadKeysWith(tx, id)
    await next()
    await note(tx, registry, keys, id)
  },
}

/** Locks the pool and loads the keys that have it, locked, so that no other key gets it meanwhile. */
async function loadKeysWith(tx: Context, pool: number): Promise<Key[]> {
  await sql`select from subscriptions where id = ${pool} for update`.execute(tx.db)
  const ids = sql`select l.activation_key_id from activation_key_subscriptions l where l.subscription_id = ${pool}`
  await sql`select from activation_keys k where k.id in (${ids}) order by k.id for no key update of k`.execute(tx.db)
  return rows<Key>(
    tx.db,
    sql`
      select k.id, k.name, (
        select json_agg(json_build_object('id', l.subscription_id, 'quantity', l.quantity) order by l.subscription_id)
        from activation_key_subscriptions l where l.activation_key_id = k.id) as pools
      from activation_keys k where k.id in (${ids}) order by k.id`,
  )
}

async function note(tx: Context, registry: Registry, keys: readonly Key[], gone: number): Promise<void> {
  const resource = registry.get('activation_key')
  if (!resource || keys.length === 0) return
  for (const { id, name, pools } of keys) {
    const left = pools.filter((pool) => pool.id !== gone)
    await recordAudit(tx, resource, 'update', { id, label: name }, { subscriptions: [pools, left] })
  }
  const ids = keys.map(({ id }) => id)
  await sql`update activation_keys set updated_at = now() where id = any (${ids}::bigint[])`.execute(tx.db)
}
