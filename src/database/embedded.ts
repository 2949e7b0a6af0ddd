import { AsyncLocalStorage } from 'node:async_hooks'
import { Failure } from '../errors.ts'
import type { Database, DatabaseConfig } from './connect.ts'
import { openHandle } from './handle.ts'
import { lockDirectory } from './lock.ts'
import { pgliteDialect, startPglite } from './pglite.ts'
import { ping } from './sql.ts'
import type { Run } from './statements.ts'
import { preparedDirectory } from './template.ts'

/** Opens the embedded database: PostgreSQL in this process, in a locked directory or in memory. */
export async function connectEmbedded(config: DatabaseConfig, observe: (run: Run) => Run): Promise<Database> {
  const { pglite, release } = await (config.dataDir === 'memory' ? inMemory(config.image) : inDirectory(config.dataDir))
  const db = await openHandle(pgliteDialect(pglite, observe), 'one')
  return {
    kind: 'pglite',
    db,
    async listen(channel, onMessage) {
      // Messages arrive while the sender still holds its connection; they are handed on outside of its context.
      const outside = AsyncLocalStorage.snapshot()
      await pglite.listen(channel, (payload) => outside(() => setImmediate(onMessage, payload)))
    },
    ping: () => ping(db),
    connections: () => ({ total: 1, idle: 0, waiting: 0 }),
    image: () => pglite.dumpDataDir('none'),
    async [Symbol.asyncDispose]() {
      await db.destroy()
      release()
    },
  }
}

async function inMemory(image: Blob | undefined) {
  return { pglite: await startPglite({ image: image ?? null }), release: () => undefined }
}

async function inDirectory(dataDir: string) {
  const lock = await lockDirectory(dataDir)
  try {
    const { directory, finish } = await preparedDirectory(dataDir)
    const pglite = await startPglite({ directory })
    await finish()
    return { pglite, release: () => lock[Symbol.dispose]() }
  } catch (cause) {
    lock[Symbol.dispose]()
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Failure('unavailable', `The database in ${dataDir} cannot be started: ${reason}`, {}, { cause })
  }
}
