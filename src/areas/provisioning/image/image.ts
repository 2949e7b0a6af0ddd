import { defineResource, link, text } from '../../../kernel/index.ts'

const KEYS = [
  'operatingsystem_id',
  'operatingsystem_name',
  'compute_resource_id',
  'compute_resource_name',
  'architecture_id',
  'architecture_name',
  'uuid',
  'username',
  'created_at',
  'updated_at',
  'id',
  'name',
]

/** Images of compute resources (core-api §11). */
export const images = defineResource({
  name: 'image',
  summary: 'A disk image for hosts of one architecture and operating system.',
  fields: {
    name: text({ required: true, search: 'free', doc: 'Unique name.' }),
    uuid: text({ required: true, search: 'explicit', doc: 'Identifier at the provider.' }),
    username: text({ required: true, search: 'explicit', doc: 'Account for logins after the first boot.' }),
    architecture: link('architecture', { required: true, onDelete: 'cascade', search: true, doc: 'Its architecture.' }),
    operatingsystem: link('operatingsystem', { required: true, search: true, doc: 'Its operating system.' }),
    compute_resource: link('compute_resource', {
      onDelete: 'cascade',
      search: true,
      doc: 'Compute resource that has the image.',
    }),
  },
  label: 'name',
  visibility: { seenWith: ['compute_resource'] },
  views: { list: KEYS, show: KEYS },
  routes: {
    parents: { compute_resource: 'compute_resource', architecture: 'architecture', operatingsystem: 'operatingsystem' },
  },
})
