import { getCompileCacheDir } from 'node:module'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import {
  ask,
  awaitAnswer,
  CLOSE,
  createMailbox,
  EXCHANGE,
  IMAGE,
  isWorking,
  markEnded,
  openMailbox,
  type Task,
} from './mailbox.ts'
import type { Storage } from './start-pglite.ts'

/** What the thread gets when it starts. */
export interface ThreadData {
  readonly memory: SharedArrayBuffer
  readonly storage: Storage
  readonly compileCache: string | undefined
}

/** The embedded database in a thread of its own. Every request to an ended one fails with ThreadEnded. */
export interface DatabaseThread {
  /**
   * Sends messages of PostgreSQL's protocol; requests are answered in order. The thread is ended when the answer takes
   * longer than the limit.
   */
  exchange(messages: Uint8Array, limitMs: number, onPart: (part: Buffer) => void): Promise<void>
  /** Yields an image of the data directory. */
  image(): Promise<Blob>
  close(): Promise<void>
  /** Ends the thread as a fault does. */
  end(why: string): Promise<void>
  /** Resolves with the reason once the thread has ended and writes nothing any more. */
  readonly ended: Promise<ThreadEnded>
}

/** The error of every request to a thread that has ended, with the reason of its end. */
export class ThreadEnded extends Error {
  override readonly name = 'ThreadEnded'
  /** The time limit of the statement because of which it was ended; null where it ended by itself. */
  readonly limitMs: number | null

  constructor(message: string, limitMs: number | null = null) {
    super(message)
    this.limitMs = limitMs
  }
}

/**
 * Opens the database of a storage in a new thread; an image is transferred to it. {@throws ThreadEnded} with the message of
 * PGlite when that fails
 */
export async function openThread(storage: Storage): Promise<DatabaseThread> {
  const memory = createMailbox()
  const box = openMailbox(memory)
  const workerData: ThreadData = { memory, storage, compileCache: getCompileCacheDir() }
  const transferList = 'image' in storage && storage.image ? [storage.image] : []
  // The thread gets neither the environment nor the arguments of the service.
  const alone = { env: {}, argv: [], execArgv: [] }
  const worker = new Worker(PROGRAM, { workerData, transferList, ...alone, resourceLimits: LIMITS })
  let reason: ThreadEnded | null = null
  const ended = new Promise<ThreadEnded>((resolve) => {
    worker.on('message', (text: string) => keepReason(new ThreadEnded(text)))
    worker.on('error', (error: Error) => keepReason(new ThreadEnded(error.message)))
    worker.on('exit', (code) => {
      resolve(keepReason(new ThreadEnded(`The thread of the database ended with ${code}`)))
      markEnded(box)
    })
  })
  let last: Promise<unknown> = Promise.resolve()
  if (!(await awaitAnswer(box))) throw await ended
  return {
    exchange: (messages, limitMs, onPart) => askInTurn(EXCHANGE, messages, limitMs, onPart),
    async image() {
      const parts: Buffer<ArrayBuffer>[] = []
      await askInTurn(IMAGE, NOTHING, Number.POSITIVE_INFINITY, (part) => parts.push(Buffer.from(part)))
      return new Blob(parts)
    },
    async close() {
      if (reason) return
      await askInTurn(CLOSE, NOTHING, Number.POSITIVE_INFINITY, () => undefined).catch(() => undefined)
      await ended
    },
    async end(why) {
      keepReason(new ThreadEnded(why))
      await worker.terminate()
    },
    ended,
  }

  function keepReason(first: ThreadEnded): ThreadEnded {
    reason ??= first
    return reason
  }

  /** Requests are sent one at a time, so that the time of each begins when the thread begins with it. */
  function askInTurn(task: Task, question: Uint8Array, limitMs: number, onPart: (part: Buffer) => void): Promise<void> {
    const turn = last.then(() => askThread(task, question, limitMs, onPart))
    last = turn.catch(() => undefined)
    return turn
  }

  async function askThread(task: Task, question: Uint8Array, limitMs: number, onPart: (part: Buffer) => void) {
    if (reason) throw await ended
    const watch = limitMs === Number.POSITIVE_INFINITY ? undefined : setInterval(endIfWorking, limitMs)
    try {
      if (!(await ask(box, task, question, onPart))) throw await ended
    } finally {
      clearInterval(watch)
    }

    /** Ends the thread unless its answer has arrived meanwhile, as when the service itself was busy for so long. */
    function endIfWorking(): void {
      if (!isWorking(box)) return
      keepReason(new ThreadEnded(`A statement ran longer than ${limitMs} ms`, limitMs))
      void worker.terminate()
    }
  }
}

/** The program of the thread beside this file, compiled or not like this one. */
const PROGRAM = new URL(`./pglite-thread${extname(fileURLToPath(import.meta.url))}`, import.meta.url)
/** Deep enough that PostgreSQL's own limit, which fails only the statement, is reached first. */
const LIMITS = { stackSizeMb: 128 }
const NOTHING = new Uint8Array(0)
