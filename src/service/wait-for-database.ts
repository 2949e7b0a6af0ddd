import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Config, databaseConfigOf } from '../config/config.ts'
import type { Database } from '../database/database.ts'
import { mayComeBack } from '../database/failures.ts'
import { listenWhileWaiting } from '../http/listeners/startup-listener.ts'
import { connect } from '../postgresql/connect.ts'

interface FirstContact {
  readonly database: Database
  /** The configuration, with the ports that were chosen while waiting. */
  readonly config: Config
}

/**
 * Opens the database of the configuration, to which the caller is about to apply the migrations of a folder. While its server is
 * away, e.g. after a power cut, it waits as long as the configuration says and meanwhile answers that the service is not ready.
 * Other errors fail at once.
 */
export async function openDatabase(
  config: Config,
  migrations: string,
  log: Logger,
  stop: AbortSignal,
): Promise<FirstContact> {
  const until = performance.now() + config.databaseWaitMs
  const open = () => connect({ ...databaseConfigOf(config), migrations }, log)
  try {
    return { database: await open(), config }
  } catch (error) {
    // Waiting helps with servers only: a data directory stays unusable until somebody changes it.
    if (config.databaseUrl === null || !mayComeBack(error) || config.databaseWaitMs === 0) throw error
    await using listeners = await listenWhileWaiting(config)
    const reason = error instanceof Error ? error.message : String(error)
    log.warn({ reason, ...listeners.ports, longestMs: config.databaseWaitMs }, 'waiting for the database')
    const database = await openOnceBack(open, until, stop)
    log.info('the database answers')
    return { database, config: { ...config, ...listeners.ports } }
  }
}

async function openOnceBack(open: () => Promise<Database>, until: number, stop: AbortSignal): Promise<Database> {
  for (;;) {
    await sleep(RETRY_MS, undefined, { signal: stop })
    try {
      return await open()
    } catch (error) {
      if (!mayComeBack(error) || performance.now() > until) throw error
    }
  }
}

const RETRY_MS = 500
