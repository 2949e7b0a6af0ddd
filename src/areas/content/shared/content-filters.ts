import type { z } from 'zod'
import type { Sql } from '../../../database/sql.ts'
import { badParameter } from '../../../errors.ts'
import { contentListQuery, listQuery } from '../../../requests/paging.ts'
import { sql } from '../../../sql.ts'
import { type Overridden, overridesOf } from './content-keys.ts'
import { buildFilterQuery, type Filters, readTruth } from './filtered.ts'

/** Builds the query parameters of a page of contents. */
export function buildContentQuery(): Record<string, z.ZodType> {
  const { after: _after, ...numbered } = listQuery
  return { ...numbered, ...contentListQuery, ...buildFilterQuery(filtersOf(sql`true`, null)) }
}

/** Builds the filter parameters of lists of contents; `state` is whether a content is enabled, with overrides. */
export function filtersOf(state: Sql, overridden: Overridden | null): Filters {
  const oneOf = (name: string, value: string, known: Readonly<Record<string, Sql>>): Sql => {
    const condition = known[value]
    if (condition) return condition
    throw badParameter(name, value, `must be one of ${Object.keys(known).join(', ')}`)
  }
  return {
    name: { doc: 'Only those with exactly this name.', where: (value) => sql`c.name = ${value}` },
    enabled: {
      doc: 'Only those that are, or are not, enabled by default.',
      where: (value) => sql`t.enabled = ${readTruth('enabled', value)}`,
    },
    with_active_subscription: {
      doc: 'True: only those of products with a subscription that can be used now.',
      where: (value) => (readTruth('with_active_subscription', value) ? ACTIVE : undefined),
    },
    status: {
      doc: 'enabled, disabled or overridden: what they are in the end.',
      where: (value) =>
        oneOf('status', value, {
          enabled: state,
          disabled: sql`not ${state}`,
          overridden: overridden ? sql`exists (select from ${overridesOf(overridden)})` : sql`false`,
        }),
    },
    repository_type: {
      doc: 'custom: only those made here; redhat: only those of a vendor.',
      where: (value) =>
        oneOf('repository_type', value, { custom: sql`c.vendor = 'Custom'`, redhat: sql`c.vendor <> 'Custom'` }),
    },
    product_id: { doc: 'Only those of this product.', where: (value) => sql`o.id::text = ${value}` },
  }
}

const ACTIVE = sql`exists (select from subscriptions s where s.start_date <= now() and s.end_date > now()
  and (s.product_id = o.id or exists (select from subscription_products n where n.subscription_id = s.id and n.product_id = o.id)))`
