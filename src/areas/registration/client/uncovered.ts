import { sql } from '../../../sql.ts'

/**
 * Selects the ids of products of a registration `r` that no subscription covers; none where the organization `o` gives
 * hosts all content of their environment (content-api §2.9).
 */
export const uncovered = sql`case when o.content_access_mode = 'entitlement' then array(
    select p.product->>'productId' from jsonb_array_elements(r.installed_products) p (product)
    where not exists (
      select from host_entitlements l join subscriptions s on s.id = l.subscription_id
      join products x on x.id = s.product_id
        or x.id in (select c.product_id from subscription_products c where c.subscription_id = s.id)
      where l.host_id = r.host_id and x.cp_id = p.product->>'productId')
  ) else '{}' end`
