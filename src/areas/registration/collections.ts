import type { Context } from '../../context.ts'
import { rows } from '../../database/sql.ts'
import { Failure } from '../../errors.ts'
import { sql } from '../../sql.ts'

/** The facts that decide whether a host may join a collection. */
export interface Joinable {
  readonly id: number
  readonly name: string
  readonly max_hosts: number | null
  readonly total_hosts: number
}

interface Locked extends Joinable {
  readonly member: boolean
}

/**
 * Replaces the collections of a host by these. The present and the wanted ones are locked first, in order of their ids, so
 * that places are counted exactly and there are no deadlocks. {@throws Failure} unknown_reference, naming the first full one
 */
export async function joinCollections(tx: Context, host: number, wanted: readonly number[]): Promise<void> {
  const locked = await rows<Locked>(
    tx.db,
    sql`
      select c.id, c.name, c.max_hosts, c.total_hosts,
        exists (select from host_collection_hosts l where l.host_collection_id = c.id and l.host_id = ${host}) as member
      from host_collections c
      where c.id = any (${wanted}::bigint[])
        or c.id in (select l.host_collection_id from host_collection_hosts l where l.host_id = ${host})
      order by c.id for no key update of c`,
  )
  const joins = locked.filter(({ id, member }) => !member && wanted.includes(id))
  const leaves = locked.filter(({ id, member }) => member && !wanted.includes(id))
  refuseFull(joins)
  if (leaves.length > 0)
    await sql`
      delete from host_collection_hosts
      where host_id = ${host} and host_collection_id = any (${leaves.map(({ id }) => id)}::bigint[])`.execute(tx.db)
  if (joins.length > 0)
    await sql`
      insert into host_collection_hosts (host_collection_id, host_id)
      select id, ${host}::bigint from unnest(${joins.map(({ id }) => id)}::bigint[]) id`.execute(tx.db)
}

/** Refuses to join a full collection. {@throws Failure} unknown_reference, naming the first full one */
export function refuseFull(collections: readonly Joinable[]): void {
  const full = collections.find(({ max_hosts, total_hosts }) => max_hosts !== null && total_hosts >= max_hosts)
  if (!full) return
  const message = `Host collection '${full.name}' exceeds maximum usage limit of '${full.max_hosts}'`
  throw new Failure('unknown_reference', message)
}
