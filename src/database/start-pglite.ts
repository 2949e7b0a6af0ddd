import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'

/** What an embedded database starts from: a directory, or memory filled with an image that `dumpDataDir` made. */
export type Storage = { readonly directory: string } | { readonly image: ArrayBuffer | null }

/** Starts PostgreSQL in this thread, and creates a new database when the storage is empty. */
export async function startPglite(storage: Storage): Promise<PGlite> {
  const extensions = { pg_trgm }
  const pglite = await PGlite.create({ extensions, ...placeOf(storage) })
  await pglite.exec(
    `set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres'; set hash_mem_multiplier = 8`,
  )
  return pglite
}

function placeOf(storage: Storage): PGliteOptions {
  if ('directory' in storage) return { dataDir: storage.directory }
  return storage.image === null ? {} : { loadDataDir: new Blob([storage.image]) }
}
