import { sql } from 'kysely'
import { all, type Sql } from '../../database/sql.ts'
import { columnCondition, type SearchField } from '../../search/index.ts'
import { classesOf } from './applied.ts'
import { CLASS_TABLES } from './effective.ts'

const ENVIRONMENTS = { table: 'configclass_environments', column: 'configclass_id', previous: 'id' } as const

/** What config classes are searched by beside their names (smart-parameters §8). */
export const classSearch: readonly SearchField[] = [
  {
    name: 'environment',
    type: 'text',
    column: 'name',
    through: [ENVIRONMENTS, { table: 'environments', column: 'id', previous: 'environment_id' }],
    leadsTo: { resource: 'environment', column: 'id' },
    nullable: true,
    many: true,
    explicit: true,
  },
  inTaxonomy('organization', 'organizations'),
  inTaxonomy('location', 'locations'),
  having('hostgroup', 'title'),
  {
    name: 'config_group',
    type: 'text',
    column: 'name',
    through: [
      { table: 'config_group_configclasses', column: 'configclass_id', previous: 'id' },
      { table: 'config_groups', column: 'id', previous: 'config_group_id' },
    ],
    nullable: true,
    many: true,
    explicit: true,
  },
  having('host', 'name'),
  {
    name: 'key',
    type: 'text',
    column: 'parameter',
    through: [{ table: 'smart_class_parameters', column: 'configclass_id', previous: 'id' }],
    nullable: true,
    many: true,
    explicit: true,
  },
]

/** Classes are where their environments are. */
function inTaxonomy(name: string, table: string): SearchField {
  const through = [
    ENVIRONMENTS,
    { table: `environment_${table}`, column: 'environment_id', previous: 'environment_id' },
    { table, column: 'id', previous: `${name}_id` },
  ]
  const leadsTo = { resource: name, column: 'id' }
  return { name, type: 'text', column: 'title', through, leadsTo, nullable: true, many: true, explicit: true }
}

/** Classes that some host, or some host group, of this name has in any way. */
function having(owner: 'host' | 'hostgroup', label: string): SearchField {
  const ids = (condition: Sql, root: string) =>
    sql`${sql.ref(`${root}.id`)} in (select had.configclass_id from ${sql.table(`${owner}s`)} o
      cross join lateral (${classesOf(owner, 'o')}) had where ${condition})`
  return {
    name: owner,
    type: 'text',
    column: null,
    explicit: true,
    noCompletion: true,
    leadsTo: { resource: owner, column: 'id' },
    tables: [...CLASS_TABLES],
    virtual: ({ operator, value, root, counting }, options) =>
      ids(
        all([
          columnCondition(
            { name: owner, type: 'text', column: label },
            sql.ref(`o.${label}`),
            operator,
            value,
            options,
          ),
          ...(counting ? [counting('o')] : []),
        ]),
        root,
      ),
    present: ({ root, counting }) => ids(counting?.('o') ?? sql`true`, root),
  }
}
