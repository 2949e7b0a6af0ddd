import type { Context } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import { joinConditions, type Resource } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import type { Needs } from '../../registration/index.ts'
import type { DriftingHost } from './drift-differences.ts'
import { type Expectations, formatKeyList } from './drift-expected.ts'
import { limitToEditableHosts } from './reapply-hosts.ts'

/** Yields the ids of hosts, in their order. */
export function idsOf(hosts: readonly DriftingHost[]): number[] {
  return hosts.map(({ id }) => id)
}

/** Locks the hosts with these ids that the caller may still edit, in order of ids, and yields the ids of the locked ones. */
export async function lockHosts(tx: Context, hosts: Resource, ids: readonly number[]): Promise<number[]> {
  const found = await rows<{ id: number }>(
    tx.db,
    sql`select t.id from hosts t where t.id = any (${ids}::bigint[]) and ${joinConditions(limitToEditableHosts(tx, hosts))}
      order by t.id for no key update of t`,
  )
  return found.map(({ id }) => id)
}

/** Locks what hosts may gain or lose, in the order of registrations: collections, then all pools of the organization. */
export async function lockPlaces(
  tx: Context,
  expectations: Expectations,
  hosts: readonly DriftingHost[],
): Promise<void> {
  const lists = [...new Set(hosts.map(({ keys }) => formatKeyList(keys)))].flatMap(
    (name) => expectations.lists.get(name) ?? [],
  )
  const collections = lists.flatMap(({ effective }) => effective.host_collections.map(({ id }) => id))
  await rows(
    tx.db,
    sql`select c.id from host_collections c where c.id = any (${collections}::bigint[])
        or c.id in (select l.host_collection_id from host_collection_hosts l where l.host_id = any (${idsOf(hosts)}::bigint[]))
      order by c.id for no key update of c`,
  )
  if (expectations.owner.content_access_mode !== 'entitlement') return
  await rows(
    tx.db,
    sql`select s.id from subscriptions s where s.organization_id = ${expectations.owner.id} order by s.id for no key update of s`,
  )
}

/** Loads the installed products of hosts, and whether pools may be chosen for these (`autoheal`). */
export async function loadNeeds(tx: Context, hosts: readonly DriftingHost[]): Promise<ReadonlyMap<number, Needs>> {
  const found = await rows<Needs & { readonly id: number }>(
    tx.db,
    sql`select r.host_id as id, r.autoheal,
        array(select p ->> 'productId' from jsonb_array_elements(r.installed_products) p where p ->> 'productId' is not null) as products
      from registrations r where r.host_id = any (${idsOf(hosts)}::bigint[])`,
  )
  return new Map(found.map(({ id, ...needs }) => [id, needs]))
}
