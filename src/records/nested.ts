import { z } from 'zod'
import { type Sql, selectColumns, selectObject } from '../database/sql.ts'
import type { ReadableKey } from '../kernel/index.ts'
import { sql } from '../sql.ts'

/**
 * The keys of a nested record, each with its schema and its SQL. Documentation and statement are both made from them,
 * so that they cannot differ.
 */
export type NestedKeys = Readonly<Record<string, NestedKey>>

/** A key of a nested record: its schema, and the SQL of its value. */
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

/** A list within a nested record, aggregated from the rows of its group. */
export function nestedItems(description: string, keys: NestedKeys, order: Sql): NestedKey {
  return [
    z.array(buildNestedSchema(keys)).meta({ description }),
    sql`json_agg(${selectNested(keys)} order by ${order})`,
  ]
}

/** Builds the schema of a nested record. */
export function buildNestedSchema(keys: NestedKeys): z.ZodObject {
  return z.object(Object.fromEntries(Object.entries(keys).map(([key, [schema]]) => [key, schema])))
}

/** Selects a nested record as one JSON object. */
export function selectNested(keys: NestedKeys): Sql {
  return selectObject(Object.fromEntries(Object.entries(keys).map(([key, [, value]]) => [key, value])))
}

/** A key whose value depends on the caller: null until `transform` fills it in. */
export function filledIn(schema: z.ZodType): NestedKey {
  return [schema, sql`null`]
}

/**
 * Keys with schema and SQL. The SQL is a function of `Of`: of the columns of a row, or of the record that values are for.
 */
export type StatedKeys<Of> = Readonly<Record<string, StatedKey<Of>>>

/** A key with its schema, and its SQL as a function of what the values are for. */
export type StatedKey<Of> = readonly [schema: z.ZodType, sql: (of: Of) => Sql]

/** Builds the schema of an object with these keys. */
export function buildStatedSchema<Of>(keys: StatedKeys<Of>): z.ZodObject {
  return z.object(Object.fromEntries(Object.entries(keys).map(([key, [schema]]) => [key, schema])))
}

/** Selects the keys as one JSON object. */
export function selectStated<Of>(keys: StatedKeys<Of>, of: Of): Sql {
  return selectObject(valuesOf(keys, of))
}

/** Selects the keys as columns. */
export function selectStatedColumns<Of>(keys: StatedKeys<Of>, of: Of): Sql {
  return selectColumns(valuesOf(keys, of))
}

function valuesOf<Of>(keys: StatedKeys<Of>, of: Of): Readonly<Record<string, Sql>> {
  return Object.fromEntries(Object.entries(keys).map(([key, [, value]]) => [key, value(of)]))
}

/** A key whose value is an object of such keys. */
export function statedObject<Of>(description: string, keys: StatedKeys<Of>): StatedKey<Of> {
  return [buildStatedSchema(keys).meta({ description }), (of) => selectStated(keys, of)]
}

/** A key whose value is a list of such objects; empty when `from` yields null. */
export function statedList<Of>(description: string, { keys, from, order }: StatedRows<Of>): StatedKey<Of> {
  const select = (of: Of, rows: Sql | null) =>
    rows
      ? sql`coalesce((select json_agg(${selectStated(keys, of)} order by ${order}) from ${rows}), '[]')`
      : sql`'[]'::json`
  return [z.array(buildStatedSchema(keys)).meta({ description }), (of) => select(of, from(of))]
}

interface StatedRows<Of> {
  readonly keys: StatedKeys<Of>
  readonly from: (of: Of) => Sql | null
  readonly order: Sql
}

/** The readable keys of a resource from such keys; those in `times` are times. */
export function statedReadable(
  keys: StatedKeys<Own>,
  times: readonly string[] = [],
): Readonly<Record<string, ReadableKey>> {
  const readable = ([key, [schema, value]]: [string, StatedKey<Own>]): [string, ReadableKey] => [
    key,
    {
      schema: () => schema,
      sql: (alias) => value(ownOf(alias)),
      ...(times.includes(key) && { time: true }),
    },
  ]
  return Object.fromEntries(Object.entries(keys).map(readable))
}

function ownOf(alias: string): Own {
  return (column) => sql.ref(`${alias}.${column}`)
}
