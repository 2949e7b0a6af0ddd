import type { Logger } from 'pino'
import type { Database, DatabaseConfig } from '../database/database.ts'
import { connectServer } from '../database/server.ts'
import { type StatementRunner, withObservation } from '../database/statements.ts'

/**
 * Opens the database that the configuration names. {@throws Failure} 'unavailable' with a sentence for people when the data
 * directory is in use or the server cannot be reached
 */
export async function connect(config: DatabaseConfig, log: Logger): Promise<Database> {
  const observe = (run: StatementRunner) => withObservation(run, config.slowQueryMs, log)
  if (config.url !== null) return connectServer({ ...config, url: config.url }, observe, log)
  // Where there is a server, the code that starts one is not loaded.
  const { connectBundled } = await import('./bundled.ts')
  return connectBundled(config, observe, log)
}
