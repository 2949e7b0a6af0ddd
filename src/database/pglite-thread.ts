import { enableCompileCache } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import type { PGlite } from '@electric-sql/pglite'
import type { ThreadData } from './thread.ts'

// The program of the thread that runs the embedded database. It answers through the mailbox alone.
const { memory, storage, compileCache } = workerData as ThreadData // what `openThread` gives
if (compileCache) enableCompileCache(compileCache)
const { answerQuestions, EXCHANGE, IMAGE, openMailbox } = await import('./mailbox.ts')
const { startPglite } = await import('./start-pglite.ts')

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

/** The directory is written as PostgreSQL does it, so there is nothing to bring to a file system afterwards. */
function exchange(question: Buffer, write: (bytes: Uint8Array) => void): void {
  void pglite.execProtocolRawStream(question, { syncToFs: false, onRawData: write })
}

/**
 * PGlite goes on after whatever was thrown. An error of a statement leaves PostgreSQL by the one status below, and it is
 * sound then; after anything else (out of memory, a fault in its code) nobody knows, so the thread ends and is replaced.
 */
function endAtFault({ Module: postgres }: PGlite): void {
  const once = postgres._PostgresMainLoopOnce
  postgres._PostgresMainLoopOnce = () => {
    try {
      once()
    } catch (error) {
      if (error instanceof Object && 'status' in error && error.status === STATEMENT_FAILED) throw error
      parentPort?.postMessage(error instanceof Error ? `${error.name}: ${error.message}` : String(error))
      process.exit(1)
    }
  }
}
