import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { toPgliteError } from './pglite-errors.ts'
import { SyncedFiles } from './synced-files.ts'

/** What an embedded database starts from: a directory, or memory filled with an image that `dumpDataDir` made. */
export type Storage =
  | {
      readonly directory: string
      /** Whether a commit waits until the disk has it, so that it survives a loss of power. */
      readonly fsync: boolean
    }
  | { readonly image: ArrayBuffer | null }

/**
 * Starts PostgreSQL in this thread, and creates a new database when the storage is empty: `syncDirectory` has to be called
 * for one in a directory.
 */
export async function startPglite(storage: Storage): Promise<PGlite> {
  const isSynced = 'directory' in storage && storage.fsync
  const pglite = await (isSynced ? startSynced(storage.directory) : startUnsynced(storage)).catch((thrown) => {
    throw toPgliteError(thrown)
  })
  await pglite.exec(
    `set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres'; set hash_mem_multiplier = 8`,
  )
  return pglite
}

const extensions = { pg_trgm }

// PostgreSQL's own 128 MB stay in memory once they have been used. Pages beyond come from the files, which the system keeps in
// memory as long as nobody else needs it: reading them from there costs no measurable time.
const BUFFERS = ['-c', 'shared_buffers=16MB']

function startUnsynced(storage: Storage): Promise<PGlite> {
  const startParams = [...PGlite.defaultStartParams, ...BUFFERS]
  const options: PGliteOptions =
    'directory' in storage ? { dataDir: storage.directory } : buildImageOptions(storage.image)
  return PGlite.create({ extensions, startParams, ...options })
}

function buildImageOptions(image: ArrayBuffer | null): PGliteOptions {
  return image === null ? {} : { loadDataDir: new Blob([image]) }
}

async function startSynced(directory: string): Promise<PGlite> {
  // -F is `fsync = off`. Of the ways to sync the log only this one reaches the disk: the others are empty in WebAssembly.
  const waiting = PGlite.defaultStartParams.filter((param) => param !== '-F')
  const startParams = [...waiting, '-c', 'fsync=on', '-c', 'wal_sync_method=fsync', ...BUFFERS]
  const files = new SyncedFiles(directory)
  files.isSyncing = existsSync(join(directory, 'PG_VERSION'))
  const pglite = await PGlite.create({ extensions, fs: files, startParams })
  files.isSyncing = true
  return pglite
}
