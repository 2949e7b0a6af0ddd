import type { Context } from '../../../context.ts'
import { keyOf } from '../../../database/sql.ts'
import { type Condition, joinConditions, listTables, type SearchGuard, searchOptionsOf } from '../../../kernel/index.ts'
import { columnOf, compileSearch, type SearchField } from '../../../search/index.ts'
import { sql } from '../../../sql.ts'

/** The conditions that leave, of the records that a search can find, those whose guarded fields the caller may see. */
type ListGuards = (search: string) => readonly Condition[]

/** Builds a guard: guarded fields of records beyond the conditions count as if they had no values. */
export function buildSearchGuard(ctx: Context, listGuards: ListGuards): SearchGuard {
  return {
    limitField: (field) => {
      const joinGuards = () => joinConditions(listGuards(''))
      const selectSorted = (alias: string) => sql`case when ${joinGuards()} then ${columnOf(field, alias)} end`
      return { ...field, nullable: true, sorted: selectSorted, counting: joinGuards, cost: GUARDED }
    },
    // The guard is asked once for each row that is found in one of the two ways.
    limitCondition: (schema, search, found) => {
      const fields = schema.fields.map((field) => (field.guarded ? { ...field, expression: nothingOf(field) } : field))
      const { condition: blind } = compileSearch({ ...schema, fields }, search, searchOptionsOf(ctx))
      const guards = blind && keyOf(blind) !== keyOf(found.sql) ? listGuards(search) : []
      if (!blind || guards.length === 0) return found
      // The first part is implied by the second: it lets the planner use indexes, and ask the guard for few rows.
      return {
        sql: sql`((${found.sql}) or (${blind})) and case when ${joinConditions(guards)} then ${found.sql} else ${blind} end`,
        tables: [...found.tables, ...listTables(guards)],
      }
    },
  }
}

/** What asking for the record behind a row costs. */
const GUARDED = 25

function nothingOf({ type }: SearchField): () => ReturnType<typeof columnOf> {
  return () => (type === 'integer' ? sql`null::bigint` : sql`null::text`)
}
