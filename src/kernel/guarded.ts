import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { keyOf } from '../database/sql.ts'
import { columnOf, compileSearch, type SearchField, type SearchSchema } from '../search/index.ts'
import { type Condition, joinConditions, listTables } from './condition.ts'
import type { Resource } from './definition.ts'
import { searchOptionsOf } from './stored-search.ts'

/** Makes a field order and complete by the values that the caller may see; `guardSearch` is about what searches compare. */
export function guardField(ctx: Context, resource: Resource, field: SearchField): SearchField {
  const joinSeen = () => joinConditions(listGuards(ctx, resource, ''))
  const selectSorted = (alias: string) => sql`case when ${joinSeen()} then ${columnOf(field, alias)} end`
  return { ...field, nullable: true, sorted: selectSorted, counting: joinSeen, cost: GUARDED }
}

/** What asking for the record behind a row costs. */
const GUARDED = 25

/**
 * Compares guarded fields where the caller may see them, and elsewhere as if there were no values: what a search finds
 * must not tell them. The guard is asked once for each row that is found in one of the two ways.
 */
export function guardSearch(
  ctx: Context,
  resource: Resource,
  schema: SearchSchema,
  search: string,
  { sql: condition, tables }: Condition,
): Condition {
  if (!schema.fields.some(({ guarded }) => guarded)) return { sql: condition, tables }
  const fields = schema.fields.map((field) => (field.guarded ? { ...field, expression: nothingOf(field) } : field))
  const { condition: blind } = compileSearch({ ...schema, fields }, search, searchOptionsOf(ctx))
  const guards = blind && keyOf(blind) !== keyOf(condition) ? listGuards(ctx, resource, search) : []
  if (!blind || guards.length === 0) return { sql: condition, tables }
  // The first part is implied by the second: it lets the planner use indexes, and ask the guard for few rows.
  return {
    sql: sql`((${condition}) or (${blind})) and case when ${joinConditions(guards)} then ${condition} else ${blind} end`,
    tables: [...tables, ...listTables(guards)],
  }
}

function listGuards(ctx: Context, resource: Resource, search: string): readonly Condition[] {
  return ctx.user.admin ? [] : (resource.records?.guard?.(ctx, resource, search) ?? [])
}

function nothingOf({ type }: SearchField): () => ReturnType<typeof columnOf> {
  return () => (type === 'integer' ? sql`null::bigint` : sql`null::text`)
}
