import { defineResource, text } from '../../../kernel/index.ts'

const KEYS = ['created_at', 'updated_at', 'name', 'id']

/**
 * The kinds of templates, which come with the program (core-api §11). Everybody who may view templates sees all kinds.
 */
export const templateKinds = defineResource({
  name: 'template_kind',
  summary: 'A purpose that provisioning templates serve, e.g. `provision` or `PXELinux`.',
  fields: {
    name: text({ readOnly: true, required: true, search: 'free', doc: 'Name in paths and templates.' }),
    description: text({ readOnly: true, doc: 'Purpose.' }),
  },
  operations: ['list'],
  label: 'name',
  views: { list: KEYS, show: KEYS },
  permissions: { word: 'provisioning_templates' },
})
