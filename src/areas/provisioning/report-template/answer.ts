import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Context } from '../../../context.ts'
import { type Answer, createStream } from '../../../requests/route.ts'
import { FORMATS } from './rows.ts'
import type { ReportWish, StoredTemplate } from './wish.ts'

/** So many pieces are waited for before the first is sent: what fails until then is an error with a status of its own. */
const AHEAD = 3

/** How a report is sent. */
export interface Sending {
  readonly gzip: boolean
  /** As one text of JSON, as those who fetch a report later expect it (newer-clients §2g). */
  readonly isQuoted: boolean
}

/** Answers with a report as a file: at once where it is small, otherwise while it is made. {@throws Failure} when it fails early */
export async function answerReport(
  ctx: Context,
  { name }: StoredTemplate,
  { format }: ReportWish,
  { gzip, isQuoted }: Sending,
  report: AsyncGenerator<string>,
): Promise<Answer> {
  const pieces = isQuoted ? quote(report) : report
  const first: string[] = []
  let isWhole = false
  while (!isWhole && first.length < AHEAD) {
    const { done, value } = await pieces.next()
    if (done) isWhole = true
    else first.push(value)
  }
  const headers = {
    'content-type': gzip ? 'application/gzip' : FORMATS[format].type,
    'content-disposition': `attachment; filename="${formatFileName(name, ctx.now())}.${format}${gzip ? '.gz' : ''}"`,
  }
  if (isWhole && !gzip) return { status: 200, headers, body: first.join('') }
  const all = yieldAll(first, pieces)
  return { status: 200, headers, stream: createStream(ctx, (signal) => (gzip ? compress(all, signal) : all)) }
}

/** Compresses pieces. When one fails, so does the compressed stream, whose reader gets the error. */
function compress(pieces: AsyncGenerator<string>, signal: AbortSignal): AsyncIterable<Uint8Array> {
  const gzip = createGzip()
  pipeline(Readable.from(pieces), gzip, { signal }).catch(() => undefined)
  return gzip
}

async function* yieldAll(first: readonly string[], rest: AsyncGenerator<string>): AsyncGenerator<string> {
  yield* first
  yield* rest
}

async function* quote(report: AsyncGenerator<string>): AsyncGenerator<string> {
  let before = '"'
  for await (const piece of report) {
    yield before + JSON.stringify(piece).slice(1, -1)
    before = ''
  }
  yield `${before}"`
}

function formatFileName(name: string, now: Date): string {
  return `${name.replace(/[^\w.-]+/g, '_')}-${now.toISOString().slice(0, 19).replace(/[T:]/g, '-')}`
}
