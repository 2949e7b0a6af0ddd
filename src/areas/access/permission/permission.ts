import { defineResource, text } from '../../../kernel/index.ts'

/** The permissions, written from the declarations at start and read-only (core-api §7.1). */
export const permissions = defineResource({
  name: 'permission',
  permissions: { word: 'filters' },
  summary: 'A permission for one action on records of one type.',
  fields: {
    name: text({ readOnly: true, required: true, search: 'free', doc: 'For example view_architectures.' }),
    resource_type: text({ readOnly: true, search: 'free', doc: 'The type of its records.' }),
  },
  operations: ['list', 'show'],
  label: 'name',
  views: { list: ['name', 'id', 'resource_type'], show: ['name', 'id', 'resource_type'], order: 'id' },
  audited: false,
})
