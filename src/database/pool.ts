import { AsyncLocalStorage } from 'node:async_hooks'
import pg from 'pg'
import type { Logger } from 'pino'
import type { Outcome, Sql } from '../sql.ts'
import type { AvailabilityLog, Reachability } from './availability-log.ts'
import { buildClientConfig, Connection, refuseStandby, type ServerConfig } from './connections.ts'
import type { Db } from './db.ts'
import { isElsewhere, Outage, READ_ONLY, toDatabaseError, toStatementFailure, unreachable } from './failures.ts'
import { streamOf } from './listen.ts'
import { lastOf, querySeries, resolveAhead } from './messages.ts'
import type { Primary } from './primary.ts'
import {
  type AheadStatement,
  createStatementNames,
  mayTakeForever,
  NO_NAMES,
  nameAll,
  type QueuedStatement,
  runUnderName,
  type Statement,
  type StatementRunner,
} from './statements.ts'
import { type ConnectionLease, Transaction } from './transaction.ts'
import { toText } from './value-types.ts'

/** The statement that begins a transaction; it is sent with the first statement of the transaction. */
const BEGIN = 'begin'
const BEGIN_SNAPSHOT = 'begin isolation level repeatable read read only'

/** Opens the pool. Connections that break while idle are dropped and logged; the next statement opens a new one. */
export function openPool(config: ServerConfig, primary: Primary, log: Logger): pg.Pool {
  const settings = buildSessionSettings(config)
  const pool = new pg.Pool({
    ...buildClientConfig(config, primary.url()),
    Client: Connection,
    max: config.poolSize,
    idleTimeoutMillis: 60_000,
    // Sent before the connection is used. They are not start-up parameters, because poolers refuse those that they do not
    // know.
    onConnect: async (client) => {
      await client.query(settings)
      if (primary.isOneOfSeveral) await refuseStandby(client)
    },
  })
  // The pool listens for errors of idle connections only; an error inside a transaction would end the process.
  pool.on('connect', (client) =>
    client.on('error', (err) => pool.ending || log.info({ err }, 'database connection lost')),
  )
  pool.on('error', () => undefined) // already logged by the listener of the connection
  return pool
}

/** Opens a handle over the pool. Each statement goes through `observe`, and gets a name where that makes it faster. */
export function openHandle(
  pool: pg.Pool,
  config: ServerConfig,
  primary: Primary,
  observe: (run: StatementRunner) => StatementRunner,
  { reachability, outages }: { readonly reachability: Reachability; readonly outages: AvailabilityLog },
): PoolHandle {
  const names = config.preparedStatements ? createStatementNames() : NO_NAMES
  const watch = (run: StatementRunner) => outages.watched(observe(run))
  const gather = gatherReads(sendOnFree)
  const readShared = watch((text, values) => gather({ text, values }))
  const held: OpenTransaction = new AsyncLocalStorage()
  pool.on('connect', (client) => {
    connectionOf(client).address = pool.options.connectionString ?? ''
  })
  const handle: PoolHandle = {
    isTransaction: false,
    waitingAudits: null,
    async execute(statement) {
      refuseHeld(held)
      reachability.refuseWhileAway()
      const { text, values } = statement.compile()
      const connection = await checkOut()
      try {
        return await runOn(connection)(text, values.map(toText))
      } finally {
        release(connection)
      }
    },
    async read(statement) {
      if (mayTakeForever()) return handle.execute(statement)
      refuseHeld(held)
      reachability.refuseWhileAway()
      const { text, values } = statement.compile()
      return readShared(text, values.map(toText))
    },
    enqueue<Row>(statement: Sql) {
      const sent = handle.execute(statement)
      sent.catch(() => undefined) // thrown where the rows are read
      return async () => (await sent).rows as Row[] // whoever writes a statement knows its columns
    },
    transaction: (work) => doInTransaction(BEGIN, work),
    readSnapshot: (work) => doInTransaction(BEGIN_SNAPSHOT, work),
    [Symbol.asyncDispose]: () => pool.end(),
  }
  return handle

  async function doInTransaction<Result>(begin: string, work: (tx: Db) => Promise<Result>): Promise<Result> {
    refuseHeld(held)
    const lease = { open: true }
    const tx = new Transaction(begin, takeConnection)
    try {
      const result = await held.run(lease, work, tx)
      await tx.commit()
      return result
    } catch (error) {
      await tx.rollback()
      throw error
    } finally {
      lease.open = false
    }
  }

  async function takeConnection(): Promise<ConnectionLease> {
    reachability.refuseWhileAway()
    const connection = await checkOut()
    return { run: runOn(connection), release: (isBroken) => release(connection, isBroken) }
  }

  function runOn(connection: Connection): StatementRunner {
    connection.run ??= watch((text, values, ahead = []) => queryServer(connection, { text, values }, ahead))
    return connection.run
  }

  async function sendOnFree(statement: Statement, ahead: readonly AheadStatement[]): Promise<Outcome> {
    const connection = await checkOut()
    try {
      return await queryServer(connection, statement, ahead)
    } finally {
      release(connection)
    }
  }

  async function queryServer(
    connection: Connection,
    last: Statement,
    ahead: readonly AheadStatement[],
  ): Promise<Outcome> {
    const patience = mayTakeForever()
      ? null
      : setTimeout(endSilence, config.statementTimeoutMs + SILENCE_MS, connection)
    try {
      if (ahead.length > 0)
        return resolveAhead(await querySeries(connection, names, nameAll(names, [...ahead, last])), ahead)
      return await runUnderName(names, last, async (named) => lastOf(await querySeries(connection, names, [named])))
    } catch (error) {
      if (toDatabaseError(error)?.code === READ_ONLY) giveUp(connection, error)
      throw toStatementFailure(error, config.statementTimeoutMs)
    } finally {
      if (patience) clearTimeout(patience)
    }
  }

  /**
   * Destroys the connection when the server does not report in time that it has stopped a long statement: it is gone then.
   */
  function endSilence(connection: Connection): void {
    giveUp(connection, new Error('the server has not answered a statement for longer than it may run'))
  }

  function giveUp(connection: Connection, cause: unknown): void {
    reachability.noticeSilence(cause)
    streamOf(connection)?.destroy()
  }

  /** Yields a connection to the server that takes writes now. Connections to a former primary are closed. */
  async function checkOut(): Promise<Connection> {
    try {
      let connection = connectionOf(await pool.connect())
      while (connection.address !== primary.url()) {
        release(connection, true)
        connection = connectionOf(await pool.connect())
      }
      return connection
    } catch (error) {
      if (isSilence(error) || (primary.isOneOfSeveral && isElsewhere(error))) reachability.noticeSilence(error)
      throw outages.notice(unreachable(error))
    }
  }
}

