import type { PostgresPoolClient } from 'kysely'
import pg from 'pg'
import type { Logger } from 'pino'
import { buildClientConfig, refuseStandby, type ServerConfig } from './connections.ts'
import { createConnection, createDialect } from './dialect.ts'
import { isElsewhere, READ_ONLY, toDatabaseError, toStatementFailure, unreachable } from './failures.ts'
import { openHandle } from './handle.ts'
import { streamOf } from './listen.ts'
import { lastOf, resolveAhead } from './messages.ts'
import type { Outages } from './outages.ts'
import type { Primary } from './primary.ts'
import type { Reachability } from './reachability.ts'
import { gatherReads } from './reads.ts'
import { querySeries } from './series.ts'
import type { Db } from './sql.ts'
import { createStatementNames, NO_NAMES, nameAll, runUnderName } from './statement-names.ts'
import { type Ahead, mayTakeForever, type Outcome, type Run, type Statement } from './statements.ts'

/** Opens the pool. Connections that break while idle are dropped and logged; the next statement opens a new one. */
export function openPool(config: ServerConfig, primary: Primary, log: Logger): pg.Pool {
  const settings = buildSessionSettings(config)
  const pool = new pg.Pool({
    ...buildClientConfig(config, primary.url()),
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
export function openServerHandle(
  pool: pg.Pool,
  config: ServerConfig,
  primary: Primary,
  observe: (run: Run) => Run,
  { reachability, outages }: { readonly reachability: Reachability; readonly outages: Outages },
): Promise<Db> {
  const names = config.preparedStatements ? createStatementNames() : NO_NAMES
  const watch = (run: Run) => outages.watched(observe(run))
  const gather = gatherReads(sendOnFree)
  const read = watch((text, values) => gather({ text, values }))
  const spare: PostgresPoolClient[] = []
  const runs = new WeakMap<pg.PoolClient, Run>()
  const servers = new WeakMap<pg.PoolClient, string>()
  pool.on('connect', (client) => servers.set(client, pool.options.connectionString ?? ''))
  const dialect = createDialect(acquire, () => pool.end())
  return openHandle(dialect, async ({ text, values }) => {
    reachability.refuseWhileAway()
    return read(text, values)
  })

  async function acquire(): Promise<PostgresPoolClient> {
    reachability.refuseWhileAway()
    return spare.pop() ?? connectLater()
  }

  /** Yields a connection that takes one of the pool with its first statement. */
  function connectLater(): PostgresPoolClient {
    let client: pg.PoolClient | null = null
    const run: Run = async (text, values, ahead) => {
      client ??= await checkOut()
      return runOn(client)(text, values, ahead)
    }
    const release = (destroy?: boolean) => {
      client?.release(destroy)
      client = null
      if (!destroy) spare.push(connection) // the dialect does not use again what it has had destroyed
    }
    const connection = createConnection(run, release)
    return connection
  }

  function runOn(client: pg.PoolClient): Run {
    const known = runs.get(client)
    if (known) return known
    const run = watch((text, values, ahead = []) => queryServer(client, { text, values }, ahead))
    runs.set(client, run)
    return run
  }

  async function sendOnFree(statement: Statement, ahead: readonly Ahead[]): Promise<Outcome> {
    const client = await checkOut()
    try {
      return await queryServer(client, statement, ahead)
    } finally {
      client.release()
    }
  }

  async function queryServer(client: pg.PoolClient, last: Statement, ahead: readonly Ahead[]): Promise<Outcome> {
    const patience = mayTakeForever() ? null : setTimeout(endSilence, config.statementTimeoutMs + SILENCE_MS, client)
    try {
      if (ahead.length > 0)
        return resolveAhead(await querySeries(client, names, nameAll(names, [...ahead, last])), ahead)
      return await runUnderName(names, last, async (named) => lastOf(await querySeries(client, names, [named])))
    } catch (error) {
      if (toDatabaseError(error)?.code === READ_ONLY) giveUp(client, error)
      throw toStatementFailure(error, config.statementTimeoutMs)
    } finally {
      if (patience) clearTimeout(patience)
    }
  }

  /**
   * Destroys the connection when the server does not report in time that it has stopped a long statement: it is gone then.
   */
  function endSilence(client: pg.PoolClient): void {
    giveUp(client, new Error('the server has not answered a statement for longer than it may run'))
  }

  function giveUp(client: pg.PoolClient, cause: unknown): void {
    reachability.noticeSilence(cause)
    streamOf(client)?.destroy()
  }

  /** Yields a connection to the server that takes writes now. Connections to a former primary are closed. */
  async function checkOut(): Promise<pg.PoolClient> {
    try {
      let client = await pool.connect()
      while (servers.get(client) !== primary.url()) {
        client.release(true)
        client = await pool.connect()
      }
      return client
    } catch (error) {
      if (isSilence(error) || (primary.isOneOfSeveral && isElsewhere(error))) reachability.noticeSilence(error)
      throw outages.notice(unreachable(error))
    }
  }
}

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
