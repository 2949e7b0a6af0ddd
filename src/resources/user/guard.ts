import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { row } from '../../database/sql.ts'
import { invalid } from '../../errors.ts'
import { endSessionsOf } from '../../identity/sessions.ts'
import { visible } from '../../kernel/authorize.ts'
import { where } from '../../kernel/condition.ts'
import type { Around, Draft, Fields, Resource, Stored } from '../../kernel/resource.ts'
import { storedValue } from '../../kernel/store/write.ts'
import { refuseEscalation, refuseTakingOver } from '../role/escalation.ts'
import { isAdministrator } from './groups.ts'

/** What callers whose `edit_users` does not reach themselves may change of themselves (core-api §7.3). */
const OWN = new Set([
  'firstname',
  'lastname',
  'mail',
  'description',
  'password',
  'current_password',
  'timezone',
  'locale',
  'default_location',
  'default_organization',
])

/** Keeps users from raising themselves, and everybody from locking the last administrator out. */
export const guardUsers: Around<Fields> = {
  async create(ctx, draft, next) {
    await refuseGroupName(ctx, draft.login, null)
    await refuseMissingPassword(ctx, draft, null)
    await refuseEscalation(ctx, draft.roles, [], null)
    return next(withoutBlanks(draft))
  },
  async update(ctx, stored, draft, next, resource) {
    if (await isOpenAsOwnOnly(ctx, resource, stored.id)) {
      refuseOthersFields(resource, stored, draft)
      refuseUnprovenPassword(stored, draft)
    }
    await refuseAdministrators(ctx, stored.id)
    const renames = draft.login !== undefined && draft.login !== stored.login
    const leaves = draft.auth_source !== undefined && draft.auth_source !== stored.auth_source_id
    // Who may set one of these for somebody can log in as them.
    if (renames || leaves || draft.password !== undefined) await refuseTakingOver(ctx, stored.id)
    if (renames) await refuseGroupName(ctx, draft.login, stored.id)
    await refuseEscalation(ctx, draft.roles, stored.roles, stored.id)
    if (leaves) await refuseMissingPassword(ctx, draft, stored)
    if ((draft.admin === false && stored.admin) || (draft.disabled && !stored.disabled) || leaves)
      await refuseLastAdministrator(ctx, stored.id)
    await next(withoutBlanks(draft))
    if (draft.password !== undefined || draft.disabled) await endSessionsOf(ctx.db, stored.id)
  },
  async delete(ctx, stored, next) {
    await refuseAdministrators(ctx, stored.id)
    await refuseLastAdministrator(ctx, stored.id)
    await next()
  },
}

/** Blank is how forms say that there is none. */
function withoutBlanks(draft: Draft): Draft {
  const blank = (['mail', 'timezone', 'locale'] as const).filter((name) => draft[name] === '')
  return { ...draft, ...Object.fromEntries(blank.map((name) => [name, null])) }
}

/** Everybody may change themselves a little; a permission for other users only adds nothing to that. */
async function isOpenAsOwnOnly(ctx: Context, resource: Resource, id: number): Promise<boolean> {
  if (ctx.user.admin || id !== ctx.user.id) return false
  const editable = visible(ctx, resource, 'edit_users')
  return !(await row(ctx.db, sql`select from users t where t.id = ${id} and ${where(editable)}`))
}

function refuseOthersFields(resource: Resource, stored: Stored, draft: Draft): void {
  const changed = resource.placed.filter(
    (placed) =>
      draft[placed.name] !== undefined &&
      JSON.stringify(draft[placed.name]) !== JSON.stringify(storedValue(placed, stored)),
  )
  const refused = changed.filter(({ name }) => !OWN.has(name))
  if (refused.length === 0) return
  const message = 'cannot be changed without the permission edit_users'
  throw invalid(Object.fromEntries(refused.map(({ name, column }) => [column?.name ?? name, [message]])), stored.id)
}

/** A session left open is not enough to take an account over. */
function refuseUnprovenPassword(stored: Stored, { password, current_password }: Draft): void {
  if (password === undefined || current_password === true) return
  const message = current_password === undefined ? "can't be blank" : 'is not your password'
  throw invalid({ current_password: [message] }, stored.id)
}

/** Refuses to let anybody but administrators touch an administrator other than themselves. {@throws Failure} invalid */
export async function refuseAdministrators(ctx: Context, id: number): Promise<void> {
  if (ctx.user.admin || id === ctx.user.id) return
  const found = await row(ctx.db, sql`select from users t where t.id = ${id} and ${isAdministrator('t')}`)
  if (found) throw invalid({ base: ['Administrators can be changed by administrators only'] }, id)
}

async function refuseLastAdministrator(ctx: Context, id: number): Promise<void> {
  // Locks the flag of all administrators, or two of them could remove each other at the same time.
  const others = await row<{ left: number }>(
    ctx.db,
    sql`select count(*) filter (where id <> ${id}) as left from
      (select id from users where admin and not disabled order by id for update) administrators`,
  )
  const target = await row<{ admin: boolean }>(
    ctx.db,
    sql`select admin and not disabled as admin from users where id = ${id}`,
  )
  if (target?.admin && others?.left === 0) throw invalid({ base: ['The last administrator has to stay'] }, id)
}

async function refuseGroupName(ctx: Context, login: unknown, id: number | null): Promise<void> {
  const taken = await row(ctx.db, sql`select from usergroups where fold(name) = fold(${login}::text)`)
  if (taken) throw invalid({ login: ['is the name of a user group'] }, id)
}

/** Nobody could log in, and nothing would say why. */
async function refuseMissingPassword(ctx: Context, draft: Draft, stored: Stored | null): Promise<void> {
  if (draft.password || stored?.password) return
  const internal = await row(
    ctx.db,
    sql`select from auth_sources where id = ${draft.auth_source} and type = 'AuthSourceInternal'`,
  )
  if (internal) throw invalid({ password: ["can't be blank"] }, stored?.id ?? null)
}
