import type { Sql } from '../../../database/sql.ts'
import { sql } from '../../../sql.ts'

/**
 * Leaves hosts `t` that have the class in their environment in any way (smart-parameters §4.1). It starts from the
 * assignments of the class, instead of looking at every host.
 */
export function hasClass(configclass: number): Sql {
  return sql`exists (select from configclass_environments there
      where there.configclass_id = ${configclass} and there.environment_id = t.environment_id)
    and (t.id in (
        select own.host_id from host_configclasses own where own.configclass_id = ${configclass}
        union select own.host_id from config_group_hosts own
          join config_group_configclasses member on member.config_group_id = own.config_group_id
          where member.configclass_id = ${configclass})
      or t.hostgroup_id in (
        select line.id from hostgroups line where (line.ancestor_ids || line.id) && array(
          select own.hostgroup_id from hostgroup_configclasses own where own.configclass_id = ${configclass}
          union select own.hostgroup_id from config_group_hostgroups own
            join config_group_configclasses member on member.config_group_id = own.config_group_id
            where member.configclass_id = ${configclass})))`
}
