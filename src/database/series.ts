import pg from 'pg'
import { toDatabaseError } from './failures.ts'
import type { StatementNames } from './statement-names.ts'
import type { Ahead, Outcome, Statement } from './statements.ts'
import { parserOf } from './values.ts'

/**
 * Sends statements in one message and waits once, where the driver's `query` waits for each. The server stops at the first
 * that fails.
 */
export async function querySeries(
  client: pg.ClientBase,
  names: StatementNames,
  last: Statement,
  ahead: readonly Ahead[],
): Promise<Outcome> {
  const statements = [...ahead, last].map((statement) => ({ ...statement, name: names.of(statement.text) }))
  const { promise, resolve, reject } = Promise.withResolvers<readonly Outcome[]>()
  client.query(buildSeries(statements, names, resolve, reject))
  const outcomes = await promise
  for (const [index, { succeed }] of ahead.entries()) succeed(outcomes[index] ?? outcomeOf([]))
  return outcomes.at(-1) ?? outcomeOf([])
}

/** The outcome of a text, which may be several statements. */
export function outcomeOf(result: pg.QueryResult | pg.QueryResult[]): Outcome {
  const last = Array.isArray(result) ? result.at(-1) : result
  return { command: last?.command, rowCount: last?.rowCount ?? null, rows: last?.rows ?? [] }
}

/** What the driver calls of a query while it is answered. */
interface Answered extends pg.Submittable {
  readonly name?: string | undefined
  readonly text?: string | undefined
  handleRowDescription(message: unknown): void
  handleDataRow(message: unknown): void
  handleCommandComplete(message: unknown, connection: Connection): void
  handleReadyForQuery(connection: Connection): void
  handleError(error: unknown, connection: Connection): void
}

/** The parts of the driver's connection that are used here. */
interface Connection extends pg.Connection {
  /** Texts by the names under which they have been sent and not yet been parsed. */
  readonly submittedNamedStatements: Record<string, string>
}

interface Named extends Statement {
  readonly name: string | undefined
}

/** Builds the query that the driver sends: one for each statement, all of them before the message that asks for answers. */
function buildSeries(
  statements: readonly Named[],
  names: StatementNames,
  succeed: (outcomes: readonly Outcome[]) => void,
  fail: (error: unknown) => void,
): Answered {
  const outcomes: Outcome[] = []
  const parts = statements.map(({ text, values, name }) => {
    const config = { text, name, values: [...values], types: TYPES, queryMode: 'extended' }
    const take = (error: unknown, result: pg.QueryResult) => (error ? fail(error) : outcomes.push(outcomeOf(result)))
    return new pg.Query(config, take) as unknown as Answered // what the driver calls of its own queries is not declared
  })
  let at = 0
  return {
    get name() {
      return parts[at]?.name
    },
    get text() {
      return parts[at]?.text
    },
    submit(connection) {
      const unanswered = Object.create(connection, { sync: { value: () => undefined } })
      connection.stream.cork()
      for (const part of parts) part.submit(unanswered)
      connection.sync()
      connection.stream.uncork()
    },
    handleRowDescription: (message) => parts[at]?.handleRowDescription(message),
    handleDataRow: (message) => parts[at]?.handleDataRow(message),
    handleCommandComplete(message, connection) {
      parts[at]?.handleCommandComplete(message, connection)
      at++
    },
    handleReadyForQuery(connection) {
      for (const part of parts) part.handleReadyForQuery(connection)
      succeed(outcomes)
    },
    handleError(error, { submittedNamedStatements }) {
      const refused = statements[at]?.text
      if (refused && toDatabaseError(error)?.routine === 'RevalidateCachedQuery') names.retire(refused)
      // The server has not parsed what comes after the statement that failed.
      for (const { name } of statements.slice(at)) if (name) delete submittedNamedStatements[name]
      fail(error)
    },
  }
}

const TYPES: pg.CustomTypesConfig = { getTypeParser: (type: number) => parserOf(type) }
