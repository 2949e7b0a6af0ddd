import type { Database } from '../../src/database/database.ts'
import { rows, type Sql } from '../../src/database/sql.ts'
import type { Resource } from '../../src/kernel/definition.ts'
import type { Query, SearchField } from '../../src/search/index.ts'
import { sql } from '../../src/sql.ts'
import { type Model, matches, type Row } from '../search/evaluate.ts'

/** The records of a resource, and everything that its search fields lead to, loaded into memory once. */
export interface Memory {
  readonly records: readonly (Row & { readonly id: number })[]
  /** Yields the values of a field: one for an own column, one for each related row of a relation. */
  readonly valuesOf: (field: SearchField, record: Row) => readonly unknown[]
  /** Tells whether a search matches a record, by the evaluator of the search language. */
  readonly finds: (query: Query, record: Row) => boolean
}

export async function remember({ db }: Database, resource: Resource, ids: readonly number[]): Promise<Memory> {
  const { fields } = resource.searchSchema
  /** Loads the rows of a table with the computed values of the fields that end there. */
  const read = (table: string, ends: readonly SearchField[], condition: Sql) => {
    const expressions = ends.flatMap((field) =>
      field.expression ? [sql`, ${field.expression('t')} as ${sql.ref(computed(field))}`] : [],
    )
    return rows<Row & { id: number }>(
      db,
      sql`select t.*${sql.join(expressions, sql``)} from ${sql.table(table)} t where ${condition}`,
    )
  }
  const own = fields.filter(({ through }) => !through)
  const records = await read(resource.table, own, sql`t.id = any (${ids}::bigint[])`)
  const tables = new Map<string, readonly Row[]>()
  for (const { table } of fields.flatMap(({ through = [] }) => through)) {
    const ends = fields.filter(({ through }) => through?.at(-1)?.table === table)
    if (!tables.has(table)) tables.set(table, await read(table, ends, sql`true`))
  }
  const related = (record: Row, { through = [] }: SearchField): readonly Row[] => {
    let found = [record]
    for (const { table, column, previous } of through) {
      const wanted = new Set(found.map((row) => row[previous]))
      found = (tables.get(table) ?? []).filter((row) => wanted.has(row[column]))
    }
    return found
  }
  const model: Model = {
    fields: fields.map((field) => (field.expression ? { ...field, column: computed(field) } : field)),
    related,
  }
  return {
    records,
    valuesOf: (field, record) => {
      const column = field.expression ? computed(field) : (field.column ?? '')
      return (field.through ? related(record, field) : [record]).map((row) => row[column] ?? null)
    },
    finds: (query, record) => matches(model, query, record),
  }
}

function computed({ name }: SearchField): string {
  return `computed ${name.replaceAll('.', '_')}`
}

/** Tells whether a printed time matches a second or a day in UTC (core-api §8.5). */
export function momentSuits(operator: string, stored: unknown, value: string): boolean {
  if (typeof stored !== 'string') return false
  const moment = Date.parse(stored.replace(' ', 'T').replace(/\+00$/, 'Z'))
  const isDay = value.length === 10
  const from = Date.parse(isDay ? `${value}T00:00:00Z` : `${value.replace(' ', 'T')}Z`)
  const to = from + (isDay ? 86_400_000 : 1000)
  switch (operator) {
    case 'eq':
      return moment >= from && moment < to
    case 'ne':
      return moment < from || moment >= to
    case 'gt':
      return isDay ? moment >= to : moment > from
    case 'gte':
      return moment >= from
    case 'lt':
      return moment < from
    default:
      return isDay ? moment < to : moment <= from
  }
}

/** Compares values like the database: text by code point, false before true. */
export function compareValues(left: unknown, right: unknown): number {
  if (typeof left === 'string' && typeof right === 'string') return compareText([...left], [...right])
  return Number(left) - Number(right)
}

function compareText(left: readonly string[], right: readonly string[]): number {
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const difference = (left[index]?.codePointAt(0) ?? 0) - (right[index]?.codePointAt(0) ?? 0)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}
