import type { Context } from '../../context.ts'
import { row } from '../../database/sql.ts'
import { sql } from '../../sql.ts'
import type { HostRecords } from './hosts.ts'

/**
 * Ends the registration of a host, in the transaction of the caller: its places at keys and pools become free, and its
 * identity is never valid again. Its record and collections stay; with the setting `unregister_delete_host` the host
 * is deleted instead. Yields false for a host that is not registered.
 */
export async function unregister(tx: Context, hosts: HostRecords, host: number): Promise<boolean> {
  const found = await row<{ uuid: string; names: string[] }>(
    tx.db,
    sql`
      select r.uuid, array(select k.name from activation_key_hosts l join activation_keys k on k.id = l.activation_key_id
        where l.host_id = h.id order by l.position) as names
      from hosts h join registrations r on r.host_id = h.id where h.id = ${host} for no key update of h`,
  )
  if (!found) return false
  if (tx.settings.unregister_delete_host) {
    await hosts.remove(tx, host)
    return true
  }
  await sql`select id from subscriptions where id in (select subscription_id from host_entitlements where host_id = ${host})
    order by id for no key update`.execute(tx.db)
  await sql`delete from host_entitlements where host_id = ${host}`.execute(tx.db)
  await sql`delete from host_content_overrides where host_id = ${host}`.execute(tx.db)
  await sql`delete from host_environments where host_id = ${host}`.execute(tx.db)
  await sql`select id from activation_keys where id in (select activation_key_id from activation_key_hosts where host_id = ${host})
    order by id for no key update`.execute(tx.db)
  await sql`delete from registrations where host_id = ${host}`.execute(tx.db)
  const keys = found.names.length > 0 && { activation_keys: [found.names, null] }
  await hosts.audit(tx, host, { registration: [found.uuid, null], ...keys })
  return true
}
