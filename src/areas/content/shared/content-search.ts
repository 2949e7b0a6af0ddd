import type { SearchField, SearchSchema } from '../../../search/index.ts'
import { sql } from '../../../sql.ts'

/** The search fields of contents of products (content-api §4.2). */
export const contentSearch: SearchSchema = {
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
