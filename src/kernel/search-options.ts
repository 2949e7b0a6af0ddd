import type { Context, Grant } from '../context.ts'
import type { SearchOptions } from '../search/index.ts'
import { ROOT } from './condition.ts'

/** How the search language reads a request of this caller: their clock, zone, and what `current_user` means. */
export function searchOptions(ctx: Context): SearchOptions {
  return {
    now: ctx.now(),
    zone: ctx.user.timezone ?? 'UTC',
    words: { current_user: ctx.user.login },
    root: ROOT,
    unlimited: (permission) => holdsForAll(ctx, permission),
  }
}

/** Whether some role of the caller grants the permission for all records of its type, wherever they are. */
export function holdsForAll({ user }: Pick<Context, 'user'>, permission: string): boolean {
  const unconditional = ({ search, organizations, locations }: Grant) => !search && !organizations && !locations
  return user.admin || (user.grants.get(permission) ?? []).some(unconditional)
}
