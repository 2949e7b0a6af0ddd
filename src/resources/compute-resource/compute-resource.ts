import { children, text } from '../../kernel/fields/index.ts'
import { defineResource } from '../../kernel/resource.ts'
import { taxonomyFields } from '../../kernel/taxonomies.ts'

const KEYS = ['description', 'url', 'created_at', 'updated_at', 'id', 'name', 'provider']

/** Core-api §11. A plain record: nothing is asked of what it names. */
export const computeResources = defineResource({
  name: 'compute_resource',
  summary: 'Where virtual machines run: a hypervisor or a cloud.',
  fields: {
    name: text({ required: true, search: 'free', doc: 'Unique name.' }),
    provider: text({ required: true, doc: 'Its kind, any word.' }),
    url: text({ doc: 'Where it is reached.' }),
    description: text({ max: 65_535, doc: 'For people.' }),
    images: children('image', { doc: 'Images that it has; they go when it goes.' }),
    ...taxonomyFields('compute_resource'),
  },
  label: 'name',
  views: { list: KEYS, show: [...KEYS, 'images', 'locations', 'organizations'] },
  search: [{ name: 'type', type: 'text', column: 'provider' }],
  taxable: true,
})
