import { sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { Failure, parentNotFound } from '../../../errors.ts'
import { limitToVisible, notVisible } from '../../../kernel/authorize.ts'
import { type Condition, joinConditions } from '../../../kernel/condition.ts'
import { defineResource, type Input, type Resource } from '../../../kernel/definition.ts'
import type { Answer } from '../../../kernel/facts.ts'
import { text } from '../../../kernel/fields/index.ts'
import { readSingle } from '../../../kernel/input.ts'
import { readIdSegment, resolveParents } from '../../../kernel/operations/within.ts'
import { referenceNotFound } from '../../../kernel/reference.ts'
import { findResource } from '../../../kernel/registry.ts'
import { organizationField } from '../../../records/taxonomy-fields.ts'
import { resultsOf } from '../../../values.ts'
import { listContentsOfKey, modesQuery } from '../activation-key/product-content.ts'
import { CONTAINING, selectRepositoriesOfPair } from '../content-view/contains.ts'
import { buildContentQuery, CONTENT, contentEnvelope, listContents } from '../shared/content-rows.ts'
import { readTruth } from '../shared/filtered.ts'
import { indirectLink } from '../shared/indirect-link.ts'

const KEYS = ['id', 'name', 'label', 'vendor', 'content_type', 'content_url', 'gpg_url', 'created_at', 'updated_at']
const VIEW = 'view_products'

/** Contents of products as sets of repositories, which are enabled and disabled (content-api §4.2, §8.4). */
export const repositorySets = defineResource({
  name: 'repository_set',
  records: { table: 'contents' },
  words: { type: 'Content' },
  permissions: { word: 'products' },
  routes: { surface: 'content', parents: { product: 'products' } },
  summary: 'Content of a product that hosts can switch on and off.',
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
        activation_key_id: z.string().optional().meta({ description: 'Those that the hosts of this key can have.' }),
        host_id: z.string().optional().meta({ description: 'Those that this host can have.' }),
        with_custom: z
          .string()
          .optional()
          .meta({ description: 'Taken and not needed: those made here are always there.' }),
      },
      output: contentEnvelope,
      handle: list,
    },
    {
      method: 'GET',
      path: '/:id',
      name: 'show',
      summary: 'Show one repository set',
      permissions: [VIEW],
      output: CONTENT,
      handle: show,
    },
  ],
})

async function list(ctx: Context, sets: Resource, input: Input): Promise<Answer> {
  await resolveParents(ctx, sets, input) // refuses a product that the caller cannot see
  const { registry } = sets
  const product = input.params.product_id ?? readSingle(input.query, 'product_id')
  const wanted = { ...input, query: { ...input.query, product_id: product ?? undefined } }
  const key = readSingle(input.query, 'activation_key_id')
  if (key) {
    const id = await findVisibleId(ctx, registry.get('activation_key'), key, 'view_activation_keys')
    return listContentsOfKey(ctx, keysOf(sets), wanted, id)
  }
  const host = readSingle(input.query, 'host_id')
  if (host) return listOfHost(ctx, sets, wanted, await findVisibleId(ctx, registry.get('host'), host, 'view_hosts'))
  const organization = product ? await ownerOf(ctx, 'products', product) : ctx.scope.organization
  if (organization === null)
    throw new Failure('not_found', 'One of parameters [ organization_id ] required but not specified.')
  return listContents(ctx, registry, wanted, { organization, conditions: [], overridden: null })
}

function keysOf({ registry }: Resource): Resource {
  const keys = findResource(registry, 'activation_key')
  return keys
}

/** Finds the id of a visible record. {@throws Failure} not_found, parent_not_found */
async function findVisibleId(
  ctx: Context,
  resource: Resource | undefined,
  id: string,
  permission: string,
): Promise<number> {
  if (!resource) throw new Error(`there is no resource for ${permission}`)
  const found = /^\d{1,15}$/.test(id)
    ? await row<{ id: number }>(
        ctx.db,
        sql`select t.id from ${sql.table(resource.table)} t where t.id = ${id}::bigint and ${joinConditions(limitToVisible(ctx, resource, permission))}`,
      )
    : undefined
  if (found) return found.id
  throw resource.surface === 'content' ? referenceNotFound(resource, id) : parentNotFound(resource.name, id)
}

async function listOfHost(ctx: Context, { registry }: Resource, input: Input, id: number): Promise<Answer> {
  const asks = (name: keyof typeof modesQuery) => readTruth(name, readSingle(input.query, name) || 'false')
  const organization = await ownerOf(ctx, 'hosts', String(id))
  return listContents(ctx, registry, input, {
    organization: organization ?? 0,
    conditions: [
      ...(asks('content_access_mode_all') ? [] : [limitToEntitlements(id)]),
      ...(asks('content_access_mode_env') ? [limitToEnvironments(id)] : []),
    ],
    overridden: { table: 'host_content_overrides', own: 'host_id', id },
  })
}

function limitToEntitlements(host: number): Condition {
  return {
    sql: sql`t.product_id in (
      select s.product_id from host_entitlements e join subscription_products s using (subscription_id) where e.host_id = ${host})`,
    tables: ['host_entitlements', 'subscription_products'],
  }
}

function limitToEnvironments(host: number): Condition {
  const repositories = selectRepositoriesOfPair(sql.ref('h.content_view_id'), sql.ref('h.environment_id'))
  return {
    sql: sql`t.content_id in (
      select r.content_id from host_environments h cross join lateral ${repositories} given
      join repositories r on r.id = given.repository_id where h.host_id = ${host})`,
    tables: ['host_environments', ...CONTAINING],
  }
}

async function ownerOf(ctx: Context, table: 'products' | 'hosts' | 'contents', id: string): Promise<number | null> {
  const digits = /^\d{1,15}/.exec(id)?.[0] ?? '0'
  const found = await row<{ organization_id: number | null }>(
    ctx.db,
    sql`select organization_id from ${sql.table(table)} where id = ${digits}::bigint`,
  )
  return found?.organization_id ?? null
}

async function show(ctx: Context, sets: Resource, input: Input): Promise<Answer> {
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
