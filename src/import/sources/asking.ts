import { createHash } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import { urlToHttpOptions } from 'node:url'
import { parseExact } from '../../database/exact.ts'
import type { Reach } from '../../proxies/reach.ts'
import { sentence, timedOut } from '../../runs/runners/outcomes.ts'
import { type Answer, exchange } from '../../runs/runners/proxy-request.ts'
import { trustOf } from '../../runs/runners/proxy-trust.ts'
import { SourceError } from '../source.ts'

/** How a source is reached that speaks HTTP. */
export interface Reached extends Reach {
  readonly url: string
}

/** More than this is no environment. */
const MOST_BYTES = 64 * 1024 * 1024
const NEVER = new AbortController().signal

/** Gets a page below the URL. Statuses of 200, 304 and 404 are for the caller. {@throws SourceError} for all others */
export async function ask(reached: Reached, path: string, headers: Readonly<Record<string, string>> = {}) {
  const answer = await get(reached, path, headers)
  if ([200, 304, 404, 501].includes(answer.status)) return answer
  const said = answer.body
    .toString()
    .slice(0, 200)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  const words = [`${answer.status} ${answer.phrase || STATUS_CODES[answer.status] || ''}`.trim(), said]
  throw new SourceError(`${reached.url}/${path} answered ${words.filter(Boolean).join(': ')}`, { alone: true })
}

/** The body as JSON whose numbers stay as they were written. {@throws SourceError} */
export function jsonOf(answer: Answer, { url }: Reached): unknown {
  if (answer.isCut) throw new SourceError(`${url} answered more than ${MOST_BYTES} bytes`, { alone: true })
  try {
    return parseExact(answer.body.toString())
  } catch (cause) {
    throw new SourceError(`${url} answered no JSON; check that the URL is the one of a smart proxy`, { cause })
  }
}

/** A hash of what was read, and how. */
export function hashOf(kind: string, body: Buffer): string {
  return createHash('sha256').update(`${kind}\n`).update(body).digest('base64url')
}

async function get(
  { url, access, through, timeoutMs }: Reached,
  path: string,
  headers: Readonly<Record<string, string>>,
) {
  const trust = url.startsWith('https:') ? trustOf(access.tls) : null
  if (trust === 'unreadable') throw new SourceError(sentence({ reason: 'tls_settings' }))
  const end = await exchange({
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
  throw new SourceError(`${url}: ${'trouble' in end ? sentence(end.trouble) : sentence(timedOut(timeoutMs, true))}`)
}
