import { protocol } from '@electric-sql/pglite'
import type { PostgresDialect } from 'kysely'
import { createConnection, createDialect } from './dialect.ts'
import { createReader, encodeStatements, lastOf, type Named, resolveAhead } from './messages.ts'
import type { Session } from './sessions.ts'
import { createStatementNames, nameAll, runUnderName } from './statement-names.ts'
import type { Outcome, Run } from './statements.ts'

/**
 * A dialect over PGlite's wire protocol. Kysely's own dialect uses PGlite's `query`, which asks for the types of the values
 * first and keeps no parsed statements: it has a third of the speed (docs/decisions/0002-prepared-statements.md). A
 * connection belongs to the session in which it began: a transaction of an ended session must not continue in the next.
 */
export function createPgliteDialect(
  current: () => Promise<Session>,
  close: () => Promise<void>,
  observe: (run: Run) => Run,
): PostgresDialect {
  const names = createStatementNames()
  return createDialect(async () => {
    const session = await current()
    const run = observe(async (text, values, ahead = []) => {
      const last = { text, values }
      if (ahead.length > 0) return resolveAhead(await exchange(session, nameAll(names, [...ahead, last])), ahead)
      return runUnderName(names, last, async (named) => lastOf(await exchange(session, [named])))
    })
    return createConnection(run, () => undefined)
  }, close)
}

/** Sends statements in one message, which ends at the first that fails. */
async function exchange({ send, parsed }: Session, statements: readonly Named[]): Promise<readonly Outcome[]> {
  const reader = createReader(statements, parsed)
  for (const answer of await send(encodeStatements(statements, parsed))) {
    if (answer instanceof RowDescriptionMessage) reader.describe(answer.fields)
    else if (answer instanceof DataRowMessage) reader.addRow(answer.fields)
    else if (answer instanceof CommandCompleteMessage) reader.complete(answer.text)
    else if (answer.name === 'emptyQuery') reader.complete('')
  }
  return reader.finish()
}

const { RowDescriptionMessage, DataRowMessage, CommandCompleteMessage } = protocol.messages
