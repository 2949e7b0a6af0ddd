import { createQueryId, type Kysely, PostgresQueryCompiler, type RawBuilder, type RawNode, sql } from 'kysely'

/**
 * A handle that runs SQL: the pool, or a transaction. Statements are written out with Kysely's `sql` template, whose
 * placeholders are always bound values, `sql.ref`/`sql.id` names, or other fragments.
 */
export type Db = Kysely<unknown>

/** A piece of SQL with its bound values, to be put into another. */
export type Sql = RawBuilder<unknown>

/** All rows of a statement. */
export async function rows<Row>(db: Db, statement: RawBuilder<unknown>): Promise<Row[]> {
  const result = await statement.execute(db)
  return result.rows as Row[]
}

/** The first row of a statement, or undefined. */
export async function row<Row>(db: Db, statement: RawBuilder<unknown>): Promise<Row | undefined> {
  return (await rows<Row>(db, statement))[0]
}

/** Milliseconds the database takes to answer at all. */
export async function ping(db: Db): Promise<number> {
  const start = performance.now()
  await rows(db, sql`select 1`)
  return performance.now() - start
}

/**
 * The fragment as finished text, for one that is a fact of the program and stands in many statements: putting statements
 * together takes longer than anything else the service does for a read. With bound values it stays as it is.
 */
export function finished(fragment: Sql): Sql {
  const { sql: text, parameters } = compiled(fragment)
  return parameters.length === 0 ? sql.raw(text) : fragment
}

/** The text of the fragment, with places for its values. */
export function textOf(fragment: Sql): string {
  return compiled(fragment).sql
}

/** What tells statements apart: text and values. */
export function keyOf(fragment: Sql): string {
  const { sql: text, parameters } = compiled(fragment)
  return parameters.length === 0 ? text : `${text}\0${JSON.stringify(parameters)}`
}

function compiled(fragment: Sql) {
  // What the `sql` template builds is a raw node.
  return new PostgresQueryCompiler().compileQuery(fragment.toOperationNode() as RawNode, createQueryId())
}
