import type { Context } from '../context.ts'
import { isBlank } from '../search/blank.ts'
import { compileSearch, ignoreBadSearch, requireWords, type SearchOptions } from '../search/index.ts'
import { sql } from '../sql.ts'
import { type Condition, ROOT } from './condition.ts'
import type { Resource } from './definition.ts'

/** The condition that leaves no record. */
export const NOTHING: Condition = { sql: sql`false`, tables: [] }

/** Whether a stored search is not blank and has correct syntax; its fields are not looked at. */
export function isReadable(search: string): boolean {
  return !isBlank(search) && ignoreBadSearch(() => requireWords(search)) !== null
}

/** Compiles a stored search that limits a permission; an empty or an invalid one leaves no record. */
export function compileStoredSearch(ctx: Context, resource: Resource, search: string): Condition {
  if (!isReadable(search)) return NOTHING
  const compiled = ignoreBadSearch(() => compileSearch(resource.searchSchema, search, searchOptionsOf(ctx)))
  return compiled?.condition ? { sql: compiled.condition, tables: compiled.tables } : NOTHING
}

/** Yields what a search depends on besides its words: the clock, the caller's time zone and login. */
export function searchOptionsOf(ctx: Context): SearchOptions {
  return {
    now: ctx.now(),
    zone: ctx.user.timezone ?? (ctx.settings.default_timezone || 'UTC'),
    words: { current_user: ctx.user.login },
    root: ROOT,
  }
}
