import { PostgresDialect, type PostgresPoolClient } from 'kysely'
import type { Run } from './statements.ts'
import { toText } from './values.ts'

/** Kysely's PostgreSQL dialect over connections of either database, whichever `acquire` finds free. */
export function dialectOver(acquire: () => Promise<PostgresPoolClient>, end: () => Promise<void>): PostgresDialect {
  return new PostgresDialect({ pool: { options: {}, connect: acquire, end } })
}

/** One connection as the dialect wants it; bound values become text on their way. */
export function connectionOver(run: Run, release: (destroy?: boolean) => void): PostgresPoolClient {
  const query = (text: string, parameters: readonly unknown[]) => run(text, parameters.map(toText))
  // The dialect calls `query` with a cursor only when one is configured.
  return { release, query: query as PostgresPoolClient['query'] }
}
