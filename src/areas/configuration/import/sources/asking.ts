import { createHash } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import { urlToHttpOptions } from 'node:url'
import { parseExact } from '../../../../database/exact.ts'
import {
  buildTimeoutTrouble,
  formatTrouble,
  type ProxyAnswer,
  type ProxyTransport,
  sendRequest,
  trustOf,
} from '../../../proxies/index.ts'
import { SourceError } from '../source.ts'

/** How a source is reached that speaks HTTP. */
export interface SourceTransport extends ProxyTransport {
  readonly url: string
}

/** More than this is no environment. */
const MOST_BYTES = 64 * 1024 * 1024
const NEVER = new AbortController().signal

/**
 * Gets a page below the URL. Statuses of 200, 304 and 404 are for the caller. {@throws SourceError} for all others, without
 * a word of what was answered: who may name a URL does not read by it what only this service reaches.
 */
export async function fetchPage(
  reached: SourceTransport,
  path: string,
  headers: Readonly<Record<string, string>> = {},
) {
  const answer = await get(reached, path, headers)
  if ([200, 304, 404, 501].includes(answer.status)) return answer
  const words = `${answer.status} ${STATUS_CODES[answer.status] ?? ''}`.trim()
  throw new SourceError(`${reached.url}/${path} answered ${words}`, { alone: true })
}

/** The body as JSON whose numbers stay as they were written. {@throws SourceError} */
export function parseJsonAnswer(answer: ProxyAnswer, { url }: SourceTransport): unknown {
  if (answer.isCut) throw new SourceError(`${url} answered more than ${MOST_BYTES} bytes`, { alone: true })
  try {
    return parseExact(answer.body.toString())
  } catch {
    // Without what the reader says: that names what it has read.
    throw new SourceError(`${url} answered no JSON; check that the URL is the one of a smart proxy`)
  }
}

/** A hash of what was read, and how. */
export function computeContentHash(kind: string, body: Buffer): string {
  return createHash('sha256').update(`${kind}\n`).update(body).digest('base64url')
}

async function get(
  { url, access, through, timeoutMs }: SourceTransport,
  path: string,
  headers: Readonly<Record<string, string>>,
) {
  const trust = url.startsWith('https:') ? trustOf(access.tls) : null
  if (trust === 'unreadable') throw new SourceError(formatTrouble({ reason: 'tls_settings' }))
  const end = await sendRequest({
    to: urlToHttpOptions(new URL(`${url}/${path}`)),
    trust,
    through,
    form: null,
    headers: { accept: 'application/json', ...headers },
    timeoutMs,
    signal: NEVER,
    onBody: () => {},
    mostBytes: MOST_BYTES,
  })
  if ('status' in end) return end
  throw new SourceError(
    `${url}: ${'trouble' in end ? formatTrouble(end.trouble) : formatTrouble(buildTimeoutTrouble(timeoutMs, true))}`,
  )
}
