import { PostgresDialect, type PostgresPoolClient } from 'kysely'
import type { Run } from './statements.ts'
import { toText } from './values.ts'

/** Builds Kysely's PostgreSQL dialect over connections of either database, which `acquire` provides. */
export function createDialect(acquire: () => Promise<PostgresPoolClient>, end: () => Promise<void>): PostgresDialect {
  return new PostgresDialect({ pool: { options: {}, connect: acquire, end } })
}

/** Wraps one connection for the dialect; bound values are converted to text. */
export function createConnection(run: Run, release: (destroy?: boolean) => void): PostgresPoolClient {
  const query = (text: string, parameters: readonly unknown[]) => run(text, parameters.map(toText))
  // The dialect passes a cursor to `query` only when one is configured, which is not the case.
  return { release, query: query as PostgresPoolClient['query'] }
}
