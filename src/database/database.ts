import type { Db } from './sql.ts'

/** The options of the configuration for the database and its limits. */
export interface DatabaseConfig {
  /** The address of a PostgreSQL server; null means the bundled one, whose files are in `dataDir`. */
  readonly url: string | null
  /** The address of the server itself, where `url` is that of a connection pooler; null or absent where there is none. */
  readonly directUrl?: string | null
  /** The data directory; 'memory' means that nothing is kept. */
  readonly dataDir: string | 'memory'
  /** The folder of the programs of PostgreSQL; null means those that come with this. */
  readonly postgresqlBin: string | null
  /** Whether commits in the data directory wait for the disk. */
  readonly fsync: boolean
  readonly poolSize: number
  readonly connectTimeoutMs: number
  readonly statementTimeoutMs: number
  readonly slowQueryMs: number
  readonly preparedStatements: boolean
  /** The folder of migrations that the caller is about to apply: a new database may be copied from one that has them. */
  readonly migrations?: string
}

/** An open database, in the data directory or on a server. */
export interface Database extends AsyncDisposable {
  readonly kind: 'bundled' | 'postgresql'
  readonly db: Db
  /** Its address, for other connections. */
  readonly url: string
  /**
   * Calls `onMessage` for each `pg_notify` on the channel (a lower-case word) that commits from now on, from any process.
   * `onLost` is called when messages may have been missed, and again once the connection listens again.
   */
  listen(channel: string, onMessage: (payload: string) => void, onLost?: () => void): Promise<void>
  /** Asks the database for an answer and yields the milliseconds that took. */
  ping(): Promise<number>
  /** Counts the connections of the pool, for metrics. */
  connections(): { readonly total: number; readonly idle: number; readonly waiting: number }
}
