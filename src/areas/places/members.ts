import { type Context, hasPermission } from '../../context.ts'
import { rows } from '../../database/sql.ts'
import { type FieldErrors, invalid } from '../../errors.ts'
import {
  type Draft,
  joinConditions,
  limitToVisible,
  permissionOf,
  type Resource,
  type Stored,
  singularOf,
  type Taxonomy,
} from '../../kernel/index.ts'
import { sql } from '../../sql.ts'
import { isAdministrator, refuseImpersonation } from '../access/index.ts'
import { CONTENTS, type PlaceFields } from './contents.ts'

/**
 * Only administrators may let a place take in a whole type: anybody else could gain access to all records of that type.
 */
export function validateIgnoredTypes(
  _record: unknown,
  { ignore_types }: Draft<PlaceFields>,
  ctx: Context,
  stored: Stored<PlaceFields> | null,
): FieldErrors | undefined {
  const before = new Set(stored?.select_all_types)
  if (ctx.user.admin || (ignore_types ?? []).every((type) => before.has(type))) return undefined
  return { ignore_types: ['can be extended by administrators only'] }
}

/**
 * Refuses changes of members unless the caller may edit the users and groups that join or leave (core-api §5.4).
 * {@throws Failure} invalid
 */
export async function refuseMembers(
  ctx: Context,
  resource: Resource,
  taxonomy: Taxonomy,
  draft: Draft<PlaceFields>,
  stored: Stored<PlaceFields> | null,
): Promise<void> {
  if (ctx.user.admin) return
  for (const [name, target] of MEMBERS)
    await refuseUnchangeable(ctx, resource, taxonomy, { name, target, draft, stored })
}

/** The fields that hold members, each with its resource. */
const MEMBERS = [
  ['users', 'user'],
  ...Object.entries(CONTENTS).map(([name, { target }]) => [name, target] as const),
] as const

interface Change {
  readonly name: string
  readonly target: string
  readonly draft: Draft
  readonly stored: Stored | null
}

async function refuseUnchangeable(
  ctx: Context,
  { registry }: Resource,
  { plural }: Taxonomy,
  { name, target, draft, stored }: Change,
): Promise<void> {
  if (draft[name] === undefined) return
  const before = new Set(toList(stored?.[name]))
  const after = new Set(toList(draft[name]))
  const changed = [...[...after].filter((id) => !before.has(id)), ...[...before].filter((id) => !after.has(id))]
  if (changed.length === 0) return
  const createRefusal = (message: string) => invalid({ [`${singularOf(name)}_ids`]: [message] }, stored?.id ?? null)
  if (!hasPermission(ctx, `assign_${plural}`))
    throw createRefusal(`cannot be changed without the permission assign_${plural}`)
  const other = registry.get(target)
  if (!other) return
  const editable = joinConditions(limitToVisible(ctx, other, permissionOf(other, 'edit')))
  const allowed = target === 'user' ? sql`${editable} and not ${isAdministrator('t')}` : editable
  const found = await rows(
    ctx.db,
    sql`select t.id from ${sql.table(other.table)} t where t.id = any (${changed}::bigint[]) and ${allowed}`,
  )
  if (found.length < changed.length) {
    throw createRefusal(`adds or leaves out ${other.plural.replaceAll('_', ' ')} that you may not change`)
  }
  if (target !== 'user') return
  const joining = [...after].filter((id) => !before.has(id))
  await refuseImpersonation(ctx, sql`select unnest(${joining}::bigint[])`, stored?.id ?? null)
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
