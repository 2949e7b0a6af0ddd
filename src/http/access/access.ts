import { type Context, hasPermission } from '../../context.ts'
import { denied, Failure } from '../../errors.ts'
import type { Access } from '../../requests/route.ts'

/** First step of authorization (core-api §7.2). {@throws Failure} denied for callers who may not do this to any record */
export function requireAccess(ctx: Pick<Context, 'user'>, access: Access): void {
  if (access.kind !== 'public' && access.unlimited && ctx.user.limited)
    throw new Failure('denied', 'Access denied', { details: LIMITED, missingPermissions: null })
  if (access.kind !== 'permission' || (access.own && !ctx.user.limited)) return
  if (!access.anyOf.some((permission) => hasPermission(ctx, permission))) throw denied([...access.anyOf])
}

const LIMITED = 'A token with limits does not suffice for this: use one without limits, or log in with the password'