/** A database that is open, without its migrations and messages. */
type PoolHandle = Db & AsyncDisposable

/** The pool makes connections of this kind, and says so to nobody. */
function connectionOf(client: pg.PoolClient): Connection {
  return client as pg.PoolClient & Connection
}

function release(connection: Connection, isBroken = false): void {
  ;(connection as pg.PoolClient & Connection).release(isBroken)
}

/** Whether the current work holds a connection of the handle. */
type OpenTransaction = AsyncLocalStorage<{ open: boolean }>

/**
 * Refuses to use the handle in work that already has a transaction of it: it would read and write outside of that. {@throws
 * Error} that says what to use
 */
function refuseHeld(held: OpenTransaction): void {
  if (held.getStore()?.open) throw new Error(OUTER_HANDLE)
}

const OUTER_HANDLE =
  'The outer database handle was used inside a transaction: use the context that inTransaction gives to its work'

/** Milliseconds after the time limit of a statement in which a server has to report that it has stopped it. */
const SILENCE_MS = 2000

/** Tells whether a connection could not be made in time, as opposed to waiting for a free one of the pool. */
function isSilence(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof AggregateError) return error.errors.every(isSilence)
  return ('code' in error && error.code === 'ETIMEDOUT') || error.message.includes('due to connection timeout')
}

function buildSessionSettings({ statementTimeoutMs }: ServerConfig): string {
  return [
    `set timezone = 'UTC'`,
    `set datestyle = 'ISO'`,
    `set intervalstyle = 'postgres'`,
    `set bytea_output = 'hex'`,
    'set jit = off', // compiling costs more than any statement of this program takes
    'set hash_mem_multiplier = 8', // so that sets computed once per statement fit into a hash table instead of being searched again for each row
    `set statement_timeout = ${statementTimeoutMs}`,
    `set idle_in_transaction_session_timeout = ${Math.max(statementTimeoutMs * 2, 10_000)}`,
  ].join('; ')
}

// Sending a statement and receiving its answer are system calls, which cost a process more than a small read. So reads of many
// requests that come at the same moment share them (docs/decisions/0045-reads-together.md).

/** Sends statements on a free connection at once; what the server answers comes with the answer to the last. */
type Send = (last: Statement, ahead: readonly AheadStatement[]) => Promise<Outcome>

/**
 * Creates what sends reads, by which reads of the same moment share a connection. Only those share that were quick when they
 * were sent alone, so that nobody waits for a long statement of somebody else.
 */
function gatherReads(send: Send): (statement: Statement) => Promise<Outcome> {
  const quick = new Set<string>()
  let waiting: QueuedStatement[] = []

  return (statement) => {
    if (!quick.has(statement.text)) return sendAlone(statement)
    // It is called after the process has read the requests that have arrived by now.
    if (waiting.length === 0) setImmediate(sendWaiting)
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
    waiting.push({ ...statement, succeed: resolve, fail: reject, outcome: promise })
    return promise
  }

  async function sendAlone(statement: Statement): Promise<Outcome> {
    const start = performance.now()
    const outcome = await send(statement, [])
    if (performance.now() - start > QUICK_MS) return outcome
    if (quick.size >= MOST_QUICK) quick.clear()
    quick.add(statement.text)
    return outcome
  }

  function sendWaiting(): void {
    const all = waiting
    waiting = []
    for (let at = 0; at < all.length; at += MOST_TOGETHER) void sendTogether(all.slice(at, at + MOST_TOGETHER))
  }

  async function sendTogether(group: readonly QueuedStatement[]): Promise<void> {
    const last = group.at(-1)
    if (!last) return
    const start = performance.now()
    try {
      last.succeed(await send(last, group.slice(0, -1)))
    } catch (error) {
      // Where the database is away, asking again would only make everybody wait once more.
      if (group.length === 1 || error instanceof Outage) for (const { fail } of group) fail(error)
      // The server stops at the first that fails: alone, each has its own outcome.
      else for (const one of group) sendAlone(one).then(one.succeed, one.fail)
    }
    // One of them has become slow; each is measured again, alone.
    if (performance.now() - start > QUICK_MS) for (const { text } of group) quick.delete(text)
  }
}

/** Milliseconds until a quick read is answered. */
const QUICK_MS = 20
/** So many reads share a connection at most: the server does one after the other. */
const MOST_TOGETHER = 8
/** So many texts are remembered at most. */
const MOST_QUICK = 1000
