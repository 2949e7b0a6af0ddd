import { z } from 'zod'
import { defineResource, type Field, link } from '../../../kernel/index.ts'
import { json } from '../../../records/json.ts'
import { sql } from '../../../sql.ts'

const KEYS = [
  'created_at',
  'updated_at',
  'id',
  'name',
  'compute_resource_id',
  'compute_resource_name',
  'provider',
  'compute_profile_id',
  'compute_profile_name',
  'vm_attrs',
]

/** The keys that compute profiles and compute resources show of compute attributes. */
export const COMPUTE_ATTRIBUTE_KEYS = KEYS.slice(2)

/**
 * The values of a compute profile for a compute resource. They are only stored: this service orders no machines. They
 * are parts of the profile, and take its permissions.
 */
export const computeAttributes = defineResource({
  name: 'compute_attribute',
  summary: 'Attributes of virtual machines of one compute profile on one compute resource.',
  permissions: { word: 'compute_profiles' },
  fields: {
    compute_profile: link('compute_profile', {
      required: true,
      onDelete: 'cascade',
      search: true,
      doc: 'Compute profile that the attributes are for.',
    }),
    compute_resource: link('compute_resource', {
      required: true,
      onDelete: 'cascade',
      search: true,
      doc: 'Compute resource of the machine.',
    }),
    vm_attrs: asMembers(
      json({
        nullable: false,
        ordered: 'compute_attributes',
        doc: 'Attributes of the machine, as the provider names them.',
      }),
    ),
  },
  operations: ['list', 'show', 'create', 'update'],
  visibility: { seenWith: ['compute_resource'] },
  views: { list: KEYS, show: KEYS, order: 'id' },
  readable: {
    name: {
      schema: () => z.string().meta({ description: 'The size, and where.' }),
      sql: (alias) =>
        sql`(select p.name || ' (' || r.name || ')' from compute_profiles p, compute_resources r
          where p.id = ${sql.ref(`${alias}.compute_profile_id`)} and r.id = ${sql.ref(`${alias}.compute_resource_id`)})`,
    },
    provider: {
      schema: () => z.string().meta({ description: 'The kind of the compute resource.' }),
      sql: (alias) =>
        sql`(select r.provider from compute_resources r where r.id = ${sql.ref(`${alias}.compute_resource_id`)})`,
    },
  },
  routes: { parents: { compute_profile: 'compute_profile', compute_resource: 'compute_resource' } },
  wire: {
    below: [
      'compute_resources/:compute_resource_id/compute_profiles/:compute_profile_id',
      'compute_profiles/:compute_profile_id/compute_resources/:compute_resource_id',
    ],
  },
})

/** Restricts a field to objects. */
function asMembers<F extends Field<unknown>>(field: F): F {
  const schema = z.record(z.string(), z.json(), { error: 'must be an object' })
  return {
    ...field,
    writable: ({ name }) => ({ [name]: { schema: () => schema.meta({ description: field.doc }) } }),
    readable: (at) => {
      const { [at.name]: key } = field.readable(at)
      return key ? { [at.name]: { ...key, schema: () => schema.meta({ description: field.doc }) } } : {}
    },
  }
}
