import type { CompiledQuery, DatabaseConnection, Kysely, QueryResult } from 'kysely'

const connections = new WeakMap<Kysely<unknown>, DatabaseConnection>()

/**
 * Does work whose statements reach the connection of their transaction at once. Otherwise each waits for the one before it; so
 * what is asked while another statement runs is gathered, and is the next message (`createConnection`).
 */
export async function askAtOnce<Result>(tx: Kysely<unknown>, work: () => Promise<Result>): Promise<Result> {
  connections.set(tx, await tx.getExecutor().provideConnection(async (connection) => connection))
  try {
    return await work()
  } finally {
    connections.delete(tx)
  }
}

/** Executes a statement of a handle; one that is handed over first reaches the connection first. */
export function execute<Row>(db: Kysely<unknown>, query: CompiledQuery<Row>): Promise<QueryResult<Row>> {
  return connections.get(db)?.executeQuery(query) ?? db.executeQuery(query)
}
