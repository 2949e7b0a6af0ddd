import type { Sql } from '../../database/sql.ts'
import { compileColumnCondition, type SearchField } from '../../search/index.ts'
import { sql } from '../../sql.ts'
import { isGlobal } from './columns.ts'
import { PLAIN, selectValueText } from './hidden.ts'
import type { ParameterOwner } from './levels.ts'

/**
 * The search field `params.<name>` of hosts: the effective value (smart-parameters §5.4). Hidden values are encrypted: they
 * match no comparison (decision 0065).
 */
export const paramSearch: SearchField = {
  name: 'params',
  type: 'text',
  column: 'value',
  expression: (alias) => sql`case when not ${sql.ref(`${alias}.hidden_value`)} then ${selectValueText(alias)} end`,
  unmasked: selectValueText,
  nullable: true,
  explicit: true,
  many: true,
  viewedWith: { permission: 'view_params', resource: 'parameter', column: 'id' },
  through: [{ table: 'parameters', column: 'host_id', previous: 'id' }],
  // Most of it is planning, because the statement asks every level.
  cost: 100,
  key: { column: 'name' },
  tables: ['interfaces', 'organizations', 'locations', 'hostgroups'],
  virtual: ({ operator, value, key, root, counting }, options) => {
    const compared = compileColumnCondition(PLAIN, selectValueText('e'), operator, value, options)
    return selectHosts(root, key ?? '', withVisibility(sql`(not e.hidden_value and ${compared})`, counting))
  },
  present: ({ key, root, counting }) =>
    selectHosts(root, key ?? '', withVisibility(sql`e.value is not null`, counting)),
}

/**
 * The search field `params.<name>` of owners other than hosts: their own parameters. Hidden values match no comparison;
 * only their existence can be searched for.
 */
export function ownParamSearch(owner: ParameterOwner): SearchField {
  const { virtual: _virtual, present: _present, tables: _tables, cost: _cost, ...plain } = paramSearch
  return { ...plain, through: [{ table: 'parameters', column: `${owner}_id`, previous: 'id' }] }
}

/** An effective value that the caller may not view matches nothing; a less near one does not take its place. */
function withVisibility(condition: Sql, counting: SearchField['counting']): Sql {
  return counting ? sql`(${condition} and ${counting('e')})` : condition
}

/**
 * Selects the hosts whose effective parameter of this name (alias `e`) fulfils the condition. It starts from the name,
 * so that the cost follows the number of matches: hosts with an own value, hosts with one by their group, and all other
 * hosts only if a more general value fulfils the condition. Tables are repeated instead of named by a `with`, for which
 * the planner has no estimates.
 */
function selectHosts(root: string, name: string, condition: Sql): Sql {
  return sql`${sql.ref(`${root}.id`)} in (
    ${selectOwners('host', name, condition)}
    union all
    select h.id from hosts h join (${selectNearest('hostgroup', name)}) g on g.node = h.hostgroup_id join parameters e on e.id = g.id
    where h.id not in (${selectOwners('host', name)}) and ${condition}
    union all
    select h.id from hosts h left join interfaces i on i.host_id = h.id and i."primary"
    where h.id not in (${selectOwners('host', name)})
      and (h.hostgroup_id in (${selectNodes('hostgroup', name)})) is not true
      and (select exists (select from parameters e where e.name = ${name} and e.host_id is null and e.hostgroup_id is null and ${condition}))
      and ${selectGenerally(name, condition)})`
}

/** Whether the first level with a value fulfils the condition, from the operating system to global parameters. */
function selectGenerally(name: string, condition: Sql): Sql {
  const selectPlain = (owner: ParameterOwner, column: string) =>
    sql`when ${sql.ref(column)} in (${selectOwners(owner, name)}) then ${sql.ref(column)} in (${selectOwners(owner, name, condition)})`
  const selectInTree = (owner: TreeName) =>
    sql`when ${sql.ref(`h.${owner}_id`)} in (${selectNodes(owner, name)}) then ${sql.ref(`h.${owner}_id`)} in (${selectNodes(owner, name, condition)})`
  return sql`case
      ${selectPlain('operatingsystem', 'h.operatingsystem_id')}
      ${selectPlain('subnet', 'i.subnet6_id')}
      ${selectPlain('subnet', 'i.subnet_id')}
      ${selectPlain('domain', 'i.domain_id')}
      ${selectInTree('location')}
      ${selectInTree('organization')}
      else (select ${condition} from parameters e where e.name = ${name} and ${isGlobal('e')}) end`
}

/** Selects the owners that have a parameter of this name themselves. */
function selectOwners(owner: ParameterOwner, name: string, condition: Sql = sql`true`): Sql {
  const column = sql.ref(`e.${owner}_id`)
  return sql`select ${column} from parameters e where e.name = ${name} and ${column} is not null and ${condition}`
}

const TREES = { hostgroup: 'hostgroups', location: 'locations', organization: 'organizations' } as const
type TreeName = keyof typeof TREES

/** Selects the nodes of a tree that have or inherit a parameter of this name. */
function selectNodes(owner: TreeName, name: string, condition?: Sql): Sql {
  const all = sql`select n.node from (${selectNearest(owner, name)}) n`
  return condition ? sql`${all} join parameters e on e.id = n.id where ${condition}` : all
}

/** Selects for each node of a tree the nearest parameter of this name. */
function selectNearest(owner: TreeName, name: string): Sql {
  const column = sql.ref(`p.${owner}_id`)
  return sql`select distinct on (n.id) n.id as node, p.id
    from parameters p join ${sql.table(TREES[owner])} n on n.id = ${column} or n.ancestor_ids @> array[${column}]
    where p.name = ${name} and ${column} is not null
    order by n.id, coalesce(array_position(n.ancestor_ids, ${column}), 2147483647) desc`
}
