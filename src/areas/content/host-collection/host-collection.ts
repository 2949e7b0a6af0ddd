import { z } from 'zod'
import { selectObject } from '../../../database/sql.ts'
import { defineResource } from '../../../kernel/index.ts'
import { permissionsKey, presentPermissions } from '../../../records/permissions.ts'
import { sql } from '../../../sql.ts'
import { copyCollection } from './copy.ts'
import { collectionFields } from './fields.ts'
import { validateCollectionLimit } from './limit.ts'
import { listCollections } from './list.ts'
import { presentMembers } from './members.ts'
import { addHosts, removeHosts } from './membership.ts'
import { collectionWrites } from './writes.ts'

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
    shown: async (ctx, resource, rows, query) =>
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
  around: collectionWrites,
  actions: [listCollections, copyCollection, addHosts, removeHosts],
})
