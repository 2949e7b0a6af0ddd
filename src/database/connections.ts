import pg from 'pg'
import { standbyError } from './failures.ts'
import type { StatementRunner } from './statements.ts'
import { type Parse, parserOf } from './value-types.ts'

/** The configuration of the connections to a server. */
export interface ServerConfig {
  /** The address of the server, or of several of which one takes writes. */
  readonly url: string
  /** The address of the server itself behind a pooler, because notifications do not pass poolers. */
  readonly directUrl?: string | null
  readonly poolSize: number
  readonly connectTimeoutMs: number
  readonly statementTimeoutMs: number
  /** False behind a connection pooler that gives every transaction another server connection. */
  readonly preparedStatements: boolean
}

/** A connection, and what is known of it. */
export class Connection extends pg.Client {
  /** What it has parsed. */
  readonly parsed: PreparedStatements = new Map()
  /** The address that it was made to. */
  address = ''
  /** Runs statements on it; null before the first. */
  run: StatementRunner | null = null
}

/** The columns of the statements that a connection has parsed, by name. */
export type PreparedStatements = Map<string, Columns>

/** The result columns of a statement: their keys and parsers. */
export interface Columns {
  readonly names: readonly string[]
  readonly parsers: readonly Parse[]
  /** A row without values: copying one that has all keys is quicker than adding keys one by one. */
  readonly empty: Readonly<Record<string, null>>
}

/** Yields the settings of one connection to the server, for the pool and for separate connections. */
export function buildClientConfig(config: ServerConfig, url: string): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: 'millwright',
    connectionTimeoutMillis: config.connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    types: { getTypeParser: (type: number) => parserOf(type) },
  }
}

/** {@throws DatabaseError} 25006 when the server of this connection is a standby or read-only */
export async function refuseStandby(client: pg.ClientBase): Promise<void> {
  const { rowCount } = await client.query(
    `select 1 where pg_is_in_recovery() or current_setting('transaction_read_only') = 'on'`,
  )
  if (rowCount) throw standbyError()
}
