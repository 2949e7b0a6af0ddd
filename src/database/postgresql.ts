import type { PostgresDialect, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import type { Logger } from 'pino'
import { connectionOver, dialectOver } from './dialect.ts'
import { statementFailure, unreachable } from './failures.ts'
import { NO_NAMES, statementNames, underName } from './statement-names.ts'
import type { Outcome, Run } from './statements.ts'
import { parserOf } from './values.ts'

/** Limits of the connections to a server. */
export interface ServerConfig {
  readonly url: string
  readonly poolSize: number
  readonly connectTimeoutMs: number
  readonly statementTimeoutMs: number
  /** False where a connection pooler between us and the server hands every transaction to another server connection. */
  readonly preparedStatements: boolean
}

/** Settings of one connection to the server, for the pool and for a connection of its own. */
export function clientConfig(config: ServerConfig): pg.ClientConfig {
  return {
    connectionString: config.url,
    application_name: 'millwright',
    connectionTimeoutMillis: config.connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: { getTypeParser: (type: number) => parserOf(type) },
  }
}

/** The pool. Connections that break while idle are dropped and logged; the next statement opens a new one. */
export function openPool(config: ServerConfig, log: Logger): pg.Pool {
  const settings = sessionSettings(config)
  const pool = new pg.Pool({
    ...clientConfig(config),
    max: config.poolSize,
    idleTimeoutMillis: 60_000,
    // Waited for before the connection is used. Not start parameters, because poolers refuse those they do not know.
    onConnect: (client) => client.query(settings),
  })
  // The pool itself listens to idle connections only; one that broke inside a transaction would end the process.
  pool.on('connect', (client) => client.on('error', (err) => log.warn({ err }, 'database connection lost')))
  pool.on('error', () => undefined) // the same event again, for idle connections
  return pool
}

/** A dialect over the pool, each statement going through `observe` and named where that pays. */
export function postgresqlDialect(pool: pg.Pool, config: ServerConfig, observe: (run: Run) => Run): PostgresDialect {
  const names = config.preparedStatements ? statementNames() : NO_NAMES
  const connections = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  return dialectOver(acquire, () => pool.end())

  async function acquire(): Promise<PostgresPoolClient> {
    const client = await checkedOut(pool)
    const known = connections.get(client)
    if (known) return known
    const run = observe((text, values) => onServer(client, text, values))
    const connection = connectionOver(run, (destroy) => client.release(destroy))
    connections.set(client, connection)
    return connection
  }

  async function onServer(client: pg.PoolClient, text: string, values: readonly (string | null)[]): Promise<Outcome> {
    try {
      if (values.length === 0) return outcomeOf(await client.query(text))
      return await underName(names, text, async (name) =>
        outcomeOf(await client.query({ name, text, values: [...values] })),
      )
    } catch (error) {
      throw statementFailure(error, config.statementTimeoutMs)
    }
  }
}

async function checkedOut(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    throw unreachable(error)
  }
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
    `set statement_timeout = ${statementTimeoutMs}`,
    `set idle_in_transaction_session_timeout = ${Math.max(statementTimeoutMs * 2, 10_000)}`,
  ].join('; ')
}
