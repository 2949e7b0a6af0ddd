import { text } from '../../kernel/fields/index.ts'
import { defineResource } from '../../kernel/resource.ts'

const KEYS = ['created_at', 'updated_at', 'id', 'name']

/** Core-api §11. */
export const computeProfiles = defineResource({
  name: 'compute_profile',
  summary: 'A size that virtual machines are ordered in.',
  fields: { name: text({ required: true, search: 'free', doc: 'Unique name.' }) },
  label: 'name',
  views: { list: KEYS, show: KEYS },
})
