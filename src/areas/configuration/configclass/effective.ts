import type { Sql } from '../../../database/sql.ts'
import { sql } from '../../../sql.ts'
import { selectEffectiveColumn } from '../../inventory/index.ts'

/** Every table that decides which classes a host or host group has. */
export const CLASS_TABLES = [
  'hosts',
  'hostgroups',
  'host_configclasses',
  'hostgroup_configclasses',
  'configclass_environments',
  'config_group_hosts',
  'config_group_hostgroups',
  'config_group_configclasses',
] as const

/**
 * Selects the ids (`configclass_id`) of all classes of the host with this alias (smart-parameters §4.1): assigned to
 * it, to its host group or the groups above, or by config groups of all these, if they are in the environment of the
 * host; none without an environment.
 */
export function selectClassesOfHost(alias: string): Sql {
  const host = sql.ref(`${alias}.id`)
  const line = classesOfLine(sql.ref(`${alias}.hostgroup_id`))
  return sql`select given.configclass_id from (
      select own.configclass_id from host_configclasses own where own.host_id = ${host}
      union
      select member.configclass_id from config_group_hosts own
        join config_group_configclasses member on member.config_group_id = own.config_group_id where own.host_id = ${host}
      union ${line}
    ) given
    join configclass_environments there
      on there.configclass_id = given.configclass_id and there.environment_id = ${sql.ref(`${alias}.environment_id`)}`
}

/**
 * Selects the ids of all classes of the host group with this alias that are in its effective environment; without one,
 * all classes that it hands down.
 */
export function selectClassesOfHostgroup(alias: string): Sql {
  const environment = selectEnvironmentOfHostgroup(alias)
  return sql`select given.configclass_id from (${classesOfLine(sql.ref(`${alias}.id`))}) given
    where ${environment} is null or exists (
      select from configclass_environments there
      where there.configclass_id = given.configclass_id and there.environment_id = ${environment})`
}

/** Selects the effective environment of a host group: its own, or else that of the nearest ancestor. */
export function selectEnvironmentOfHostgroup(alias: string): Sql {
  return selectEffectiveColumn(alias, 'environment_id')
}

/** Selects the classes of a host group and its ancestors, assigned directly or by config groups. */
function classesOfLine(hostgroup: Sql): Sql {
  const onLine = sql`on own.hostgroup_id = any (line.ancestor_ids || line.id)`
  return sql`select own.configclass_id from hostgroups line
      join hostgroup_configclasses own ${onLine} where line.id = ${hostgroup}
    union
    select member.configclass_id from hostgroups line
      join config_group_hostgroups own ${onLine}
      join config_group_configclasses member on member.config_group_id = own.config_group_id where line.id = ${hostgroup}`
}
