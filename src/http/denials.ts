import type { Context } from '../context.ts'
import { Failure } from '../errors.ts'
import type { Route } from '../requests/route.ts'

/** Does work for a caller, and logs an event if a permission is missing: the user, request, address and permission. */
export async function withDenialEvents<Result>(
  ctx: Context,
  { method, path }: Pick<Route, 'method' | 'path'>,
  work: () => Promise<Result> | Result,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Failure && error.code === 'denied') {
      const { id: user, login } = ctx.user
      const { requestId, address } = ctx.origin
      const permissions = error.details.missingPermissions ?? []
      ctx.log.info({ requestId, user, login, address, method, route: path, permissions }, 'permission denied')
    }
    throw error
  }
}
