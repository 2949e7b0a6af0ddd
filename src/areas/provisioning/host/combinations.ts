import { children } from '../../../records/children.ts'
import type { SearchField } from '../../../search/schema.ts'
import { COMBINATION_KEYS } from '../template-combination/template-combination.ts'

/** The contribution of provisioning to host groups: their template combinations. */
export const hostgroupTemplates = {
  fields: {
    template_combinations: children('template_combination', {
      show: COMBINATION_KEYS,
      doc: 'Provisioning templates that its hosts take.',
    }),
  },
  search: [
    {
      name: 'template',
      type: 'text',
      column: 'name',
      through: [
        { table: 'template_combinations', column: 'hostgroup_id', previous: 'id' },
        { table: 'templates', column: 'id', previous: 'provisioning_template_id' },
      ],
      leadsTo: { resource: 'provisioning_template', column: 'id' },
      many: true,
      nullable: true,
      explicit: true,
    },
  ] satisfies SearchField[],
} as const
