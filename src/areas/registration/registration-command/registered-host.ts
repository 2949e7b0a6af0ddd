import { type Context, hasPermission } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { notFound } from '../../../errors.ts'
import { joinConditions, limitToVisible, type Resource } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import type { TokenHolder } from '../tokens.ts'

/**
 * Finds the registered host with this UUID and yields its id. {@throws Failure} not_found for a host that the caller cannot
 * reach, that is not what the token is for (in another organization, registered by other keys or before the token was
 * created), or that has another owner and that the caller may not edit
 */
export async function findRegisteredHost(
  tx: Context,
  hosts: Resource,
  uuid: string,
  { created, organization, keys }: TokenHolder,
): Promise<number> {
  const editable = hasPermission(tx, 'edit_hosts')
    ? sql`(${joinConditions(limitToVisible(tx, hosts, 'edit_hosts'))})`
    : sql`false`
  const used = sql`from activation_key_hosts l join activation_keys k on k.id = l.activation_key_id where l.host_id = t.id`
  const isUuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(uuid)
  const found = isUuid
    ? await row<{ id: number }>(
        tx.db,
        sql`
          select t.id from registrations r join hosts t on t.id = r.host_id
          where r.uuid = ${uuid}::uuid and r.registered_at >= ${created}::timestamptz
            and t.organization_id = ${organization} and (${tx.user.admin} or t.organization_id = any (${tx.user.organizations}::bigint[]))
            and exists (select ${used}) and not exists (select ${used} and k.name <> all (${[...keys]}::text[]))
            and (coalesce(t.owner_user_id, t.owner_usergroup_id) is null or t.owner_user_id = ${tx.user.id} or ${editable})`,
      )
    : undefined
  if (!found) throw notFound('host', uuid)
  return found.id
}
