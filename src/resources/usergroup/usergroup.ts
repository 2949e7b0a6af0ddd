import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { row } from '../../database/sql.ts'
import { type Failure, invalid } from '../../errors.ts'
import { boolean, children, links, text } from '../../kernel/fields/index.ts'
import { defineResource } from '../../kernel/resource.ts'
import { refuseAdminGroup, refuseEscalation, refuseEscalationByGroup } from '../role/escalation.ts'

const KEYS = ['admin', 'created_at', 'updated_at', 'name', 'id']

/** Core-api §7.1 and §11. */
export const usergroups = defineResource({
  name: 'usergroup',
  summary: 'Users, and groups of users, that hold roles together.',
  fields: {
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
  },
  label: 'name',
  views: { list: KEYS, show: [...KEYS, 'external_usergroups', 'usergroups', 'users', 'roles'] },
  rules: [
    (_group, { admin }, ctx, stored) =>
      admin !== undefined && admin !== (stored?.admin ?? false) && !ctx.user.admin
        ? { admin: ['can be set by administrators only'] }
        : undefined,
  ],
  around: {
    async create(ctx, draft, next) {
      await refuseLogin(ctx, draft.name, null)
      await refuseEscalation(ctx, draft.roles, [], null)
      return next(draft)
    },
    async update(ctx, stored, draft, next) {
      await refuseAdminGroup(ctx, stored.id)
      if (addsTo(stored.users, draft.users) || addsTo(stored.usergroups, draft.usergroups)) {
        await refuseEscalationByGroup(ctx, stored.id)
      }
      if (draft.name !== undefined) await refuseLogin(ctx, draft.name, stored.id)
      await refuseEscalation(ctx, draft.roles, stored.roles, stored.id)
      if (draft.usergroups?.includes(stored.id)) throw looping(stored.id)
      await next(draft)
      if (draft.usergroups !== undefined) await refuseLoop(ctx, stored.id)
    },
    async delete(ctx, stored, next) {
      await refuseAdminGroup(ctx, stored.id)
      await next()
    },
  },
})

async function refuseLogin(ctx: Context, name: unknown, id: number | null): Promise<void> {
  const taken = await row(ctx.db, sql`select from users where fold(login) = fold(${name}::text)`)
  if (taken) throw invalid({ name: ['is the login of a user'] }, id)
}

function addsTo(stored: unknown, wanted: readonly number[] | undefined): boolean {
  const members = new Set(Array.isArray(stored) ? stored : [])
  return wanted?.some((id) => !members.has(id)) ?? false
}

/** A group inside itself would make everybody in the circle a member of all of it. */
async function refuseLoop(ctx: Context, id: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('nesting of usergroups'))`.execute(ctx.db)
  const found = await row(
    ctx.db,
    sql`with recursive inside (id) as (
        select member_id from usergroup_usergroups where usergroup_id = ${id}
        union
        select down.member_id from usergroup_usergroups down join inside on down.usergroup_id = inside.id
      )
      select from inside where id = ${id}`,
  )
  if (found) throw looping(id)
}

function looping(id: number): Failure {
  return invalid({ usergroups: ['cannot contain itself as member, also not within another group'] }, id)
}
