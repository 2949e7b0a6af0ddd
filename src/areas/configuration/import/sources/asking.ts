import { createHash } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import { urlToHttpOptions } from 'node:url'
import { parseExact } from '../../../../lib/lossless-json.ts'
import {
  buildTimeoutTrouble,
  formatTrouble,
  type ProxyAnswer,
  type ProxyTransport,
  sendRequest,
  trustOf,
} from '../../../proxies/index.ts'
import { SourceError } from '../source.ts'

/** How to reach a source by HTTP. */
export interface SourceTransport extends ProxyTransport {
  readonly url: string
}

/** The most bytes of an answer that are read. */
const MOST_BYTES = 64 * 1024 * 1024
const NEVER = new AbortController().signal

/**
 * Fetches a page below the URL, with status 200, 304, 404 or 501. {@throws SourceError} for other statuses, without the
 * text of the answer: whoever may write URLs must not read in errors what only this service reaches
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

/** Parses a body as JSON with exact numbers. {@throws SourceError} */
export function parseJsonAnswer(answer: ProxyAnswer, { url }: SourceTransport): unknown {
  if (answer.isCut) throw new SourceError(`${url} answered more than ${MOST_BYTES} bytes`, { alone: true })
  try {
    return parseExact(answer.body.toString())
  } catch {
    // The error of the parser quotes the answer, so that it is not passed on.
    throw new SourceError(`${url} answered no JSON; check that the URL is the one of a smart proxy`)
  }
}

/** Computes a digest of a body and of the kind of request that it answers. */
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
  if ('status' in end) {
    access.contacts.succeeded(url)
    return end
  }
  const reason = formatTrouble('trouble' in end ? end.trouble : buildTimeoutTrouble(timeoutMs, true))
  access.contacts.failed(url, reason)
  throw new SourceError(`${url}: ${reason}`)
}
