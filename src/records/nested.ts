import { sql } from 'kysely'
import { z } from 'zod'
import type { Sql } from '../database/sql.ts'
import type { ReadableKey } from '../kernel/definition.ts'

/**
 * The keys of a nested record, each with its schema and its SQL. Documentation and statement are both made from them,
 * so that they cannot differ.
 */
export type NestedKeys = Readonly<Record<string, NestedKey>>
export type NestedKey = readonly [schema: z.ZodType, sql: Sql]

/** The rows that nested records are made of: what follows `from` with its conditions, and the order. */
interface Rows {
  readonly keys: NestedKeys
  readonly from: Sql
  readonly order?: Sql
}

/** Yields a column of the record that the answer is about. */
export type Own = (column: string) => Sql
type Describe = (own: Own, alias: string) => Rows

/** A key that answers a list of nested records, maybe empty. */
export function nestedList(description: string, describe: Describe): ReadableKey {
  return {
    schema: () => z.array(buildNestedSchema(describe(ownOf('t'), 't').keys)).meta({ description }),
    sql: (alias) => {
      const { keys, from, order } = describe(ownOf(alias), alias)
      return sql`coalesce((select json_agg(${selectNested(keys)} order by ${order}) from ${from}), '[]')`
    },
  }
}

/** A key that answers one nested record; with `nullable` null if there is none. */
export function nestedOne(description: string, describe: Describe, { nullable = false } = {}): ReadableKey {
  return {
    schema: () => {
      const schema = buildNestedSchema(describe(ownOf('t'), 't').keys)
      return (nullable ? schema.nullable() : schema).meta({ description })
    },
    sql: (alias) => {
      const { keys, from } = describe(ownOf(alias), alias)
      return sql`(select ${selectNested(keys)} from ${from})`
    },
  }
}

/** A key that answers an object made of columns of the record itself. */
export function ownObject(description: string, describe: (own: Own, alias: string) => NestedKeys): ReadableKey {
  return {
    schema: () => buildNestedSchema(describe(ownOf('t'), 't')).meta({ description }),
    sql: (alias) => selectNested(describe(ownOf(alias), alias)),
  }
}

/** An object within a nested record, made of the row of that record. */
export function nestedObject(description: string, keys: NestedKeys): NestedKey {
  return [buildNestedSchema(keys).meta({ description }), selectNested(keys)]
}

export function buildNestedSchema(keys: NestedKeys): z.ZodObject {
  return z.object(Object.fromEntries(Object.entries(keys).map(([key, [schema]]) => [key, schema])))
}

export function selectNested(keys: NestedKeys): Sql {
  return sql`json_build_object(${sql.join(Object.entries(keys).flatMap(([key, [, value]]) => [sql.lit(key), value]))})`
}

function ownOf(alias: string): Own {
  return (column) => sql.ref(`${alias}.${column}`)
}
