import type { Sql } from '../../../database/sql.ts'
import { sql } from '../../../sql.ts'
import { uncovered } from '../../registration/index.ts'
import { expressionsOf, GLOBAL, type StatusKind } from '../../reports/index.ts'

/**
 * The status whether subscriptions of a registered host cover its installed products (content-api §2.9); null without
 * registration.
 */
export const subscriptionKind: StatusKind = {
  type: 'subscription',
  doc: '0: they cover its products, 2: they do not, 5: it needs none. Null: not registered.',
  nullable: true,
  ...expressionsOf(selectState),
  tables: ['registrations', 'organizations', 'host_entitlements', 'subscriptions', 'subscription_products', 'products'],
}

/**
 * Selects number, label and global status. `offset 0` keeps the planner from evaluating installed products for each of
 * the three columns.
 */
function selectState(alias: string): Sql {
  const global = sql`array[${sql.lit(GLOBAL.ok)}, ${sql.lit(GLOBAL.ok)}, ${sql.lit(GLOBAL.error)}]`
  return sql`
    select (array[5, 0, 2])[k.state] as status,
      (array['Simple content access', 'Fully entitled', 'Unentitled'])[k.state] as label,
      (${global})[k.state] as global
    from registrations r join organizations o on o.id = ${sql.ref(`${alias}.organization_id`)}
      cross join lateral (
        select case when o.content_access_mode <> 'entitlement' then 1 when ${uncovered} = '{}' then 2 else 3 end as state
        offset 0
      ) k
    where r.host_id = ${sql.ref(`${alias}.id`)}`
}
