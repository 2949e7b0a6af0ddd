import { sql } from 'kysely'
import type { Context, Grant } from '../context.ts'
import { isBlank } from '../search/blank.ts'
import { compileSearch, requireWords, SearchError, type SearchOptions } from '../search/index.ts'
import { type Condition, ROOT } from './condition.ts'
import type { Resource } from './definition.ts'

/** No record. */
export const NOTHING: Condition = { sql: sql`false`, tables: [] }

/** Whether a stored search says something that the language understands, whatever its fields. */
export function isReadable(search: string): boolean {
  return !isBlank(search) && understood(() => requireWords(search)) !== null
}

/**
 * The condition of a search that limits what somebody may do. A search that is empty or that the language no longer
 * understands was meant to limit, so it leaves no record.
 */
export function compileStoredSearch(ctx: Context, resource: Resource, search: string): Condition {
  if (!isReadable(search)) return NOTHING
  const compiled = understood(() => compileSearch(resource.searchSchema, search, searchOptions(ctx)))
  return compiled?.condition ? { sql: compiled.condition, tables: compiled.tables } : NOTHING
}

function understood<Result>(read: () => Result): Result | null {
  try {
    return read()
  } catch (error) {
    if (error instanceof SearchError) return null
    throw error
  }
}

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
