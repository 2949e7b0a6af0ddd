import { sql } from 'kysely'
import type { Sql } from '../../../database/sql.ts'

/** Whether the user with this alias is an administrator, by its own flag or through a group. */
export function isAdministrator(alias: string): Sql {
  return sql`(${sql.ref(`${alias}.admin`)} or exists (select from usergroups g where g.admin and g.id in ${selectUsergroupIds(alias)}))`
}

/** A subselect of the ids of all groups that the user with this alias belongs to, however deep; loops end by themselves. */
export function selectUsergroupIds(alias: string): Sql {
  return sql`(
    with recursive member_of (id) as (
      select usergroup_id from usergroup_users where user_id = ${sql.ref(`${alias}.id`)}
      union
      select up.usergroup_id from usergroup_usergroups up join member_of on up.member_id = member_of.id
    )
    select id from member_of)`
}
