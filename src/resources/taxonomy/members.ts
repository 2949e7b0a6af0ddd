import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { rows } from '../../database/sql.ts'
import { type FieldErrors, invalid } from '../../errors.ts'
import { holds, visible } from '../../kernel/authorize.ts'
import { where } from '../../kernel/condition.ts'
import type { Draft, Resource, Stored } from '../../kernel/resource.ts'
import type { Taxonomy } from '../../kernel/scope.ts'
import { isAdministrator } from '../user/groups.ts'

/** Whoever lets their own location take in a whole type would see, and maybe change, the records of everybody else. */
export function refuseTakingIn(
  _record: Draft,
  { ignore_types }: Draft,
  ctx: Context,
  stored: Stored | null,
): FieldErrors | undefined {
  const before = new Set(listed(stored?.select_all_types))
  if (ctx.user.admin || listed(ignore_types).every((type) => before.has(type))) return undefined
  return { ignore_types: ['can be extended by administrators only'] }
}

/** Who joins or leaves needs to be assignable from the side of the user as well (core-api §5.4). {@throws Failure} invalid */
export async function refuseMembers(
  ctx: Context,
  resource: Resource,
  { plural }: Taxonomy,
  wanted: unknown,
  stored: Stored | null,
): Promise<void> {
  if (ctx.user.admin || wanted === undefined) return
  const before = new Set(listed(stored?.users))
  const after = new Set(listed(wanted))
  const changed = [...[...after].filter((id) => !before.has(id)), ...[...before].filter((id) => !after.has(id))]
  if (changed.length === 0) return
  const refused = (message: string) => invalid({ user_ids: [message] }, stored?.id ?? null)
  if (!holds(ctx, `assign_${plural}`)) throw refused(`cannot be changed without the permission assign_${plural}`)
  const users = resource.registry.get('user')
  const editable = users ? where(visible(ctx, users, 'edit_users')) : sql`false`
  const found = await rows(
    ctx.db,
    sql`select t.id from users t where t.id = any (${changed}::bigint[]) and ${editable} and not ${isAdministrator('t')}`,
  )
  if (found.length < changed.length) throw refused('adds or leaves out users that you may not change')
}

/** Permissions that are limited to a place hold for all below it: nobody widens their own by a move. {@throws Failure} invalid */
export function refuseWideningGrants(ctx: Context, { plural }: Taxonomy, stored: Stored, parent: number): void {
  if (ctx.user.admin || holds(ctx, 'escalate_roles')) return
  const widens = [...ctx.user.grants.values()]
    .flat()
    .some((grant) => grant[plural]?.includes(parent) && !grant[plural].includes(stored.id))
  if (widens) throw invalid({ parent_id: ['would extend permissions of yours that are limited to it'] }, stored.id)
}

function listed(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
