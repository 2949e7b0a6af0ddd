import { join } from 'node:path'
import { pino } from 'pino'
import type { DatabaseConfig } from '../../src/database/database.ts'

/** The folder of the project's own migrations. */
export const MIGRATIONS = join(import.meta.dirname, '../../migrations')

/** A logger that is silent unless TEST_LOG names a level. */
export const quiet = pino({ level: process.env.TEST_LOG ?? 'silent' })

/** Yields a database configuration for tests, with few connections and short limits. */
export function testConfig(overrides: Partial<DatabaseConfig>): DatabaseConfig {
  return {
    url: null,
    dataDir: 'memory',
    postgresqlBin: null,
    fsync: false, // the loss of power is tested with the program
    poolSize: 5,
    connectTimeoutMs: 5000,
    statementTimeoutMs: 20_000,
    slowQueryMs: 60_000,
    preparedStatements: true,
    ...overrides,
  }
}
