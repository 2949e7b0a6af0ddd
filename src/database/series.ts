import type pg from 'pg'
import type { Outcome } from '../sql.ts'
import type { Connection } from './connections.ts'
import { toDatabaseError } from './failures.ts'
import { createReader, encodeStatements, type MessageReader, type NamedStatement } from './messages.ts'
import type { StatementNames } from './statement-names.ts'

/**
 * Sends statements in one message, waits once and yields their outcomes, where the driver's own `query` sends several messages for
 * each and has its columns described each time. The server stops at the first that fails; a name that it refuses is retired.
 */
export function querySeries(
  connection: Connection,
  names: StatementNames,
  statements: readonly NamedStatement[],
): Promise<readonly Outcome[]> {
  const { parsed } = connection
  const { promise, resolve, reject } = Promise.withResolvers<readonly Outcome[]>()
  const reader = createReader(statements, parsed)
  connection.query<Answered>({
    statements,
    submit: ({ stream }) => void stream.write(encodeStatements(statements, parsed)),
    handleRowDescription: ({ fields }) => reader.describe(fields),
    handleDataRow: ({ fields }) => reader.addRow(fields),
    handleCommandComplete: ({ text }) => reader.complete(text),
    handleEmptyQuery: () => reader.complete(''),
    handleReadyForQuery() {
      try {
        resolve(reader.finish())
      } catch (error) {
        reject(error)
      }
    },
    handleError(error) {
      const refused = reader.current()
      if (refused && toDatabaseError(error)?.routine === 'RevalidateCachedQuery') names.retire(refused.text)
      reject(error)
    },
  })
  return promise
}

/** What the driver calls of a query while it is answered, of which it declares `submit`. */
interface Answered extends pg.Submittable {
  /** For whoever overhears the driver, such as a benchmark. */
  readonly statements: readonly NamedStatement[]
  handleRowDescription(message: { readonly fields: Parameters<MessageReader['describe']>[0] }): void
  handleDataRow(message: { readonly fields: Parameters<MessageReader['addRow']>[0] }): void
  handleCommandComplete(message: { readonly text: string }): void
  handleEmptyQuery(): void
  handleReadyForQuery(): void
  handleError(error: unknown): void
}
