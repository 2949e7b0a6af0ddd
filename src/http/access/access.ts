import { type Context, hasPermission } from '../../context.ts'
import { denied } from '../../errors.ts'
import type { Access } from '../../requests/route.ts'

/** First step of authorization (core-api §7.2). {@throws Failure} denied for callers who may not do this to any record */
export function requireAccess(ctx: Pick<Context, 'user'>, access: Access): void {
  if (access.kind !== 'permission' || access.own) return
  if (!access.anyOf.some((permission) => hasPermission(ctx, permission))) throw denied([...access.anyOf])
}
