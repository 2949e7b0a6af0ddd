import type { Logger } from 'pino'
import type { Database, DatabaseConfig } from './database.ts'
import { type Run, withObservation } from './statements.ts'

/**
 * Opens the database that the configuration names. {@throws Failure} 'unavailable' with a sentence for people when the data
 * directory is in use or the server cannot be reached
 */
export async function connect(config: DatabaseConfig, log: Logger): Promise<Database> {
  const observe = (run: Run) => withObservation(run, config.slowQueryMs, log)
  // Each kind of database has a driver of its own; only the one that is used is loaded.
  if (config.url === null) {
    const { connectEmbedded } = await import('./embedded.ts')
    return connectEmbedded(config, observe, log)
  }
  const { connectServer } = await import('./server.ts')
  return connectServer({ ...config, url: config.url }, observe, log)
}
