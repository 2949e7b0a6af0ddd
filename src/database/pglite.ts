import { parse, protocol } from '@electric-sql/pglite'
import type { PostgresDialect } from 'kysely'
import { createConnection, createDialect } from './dialect.ts'
import type { Session } from './sessions.ts'
import { createStatementNames, runUnderName } from './statement-names.ts'
import type { Outcome, Run } from './statements.ts'
import { PARSERS } from './values.ts'

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
    const run = observe((text, values) => runUnderName(names, text, (name) => exchange(session, text, values, name)))
    return createConnection(run, () => undefined)
  }, close)
}

async function exchange(
  { send, parsed }: Session,
  text: string,
  values: readonly (string | null)[],
  name?: string,
): Promise<Outcome> {
  // Without values one message suffices, and the text may hold several statements, as on a server.
  if (values.length === 0) return outcomeOf(await send(serialize.query(text)))
  const prepare = name !== undefined && parsed.has(name) ? [] : parseAs(text, name)
  if (name) parsed.delete(name)
  const bind = serialize.bind({ statement: name, values: [...values] })
  const messages = [...prepare, bind, serialize.describe({ type: 'P' }), serialize.execute({}), serialize.sync()]
  const outcome = outcomeOf(await send(Buffer.concat(messages)))
  if (name) parsed.add(name)
  return outcome
}

const { serialize } = protocol

/**
 * Closes the statement first, because after a failure it is unknown whether the name is in use; closing an unknown name is
 * allowed.
 */
function parseAs(text: string, name: string | undefined): Uint8Array[] {
  return name ? [serialize.close({ type: 'S', name }), serialize.parse({ text, name })] : [serialize.parse({ text })]
}

function outcomeOf(messages: Parameters<typeof parse.parseResults>[0]): Outcome {
  const last = parse.parseResults(messages, PARSERS).at(-1)
  return { command: last?.command, rowCount: last?.rowCount ?? null, rows: last?.rows ?? [] }
}
