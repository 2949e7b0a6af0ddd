import type { Context } from '../../../context.ts'
import { row, rows } from '../../../database/sql.ts'
import { type FieldErrors, invalid, refuseInvalid } from '../../../errors.ts'
import {
  type Draft,
  joinConditions,
  limitToVisible,
  type Resource,
  recordAudit,
  type Stored,
  type WriteWrapper,
} from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { guardLogin } from '../directories/shared-names.ts'
import { endSessionsOf } from '../identity/sessions.ts'
import { listAdded, refuseBeyondPlaces, refuseEscalation, refuseImpersonation } from '../role/escalation.ts'
import { isEscalation, isImpersonation } from './consequences.ts'
import type { UserFields } from './fields.ts'
import { isAdministrator } from './groups.ts'
import { keepAnAdministrator } from './last-administrator.ts'

/**
 * The fields that callers may change of themselves without a permission that covers their own record (core-api §7.3).
 */
export const OWN_USER_FIELDS: ReadonlySet<string> = new Set([
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

/** Protects writes of users: nobody gives rights they lack, and the last administrator cannot be locked out. */
export const userWrites: WriteWrapper<UserFields> = {
  async create(ctx, draft, next, resource) {
    await refuseGroupName(ctx, draft.login, null)
    await refuseMissingPassword(ctx, draft, null)
    await refuseEscalation(ctx, draft.roles, [], null)
    await refuseForeignDefaults(ctx, null, draft)
    const id = await next(withoutBlanks(draft))
    await refuseRaising(ctx, resource, id, { draft, stored: null })
    return id
  },
  async update(ctx, stored, draft, next, resource) {
    if (await isOpenAsOwnOnly(ctx, resource, stored.id)) {
      refuseOthersFields(resource, stored, draft)
      refuseUnprovenPassword(stored, draft)
    }
    refuseOwnEnd(ctx, stored, draft)
    await refuseForeignDefaults(ctx, stored, draft)
    await refuseAdministrators(ctx, stored.id)
    const renames = draft.login !== undefined && draft.login !== stored.login
    const leaves = draft.auth_source !== undefined && draft.auth_source !== stored.auth_source_id
    if (isImpersonation(resource, stored, draft)) await refuseImpersonation(ctx, stored.id)
    if (renames) await refuseGroupName(ctx, draft.login, stored.id)
    await refuseEscalation(ctx, draft.roles, stored.roles, stored.id)
    if (leaves) await refuseMissingPassword(ctx, draft, stored)
    const write = () => next(withoutBlanks(draft))
    const retires = (draft.admin === false && stored.admin) || (draft.disabled && !stored.disabled) || leaves
    await (retires ? keepAnAdministrator(ctx, stored.id, write) : write())
    await refuseRaising(ctx, resource, stored.id, { draft, stored })
    if (draft.password !== undefined || draft.disabled) await endSessionsOf(ctx.db, stored.id)
    if (draft.password !== undefined) await endTokensAfterReset(ctx, resource, stored.id)
  },
  async delete(ctx, stored, next) {
    await refuseAdministrators(ctx, stored.id)
    await keepAnAdministrator(ctx, stored.id, next)
  },
}

/** Blank values from forms become null. */
function withoutBlanks(draft: Draft<UserFields>): Draft<UserFields> {
  const blank = (['mail', 'timezone', 'locale'] as const).filter((name) => draft[name] === '')
  return { ...draft, ...Object.fromEntries(blank.map((name) => [name, null])) }
}

/** Whether the caller may change this record only because it is their own, so that only few fields are open to them. */
async function isOpenAsOwnOnly(ctx: Context, resource: Resource, id: number): Promise<boolean> {
  if (ctx.user.admin || id !== ctx.user.id) return false
  const editable = limitToVisible(ctx, resource, 'edit_users')
  return !(await row(ctx.db, sql`select from users t where t.id = ${id} and ${joinConditions(editable)}`))
}

function refuseOthersFields(resource: Resource, stored: Stored, draft: Draft): void {
  const changed = resource.placed.filter(
    (placed) =>
      draft[placed.name] !== undefined && JSON.stringify(draft[placed.name]) !== JSON.stringify(stored[placed.key]),
  )
  const refused = changed.filter(({ name }) => !OWN_USER_FIELDS.has(name))
  if (refused.length === 0) return
  const message = 'cannot be changed without the permission edit_users'
  throw invalid(Object.fromEntries(refused.map(({ key }) => [key, [message]])), stored.id)
}

/** Refuses to disable oneself, and a wrong `current_password` also where none is required. */
function refuseOwnEnd(
  ctx: Context,
  stored: Stored<UserFields>,
  { disabled, current_password }: Draft<UserFields>,
): void {
  if (stored.id !== ctx.user.id) return
  if (disabled && !stored.disabled) throw invalid({ disabled: ['It is not possible to disable yourself'] }, stored.id)
  if (current_password === false) throw invalid({ current_password: [INCORRECT] }, stored.id)
}

const INCORRECT = 'Incorrect password'

/**
 * Requires the present password for a new one, so that a session left open does not suffice to take over an account.
 */
function refuseUnprovenPassword(stored: Stored<UserFields>, { password, current_password }: Draft<UserFields>): void {
  if (password === undefined || current_password === true) return
  const message = current_password === undefined ? "can't be blank" : INCORRECT
  throw invalid({ current_password: [message] }, stored.id)
}

/** Refuses non-administrators to change an administrator other than themselves. {@throws Failure} invalid */
export async function refuseAdministrators(ctx: Context, id: number): Promise<void> {
  if (ctx.user.admin || (id === ctx.user.id && !ctx.user.limited)) return
  const found = await row(ctx.db, sql`select from users t where t.id = ${id} and ${isAdministrator('t')}`)
  if (found) throw invalid({ base: ['Administrators can be changed by administrators only'] }, id)
}

/** Refuses to give roles, organizations and locations that the caller cannot give. {@throws Failure} invalid */
async function refuseRaising(
  ctx: Context,
  { registry }: Resource,
  id: number,
  { draft, stored }: { readonly draft: Draft<UserFields>; readonly stored: Stored<UserFields> | null },
): Promise<void> {
  if (ctx.user.admin || !isEscalation(stored, draft)) return
  const named = stored?.id ?? null
  const roles = listAdded(stored?.roles, draft.roles)
  const places = [
    ...listAdded(stored?.organizations, draft.organizations),
    ...listAdded(stored?.locations, draft.locations),
  ]
  if (roles.length > 0) {
    const given = sql`select unnest(${roles}::bigint[])`
    await refuseBeyondPlaces(ctx, registry, { roles: given, users: sql`select ${id}::bigint` }, named)
  }
  if (places.length > 0 && stored) await refuseImpersonation(ctx, id)
}

async function refuseGroupName(ctx: Context, login: unknown, id: number | null): Promise<void> {
  if (!(await guardLogin(ctx.db, login))) throw invalid({ login: ['is the name of a user group'] }, id)
}

/** Refuses internal users without a password: they could not log in, and nothing would say why. */
async function refuseMissingPassword(
  ctx: Context,
  draft: Draft<UserFields>,
  stored: Stored<UserFields> | null,
): Promise<void> {
  if (draft.password || stored?.password) return
  const internal = await row(
    ctx.db,
    sql`select from auth_sources where id = ${draft.auth_source} and type = 'AuthSourceInternal'`,
  )
  if (internal) throw invalid({ password: ["can't be blank"] }, stored?.id ?? null)
}

/**
 * Ends the tokens of a user whose password somebody else has set, if `revoke_tokens_on_password_reset` is on: this takes the
 * account back from whoever had it.
 */
async function endTokensAfterReset(ctx: Context, { registry }: Resource, user: number): Promise<void> {
  const tokens = registry.get('personal_access_token')
  if (!tokens || user === ctx.user.id || !ctx.settings.revoke_tokens_on_password_reset) return
  const revoked = await rows<{ id: number; name: string }>(
    ctx.db,
    sql`update personal_access_tokens set revoked = true, updated_at = now()
      where user_id = ${user} and not revoked returning id, name`,
  )
  for (const { id, name } of revoked)
    await recordAudit(ctx, tokens, 'update', { id, label: name }, { revoked: [false, true] })
}

/**
 * Refuses default places that are not the user's own or below them; administrators may have any. {@throws Failure}
 * invalid
 */
async function refuseForeignDefaults(
  ctx: Context,
  stored: Stored<UserFields> | null,
  draft: Draft<UserFields>,
): Promise<void> {
  if (draft.admin ?? stored?.admin) return
  const errors: FieldErrors = {}
  for (const kind of ['organization', 'location'] as const) {
    const id = draft[`default_${kind}`]
    if (typeof id !== 'number') continue
    const own = draft[`${kind}s`] ?? stored?.[`${kind}s`] ?? []
    const found = await row(
      ctx.db,
      sql`select from ${sql.table(`${kind}s`)} t where t.id = ${id}
        and (t.id = any (${own}::bigint[]) or t.ancestor_ids && ${own}::bigint[])`,
    )
    if (!found) errors[`default_${kind}`] = [`default ${kind}s need to be user ${kind}s first`]
  }
  refuseInvalid(errors, stored?.id ?? null)
}
