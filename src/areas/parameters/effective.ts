import type { Context } from '../../context.ts'
import { rows, type Sql } from '../../database/sql.ts'
import { openKept, selectKept } from '../../encryption/hidden-values.ts'
import type { ReadableKey } from '../../kernel/index.ts'
import { sql } from '../../sql.ts'
import { buildParametersSchema, isGlobal, PARAMETER_KEYS, selectParameterObject } from './columns.ts'
import { levelOf, type ParameterOwner } from './levels.ts'

/** Selects the own parameters of a host, a host group, …, as a JSON array in order of their names. */
export function selectOwnParameters(alias: string, owner: ParameterOwner = 'host'): Sql {
  const column = sql.ref(`p.${owner}_id`)
  return sql`coalesce((select json_agg(${selectParameterObject('p')} order by p.name) from parameters p where ${column} = ${sql.ref(`${alias}.id`)}), '[]')`
}

/**
 * Selects the effective parameters of a host (smart-parameters §5.4): the nearest of each name, as a JSON array in
 * order of the names. `alias` is that of a row of `hosts`.
 */
function selectEffectiveParameters(alias: string): Sql {
  return sql`coalesce((select json_agg(${selectParameterObject('e')} order by e.name) from (${selectEffectiveRows(alias)}) e), '[]')`
}

/** The readable key `all_parameters` of hosts: their effective parameters. */
export const allParameters: ReadableKey = {
  schema: () => buildParametersSchema('Its effective parameters: the nearest one of each name.'),
  sql: selectEffectiveParameters,
}

/** One effective parameter of a host, with its true value even if that is hidden. */
export interface EffectiveParameter {
  readonly host_id: number
  readonly id: number
  readonly name: string
  readonly parameter_type: string
  readonly hidden_value: boolean
  /** Kind and id of its owner; `global` without one. */
  readonly associated_type: string
  readonly reference_id: number | null
  /** JSON with numbers as they were written; read it with classification's `readJson`. Null: no value. */
  readonly value: string | null
}

/** Loads the effective parameters of hosts, by host and name, in one statement. Permissions are not checked here. */
export async function loadEffectiveParameters(
  ctx: Context,
  hostIds: readonly number[],
): Promise<ReadonlyMap<number, readonly EffectiveParameter[]>> {
  const found = await rows<EffectiveParameter>(
    ctx.db,
    sql`select h.id as host_id, e.id, e.name, e.parameter_type, e.hidden_value, ${selectKept('parameters', 'e')} as value,
        ${PARAMETER_KEYS.associated_type.sql('e')} as associated_type, ${PARAMETER_KEYS.reference_id.sql('e')} as reference_id
      from hosts h cross join lateral (${selectEffectiveRows('h')}) e
      where h.id = any (${hostIds}::bigint[]) order by h.id, e.name`,
  )
  const opened = found.map((one) => ({ ...one, value: openKept(ctx.encryption, 'parameters', one.value) }))
  return Map.groupBy(opened, ({ host_id }) => host_id)
}

/** Selects the rows of `parameters` that are effective for the host with this alias. */
export function selectEffectiveRows(alias: string): Sql {
  return sql`select distinct on (l.name) l.* from (${selectLadder(alias)}) l order by l.name, l.level desc, l.depth desc`
}

/** Selects every parameter that reaches a host, with its nearness: the level and, in trees, the depth. */
function selectLadder(alias: string): Sql {
  const selectOwnerId = (owner: ParameterOwner) => sql.ref(`${alias}.${owner}_id`)
  const selectPriority = (owner: ParameterOwner) => sql.lit(levelOf(owner).priority)
  const selectTree = (owner: ParameterOwner, table: string) => {
    const column = sql.ref(`p.${owner}_id`)
    return sql`select p.*, ${selectPriority(owner)} as level, coalesce(array_position(n.ancestor_ids, ${column}), 2147483647) as depth
      from ${sql.table(table)} n join parameters p on ${column} = any (n.ancestor_ids || n.id) where n.id = ${selectOwnerId(owner)}`
  }
  const selectThroughInterface = (owner: ParameterOwner, column: string, depth: number) =>
    sql`select p.*, ${selectPriority(owner)}, ${sql.lit(depth)} from interfaces i join parameters p on ${sql.ref(`p.${owner}_id`)} = ${sql.ref(`i.${column}`)}
      where i.host_id = ${sql.ref(`${alias}.id`)} and i."primary"`
  const levels = [
    sql`select p.*, 0 as level, 0 as depth from parameters p where ${isGlobal('p')}`,
    selectTree('organization', 'organizations'),
    selectTree('location', 'locations'),
    selectThroughInterface('domain', 'domain_id', 0),
    selectThroughInterface('subnet', 'subnet_id', 0),
    selectThroughInterface('subnet', 'subnet6_id', 1),
    sql`select p.*, ${selectPriority('operatingsystem')}, 0 from parameters p where p.operatingsystem_id = ${selectOwnerId('operatingsystem')}`,
    selectTree('hostgroup', 'hostgroups'),
    sql`select p.*, ${selectPriority('host')}, 0 from parameters p where p.host_id = ${sql.ref(`${alias}.id`)}`,
  ]
  return sql.join(levels, sql` union all `)
}
