import { sql } from 'kysely'
import { type Db, row, rows, type Sql } from '../../../database/sql.ts'

/** Makes everybody who takes an administrator away wait for each other, or two could remove each other at the same time. */
export async function lockAdministrators(tx: Db): Promise<void> {
  await rows(tx, sql`select pg_advisory_xact_lock(hashtext('administrators'))`)
}

/**
 * Whether an administrator is left, by the own flag or through a group, who can log in: enabled, and with a password here or
 * in a directory. Whom only a web server in front can name does not count: that is a matter of settings and of its own.
 */
export async function isAdministratorLeft(db: Db, except: number | null = null): Promise<boolean> {
  const left = await row(
    db,
    sql`
      select from users u join auth_sources s on s.id = u.auth_source_id
      where not u.disabled and u.id is distinct from ${except}::bigint
        and (s.type = 'AuthSourceInternal' and u.password is not null or s.type = 'AuthSourceLdap')
        and (u.admin or u.id in ${selectAdministratorsByGroup()})
      limit 1`,
  )
  return left !== undefined
}

/**
 * Takes users out of user groups, as a directory says; yields whether it did. They stay where no administrator who can log
 * in would be left.
 */
export async function removeMembers(tx: Db, usergroups: readonly number[], users: readonly number[]): Promise<boolean> {
  await lockAdministrators(tx)
  const gone = await rows<{ usergroup_id: number; user_id: number }>(
    tx,
    sql`
      delete from usergroup_users where usergroup_id = any (${usergroups}::bigint[]) and user_id = any (${users}::bigint[])
      returning usergroup_id, user_id`,
  )
  if (await isAdministratorLeft(tx)) return true
  await rows(
    tx,
    sql`
      insert into usergroup_users (usergroup_id, user_id)
      select usergroup_id, user_id
      from jsonb_to_recordset(${JSON.stringify(gone)}::jsonb) as member (usergroup_id bigint, user_id bigint)`,
  )
  return false
}

/** A subselect of the users whom a group makes administrators, however deep they are in it. */
export function selectAdministratorsByGroup(): Sql {
  return sql`(
    with recursive inside (id) as (
      select id from usergroups where admin
      union
      select down.member_id from usergroup_usergroups down join inside on down.usergroup_id = inside.id
    )
    select user_id from usergroup_users where usergroup_id in (select id from inside))`
}
