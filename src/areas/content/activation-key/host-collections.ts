import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { badParameter, Failure } from '../../../errors.ts'
import {
  type Action,
  type Condition,
  type Field,
  findResource,
  list,
  type Resource,
  readAttributes,
  readBack,
  type Stored,
  updateStored,
} from '../../../kernel/index.ts'
import { contentListQuery, listQuery } from '../../../requests/paging.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { NOT_IDS, readSingle, toInteger } from '../../../requests/sent.ts'
import { sql } from '../../../sql.ts'
import { buildListSchema } from '../shared/envelope.ts'
import { requireVisible } from '../shared/visible-link.ts'

const BODY = z.object({
  host_collection_ids: z.array(z.int()).meta({ description: 'Ids of host collections of the same organization.' }),
})

const COLLECTION = z
  .looseObject({
    id: z.int().meta({ description: 'Its id.' }),
    name: z.string().meta({ description: 'Its name.' }),
  })
  .meta({ description: 'A host collection, as its own list shows it.' })

/** Adds host collections, by PUT and by POST (spec 4.6, set c). */
export const addHostCollections = (['PUT', 'POST'] as const).map(
  (method): Action<Collected> => ({
    method,
    path: '/:id/host_collections',
    name: method === 'PUT' ? 'associate_host_collections' : 'add_host_collections',
    summary: 'Add host collections to an activation key',
    body: BODY,
    record: { how: 'locked' },
    handle: (tx, resource, input, key) =>
      change(tx, resource, input, key, (before, ids) => [...new Set([...before, ...ids])].sort((a, b) => a - b)),
  }),
)

/** Removes host collections (spec 4.6, set d). */
export const removeHostCollections: Action<Collected> = {
  method: 'DELETE',
  path: '/:id/host_collections',
  name: 'remove_host_collections',
  summary: 'Remove host collections from an activation key',
  body: BODY,
  record: { how: 'locked' },
  handle: (tx, resource, input, key) =>
    change(tx, resource, input, key, (before, ids) => before.filter((id) => !ids.includes(id))),
}

/** Lists host collections that the key does not have (spec 4.6, set a). */
export const availableHostCollections: Action = {
  method: 'GET',
  path: '/:id/host_collections/available',
  name: 'available_host_collections',
  summary: 'List the host collections that could be added to an activation key',
  permissions: ['view_activation_keys'],
  query: {
    ...listQuery,
    ...contentListQuery,
    name: z.string().optional().meta({ description: 'Only the one with this name.' }),
  },
  output: buildListSchema(COLLECTION, 'A page of host collections.'),
  record: { how: 'found', keys: ['id', 'organization_id'] },
  handle: listAvailable,
}

type Collected = { readonly host_collections: Field<readonly number[]> }

type Combine = (before: readonly number[], ids: readonly number[]) => readonly number[]

async function change(
  tx: Context,
  resource: Resource,
  input: Input,
  key: Stored<Collected>,
  combine: Combine,
): Promise<Answer> {
  const ids = idsOf({ ...input.query, ...input.body, ...readAttributes(resource, input.body) })
  const before = key.host_collections // sorted
  const after = combine(before, ids)
  await requireVisible(
    tx,
    findResource(resource.registry, 'host_collection'),
    after.filter((id) => !before.includes(id)),
  )
  await updateStored(tx, resource, key, { host_collections: after })
  return { status: 200, ...(input.reading !== null && { body: await readBack(tx, resource, key.id) }) }
}

/** Reads the list of ids of host collections. {@throws Failure} bad_parameter without a list (content-api §2.12) */
function idsOf(sent: Readonly<Record<string, unknown>>): readonly number[] {
  const { organization_id: _organization, location_id: _location, ...attributes } = sent
  if (Object.keys(attributes).length === 0) throw new Failure('bad_parameter', 'Missing values for activation_key.')
  const { host_collection_ids } = attributes
  if (host_collection_ids === undefined || host_collection_ids === null)
    throw new Failure('bad_parameter', 'Missing values for host_collection_ids.')
  const ids = Array.isArray(host_collection_ids) ? host_collection_ids.map(toInteger) : null
  if (!ids?.every((id) => typeof id === 'number' && Number.isSafeInteger(id) && id > 0))
    throw badParameter('host_collection_ids', host_collection_ids, NOT_IDS)
  return ids as number[] // checked above
}

async function listAvailable(ctx: Context, resource: Resource, input: Input, key: Stored): Promise<Answer> {
  const name = readSingle(input.query, 'name')
  const conditions: Condition[] = [
    { sql: sql`t.organization_id = ${key.organization_id}::bigint`, tables: [] },
    {
      sql: sql`not exists (select from activation_key_host_collections l where l.host_collection_id = t.id and l.activation_key_id = ${key.id})`,
      tables: ['activation_key_host_collections'],
    },
    ...(name === null ? [] : [{ sql: sql`t.name = ${name}`, tables: [] }]),
  ]
  return list(ctx, findResource(resource.registry, 'host_collection'), input, conditions, { parents: 'unread' })
}
