import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { defineResource, notVisible, type Resource, resolveParents, text } from '../../../kernel/index.ts'
import { resultsOf } from '../../../lib/values.ts'
import { organizationField } from '../../../records/taxonomy-fields.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { readIdSegment } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'
import { modesQuery } from '../activation-key/product-content.ts'
import { buildContentQuery } from '../shared/content-filters.ts'
import { CONTENT, contentEnvelope } from '../shared/content-keys.ts'
import { listContents } from '../shared/content-rows.ts'
import { indirectLink } from '../shared/indirect-link.ts'
import { listSets } from './list-sets.ts'
import { ownerOf } from './list-sets-of-host.ts'

/** The permission to see sets: that of their products. */
const VIEW = 'view_products'

/** Answers one set. */
async function showSet(ctx: Context, sets: Resource, input: Input): Promise<Answer> {
  const segment = readIdSegment(input)
  await resolveParents(ctx, sets, input)
  const organization = /^\d{1,15}$/.test(segment) ? await ownerOf(ctx, 'contents', segment) : null
  const page =
    organization === null || (ctx.scope.organization ?? organization) !== organization
      ? undefined
      : await listContents(
          ctx,
          sets.registry,
          { ...input, query: input.params.product_id ? { product_id: input.params.product_id } : {} },
          { organization, conditions: [{ sql: sql`c.id = ${segment}::bigint`, tables: [] }], overridden: null },
        )
  const [found] = resultsOf(page?.body)
  if (!found) throw notVisible(ctx, sets, VIEW, segment)
  return { status: 200, body: found }
}

const KEYS = ['id', 'name', 'label', 'vendor', 'content_type', 'content_url', 'gpg_url', 'created_at', 'updated_at']

/** Contents of products as sets of repositories, which are enabled and disabled (content-api §4.2, §8.4). */
export const repositorySets = defineResource({
  name: 'repository_set',
  records: { table: 'contents' },
  words: { type: 'Content' },
  permissions: { word: 'products' },
  routes: { surface: 'content', parents: { product: 'products' } },
  summary: 'Content of a product that hosts can enable and disable.',
  fields: {
    name: text({ readOnly: true, required: true, doc: 'The name of its repository.' }),
    label: text({ readOnly: true, required: true, doc: 'Label of the content, which overrides use.' }),
    vendor: text({ readOnly: true, required: true, doc: 'Vendor of the content.' }),
    content_type: text({ readOnly: true, required: true, doc: 'Content type.' }),
    content_url: text({ readOnly: true, doc: 'Path of the content, below the root of all content.' }),
    gpg_url: text({ readOnly: true, doc: 'URL of the GPG key that the content is signed with.' }),
    organization: organizationField(),
    products: indirectLink(
      'The products that it is of.',
      ['product_contents'],
      (content, id) =>
        sql`exists (select from product_contents l where l.content_id = ${sql.ref(`${content}.id`)} and l.product_id = ${id})`,
    ),
  },
  label: 'name',
  visibility: { taxable: 'organization' },
  operations: [],
  views: { list: KEYS, show: KEYS, order: 'id' },
  actions: [
    {
      method: 'GET',
      path: '',
      name: 'list',
      summary: 'List repository sets',
      permissions: [VIEW],
      query: {
        ...buildContentQuery(),
        ...modesQuery,
        activation_key_id: z
          .string()
          .optional()
          .meta({ description: 'Repository sets that the hosts of this key can have.' }),
        host_id: z.string().optional().meta({ description: 'Repository sets that this host can have.' }),
        with_custom: z
          .string()
          .optional()
          .meta({ description: 'Accepted and not needed: proxies that are created here are always available.' }),
      },
      output: contentEnvelope,
      handle: listSets,
    },
    {
      method: 'GET',
      path: '/:id',
      name: 'show',
      summary: 'Show one repository set',
      permissions: [VIEW],
      output: CONTENT,
      handle: showSet,
    },
  ],
})
