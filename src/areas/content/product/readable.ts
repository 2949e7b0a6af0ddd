import { z } from 'zod'
import type { ReadableKey } from '../../../kernel/index.ts'
import { buildNestedSchema, type NestedKeys, nestedList, nestedObject } from '../../../records/nested.ts'
import { permissionsKey } from '../../../records/permissions.ts'
import { sql } from '../../../sql.ts'
import { constant, nothing, nothings } from '../shared/constant.ts'
import { buildNestedRecordSchema } from '../shared/nested-records.ts'
import { DELETING } from './deleting.ts'

/** The actions that callers may perform on a product, with their permissions. */
export const PRODUCT_PERMISSIONS = {
  view_products: 'view_products',
  edit_products: 'edit_products',
  destroy_products: 'destroy_products',
  sync_products: 'sync_products',
}

const NO_PLAN = 'Always null: the service does not synchronize content.'

const SYNC_STATUS = [
  'id',
  'product_id',
  'progress',
  'sync_id',
  'state',
  'raw_state',
  'start_time',
  'finish_time',
  'duration',
  'display_size',
  'size',
  'is_running',
  'error_details',
]

const contentKeys = (): NestedKeys => ({
  enabled: [
    z.boolean().meta({ description: 'Whether hosts have it switched on, where nothing says otherwise.' }),
    sql`l.enabled`,
  ],
  product_id: [z.int().meta({ description: 'The product.' }), sql`l.product_id`],
  content: nestedObject('Content that can be enabled or disabled.', {
    id: [z.string().meta({ description: 'Its id, as text.' }), sql`c.id::text`],
    name: [z.string().meta({ description: 'Its name.' }), sql`c.name`],
    label: [z.string().meta({ description: 'Label of the content, which overrides use.' }), sql`c.label`],
    type: [z.string().meta({ description: 'Content type.' }), sql`c.content_type`],
    vendor: [z.string().meta({ description: 'Vendor of the content.' }), sql`c.vendor`],
    contentUrl: [z.string().nullable().meta({ description: 'Path that hosts find it at.' }), sql`c.content_url`],
    gpgUrl: [
      z.string().nullable().meta({ description: 'URL of the GPG key that its packages are signed with.' }),
      sql`c.gpg_url`,
    ],
  }),
})

/** The schema of a product's contents in answers (content-api §8.4). */
const PRODUCT_CONTENT = z.array(buildNestedSchema(contentKeys()))

const productContent = nestedList('Contents that hosts with a subscription for it can enable or disable.', (own) => ({
  keys: contentKeys(),
  from: sql`product_contents l join contents c on c.id = l.content_id where l.product_id = ${own('id')}`,
  order: sql`c.name, c.id`,
}))

const repositoryCount: ReadableKey = {
  schema: () => z.int().meta({ description: 'Number of repositories.' }),
  sql: (product) => sql`(select count(*) from repositories r where r.product_id = ${sql.ref(`${product}.id`)})`,
}

const publishedViews: ReadableKey = {
  schema: () => z.array(z.int()).meta({ description: 'Content views with a published version that has some of it.' }),
  sql: (product) => sql`array(
    select distinct v.content_view_id from repositories r
    join content_view_version_repositories p on p.repository_id = r.id
    join content_view_versions v on v.id = p.content_view_version_id
    where r.product_id = ${sql.ref(`${product}.id`)} order by 1)`,
}

const activeTasks: ReadableKey = {
  schema: () => z.int().meta({ description: 'Tasks about it that have not ended yet.' }),
  sql: (product) => sql`(
    select count(*) from tasks k where k.state <> 'stopped' and k.kind = ${sql.lit(DELETING)}
    and k.input -> 'product' ->> 'id' = ${sql.ref(`${product}.id`)}::text)`,
}

const nulls = z.object(Object.fromEntries(SYNC_STATUS.map((key) => [key, z.null().meta({ description: NO_PLAN })])))

/**
 * Readable keys of products that are no fields; those that existing servers have and this one does not are null or
 * empty.
 */
export const productReadable: Readonly<Record<string, ReadableKey>> = {
  ...nothings(['sync_plan_id', 'sync_plan', 'sync_state', 'sync_state_aggregated', 'last_sync'], NO_PLAN),
  ...nothings(['last_sync_words'], NO_PLAN),
  provider_id: nothing('Always null: products have no providers of their own.'),
  provider: constant(
    buildNestedRecordSchema('name').meta({
      description: 'Provider of the product: always Anonymous, the organization itself.',
    }),
    { name: 'Anonymous' },
  ),
  sync_summary: constant(
    z.object({}).meta({ description: 'Always empty: the service does not synchronize content.' }),
    {},
  ),
  sync_status: constant(
    nulls.meta({
      description: 'State of its synchronization; always null, because the service does not synchronize content.',
    }),
    Object.fromEntries(SYNC_STATUS.map((key) => [key, null])),
  ),
  redhat: constant(z.boolean().meta({ description: 'Whether it comes from a vendor: always false.' }), false),
  has_last_affected_repo_in_filter: constant(
    z.boolean().meta({ description: 'Whether some filter would be left without repositories: always false.' }),
    false,
  ),
  available_content: constant(PRODUCT_CONTENT.meta({ description: 'Content that vendors offer: always empty.' }), []),
  product_content: productContent,
  repository_count: repositoryCount,
  published_content_view_ids: publishedViews,
  active_task_count: activeTasks,
  permissions: permissionsKey(PRODUCT_PERMISSIONS),
}
