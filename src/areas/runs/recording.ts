import type { Logger } from 'pino'
import type { Db } from '../../database/sql.ts'
import { type OutputChange, openOutput } from './output.ts'
import type { OutputSize } from './queue.ts'
import type { RunStream } from './runners/runner.ts'
import { loadLastNumber, storeOutput } from './stored-output.ts'

/** Stores the output of a run as it comes. */
export interface Recording {
  readonly write: (stream: RunStream, chunk: Uint8Array | string) => void
  /** Stops storing; output that comes later is part of `rest`. */
  stop(): Promise<void>
  /** Yields what is not stored yet; every call yields it again until somebody has stored it. */
  rest(): OutputChange | null
  printed(): OutputSize
}

/** Output is stored so many milliseconds after it came, or at once when so many bytes are waiting. */
const FLUSH_MS = 250
const FLUSH_BYTES = 32 * 1024
/** Milliseconds between attempts while the database is away. */
const RETRY_MS = 1000

/**
 * Starts to store output as it comes, numbered after the pieces of earlier attempts. What could not be stored is kept
 * for the next attempt.
 */
export async function startRecording(db: Db, runId: number, log: Logger): Promise<Recording> {
  const output = openOutput({ after: await loadLastNumber(db, runId) })
  let size = 0
  let waiting = 0
  let unstored: OutputChange | null = null
  let storing: Promise<void> | null = null
  let timer: NodeJS.Timeout | null = null
  let stopped = false

  function write(stream: RunStream, chunk: Uint8Array | string): void {
    const bytes = typeof chunk === 'string' ? Buffer.byteLength(chunk) : chunk.length
    output.push(stream, chunk)
    size += bytes
    waiting += bytes
    if (waiting >= FLUSH_BYTES) flush()
    else flushIn(FLUSH_MS)
  }

  function flushIn(milliseconds: number): void {
    if (!stopped) timer ??= setTimeout(flush, milliseconds)
  }

  function flush(): void {
    if (storing || stopped) return // waiting output is stored after the present write, or at the end
    if (timer) clearTimeout(timer)
    timer = null
    storing = store().then((stored) => {
      storing = null
      if (!stored) flushIn(RETRY_MS)
      else if (waiting > 0) flushIn(FLUSH_MS)
    })
  }

  async function store(): Promise<boolean> {
    waiting = 0
    unstored = mergeChanges(unstored, output.take())
    try {
      await storeOutput(db, runId, unstored)
      unstored = null
      return true
    } catch (err) {
      log.warn({ err }, 'output of a configuration run could not be stored yet')
      return false
    }
  }

  return {
    write,
    async stop() {
      stopped = true
      if (timer) clearTimeout(timer)
      await storing
    },
    rest() {
      unstored = mergeChanges(unstored, output.end())
      return unstored
    },
    printed: () => ({ size, leftOut: output.leftOut() }),
  }
}

/** Merges two successive changes into one. */
function mergeChanges(first: OutputChange | null, second: OutputChange | null): OutputChange | null {
  if (first === null || second === null) return first ?? second
  const gone = second.gone ?? first.gone // the range of deleted pieces only grows
  const isGone = (number: number) => gone !== null && number >= gone.from && number <= gone.to
  const pieces = new Map([...first.pieces, ...second.pieces].map((piece) => [piece.number, piece]))
  return { pieces: [...pieces.values()].filter(({ number }) => !isGone(number)), gone }
}
