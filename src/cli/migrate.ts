import { fileURLToPath } from 'node:url'
import { databaseConfigOf, type Settings } from '../config/config.ts'
import { createLogger } from '../log.ts'
import { connect } from '../postgresql/connect.ts'
import { migrate } from '../postgresql/migrate.ts'
import { ROOT } from '../root.ts'
import { formatFailure } from './failures.ts'

/** Migrates the database to the schema of this program, prints what was done, and resolves with the exit code. */
export async function migrateDatabase({ config, warnings }: Settings): Promise<number> {
  const log = createLogger(config)
  for (const warning of warnings) log.warn({ warning }, 'configuration warning')
  try {
    await using database = await connect(databaseConfigOf(config), log)
    const { applied } = await migrate(database, fileURLToPath(new URL('migrations', ROOT)))
    process.stdout.write(
      applied.length === 0 ? 'The database is up to date.\n' : `Applied ${formatNumbers(applied)}.\n`,
    )
    return 0
  } catch (error) {
    process.stderr.write(`millwright: ${formatFailure(error, config)}\n`)
    log.debug({ err: error }, 'migration failed')
    return 1
  }
}

function formatNumbers(applied: readonly number[]): string {
  const named = applied.map((number) => String(number).padStart(4, '0')).join(', ')
  return `${applied.length === 1 ? 'migration' : 'migrations'} ${named}`
}
