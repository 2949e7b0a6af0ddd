import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { databaseConfigOf } from '../../config.ts'
import { connect } from '../../database/connect.ts'
import type { Database } from '../../database/database.ts'
import { tallyStatements } from '../../database/statements.ts'
import { Failure } from '../../errors.ts'
import type { Workplace } from '../workplace.ts'

/**
 * Opens the database as it is at this moment, to read all of it without delaying others. A server has snapshots. Of the
 * embedded database the files are copied while its only connection is held, and the copy is opened beside it.
 */
export async function openSnapshot({ database, config, log }: Workplace): Promise<Database> {
  if (config.databaseUrl !== null || config.dataDir === 'memory')
    return { ...database, [Symbol.asyncDispose]: keepOpen }
  const place = join(config.dataDir, 'snapshot')
  if (busy.has(place)) throw new Failure('conflict', 'Another backup is being made: wait for its end')
  busy.add(place)
  try {
    await copyFiles(database, join(config.dataDir, 'database'), place)
    const copy = await connect({ ...databaseConfigOf(config), dataDir: place }, log)
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

/** Directories that hold a copy in use. */
const busy = new Set<string>()

async function keepOpen(): Promise<void> {
  // The database is that of the workplace, which goes on using it.
}

async function remove(place: string): Promise<void> {
  await rm(place, { recursive: true, force: true })
  busy.delete(place)
}

/**
 * Copies the files while the connection is held, so that nobody writes; a checkpoint first writes everything from memory to
 * the files.
 */
async function copyFiles({ db }: Database, from: string, place: string): Promise<void> {
  await rm(place, { recursive: true, force: true }) // left by a process that was killed
  const unlimited = { count: 0, milliseconds: 0, mayBeSlow: true, unlimited: true }
  await tallyStatements(unlimited, () =>
    db.connection().execute(async (connection) => {
      await sql`checkpoint`.execute(connection)
      await cp(from, join(place, 'database'), { recursive: true })
    }),
  )
}
