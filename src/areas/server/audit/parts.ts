import type { Context } from '../../../context.ts'
import type { Sql } from '../../../database/sql.ts'
import { type Condition, type Resource, ROOT } from '../../../kernel/index.ts'
import { joinAll, joinAny, sql } from '../../../sql.ts'

/**
 * Limits audits of records that are seen with others, and have the places of these. Audits of such records without any
 * place are old, or about what only administrators see: only administrators see them.
 */
export function limitToAuditedParts(ctx: Context, { registry }: Pick<Resource, 'registry'>): Condition[] {
  if (ctx.user.admin) return []
  const parts = [...registry.values()].filter(({ seenWith, audited }) => seenWith && audited)
  const selectColumn = (name: string) => sql.ref(`${ROOT}.${name}`)
  return [
    {
      sql: joinAny([
        sql`${selectColumn('auditable_type')} <> all (${parts.map(({ type }) => type)}::text[])`,
        // No `exists`: PostgreSQL would read the places of all audits to look up those of a page.
        sql`(select count(*) from audit_organizations l where l.audit_id = ${selectColumn('id')}) > 0`,
        sql`(select count(*) from audit_locations l where l.audit_id = ${selectColumn('id')}) > 0`,
        ...parts.map((part) => sql`(${selectColumn('auditable_type')} = ${part.type} and ${isAlone(part)})`),
      ]),
      tables: ['audit_organizations', 'audit_locations', ...parts.map(({ table }) => table)],
    },
  ]
}

/** Selects whether the record exists and is seen with no other, so that everybody sees it. */
function isAlone({ table, placed, seenWith = [] }: Resource): Sql {
  const columns = placed.flatMap(({ name, column }) => (column && seenWith.includes(name) ? [column.name] : []))
  const blank = joinAll(columns.map((name) => sql`${sql.ref(`x.${name}`)} is null`))
  return sql`coalesce((select ${blank} from ${sql.table(table)} x where x.id = ${sql.ref(`${ROOT}.auditable_id`)}), false)`
}
