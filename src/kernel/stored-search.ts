import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { isBlank } from '../search/blank.ts'
import { compileSearch, requireWords, SearchError } from '../search/index.ts'
import type { Condition } from './condition.ts'
import type { Resource } from './definition.ts'
import { searchOptions } from './search-options.ts'

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
