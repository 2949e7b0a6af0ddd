import { joinAll, type Sql, sql } from '../sql.ts'
import { SearchError } from './error.ts'
import type { Join, SearchField } from './schema.ts'

/** Yields the field's column under an alias of its table. {@throws SearchError} for a field without a column */
export function columnOf(field: SearchField, alias: string): Sql {
  if (field.expression) return field.expression(alias)
  if (field.column !== null) return sql.ref(`${alias}.${field.column}`)
  throw new SearchError(`Field '${field.name}' can only be compared with a value`)
}

/** Builds the condition that a related row exists for which `condition` holds; with a key, only rows of that key count. */
export function exists(
  field: SearchField,
  root: string,
  key: string | null,
  condition: (column: Sql) => Sql | null,
): Sql {
  const { from, conditions, last } = selectRelatedRows(field, root, key)
  const own = condition(columnOf(field, last))
  if (own) conditions.push(own)
  return sql`exists (select 1 from ${from} where ${sql.join(conditions, sql` and `)})`
}

/**
 * Builds the condition as a list of ids, separate from the joins of the statement: related rows are found once instead of
 * for each record. Planning time grows with the number of such conditions. Null instead of false where the record leads
 * nowhere.
 */
export function limitToAmong(
  field: SearchField,
  root: string,
  key: string | null,
  condition: (column: Sql) => Sql | null,
): Sql {
  const [first] = field.through ?? []
  if (!first) throw new Error(`${field.name} is no relation`)
  const { from, conditions, last } = selectRelatedRows(field, root, key)
  const own = condition(columnOf(field, last))
  const found = joinAll([...conditions.slice(1), ...(own ? [own] : [])]) // the first condition is about the record
  return sql`${sql.ref(`${root}.${first.previous}`)} in (select ${sql.ref(`${root}_1.${first.column}`)} from ${from} where ${found})`
}

/** Selects the value of the related row that comes first in an order. */
export function selectFirstValue(field: SearchField, root: string, direction: Sql): Sql {
  const { from, conditions, last } = selectRelatedRows(field, root, null)
  const column = columnOf(field, last)
  const ordered = field.many ? sql` order by ${column} ${direction} limit 1` : sql``
  return sql`(select ${column} from ${from} where ${sql.join(conditions, sql` and `)}${ordered})`
}

/**
 * Selects the value of a related field by joins, where it leads to at most one row: one join for all records, instead of a
 * subselect for each. Null for a field that leads to several rows.
 */
export function selectJoinedValue(
  field: SearchField,
  root: string,
): { readonly joins: Sql; readonly value: Sql } | null {
  if (!field.through || field.many || field.key) return null
  const aliasOf = (step: number) => (step === 0 ? root : `${root}_by${step}`)
  const joins = field.through.map((join, index) => sql`left ${joinTable(join, aliasOf(index + 1), aliasOf(index))}`)
  return { joins: sql.join(joins, sql` `), value: columnOf(field, aliasOf(field.through.length)) }
}

/** Lists the tables that a field leads to, without its own. */
export function tablesOf(field: SearchField): readonly string[] {
  return [...(field.through ?? []), ...(field.key?.through ?? [])].map(({ table }) => table).concat(field.tables ?? [])
}

// The first step is correlated with the record; the others are joined to the step before.
function selectRelatedRows(field: SearchField, root: string, key: string | null) {
  const path = field.through ?? []
  const aliasOf = (step: number) => (step === 0 ? root : `${root}_${step}`)
  const [first, ...others] = path
  if (!first) throw new Error(`${field.name} is no relation`)
  const from = [sql`${sql.table(first.table)} as ${sql.id(aliasOf(1))}`]
  for (const [index, join] of others.entries()) from.push(joinTable(join, aliasOf(index + 2), aliasOf(index + 1)))
  const conditions: Sql[] = [link(first, aliasOf(1), root)]
  const last = aliasOf(path.length)
  if (field.counting) conditions.push(field.counting(last))
  if (field.key && key !== null) {
    let at = last
    for (const [index, join] of (field.key.through ?? []).entries()) {
      const next = `${last}_key${index}`
      from.push(joinTable(join, next, at))
      at = next
    }
    conditions.push(sql`${sql.ref(`${at}.${field.key.column}`)} = ${key}`)
  }
  return { from: sql.join(from, sql` `), conditions, last }
}

function joinTable(join: Join, alias: string, previous: string): Sql {
  return sql`join ${sql.table(join.table)} as ${sql.id(alias)} on ${link(join, alias, previous)}`
}

function link(join: Join, alias: string, previous: string): Sql {
  return sql`${sql.ref(`${alias}.${join.column}`)} = ${sql.ref(`${previous}.${join.previous}`)}`
}
