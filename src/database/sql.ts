import { type Sql, sql } from '../sql.ts'
import type { Db } from './db.ts'
import { PLANNED_ANEW } from './statements.ts'

export type { Db, Sql }

/** Yields all rows of a statement. */
export async function rows<Row>(db: Db, statement: Sql): Promise<Row[]> {
  return (await db.execute(statement)).rows as Row[] // whoever writes a statement knows its columns
}

/** Yields the first row of a statement, or undefined. */
export async function row<Row>(db: Db, statement: Sql): Promise<Row | undefined> {
  return (await rows<Row>(db, statement))[0]
}

/**
 * Ids as an array whose length the planner does not see. It would plan for each length anew, which takes longer than what
 * is looked up by ids.
 */
export function arrayOfIds(ids: readonly number[]): Sql {
  return sql`(select ${ids}::bigint[])::bigint[]`
}

/** Selects a JSON object with these values by their keys. */
export function selectObject(values: Readonly<Record<string, Sql>>): Sql {
  return sql`json_build_object(${sql.join(Object.entries(values).flatMap(([key, value]) => [sql.lit(key), value]))})`
}

/** Selects values as columns of these names. */
export function selectColumns(values: Readonly<Record<string, Sql>>): Sql {
  return sql.join(Object.entries(values).map(([name, value]) => sql`${value} as ${sql.ref(name)}`))
}

/** Measures how many milliseconds the database takes to answer. */
export async function measurePing(db: Db): Promise<number> {
  const start = performance.now()
  await rows(db, sql`select 1`)
  return performance.now() - start
}

/**
 * Compiles a fragment without bound values to text once, because assembling statements takes longer than anything else that
 * the service does for a read. A fragment with bound values stays as it is.
 */
export function finishFragment(fragment: Sql): Sql {
  const { text, values } = fragment.compile()
  return values.length === 0 ? sql.raw(text) : fragment
}

/**
 * Yields a condition whose statement is planned for its values each time. A generic plan treats a fact that every host
 * has as rare: it finds all of them, and sorts them for each page.
 */
export function planAnew(condition: Sql): Sql {
  return sql`${condition} ${sql.raw(PLANNED_ANEW)}`
}

/** Yields the text of a fragment, with placeholders for its values. */
export function textOf(fragment: Sql): string {
  return fragment.compile().text
}

/** Yields a key of a statement: equal for equal text and values. */
export function keyOf(fragment: Sql): string {
  const { text, values } = fragment.compile()
  return values.length === 0 ? text : `${text}\0${JSON.stringify(values)}`
}
