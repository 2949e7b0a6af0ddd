import type { SearchField } from '../../../search/schema.ts'
import { ownParamSearch } from '../../parameters/index.ts'
import { systemVersion } from '../system-version.ts'

/** Search fields of host groups beside their own columns (core-api §8.6). */
export const hostgroupSearch: readonly SearchField[] = [
  { name: 'label', type: 'text', column: 'title', explicit: true },
  buildSystemSearch('os', 'name'),
  buildSystemSearch('os_title', 'title'),
  ...systemVersion,
  {
    name: 'host',
    type: 'text',
    column: 'name',
    through: [{ table: 'hosts', column: 'hostgroup_id', previous: 'id' }],
    leadsTo: { resource: 'host', column: 'id' },
    many: true,
    nullable: true,
    explicit: true,
  },
  ownParamSearch('hostgroup'),
]

function buildSystemSearch(name: string, column: string): SearchField {
  const through = [{ table: 'operatingsystems', column: 'id', previous: 'operatingsystem_id' }]
  return { name, type: 'text', column, through, nullable: true, explicit: true }
}
