import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { pino } from 'pino'
import { databaseConfigOf, readConfig } from '../../src/config/config.ts'
import type { Database } from '../../src/database/database.ts'
import { connect } from '../../src/postgresql/connect.ts'
import { migrate } from '../../src/postgresql/migrate.ts'

/**
 * Opens an empty, migrated database that is deleted at the end. It lies in a directory, because that starts faster
 * than in memory.
 */
export async function openSampleDatabase(): Promise<Database> {
  const directory = await mkdtemp(join(tmpdir(), 'millwright-'))
  const config = readConfig(['--data-dir', directory], {}, () => '')
  const database = await connect(databaseConfigOf(config), pino({ level: 'silent' }))
  await migrate(database, fileURLToPath(new URL('../../migrations', import.meta.url)))
  const close = async () => {
    await database[Symbol.asyncDispose]()
    await rm(directory, { recursive: true })
  }
  return { ...database, [Symbol.asyncDispose]: close }
}
