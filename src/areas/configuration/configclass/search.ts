import type { Sql } from '../../../database/sql.ts'
import { searchByLinked } from '../../../records/linked-search.ts'
import { compileColumnCondition, type SearchField } from '../../../search/index.ts'
import { joinAll, sql } from '../../../sql.ts'
import { selectClassesOf } from './applied.ts'
import { CLASS_TABLES } from './effective.ts'

const ENVIRONMENTS = { table: 'configclass_environments', column: 'configclass_id', previous: 'id' } as const

/** Search fields of config classes beside their names (smart-parameters §8). */
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
  searchByTaxonomy('organization', 'organizations'),
  searchByTaxonomy('location', 'locations'),
  searchByOwner('hostgroup', 'title'),
  searchByLinked('config_group', {
    through: 'config_group_configclasses',
    own: 'configclass_id',
    other: 'config_group_id',
    table: 'config_groups',
  }),
  searchByOwner('host', 'name'),
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

/**
 * The search fields `class` and `config_group` of hosts and host groups, including what groups above hand down
 * (smart-parameters §8).
 */
export function assignedSearch(owner: 'host' | 'hostgroup'): readonly SearchField[] {
  return [
    buildAssignedSearch(owner, 'class', 'configclass', 'configclasses', (found) => selectHolders(found)),
    buildAssignedSearch(owner, 'config_group', 'config_group', 'config_groups', (found) => selectGroupHolders(found)),
  ]
}

/** Statements for the ids of hosts and of host groups that have a match. */
interface Holders {
  readonly host: Sql
  readonly hostgroup: Sql
}

function selectHolders(found: Sql): Holders {
  const groups = sql`select l.config_group_id from config_group_configclasses l where l.configclass_id in (${found})`
  const byGroup = selectGroupHolders(groups)
  return {
    host: sql`select l.host_id from host_configclasses l where l.configclass_id in (${found}) union all ${byGroup.host}`,
    hostgroup: sql`select l.hostgroup_id from hostgroup_configclasses l where l.configclass_id in (${found}) union all ${byGroup.hostgroup}`,
  }
}

function selectGroupHolders(found: Sql): Holders {
  return {
    host: sql`select l.host_id from config_group_hosts l where l.config_group_id in (${found})`,
    hostgroup: sql`select l.hostgroup_id from config_group_hostgroups l where l.config_group_id in (${found})`,
  }
}

function buildAssignedSearch(
  owner: 'host' | 'hostgroup',
  name: string,
  resource: string,
  table: string,
  holdersOf: (found: Sql) => Holders,
): SearchField {
  const selectWithin = (condition: Sql, root: string) => {
    const holders = holdersOf(sql`select x.id from ${sql.table(table)} x where ${condition}`)
    const groups = sql`select g.id from hostgroups g where g.id in (${holders.hostgroup}) or g.ancestor_ids && array(${holders.hostgroup})`
    return owner === 'hostgroup'
      ? sql`${sql.ref(`${root}.id`)} in (${groups})`
      : sql`(${sql.ref(`${root}.id`)} in (${holders.host}) or coalesce(${sql.ref(`${root}.hostgroup_id`)} in (${groups}), false))`
  }
  const plain: SearchField = { name, type: 'text', column: 'name' }
  return {
    name,
    ...(name !== resource && { aliases: [resource] }),
    type: 'text',
    column: null,
    explicit: true,
    noCompletion: true,
    leadsTo: { resource, column: 'id' },
    tables: [...CLASS_TABLES, table, 'hostgroups'],
    virtual: ({ operator, value, root, counting }, options) => {
      const compared = compileColumnCondition(plain, sql`x.name`, operator, value, options)
      return selectWithin(joinAll([compared, ...(counting ? [counting('x')] : [])]), root)
    },
    present: ({ root, counting }) => selectWithin(counting?.('x') ?? sql`true`, root),
  }
}

/** A search field for classes by the places of their environments. */
function searchByTaxonomy(name: string, table: string): SearchField {
  const through = [
    ENVIRONMENTS,
    { table: `environment_${table}`, column: 'environment_id', previous: 'environment_id' },
    { table, column: 'id', previous: `${name}_id` },
  ]
  const leadsTo = { resource: name, column: 'id' }
  return { name, type: 'text', column: 'title', through, leadsTo, nullable: true, many: true, explicit: true }
}

/** A search field for classes by a host or host group that has them in any way. */
function searchByOwner(owner: 'host' | 'hostgroup', label: string): SearchField {
  const limitToClasses = (condition: Sql, root: string) =>
    sql`${sql.ref(`${root}.id`)} in (select had.configclass_id from ${sql.table(`${owner}s`)} o
      cross join lateral (${selectClassesOf(owner, 'o')}) had where ${condition})`
  return {
    name: owner,
    type: 'text',
    column: null,
    explicit: true,
    noCompletion: true,
    leadsTo: { resource: owner, column: 'id' },
    tables: [...CLASS_TABLES],
    virtual: ({ operator, value, root, counting }, options) =>
      limitToClasses(
        joinAll([
          compileColumnCondition(
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
    present: ({ root, counting }) => limitToClasses(counting?.('o') ?? sql`true`, root),
  }
}
