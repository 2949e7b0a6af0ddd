import type { PostgresDialect, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import type { Logger } from 'pino'
import { connectionOver, dialectOver } from './dialect.ts'
import { databaseError, isElsewhere, READ_ONLY, standbyError, statementFailure, unreachable } from './failures.ts'
import { streamOf } from './listen.ts'
import type { Primary } from './primary.ts'
import type { Reachability } from './reachability.ts'
import { NO_NAMES, statementNames, underName } from './statement-names.ts'
import { mayTakeForever, type Outcome, type Run } from './statements.ts'
import { parserOf } from './values.ts'

/** Limits of the connections to a server. */
export interface ServerConfig {
  /** Of the server, or of several of which one takes writes. */
  readonly url: string
  /** Where the server itself is, behind a pooler that messages do not pass. */
  readonly directUrl?: string | null
  readonly poolSize: number
  readonly connectTimeoutMs: number
  readonly statementTimeoutMs: number
  /** False where a connection pooler between us and the server hands every transaction to another server connection. */
  readonly preparedStatements: boolean
}

/** Settings of one connection to the server, for the pool and for a connection of its own. */
export function clientConfig(config: ServerConfig, url: string): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: 'millwright',
    connectionTimeoutMillis: config.connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: { getTypeParser: (type: number) => parserOf(type) },
  }
}

/** The pool. Connections that break while idle are dropped and logged; the next statement opens a new one. */
export function openPool(config: ServerConfig, primary: Primary, log: Logger): pg.Pool {
  const settings = sessionSettings(config)
  const pool = new pg.Pool({
    ...clientConfig(config, primary.url()),
    max: config.poolSize,
    idleTimeoutMillis: 60_000,
    // Waited for before the connection is used. Not start parameters, because poolers refuse those they do not know.
    onConnect: async (client) => {
      await client.query(settings)
      if (primary.isOneOfSeveral) await refuseStandby(client)
    },
  })
  // The pool itself listens to idle connections only; one that broke inside a transaction would end the process.
  pool.on('connect', (client) => client.on('error', (err) => log.warn({ err }, 'database connection lost')))
  pool.on('error', () => undefined) // the same event again, for idle connections
  return pool
}

/** {@throws DatabaseError} 25006 when the server of this connection only follows another one */
export async function refuseStandby(client: pg.ClientBase): Promise<void> {
  const { rowCount } = await client.query(
    `select 1 where pg_is_in_recovery() or current_setting('transaction_read_only') = 'on'`,
  )
  if (rowCount) throw standbyError()
}

/** A dialect over the pool, each statement going through `observe` and named where that pays. */
export function postgresqlDialect(
  pool: pg.Pool,
  config: ServerConfig,
  primary: Primary,
  observe: (run: Run) => Run,
  reachability: Reachability,
): PostgresDialect {
  const names = config.preparedStatements ? statementNames() : NO_NAMES
  const connections = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  const servers = new WeakMap<pg.PoolClient, string>()
  pool.on('connect', (client) => servers.set(client, pool.options.connectionString ?? ''))
  return dialectOver(acquire, () => pool.end())

  async function acquire(): Promise<PostgresPoolClient> {
    reachability.refuseWhileAway()
    const client = await checkedOut()
    const known = connections.get(client)
    if (known) return known
    const run = observe((text, values) => onServer(client, text, values))
    const connection = connectionOver(run, (destroy) => client.release(destroy))
    connections.set(client, connection)
    return connection
  }

  async function onServer(client: pg.PoolClient, text: string, values: readonly (string | null)[]): Promise<Outcome> {
    const patience = mayTakeForever() ? null : setTimeout(endSilence, config.statementTimeoutMs + SILENCE_MS, client)
    try {
      if (values.length === 0) return outcomeOf(await client.query(text))
      return await underName(names, text, async (name) =>
        outcomeOf(await client.query({ name, text, values: [...values] })),
      )
    } catch (error) {
      if (databaseError(error)?.code === READ_ONLY) giveUp(client, error)
      throw statementFailure(error, config.statementTimeoutMs)
    } finally {
      if (patience) clearTimeout(patience)
    }
  }

  /** The server stops what runs too long. One that has not done so is gone, and its end of the connection with it. */
  function endSilence(client: pg.PoolClient): void {
    giveUp(client, new Error('the server has not answered a statement for longer than it may run'))
  }

  function giveUp(client: pg.PoolClient, cause: unknown): void {
    reachability.noticeSilence(cause)
    streamOf(client)?.destroy()
  }

  /** A connection to the server that takes writes now. Those to another one, which was it before, are ended. */
  async function checkedOut(): Promise<pg.PoolClient> {
    try {
      let client = await pool.connect()
      while (servers.get(client) !== primary.url()) {
        client.release(true)
        client = await pool.connect()
      }
      return client
    } catch (error) {
      if (isSilence(error) || (primary.isOneOfSeveral && isElsewhere(error))) reachability.noticeSilence(error)
      throw unreachable(error)
    }
  }
}

/** How long a server may take beyond the time limit of a statement to say that it has stopped it. */
const SILENCE_MS = 2000

/** A connection that was not made in time; not the wait for one of our own that is free. */
function isSilence(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof AggregateError) return error.errors.every(isSilence)
  return ('code' in error && error.code === 'ETIMEDOUT') || error.message.includes('due to connection timeout')
}

function outcomeOf(result: pg.QueryResult | pg.QueryResult[]): Outcome {
  const last = Array.isArray(result) ? result.at(-1) : result
  return { command: last?.command, rowCount: last?.rowCount ?? null, rows: last?.rows ?? [] }
}

function sessionSettings({ statementTimeoutMs }: ServerConfig): string {
  return [
    `set timezone = 'UTC'`,
    `set datestyle = 'ISO'`,
    `set intervalstyle = 'postgres'`,
    `set bytea_output = 'hex'`,
    'set jit = off', // compiling costs more than any statement of ours takes
    'set hash_mem_multiplier = 8', // what is found once for all records is looked up in a hash table, or again and again
    `set statement_timeout = ${statementTimeoutMs}`,
    `set idle_in_transaction_session_timeout = ${Math.max(statementTimeoutMs * 2, 10_000)}`,
  ].join('; ')
}
