import { enableCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import type { PGlite } from '@electric-sql/pglite'
import type { ThreadData } from './thread.ts'

// The program of the thread that runs the embedded database. It communicates through the mailbox only.
const { memory, storage, compileCache } = workerData as ThreadData // what `openThread` passes
if (compileCache) enableCompileCache(compileCache)
const { answerQuestions, EXCHANGE, IMAGE, openMailbox } = await import('./mailbox.ts')
const { startPglite } = await import('./start-pglite.ts')
const { toPgliteError } = await import('./pglite-errors.ts')

/** PGlite's POSTGRES_MAIN_LONGJMP. */
const STATEMENT_FAILED = 100

const pglite = await startPglite(storage)
endAtFault(pglite)

await answerQuestions(openMailbox(memory), async (task, question, write) => {
  if (task === EXCHANGE) return exchange(question, write)
  if (task === IMAGE) return write(new Uint8Array(await (await pglite.dumpDataDir('none')).arrayBuffer()))
  await pglite.close()
  process.exit(0)
})

/**
 * Answers one exchange. Files are written by PostgreSQL itself, so that there is no file system to synchronize afterwards.
 */
function exchange(question: Buffer, write: (bytes: Uint8Array) => void): void {
  void pglite.execProtocolRawStream(question, { syncToFs: false, onRawData: write })
}

/**
 * Ends the thread after a fault of PGlite itself. A failed statement leaves PostgreSQL with STATEMENT_FAILED and in a sound
 * state; after anything else (out of memory, a fault in its code) the state is unknown, so the thread ends and is replaced.
 */
function endAtFault({ Module: postgres }: PGlite): void {
  const once = postgres._PostgresMainLoopOnce
  postgres._PostgresMainLoopOnce = () => {
    try {
      once()
    } catch (error) {
      if (error instanceof Object && 'status' in error && error.status === STATEMENT_FAILED) throw error
      const { name, message } = toPgliteError(error)
      parentPort?.postMessage(`${name}: ${message}`)
      process.exit(1)
    }
  }
}
