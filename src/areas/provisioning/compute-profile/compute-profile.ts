import { defineResource, text } from '../../../kernel/index.ts'
import { children } from '../../../records/children.ts'
import { COMPUTE_ATTRIBUTE_KEYS } from '../compute-attribute/compute-attribute.ts'

const KEYS = ['created_at', 'updated_at', 'id', 'name']

/** Compute profiles (core-api §11). */
export const computeProfiles = defineResource({
  name: 'compute_profile',
  summary: 'A size of virtual machines.',
  fields: {
    name: text({ required: true, search: 'free', doc: 'Unique name.' }),
    compute_attributes: children('compute_attribute', {
      show: COMPUTE_ATTRIBUTE_KEYS,
      doc: 'Attributes of its machines, for each compute resource.',
    }),
  },
  label: 'name',
  views: { list: KEYS, show: [...KEYS, 'compute_attributes'] },
})
