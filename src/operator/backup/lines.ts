import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { createGunzip, createGzip, type Gzip } from 'node:zlib'
import { z } from 'zod'
import { Failure } from '../../errors.ts'
import { SEALED } from './sealed.ts'

/**
 * A backup consists of compressed lines of JSON: a header, then for each table a line that names it and one for each row,
 * and a last line with the state of the sequences and the checksum of all lines before it.
 */
export const HEADER = z.strictObject({
  format: z.literal('millwright backup 1'),
  version: z.string(),
  madeAt: z.string(),
  /** Former versions had an engine of another kind, and wrote its name here. */
  kind: z.string(),
  migrations: z.array(z.strictObject({ number: z.int(), name: z.string(), checksum: z.string() })),
  /** The file of encryption keys, sealed with a passphrase; null where it was left out. */
  keys: SEALED.nullable(),
})

/** The line before the rows of a table: its columns in the order of the values, and its primary key. */
export const TABLE = z.strictObject({
  table: z.string(),
  columns: z.array(z.strictObject({ name: z.string(), type: z.string() })),
  key: z.array(z.string()),
})

/** The number of rows of a table, and the checksum of their lines. */
const TOTAL = z.strictObject({ rows: z.int(), sha256: z.string() })

/** The last line: the state of the sequences, and the checksums of everything before. */
export const END = z.strictObject({
  sequences: z.array(z.strictObject({ name: z.string(), value: z.string(), isUsed: z.boolean() })),
  totals: z.record(z.string(), TOTAL),
  /** Checksums of answers by path; earlier versions wrote none. */
  answers: z.record(z.string(), z.string()).default({}),
  sha256: z.string(),
})

/** The first line of a backup. */
export type Header = z.infer<typeof HEADER>

/** The number of rows and the checksum of each table. */
export type Totals = z.infer<typeof END>['totals']

/** Writes lines one after another, and waits for a slower reader. */
export interface LineWriter {
  write(lines: readonly string[]): Promise<void>
  /** Yields the checksum of all lines so far. */
  sha256(): string
  end(): void
  fail(error: unknown): void
  readonly bytes: AsyncIterable<Uint8Array>
}

/** Creates a writer of compressed lines, whose checksum is that of the text before compression. */
export function createLineWriter(): LineWriter {
  const gzip: Gzip = createGzip({ level: 5 })
  const hash = createHash('sha256')
  const failed = Promise.withResolvers<never>()
  failed.promise.catch(() => undefined) // nobody may be waiting at that moment
  gzip.on('error', failed.reject)
  gzip.on('close', () => failed.reject(new Error('Nobody reads the backup any more')))
  return {
    async write(lines) {
      const text = lines.map((line) => `${line}\n`).join('')
      hash.update(text)
      if (gzip.destroyed) await failed.promise
      if (!gzip.write(text)) await Promise.race([once(gzip, 'drain'), failed.promise])
    },
    sha256: () => hash.copy().digest('hex'),
    end: () => void gzip.end(),
    fail: (error) => void gzip.destroy(error instanceof Error ? error : new Error(String(error))),
    bytes: gzip,
  }
}

/** A line with the checksum of those before it. */
export interface Line {
  readonly text: string
  readonly before: () => string
}

/**
 * The most characters of a line: PostgreSQL takes no row of more bytes from one JSON. The default limits of requests allow a
 * quarter of it, for the audit of a change by a batch: the value before and the one after, with two characters for each quote.
 */
const LONGEST = 268_435_455

/** Reads the lines of a backup. {@throws Failure} when it is not a backup, ends too early, or was changed */
export async function* readLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Line> {
  const hash = createHash('sha256')
  const decoder = new TextDecoder('utf-8')
  let rest: string[] = []
  let characters = 0
  const source = Readable.from(bytes)
  try {
    const gunzip = createGunzip()
    source.on('error', (error) => gunzip.destroy(error))
    for await (const part of source.pipe(gunzip)) {
      const pieces = decoder.decode(part, { stream: true }).split('\n')
      for (const [at, piece] of pieces.entries()) {
        rest.push(piece)
        characters += piece.length
        if (characters > LONGEST) throw tooLong()
        if (at === pieces.length - 1) continue
        const text = rest.join('')
        rest = []
        characters = 0
        yield { text, before: () => hash.copy().digest('hex') }
        hash.update(`${text}\n`)
      }
    }
  } catch (cause) {
    throw readFailure(cause)
  } finally {
    source.destroy() // what was not read to its end would stay open
  }
  if (rest.some((piece) => piece !== '')) throw truncated()
}

function tooLong(): Failure {
  const message = `The backup has a line of more than ${LONGEST} characters, which no row can have`
  return new Failure('unavailable', `${message}: it is not as it was made, so take another copy of it`)
}

/** Builds the error for a backup that ends too early. */
export function truncated(): Failure {
  return new Failure('unavailable', 'The backup ends before its end: it is cut off, so take another copy of it')
}

/** Builds the error for a backup whose checksum is not that of its content. */
export function changed(cause?: unknown): Failure {
  const message = 'The backup is not as it was made: its checksum differs, so take another copy of it'
  return new Failure('unavailable', message, {}, { cause })
}

/** Builds the error for a file that is no backup of this program. */
export function notABackup(cause?: unknown): Failure {
  return new Failure('unavailable', 'This is no backup that this program has made', {}, { cause })
}

function readFailure(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'Z_BUF_ERROR') return truncated()
  if (!code.startsWith('Z_')) return error
  return error instanceof Error && error.message === 'incorrect header check' ? notABackup(error) : changed(error)
}
