import type { Logger } from 'pino'
import type { ReplicaUse } from './replicas.ts'
import type { Db } from './sql.ts'
import { observed, type Run } from './statements.ts'

export interface DatabaseConfig {
  /** A PostgreSQL server; null means the embedded database in `dataDir`. */
  readonly url: string | null
  /** The address of the server itself, where `url` names a pooler in front of it; null or absent where there is none. */
  readonly directUrl?: string | null
  /** Where the embedded database lives; 'memory' keeps nothing. */
  readonly dataDir: string | 'memory'
  /** Servers that follow this one and may be read from. */
  readonly replicaUrls?: readonly string[]
  readonly poolSize: number
  readonly connectTimeoutMs: number
  readonly statementTimeoutMs: number
  readonly slowQueryMs: number
  readonly preparedStatements: boolean
  /** What a database in memory starts with: the image of another one. */
  readonly image?: Blob
}

/** An open database of either kind. */
export interface Database extends AsyncDisposable {
  readonly kind: 'pglite' | 'postgresql'
  readonly db: Db
  /**
   * Calls `onMessage` for each `pg_notify` on the channel (a lower-case word) that commits from now on, from any process.
   * `onLost` is called when messages may have been missed, and again once they are heard again.
   */
  listen(channel: string, onMessage: (payload: string) => void, onLost?: () => void): Promise<void>
  /** Milliseconds the database took to answer. */
  ping(): Promise<number>
  /** Connections of the pool, for metrics. */
  connections(): { readonly total: number; readonly idle: number; readonly waiting: number }
  /** A replica that has all that was acknowledged until now; null where there is none, and always without replicas. */
  replica(): Promise<Db | null>
  /** What was made of the replicas, for metrics. */
  replicaUses(): readonly ReplicaUse[]
  /** The embedded database as an image for another one in memory; null on a server. */
  image(): Promise<Blob | null>
}

/**
 * Opens the database the configuration names. Throws Failure('unavailable') with a sentence for people when the data
 * directory is in use or the server cannot be reached.
 */
export async function connect(config: DatabaseConfig, log: Logger): Promise<Database> {
  const observe = (run: Run) => observed(run, config.slowQueryMs, log)
  // Each database brings a driver of its own; only the one that is used is loaded.
  if (config.url === null) {
    const { connectEmbedded } = await import('./embedded.ts')
    return connectEmbedded(config, observe, log)
  }
  const { connectServer } = await import('./server.ts')
  return connectServer({ ...config, url: config.url }, config.replicaUrls ?? [], observe, log)
}
