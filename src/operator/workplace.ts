import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { Database } from '../database/database.ts'

/** Where an operation runs: in the service that holds the database, or in a command that has opened it. */
export interface Workplace {
  readonly database: Database
  readonly config: Config
  readonly log: Logger
}
