import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { selectObject } from '../../../database/sql.ts'
import {
  type Action,
  createRecord,
  defineResource,
  type Resource,
  readAttributes,
  readBack,
  readDraft,
  type Stored,
  validate,
} from '../../../kernel/index.ts'
import { readNumbers } from '../../../lib/values.ts'
import { permissionsKey, presentPermissions } from '../../../records/permissions.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { sql } from '../../../sql.ts'
import { collectionFields } from './fields.ts'
import { validateCollectionLimit } from './limit.ts'
import { listCollections } from './list.ts'
import { loadMemberCandidates, presentMembers } from './members.ts'
import { addHosts, removeHosts } from './membership.ts'
import { collectionWrites } from './writes.ts'

/**
 * `POST /host_collections/:id/copy` (content-api §8.1): copies a collection with its limit, and with those hosts that
 * the caller may edit.
 */
const copyCollection: Action = {
  method: 'POST',
  path: '/:id/copy',
  name: 'copy',
  summary: 'Copy a host collection',
  permissions: ['create_host_collections'],
  body: z.object({ name: z.string().meta({ description: 'Name of the copy.' }) }),
  status: 201,
  record: { how: 'locked', permission: 'view_host_collections' },
  handle: copy,
}

async function copy(tx: Context, resource: Resource, input: Input, source: Stored): Promise<Answer> {
  const { name = null } = readAttributes(resource, input.body)
  const validated = await validate(tx, resource, { name })
  const members = await loadMemberCandidates(tx, resource.registry, readNumbers(source, 'hosts') ?? [])
  const draft = await readDraft(tx, resource, validated, null, {
    organization: source.organization_id,
    description: source.description,
    max_hosts: source.max_hosts,
    unlimited_hosts: source.unlimited_hosts,
    hosts: members
      .filter(({ editable, organization_id }) => editable && organization_id === source.organization_id)
      .map(({ id }) => id),
  })
  const id = await createRecord(tx, resource, draft)
  return { status: 201, body: await readBack(tx, resource, id) }
}

const KEYS = [
  'name',
  'organization_id',
  'max_hosts',
  'description',
  'total_hosts',
  'unlimited_hosts',
  'created_at',
  'updated_at',
  'id',
  'permissions',
]

const MAY = { deletable: 'destroy_host_collections', editable: 'edit_host_collections' }
const may = presentPermissions(MAY)

/** Host collections: any hosts, grouped by people or by the keys they register with (content-api §8.1). */
export const hostCollections = defineResource({
  name: 'host_collection',
  routes: { surface: 'content', parents: { activation_key: 'activation_keys' } },
  summary: 'Hosts that belong together.',
  fields: collectionFields,
  label: 'name',
  visibility: { taxable: 'organization' },
  operations: ['show', 'create', 'update', 'delete'],
  views: {
    list: KEYS,
    show: ['host_ids', ...KEYS],
    deleted: ['host_ids', ...KEYS],
    transform: async (ctx, resource, rows, query) =>
      presentMembers(ctx, resource, await may(ctx, resource, rows, query), query),
  },
  readable: {
    // Deleted records answer these; for others `presentPermissions` fills them in.
    permissions: { ...permissionsKey(MAY), sql: () => selectObject({ deletable: sql`false`, editable: sql`false` }) },
    host_ids: {
      schema: () => z.array(z.int()).meta({ description: 'Ids of those of its hosts that the caller may see.' }),
      sql: (alias) =>
        sql`coalesce((select json_agg(m.host_id order by m.host_id) from host_collection_hosts m where m.host_collection_id = ${sql.ref(`${alias}.id`)}), '[]')`,
    },
  },
  search: [{ name: 'organization_id', type: 'integer', column: 'organization_id', explicit: true }],
  wire: { paths: { activation_key: [] }, suggests: true },
  rules: [(record, draft, _ctx, stored) => validateCollectionLimit(record, draft, stored)],
  wrapWrite: collectionWrites,
  actions: [listCollections, copyCollection, addHosts, removeHosts],
})
