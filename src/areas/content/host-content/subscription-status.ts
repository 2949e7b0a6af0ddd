import { sql } from 'kysely'
import { z } from 'zod'
import type { Sql } from '../../../database/sql.ts'
import type { ReadableKey } from '../../../kernel/field.ts'
import { uncovered } from '../../registration/index.ts'
import { GLOBAL, type StatusKind } from '../../reports/index.ts'

/** Whether the subscriptions of a registered host cover what is installed on it (content-api §2.9); null without registration. */
export const subscriptionKind: StatusKind = {
  type: 'subscription',
  status: (alias) => statusSql(alias, [sql`5`, sql`0`, sql`2`]),
  label: (alias) => statusSql(alias, [sql`'Simple content access'`, sql`'Fully entitled'`, sql`'Unentitled'`]),
  global: (alias) => statusSql(alias, [sql.lit(GLOBAL.ok), sql.lit(GLOBAL.ok), sql.lit(GLOBAL.error)]),
  tables: ['registrations', 'organizations', 'host_entitlements', 'subscriptions', 'subscription_products', 'products'],
}

/** The same as keys of a host. */
export const subscriptionStatus: Readonly<Record<string, ReadableKey>> = {
  subscription_status: {
    schema: () =>
      z
        .int()
        .nullable()
        .meta({ description: '0: they cover its products, 2: they do not, 5: it needs none. Null: not registered.' }),
    sql: subscriptionKind.status,
  },
  subscription_status_label: {
    schema: () => z.string().nullable().meta({ description: 'That in words.' }),
    sql: subscriptionKind.label,
  },
}

function statusSql(alias: string, [free, covered, open]: readonly [Sql, Sql, Sql]): Sql {
  return sql`(
    select case when o.content_access_mode <> 'entitlement' then ${free} when ${uncovered} = '{}' then ${covered} else ${open} end
    from registrations r join organizations o on o.id = ${sql.ref(`${alias}.organization_id`)}
    where r.host_id = ${sql.ref(`${alias}.id`)})`
}
