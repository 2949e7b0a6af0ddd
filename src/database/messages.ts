import type pg from 'pg'
import { serialize } from 'pg-protocol'
import type { Outcome } from '../sql.ts'
import type { Columns, Connection, PreparedStatements } from './connections.ts'
import { toDatabaseError } from './failures.ts'
import type { AheadStatement, NamedStatement, StatementNames } from './statements.ts'
import { parserOf } from './value-types.ts'

// Statements and their answers as messages of PostgreSQL's protocol. A statement with a name is parsed and described once on each
// connection, and then only bound and executed. Its columns cannot change: the server refuses a parsed statement whose columns
// have changed.

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

/** The methods of a query that the driver calls; its types declare only `submit`. */
interface Answered extends pg.Submittable {
  /** Not used by the driver: benchmarks that wrap it read the statements here. */
  readonly statements: readonly NamedStatement[]
  handleRowDescription(message: { readonly fields: Parameters<MessageReader['describe']>[0] }): void
  handleDataRow(message: { readonly fields: Parameters<MessageReader['addRow']>[0] }): void
  handleCommandComplete(message: { readonly text: string }): void
  handleEmptyQuery(): void
  handleReadyForQuery(): void
  handleError(error: unknown): void
}

/**
 * Encodes statements into one buffer that requests all answers at once; the database stops at the first failure. A
 * single text without values may contain several statements.
 */
function encodeStatements(statements: readonly NamedStatement[], parsed: PreparedStatements): Buffer {
  const [first] = statements
  if (first && statements.length === 1 && first.values.length === 0) return serialize.query(first.text)
  const messages: Buffer[] = []
  const sent = new Set<string>()
  for (const { text, values, name } of statements) {
    const isKnown = name !== undefined && (parsed.has(name) || sent.has(name))
    // After a failure it is not known whether the name is in use; closing one that is not in use is allowed.
    if (name && !isKnown) messages.push(serialize.close({ type: 'S', name }))
    if (!isKnown) messages.push(serialize.parse(name ? { text, name } : { text }))
    messages.push(serialize.bind({ ...(name && { statement: name }), values: [...values] }))
    if (!isKnown) messages.push(serialize.describe({ type: 'P' }))
    messages.push(serialize.execute({}))
    if (name) sent.add(name)
  }
  messages.push(serialize.sync())
  return Buffer.concat(messages)
}

/** Takes the answers to statements in the order in which they come. */
interface MessageReader {
  /** Yields the statement that is answered next. */
  readonly current: () => NamedStatement | undefined
  readonly describe: (fields: readonly Field[]) => void
  readonly addRow: (values: readonly (string | null)[]) => void
  readonly complete: (tag: string) => void
  /** Yields one outcome for each statement. {@throws} what reading a row has thrown */
  readonly finish: () => readonly Outcome[]
}

interface Field {
  readonly name: string
  readonly dataTypeID: number
}

/** Creates a reader, which remembers in `parsed` what the connection has parsed. */
function createReader(statements: readonly NamedStatement[], parsed: PreparedStatements): MessageReader {
  const outcomes: Outcome[] = []
  const failures: unknown[] = []
  let columns: Columns | undefined
  let rows: unknown[] = []
  const findCurrent = () => statements[outcomes.length]
  const name = () => findCurrent()?.name ?? ''

  return {
    current: findCurrent,
    describe(fields) {
      columns = readColumns(fields)
    },
    addRow(values) {
      columns ??= parsed.get(name()) ?? NO_COLUMNS
      try {
        rows.push(readRow(columns, values))
      } catch (error) {
        failures.push(error)
      }
    },
    complete(tag) {
      if (name() && !parsed.has(name())) parsed.set(name(), columns ?? NO_COLUMNS)
      outcomes.push({ ...readTag(tag), rows })
      columns = undefined
      rows = []
    },
    finish() {
      if (failures.length > 0) throw failures[0]
      return outcomes
    },
  }
}

const NO_COLUMNS: Columns = { names: [], parsers: [], empty: {} }

function readColumns(fields: readonly Field[]): Columns {
  const names = fields.map(({ name }) => name)
  const parsers = fields.map(({ dataTypeID }) => parserOf(dataTypeID))
  return { names, parsers, empty: Object.fromEntries(names.map((name) => [name, null])) }
}

function readRow({ names, parsers, empty }: Columns, values: readonly (string | null)[]): Record<string, unknown> {
  const row: Record<string, unknown> = { ...empty }
  for (let at = 0; at < values.length; at++) {
    const value = values[at]
    const name = names[at]
    if (name !== undefined && typeof value === 'string') row[name] = parsers[at]?.(value)
  }
  return row
}

/** Reads the end of a command, such as `INSERT 0 5`: what it was, and of how many rows. */
function readTag(tag: string): Omit<Outcome, 'rows'> {
  const [command, ...words] = tag.split(' ')
  const count = words.at(-1)
  return { command: command || undefined, rowCount: count && /^\d+$/.test(count) ? Number(count) : null }
}

/** Yields the outcome that counts of a text, which may be several statements. */
export function lastOf(outcomes: readonly Outcome[]): Outcome {
  return outcomes.at(-1) ?? { command: undefined, rowCount: null, rows: [] }
}

/** Passes each statement that was sent ahead its outcome, and yields the last outcome. */
export function resolveAhead(outcomes: readonly Outcome[], ahead: readonly AheadStatement[]): Outcome {
  for (const [index, { succeed }] of ahead.entries()) succeed(outcomes[index] ?? lastOf([]))
  return lastOf(outcomes)
}
