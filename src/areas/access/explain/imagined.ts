import type { Context } from '../../../context.ts'
import { rows, type Sql } from '../../../database/sql.ts'
import { sql } from '../../../sql.ts'
import { loadFiltersOf, type RoleFilter } from '../identity/actors.ts'

/** A change to compare with the present state. It is never stored. */
export interface Change {
  /** The group that is changed; null: the users are, whom the question is about. */
  readonly group: number | null
  readonly addRoles: readonly number[]
  readonly removeRoles: readonly number[]
  /** Groups that the users join and leave; for a group, those within it. */
  readonly addGroups: readonly number[]
  readonly removeGroups: readonly number[]
  /** Direct members of the group. */
  readonly addUsers: readonly number[]
  readonly removeUsers: readonly number[]
  readonly addFilters: readonly RoleFilter[]
  readonly removeFilters: readonly number[]
}

/** Users who have the same roles now, and would have the same. */
export interface Holders {
  readonly admin: boolean
  readonly admin_then: boolean
  readonly roles: readonly number[]
  readonly roles_then: readonly number[]
  readonly count: number
  /** The first of them. */
  readonly samples: readonly { readonly id: number; readonly name: string }[]
}

/** The number of users, or of records, that answers name. */
export const SAMPLES = 5

/** Loads the roles that users have and would have, by conditions on `users t`; users with the same are counted together. */
export async function loadHolders(ctx: Context, users: Sql, change: Change): Promise<Holders[]> {
  return rows(
    ctx.db,
    sql`
      with recursive subjects as (select t.id, t.login, t.admin from users t where ${users}),
      ${selectHeld('now', STORED)},
      ${selectHeld('then', buildLinks(change))}
      select one.admin, other.admin as admin_then, one.roles, other.roles as roles_then, count(*)::integer as count,
        to_json((array_agg(jsonb_build_object('id', one.id, 'name', one.login) order by one.id))[1:${SAMPLES}::integer]) as samples
      from now_held one join then_held other using (id) group by 1, 2, 3, 4`,
  )
}

/** Loads the filters of all these roles, as they are and as they would be. */
export async function loadFilters(ctx: Context, holders: readonly Holders[], change: Change) {
  const roles = new Set(holders.flatMap(({ roles: one, roles_then: other }) => [...one, ...other]))
  const now = await loadFiltersOf(ctx.db, [...roles])
  const kept = now.filter(({ id }) => !change.removeFilters.includes(id))
  return { before: now, after: [...kept, ...change.addFilters] }
}

/** Selects of the links between users, groups and roles. */
interface Links {
  readonly members: Sql
  readonly groups: Sql
  readonly ofUsers: Sql
  readonly ofGroups: Sql
}

const STORED: Links = {
  members: sql`select user_id, usergroup_id from usergroup_users`,
  groups: sql`select usergroup_id, member_id from usergroup_usergroups`,
  ofUsers: sql`select user_id, role_id from user_roles`,
  ofGroups: sql`select usergroup_id, role_id from usergroup_roles`,
}

function buildLinks({ group, ...change }: Change): Links {
  const list = (ids: readonly number[]) => sql`${ids}::bigint[]`
  if (group === null) {
    const toAll = (ids: readonly number[]) =>
      sql`select subjects.id, given.id from subjects, unnest(${list(ids)}) given (id)`
    return {
      ...STORED,
      members: sql`${STORED.members} where usergroup_id <> all (${list(change.removeGroups)}) union ${toAll(change.addGroups)}`,
      ofUsers: sql`${STORED.ofUsers} where role_id <> all (${list(change.removeRoles)}) union ${toAll(change.addRoles)}`,
    }
  }
  const without = (column: string, ids: readonly number[]) =>
    sql`where not (usergroup_id = ${group} and ${sql.ref(column)} = any (${list(ids)}))`
  const within = (ids: readonly number[]) => sql`select ${group}::bigint, unnest(${list(ids)})`
  return {
    members: sql`${STORED.members} ${without('user_id', change.removeUsers)}
      union select unnest(${list(change.addUsers)}), ${group}::bigint`,
    groups: sql`${STORED.groups} ${without('member_id', change.removeGroups)} union ${within(change.addGroups)}`,
    ofUsers: STORED.ofUsers,
    ofGroups: sql`${STORED.ofGroups} ${without('role_id', change.removeRoles)} union ${within(change.addRoles)}`,
  }
}

/** Selects the roles of the subjects: their own, those of their groups, however deep, and the default role. */
function selectHeld(name: 'now' | 'then', links: Links): Sql {
  const [groups, roles, held] = [sql.ref(`${name}_groups`), sql.ref(`${name}_roles`), sql.ref(`${name}_held`)]
  return sql`
    ${groups} (user_id, id) as (
      select user_id, usergroup_id from (${links.members}) m where user_id in (select id from subjects)
      union
      select inside.user_id, outside.usergroup_id from (${links.groups}) outside join ${groups} inside on outside.member_id = inside.id
    ),
    ${roles} (user_id, id) as (
      select user_id, role_id from (${links.ofUsers}) own where user_id in (select id from subjects)
      union
      select inside.user_id, given.role_id from (${links.ofGroups}) given join ${groups} inside on given.usergroup_id = inside.id
      union
      select subjects.id, roles.id from subjects, roles where roles.builtin = 2
    ),
    ${held} as (
      select s.id, s.login, coalesce(given.ids, '{}') as roles,
        s.admin or s.id in (select inside.user_id from ${groups} inside join usergroups g on g.id = inside.id where g.admin) as admin
      from subjects s left join (select user_id, array_agg(id order by id) as ids from ${roles} group by user_id) given on given.user_id = s.id
    )`
}
