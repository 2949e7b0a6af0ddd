import { sql } from 'kysely'
import { z } from 'zod'
import type { Sql } from '../database/sql.ts'
import type { ReadableKey } from '../kernel/definition.ts'

/**
 * Records inside of an answer, stated once: each key with its schema and the SQL that yields it. Both what the documentation
 * says and what the statement builds are made of that, so that they cannot differ.
 */
export type NestedKeys = Readonly<Record<string, NestedKey>>
export type NestedKey = readonly [schema: z.ZodType, sql: Sql]

/** The rows that records are made of: what stands behind `from`, with its conditions, and their order. */
interface Rows {
  readonly keys: NestedKeys
  readonly from: Sql
  readonly order?: Sql
}

/** A column of the record that the answer is about. */
export type Own = (column: string) => Sql
type Describe = (own: Own, alias: string) => Rows

/** A list of records; none is an empty one. */
export function nestedList(description: string, describe: Describe): ReadableKey {
  return {
    schema: () => z.array(buildNestedSchema(describe(ownOf('t'), 't').keys)).meta({ description }),
    sql: (alias) => {
      const { keys, from, order } = describe(ownOf(alias), alias)
      return sql`coalesce((select json_agg(${selectNested(keys)} order by ${order}) from ${from}), '[]')`
    },
  }
}

/** One record; `nullable` where there may be none. */
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

/** An object that is made of the record itself. */
export function ownObject(description: string, describe: (own: Own, alias: string) => NestedKeys): ReadableKey {
  return {
    schema: () => buildNestedSchema(describe(ownOf('t'), 't')).meta({ description }),
    sql: (alias) => selectNested(describe(ownOf(alias), alias)),
  }
}

/** A record within a record, made of the same row. */
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
