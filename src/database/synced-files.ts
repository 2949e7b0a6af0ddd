import { fsyncSync } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

type Start = Awaited<ReturnType<NodeFS['init']>>['emscriptenOpts']

/** What Emscripten's file system of Node has, as far as it is needed here: its types do not name it. */
interface NodeFiles {
  readonly stream_ops: { fsync?: (stream: { readonly nfd: number }) => number }
  readonly tryFSOperation: <Result>(operation: () => Result) => Result
}

/** The files of an embedded database. Where PostgreSQL syncs one, the disk has it afterwards; in PGlite's own nothing happens. */
export class SyncedFiles extends NodeFS {
  /** Off while a new database is made, which is synced as a whole afterwards. */
  isSyncing = true

  override async init(pglite: PGlite, options: Start): Promise<{ emscriptenOpts: Start }> {
    const { emscriptenOpts } = await super.init(pglite, options)
    const letSync = (started: object) => {
      const { NODEFS: files } = started as { NODEFS: NodeFiles } // what `NodeFS` mounts
      files.stream_ops.fsync = ({ nfd }) => {
        if (this.isSyncing) files.tryFSOperation(() => fsyncSync(nfd))
        return 0
      }
    }
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), letSync] } }
  }
}

/**
 * Has the disk take a directory with everything in it, for what was made or copied without waiting for it. No file that this
 * process has locked may lie there: closing it, however it was opened, gives up the lock.
 */
export async function syncDirectory(path: string): Promise<void> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  const paths = [dirname(path), path, ...entries.map(({ parentPath, name }) => join(parentPath, name))]
  for (let at = 0; at < paths.length; at += AT_A_TIME) await Promise.all(paths.slice(at, at + AT_A_TIME).map(syncOne))
}

const AT_A_TIME = 64

async function syncOne(path: string): Promise<void> {
  try {
    await using file = await open(path, 'r')
    await file.sync()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    const isKept = process.platform === 'win32' && (code === 'EISDIR' || code === 'EPERM') // Windows opens no directories
    if (code !== 'ENOENT' && !isKept) throw error
  }
}
