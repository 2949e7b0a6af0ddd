import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/sql.ts'
import {
  joinConditions,
  limitToVisible,
  type Registry,
  refuseBadSearch,
  searchOptionsOf,
} from '../../../kernel/index.ts'
import { compileOrder, compileSearch, type SearchField, type SearchSchema } from '../../../search/index.ts'
import { sql } from '../../../sql.ts'

/** The search fields of contents of products (content-api §4.2). */
const contentSearch: SearchSchema = {
  resource: 'product_content',
  table: 'product_contents',
  order: 'name',
  fields: [
    { ...buildContentSearch('name', 'name'), explicit: false },
    { ...buildContentSearch('label', 'label'), explicit: false },
    buildContentSearch('content_label', 'label'),
    buildContentSearch('content_type', 'content_type'),
    buildContentSearch('path', 'content_url', true),
    buildProductSearch('product'),
    buildProductSearch('product_name'),
    { name: 'product_id', type: 'integer', column: 'product_id', explicit: true },
    { name: 'enabled_by_default', type: 'boolean', column: 'enabled', explicit: true },
    {
      name: 'redhat',
      type: 'boolean',
      column: 'vendor',
      expression: (alias) => sql`(${sql.ref(`${alias}.vendor`)} <> 'Custom')`,
      through: [{ table: 'contents', column: 'id', previous: 'content_id' }],
      explicit: true,
    },
  ],
}

function buildContentSearch(name: string, column: string, nullable = false): SearchField {
  const through = [{ table: 'contents', column: 'id', previous: 'content_id' }]
  return { name, type: 'text', column, through, nullable, explicit: true }
}

function buildProductSearch(name: string): SearchField {
  const through = [{ table: 'products', column: 'id', previous: 'product_id' }]
  return { name, type: 'text', column: 'name', through, explicit: true }
}

/** Leaves contents of products that the caller may see. */
export function limitToSeenProducts(ctx: Context, registry: Registry): Sql {
  const product = registry.get('product')
  const conditions = product ? limitToVisible(ctx, product, 'view_products') : []
  return conditions.length === 0
    ? sql`true`
    : sql`t.product_id in (select t.id from products t where ${joinConditions(conditions)})`
}

/** Compiles a search of contents to a condition. {@throws Failure} bad_search */
export function compileContentSearch(ctx: Context, search: string): Sql {
  return refuseBadSearch(() => compileSearch(contentSearch, search, searchOptionsOf(ctx))).condition ?? sql`true`
}

/** Selects the order of contents: by their effective state if that is requested, else by a search field (content-api §4.2). */
export function selectOrder(ctx: Context, order: string | null, state: Sql): Sql {
  const { order: by } = refuseBadSearch(() => compileOrder(contentSearch, order ?? 'name', searchOptionsOf(ctx)))
  const [field, direction] = (order ?? '').trim().split(/\s+/)
  if (field !== 'enabled_by_default') return by
  return /^desc$/i.test(direction ?? '') ? sql`${state} desc` : state
}
