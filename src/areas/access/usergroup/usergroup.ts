import type { Context } from '../../../context.ts'
import { lockName } from '../../../database/savepoints.ts'
import { row } from '../../../database/sql.ts'
import { type Failure, invalid } from '../../../errors.ts'
import { boolean, type Draft, defineResource, links, type Resource, type Stored, text } from '../../../kernel/index.ts'
import { children } from '../../../records/children.ts'
import { sql } from '../../../sql.ts'
import { guardGroupName } from '../directories/shared-names.ts'
import {
  isLinked,
  listAdded,
  refuseAdminGroup,
  refuseBeyondPlaces,
  refuseEscalation,
  refuseEscalationByGroup,
  selectMembers,
  selectRolesAround,
} from '../role/escalation.ts'
import { keepAnAdministrator } from '../user/last-administrator.ts'

const KEYS = ['admin', 'created_at', 'updated_at', 'name', 'id']

const fields = {
  name: text({ required: true, search: 'free', doc: 'Unique, and no login.' }),
  admin: boolean({
    initial: false,
    search: 'explicit',
    doc: 'Makes administrators of its members. Set by administrators only.',
  }),
  usergroups: links('usergroup', {
    through: 'usergroup_usergroups',
    other: 'member_id',
    show: ['name', 'id', 'created_at', 'updated_at'],
    doc: 'Groups whose members are members.',
  }),
  users: links('user', {
    through: 'usergroup_users',
    show: ['id', 'login', 'description'],
    search: true,
    doc: 'Its direct members.',
  }),
  external_usergroups: children('external_usergroup', {
    doc: 'Groups of other sources whose members become members.',
  }),
  roles: links('role', {
    through: 'usergroup_roles',
    show: ['id', 'name', 'description', 'origin'],
    search: true,
    doc: 'Roles its members hold.',
  }),
}

type UsergroupFields = typeof fields

/** User groups (core-api §7.1, §11). */
export const usergroups = defineResource({
  name: 'usergroup',
  routes: { invalidates: 'identities', parents: { user: 'users' } },
  summary: 'Users, and groups of users, that hold roles together.',
  fields: fields,
  label: 'name',
  views: { list: KEYS, show: [...KEYS, 'external_usergroups', 'usergroups', 'users', 'roles'] },
  rules: [
    (_group, { admin }, ctx, stored) =>
      admin !== undefined && admin !== (stored?.admin ?? false) && !ctx.user.admin
        ? { admin: ['can be set by administrators only'] }
        : undefined,
  ],
  wrapWrite: {
    async create(ctx, draft, next, resource) {
      await refuseLogin(ctx, draft.name, null)
      await refuseEscalation(ctx, draft.roles, [], null)
      const id = await next(draft)
      await refuseElsewhere(ctx, resource, id, { draft, stored: null })
      return id
    },
    async update(ctx, stored, draft, next, resource) {
      await refuseAdminGroup(ctx, stored.id)
      if (draft.name !== undefined) await refuseLogin(ctx, draft.name, stored.id)
      if (draft.usergroups || (!ctx.user.admin && (draft.users ?? draft.roles))) await lockNesting(ctx)
      if (listAdded(stored.users, draft.users).length + listAdded(stored.usergroups, draft.usergroups).length > 0) {
        await refuseEscalationByGroup(ctx, stored.id)
      }
      await refuseEscalation(ctx, draft.roles, stored.roles, stored.id)
      if (draft.usergroups?.includes(stored.id)) throw createLoopRefusal(stored.id)
      // Only administrators can change who is an administrator.
      const retires = ctx.user.admin && (draft.admin === false || draft.users || draft.usergroups)
      await (retires ? keepAnAdministrator(ctx, stored.id, () => next(draft)) : next(draft))
      if (draft.usergroups !== undefined) await refuseLoop(ctx, stored.id)
      await refuseElsewhere(ctx, resource, stored.id, { draft, stored })
    },
    async delete(ctx, stored, next) {
      await refuseAdminGroup(ctx, stored.id)
      await (ctx.user.admin ? keepAnAdministrator(ctx, stored.id, next) : next())
    },
  },
})

async function refuseLogin(ctx: Context, name: unknown, id: number | null): Promise<void> {
  if (!(await guardGroupName(ctx.db, name))) throw invalid({ name: ['is the login of a user'] }, id)
}

/**
 * Refuses roles for people outside of the caller's places: new members get all roles of the group and of those around
 * it, present members its new ones. {@throws Failure} invalid
 */
async function refuseElsewhere(
  ctx: Context,
  { registry }: Resource,
  id: number,
  { draft, stored }: { readonly draft: Draft<UsergroupFields>; readonly stored: Stored<UsergroupFields> | null },
): Promise<void> {
  if (ctx.user.admin) return
  const named = stored?.id ?? null
  const [users, groups, roles] = [
    listAdded(stored?.users, draft.users),
    listAdded(stored?.usergroups, draft.usergroups),
    listAdded(stored?.roles, draft.roles),
  ]
  if (users.length + groups.length > 0) {
    const joining = sql`select unnest(${users}::bigint[]) union all select * from ${selectMembers(groups)} members`
    const receivers = (await isLinked(ctx, groups)) ? 'anybody' : joining
    await refuseBeyondPlaces(ctx, registry, { roles: selectRolesAround(id), users: receivers }, named)
  }
  if (roles.length > 0) {
    const given = sql`select unnest(${roles}::bigint[])`
    const receivers = (await isLinked(ctx, [id])) ? 'anybody' : selectMembers([id])
    await refuseBeyondPlaces(ctx, registry, { roles: given, users: receivers }, named)
  }
}

/** Lets writes of members and roles of groups wait for each other. */
async function lockNesting(ctx: Context): Promise<void> {
  await lockName(ctx.db, 'nesting of usergroups')
}

/**
 * Refuses a group within itself: everybody in the circle would become a member of all its groups. {@throws Failure}
 * invalid
 */
async function refuseLoop(ctx: Context, id: number): Promise<void> {
  const found = await row(
    ctx.db,
    sql`with recursive inside (id) as (
        select member_id from usergroup_usergroups where usergroup_id = ${id}
        union
        select down.member_id from usergroup_usergroups down join inside on down.usergroup_id = inside.id
      )
      select from inside where id = ${id}`,
  )
  if (found) throw createLoopRefusal(id)
}

function createLoopRefusal(id: number): Failure {
  return invalid({ usergroups: ['cannot contain itself as member, also not within another group'] }, id)
}
