import { defineResource, links, text } from '../../../kernel/index.ts'
import { searchByLinked } from '../../../records/linked-search.ts'
import { refuseWhileAssigned } from '../configclass/usage.ts'

const KEYS = ['created_at', 'updated_at', 'id', 'name', 'configclasses']

/** Config groups (smart-parameters §8). */
export const configGroups = defineResource({
  name: 'config_group',
  summary: 'Config classes that you assign to hosts and host groups together.',
  fields: {
    name: text({ required: true, search: 'free', doc: 'Unique.' }),
    configclasses: links('configclass', {
      through: 'config_group_configclasses',
      show: ['id', 'name', 'module_name'],
      doc: 'The classes in it.',
    }),
  },
  label: 'name',
  views: { list: KEYS, show: KEYS },
  search: [
    searchByLinked('class', {
      through: 'config_group_configclasses',
      own: 'config_group_id',
      other: 'configclass_id',
      table: 'configclasses',
    }),
  ],
  wrapWrite: {
    async delete(ctx, stored, next, resource) {
      await refuseWhileAssigned(ctx, resource.registry, stored, 'config_group')
      await next()
    },
  },
})
