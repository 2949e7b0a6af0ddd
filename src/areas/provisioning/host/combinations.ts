import { children } from '../../../records/children.ts'
import { searchByLinked } from '../../../records/linked-search.ts'
import type { SearchField } from '../../../search/schema.ts'
import { COMBINATION_KEYS } from '../template-combination/template-combination.ts'

/** The contribution of provisioning to host groups: their template combinations. */
export const hostgroupTemplates = {
  fields: {
    template_combinations: children('template_combination', {
      show: COMBINATION_KEYS,
      doc: 'Provisioning templates of its hosts.',
    }),
  },
  search: [
    searchByLinked('template', {
      through: 'template_combinations',
      own: 'hostgroup_id',
      other: 'provisioning_template_id',
      table: 'templates',
      resource: 'provisioning_template',
    }),
  ] satisfies SearchField[],
} as const
