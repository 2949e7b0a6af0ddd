import { lockName } from '../../../database/savepoints.ts'
import { type Db, row, rows, type Sql } from '../../../database/sql.ts'
import { sql } from '../../../sql.ts'

/** Lets transactions that take an administrator away wait for each other: two at once could remove each other. */
export async function lockAdministrators(tx: Db): Promise<void> {
  await lockName(tx, 'administrators')
}

/**
 * Whether an enabled administrator (by flag or group) is left who has a password here or in a directory. Users that
 * only a web server can authenticate do not count, because that depends on settings.
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
 * Removes users from user groups on the word of a directory, unless no administrator who can log in would be left.
 * Yields whether it did.
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

/** Selects the users whom a group makes administrators, however deep they are in it. */
export function selectAdministratorsByGroup(): Sql {
  return sql`(
    with recursive inside (id) as (
      select id from usergroups where admin
      union
      select down.member_id from usergroup_usergroups down join inside on down.usergroup_id = inside.id
    )
    select user_id from usergroup_users where usergroup_id in (select id from inside))`
}
