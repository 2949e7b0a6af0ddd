import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { type FieldErrors, refuseInvalid } from '../../../errors.ts'
import type { Draft, Stored } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import type { UserFields } from './fields.ts'

/**
 * Refuses default places that are not the user's own or below them; administrators may have any. {@throws Failure}
 * invalid
 */
export async function refuseForeignDefaults(
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
