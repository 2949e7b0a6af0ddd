import { type Context, hasPermission } from '../../../context.ts'
import type { Sql } from '../../../database/sql.ts'
import { denied, type Failure } from '../../../errors.ts'
import { type Action, list, resolveParents } from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'

/** The condition that leaves what belongs to the caller; nobody needs a permission for their own. */
export function limitToOwned(ctx: Context, alias: string): Sql {
  return sql`${sql.ref(`${alias}.user_id`)} = ${ctx.user.id}`
}

/** Refuses to use records of other users without the permission for that. {@throws Failure} denied */
export function refuseForOthers(
  ctx: Context,
  owner: unknown,
  permission: string,
  refusal: (permission: string) => Failure = (missing) => denied([missing]),
): void {
  if ((owner !== ctx.user.id || ctx.user.limited) && !hasPermission(ctx, permission)) throw refusal(permission)
}

/**
 * The list of something that users have. For other users a caller without permission is refused instead of getting an
 * empty list.
 */
export function buildOwnerList(plural: string, refusal?: (permission: string) => Failure): Action {
  const permission = `view_${plural}`
  return {
    method: 'GET',
    path: '',
    name: 'list',
    summary: `List ${plural.replaceAll('_', ' ')}`,
    permissions: [permission],
    own: true,
    outputs: 'list',
    handle: async (ctx, resource, input) => {
      const { draft } = await resolveParents(ctx, resource, input)
      refuseForOthers(ctx, draft.user, permission, refusal)
      return list(ctx, resource, input)
    },
  }
}
