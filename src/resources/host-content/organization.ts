import { sql } from 'kysely'
import { row } from '../../database/sql.ts'
import { invalid } from '../../errors.ts'
import type { Field } from '../../kernel/resource.ts'

const HAS_CONTENT =
  'cannot be changed while the host is registered, has content of its organization or is in its host collections: unregister it first'

/** The organization of a host, which stays while the host has something of it that other organizations do not have. */
export function keepingContent(field: Field<number | null>): Field<number | null> {
  return {
    ...field,
    settle: async (tx, _at, host, organization, isNew = false) => {
      if (isNew) return
      const found = await row(
        tx.db,
        sql`select from host_environments l join content_views v on v.id = l.content_view_id
            where l.host_id = ${host} and v.organization_id is distinct from ${organization}::bigint
          union all
          select from host_collection_hosts l join host_collections c on c.id = l.host_collection_id
            where l.host_id = ${host} and c.organization_id is distinct from ${organization}::bigint
          union all
          select from activation_key_hosts l join activation_keys k on k.id = l.activation_key_id
            where l.host_id = ${host} and k.organization_id is distinct from ${organization}::bigint
          union all
          select from host_entitlements l join subscriptions s on s.id = l.subscription_id
            where l.host_id = ${host} and s.organization_id is distinct from ${organization}::bigint
          limit 1`,
      )
      if (found) throw invalid({ organization_id: [HAS_CONTENT] }, host)
    },
  }
}
