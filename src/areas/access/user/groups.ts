import type { Sql } from '../../../database/sql.ts'
import { sql } from '../../../sql.ts'

/** Selects whether the user with this alias is an administrator, by a flag of their own or through a group. */
export function isAdministrator(alias: string): Sql {
  return sql`(${sql.ref(`${alias}.admin`)} or exists (select from usergroups g where g.admin and g.id in ${selectUsergroupIds(alias)}))`
}

/** Selects the ids of all groups of the user with this alias, however deep; circles of groups do no harm. */
export function selectUsergroupIds(alias: string): Sql {
  return sql`(
    with recursive member_of (id) as (
      select usergroup_id from usergroup_users where user_id = ${sql.ref(`${alias}.id`)}
      union
      select up.usergroup_id from usergroup_usergroups up join member_of on up.member_id = member_of.id
    )
    select id from member_of)`
}
