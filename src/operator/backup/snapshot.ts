import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { databaseConfig } from '../../config.ts'
import { connect, type Database } from '../../database/connect.ts'
import { tallyStatements } from '../../database/statements.ts'
import { Failure } from '../../errors.ts'
import type { Workplace } from '../operations.ts'

/**
 * The database as it is at this moment, for reading all of it without holding up anybody. A server has snapshots. The one
 * connection of the embedded database is held only while its files are copied, and the copy is opened beside it.
 */
export async function openSnapshot({ database, config, log }: Workplace): Promise<Database> {
  if (config.databaseUrl !== null || config.dataDir === 'memory')
    return { ...database, [Symbol.asyncDispose]: keepOpen }
  const place = join(config.dataDir, 'snapshot')
  if (busy.has(place)) throw new Failure('conflict', 'Another backup is being made: wait for its end')
  busy.add(place)
  try {
    await copyFiles(database, join(config.dataDir, 'database'), place)
    const copy = await connect({ ...databaseConfig(config), dataDir: place }, log)
    return {
      ...copy,
      async [Symbol.asyncDispose]() {
        await copy[Symbol.asyncDispose]()
        await remove(place)
      },
    }
  } catch (error) {
    await remove(place)
    throw error
  }
}

/** Places where a copy is. */
const busy = new Set<string>()

async function keepOpen(): Promise<void> {
  // The file is not ours to delete.
}

async function remove(place: string): Promise<void> {
  await rm(place, { recursive: true, force: true })
  busy.delete(place)
}

/** Nobody writes while one holds the connection; what was in memory only is in the files after a checkpoint. */
async function copyFiles({ db }: Database, from: string, place: string): Promise<void> {
  await rm(place, { recursive: true, force: true }) // of a process that was killed
  const unlimited = { count: 0, milliseconds: 0, mayBeSlow: true, unlimited: true }
  await tallyStatements(unlimited, () =>
    db.connection().execute(async (connection) => {
      await sql`checkpoint`.execute(connection)
      await cp(from, join(place, 'database'), { recursive: true })
    }),
  )
}
