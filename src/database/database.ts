import type { Db } from './sql.ts'

/** The part of the configuration that says which database is used, and within which limits. */
export interface DatabaseConfig {
  /** The address of a PostgreSQL server; null means the embedded database in `dataDir`. */
  readonly url: string | null
  /** The address of the server itself, where `url` is that of a connection pooler; null or absent where there is none. */
  readonly directUrl?: string | null
  /** The directory of the embedded database; 'memory' means that nothing is kept. */
  readonly dataDir: string | 'memory'
  /** Whether commits of the embedded database wait for the disk. */
  readonly fsync: boolean
  readonly poolSize: number
  readonly connectTimeoutMs: number
  readonly statementTimeoutMs: number
  readonly slowQueryMs: number
  readonly preparedStatements: boolean
  /** The folder of migrations that the caller is about to apply: a new embedded database may have been made with them. */
  readonly migrations?: string
  /** An image of another database, with which one in memory starts. */
  readonly image?: Blob
}

/** An open database, embedded or on a server. */
export interface Database extends AsyncDisposable {
  readonly kind: 'pglite' | 'postgresql'
  readonly db: Db
  /**
   * Calls `onMessage` for each `pg_notify` on the channel (a lower-case word) that commits from now on, from any process.
   * `onLost` is called when messages may have been missed, and again once the connection listens again.
   */
  listen(channel: string, onMessage: (payload: string) => void, onLost?: () => void): Promise<void>
  /** {@throws Outage} while the database can only be read, although its kind takes writes */
  refuseWhileReadOnly(): void
  /** Asks the database for an answer and yields the milliseconds that took. */
  ping(): Promise<number>
  /** Counts the connections of the pool, for metrics. */
  connections(): { readonly total: number; readonly idle: number; readonly waiting: number }
  /** Yields an image of the embedded database, to start another one in memory with; null on a server. */
  image(): Promise<Blob | null>
}
