import { parse, protocol } from '@electric-sql/pglite'
import type { PostgresDialect } from 'kysely'
import { createConnection, createDialect } from './dialect.ts'
import type { Session } from './sessions.ts'
import { createStatementNames, runUnderName, type StatementNames } from './statement-names.ts'
import type { Ahead, Outcome, Run, Statement } from './statements.ts'
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
    const run = observe((text, values, ahead = []) =>
      ahead.length > 0
        ? exchangeAll(session, names, { text, values }, ahead)
        : runUnderName(names, text, (name) => exchange(session, text, values, name)),
    )
    return createConnection(run, () => undefined)
  }, close)
}

/** Sends statements in one message, which ends at the first that fails. */
async function exchangeAll(
  { send, parsed }: Session,
  names: StatementNames,
  last: Statement,
  ahead: readonly Ahead[],
): Promise<Outcome> {
  const named = [...ahead, last].map((statement) => ({ ...statement, name: names.of(statement.text) }))
  const messages: Uint8Array[] = []
  const known = new Set(parsed)
  for (const { text, values, name } of named) {
    messages.push(...(name !== undefined && known.has(name) ? [] : parseAs(text, name)), ...executionOf(values, name))
    if (name) known.add(name)
    if (name) parsed.delete(name)
  }
  const results = parse.parseResults(await send(Buffer.concat([...messages, serialize.sync()])), PARSERS)
  for (const { name } of named) if (name) parsed.add(name)
  const outcomes = results.map(toOutcome)
  for (const [index, { succeed }] of ahead.entries()) succeed(outcomes[index] ?? toOutcome(undefined))
  return toOutcome(results.at(-1))
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
  const messages = [...prepare, ...executionOf(values, name), serialize.sync()]
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

function executionOf(values: Statement['values'], name: string | undefined): Uint8Array[] {
  const bind = serialize.bind({ statement: name, values: [...values] })
  return [bind, serialize.describe({ type: 'P' }), serialize.execute({})]
}

function outcomeOf(messages: Parameters<typeof parse.parseResults>[0]): Outcome {
  return toOutcome(parse.parseResults(messages, PARSERS).at(-1))
}

function toOutcome(result: ReturnType<typeof parse.parseResults>[number] | undefined): Outcome {
  return { command: result?.command, rowCount: result?.rowCount ?? null, rows: result?.rows ?? [] }
}
