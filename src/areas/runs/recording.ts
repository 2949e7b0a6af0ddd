import type { Logger } from 'pino'
import type { Db } from '../../database/sql.ts'
import { type OutputChange, openOutput } from './output.ts'
import type { Printed } from './queue.ts'
import type { RunStream } from './runners/runner.ts'
import { loadLastNumber, storeOutput } from './stored-output.ts'

/** The output of a run on its way into the database. */
export interface Recording {
  readonly write: (stream: RunStream, chunk: Uint8Array | string) => void
  /** Stores nothing more by itself; what is written from now on is part of the rest. */
  stop(): Promise<void>
  /** What is not stored yet; the same again until somebody has stored it. */
  rest(): OutputChange | null
  printed(): Printed
}

/** Output is stored when so much time has passed since it was stored last, or when so much of it waits. */
const FLUSH_MS = 250
const FLUSH_BYTES = 32 * 1024
/** How long to wait for a database that is away. */
const RETRY_MS = 1000

/** Stores output while it comes, after what earlier attempts have printed. What could not be stored is kept for the next time. */
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
    if (storing || stopped) return // what waits is stored once this is done, or at the end
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
    unstored = merged(unstored, output.take())
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
      unstored = merged(unstored, output.end())
      return unstored
    },
    printed: () => ({ size, leftOut: output.leftOut() }),
  }
}

/** Two changes, one after the other, as one. */
function merged(first: OutputChange | null, second: OutputChange | null): OutputChange | null {
  if (first === null || second === null) return first ?? second
  const gone = second.gone ?? first.gone // what is left out only grows
  const isGone = (number: number) => gone !== null && number >= gone.from && number <= gone.to
  const pieces = new Map([...first.pieces, ...second.pieces].map((piece) => [piece.number, piece]))
  return { pieces: [...pieces.values()].filter(({ number }) => !isGone(number)), gone }
}
