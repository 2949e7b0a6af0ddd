import { randomInt } from 'node:crypto'
import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { defineResource, findResource, type Resource, type WriteWrapper } from '../../../kernel/index.ts'
import { presentPermissions } from '../../../records/permissions.ts'
import { sql } from '../../../sql.ts'
import { CREDENTIAL_IDS, CREDENTIALS } from '../shared/credentials.ts'
import { type Filters, filteredList, readTruth } from '../shared/filtered.ts'
import { validateKeptLabel } from '../shared/label.ts'
import { createProductPool, renamePools } from '../subscription/pools.ts'
import { deleteProduct } from './delete.ts'
import { type ProductFields, productFields } from './fields.ts'
import { PRODUCT_PERMISSIONS, productReadable } from './readable.ts'

/** Creates with a new product an unlimited subscription of the name of the product (content-api §3.1, §8.4). */
const productWrites: WriteWrapper<ProductFields> = {
  async create(ctx, draft, next, { registry }) {
    const id = await next({ ...draft, cp_id: await generateId(ctx) })
    await createProductPool(ctx, subscriptionsOf(registry), {
      product: id,
      name: draft.name,
      organization: draft.organization ?? null,
    })
    return id
  },
  async update(ctx, stored, draft, next, { registry }) {
    await next(draft)
    if (!draft.name || draft.name === stored.name) return
    await renamePools(ctx, subscriptionsOf(registry), stored.id, { from: stored.name, to: draft.name })
  },
}

function subscriptionsOf(registry: Resource['registry']): Resource {
  const found = findResource(registry, 'subscription')
  return found
}

/** Generates twelve digits that no product has. */
async function generateId(ctx: Context): Promise<string> {
  const id = String(randomInt(100_000_000_000, 1_000_000_000_000))
  const taken = await row(ctx.db, sql`select id from products where cp_id = ${id}`)
  return taken ? generateId(ctx) : id
}

const KEYS = [
  'id',
  'cp_id',
  'name',
  'label',
  'description',
  'provider_id',
  'sync_plan_id',
  'sync_summary',
  ...CREDENTIAL_IDS,
  'sync_state',
  'last_sync',
  'last_sync_words',
  'organization_id',
  'organization',
  'sync_plan',
  'repository_count',
]
const FILTERS: Filters = {
  name: {
    doc: 'Only the one with exactly this name.',
    where: (name, product) => sql`${sql.ref(`${product}.name`)} = ${name}`,
  },
  label: {
    doc: 'Only the one with exactly this label.',
    where: (label, product) => sql`${sql.ref(`${product}.label`)} = ${label}`,
  },
  enabled: {
    doc: 'True: only those that have repositories; false: only those without.',
    where: (value, product) => {
      const found = sql`exists (select from repositories r where r.product_id = ${sql.ref(`${product}.id`)})`
      return readTruth('enabled', value) ? found : sql`not ${found}`
    },
    tables: ['repositories'],
  },
  custom: {
    doc: 'False: only those that vendors brought, of which there are none.',
    where: (value) => (readTruth('custom', value) ? undefined : sql`false`),
  },
  redhat_only: {
    doc: 'True: only those that vendors brought, of which there are none.',
    where: (value) => (readTruth('redhat_only', value) ? sql`false` : undefined),
  },
  sync_plan_id: { doc: 'Only those of this plan: none, because there are no plans.', where: () => sql`false` },
}

/** Products, which group repositories of an organization (content-api §8.4). */
export const products = defineResource({
  name: 'product',
  routes: {
    surface: 'content',
    parents: { subscription: 'subscriptions', activation_key: 'activation_keys', host: 'hosts' },
  },
  summary: 'A product: an organization keeps its content in repositories, and hosts have subscriptions for it.',
  fields: productFields,
  label: 'name',
  visibility: { taxable: 'organization' },
  operations: ['show', 'create', 'update'],
  permissions: { further: ['sync_products'] },
  views: {
    list: KEYS,
    show: [
      'sync_state_aggregated',
      'redhat',
      ...KEYS,
      ...CREDENTIALS,
      'created_at',
      'updated_at',
      'product_content',
      'available_content',
      'repositories',
      'provider',
      'sync_status',
      'permissions',
      'published_content_view_ids',
      'has_last_affected_repo_in_filter',
      'active_task_count',
    ],
    transform: presentPermissions(PRODUCT_PERMISSIONS),
  },
  readable: productReadable,
  search: [
    {
      name: 'repository',
      type: 'text',
      column: 'name',
      through: [{ table: 'repositories', column: 'product_id', previous: 'id' }],
      many: true,
      nullable: true,
      explicit: true,
    },
    { name: 'organization_id', type: 'integer', column: 'organization_id', explicit: true },
  ],
  wire: { suggests: true, paths: { subscription: [], activation_key: [], host: [] } },
  rules: [validateKeptLabel],
  wrapWrite: productWrites,
  actions: [filteredList('products', 'view_products', FILTERS), deleteProduct],
})
