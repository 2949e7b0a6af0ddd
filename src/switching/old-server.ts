import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../errors.ts'
import { parseRemembering } from '../lib/lossless-json.ts'
import { mapAtOnce } from '../lib/map-at-once.ts'
import { isMembers, type Members } from '../lib/values.ts'

/** How to reach the old server. */
export interface OldServerOptions {
  readonly url: string
  readonly authorization: string
  /** Trusted certificate authorities (PEM); null: the authorities of the machine. */
  readonly authority: string | null
  /** The most requests at once. */
  readonly connections: number
  /** How long an answer may take, in seconds. */
  readonly timeout: number
}

/** A record that the old server does not answer; the import goes on without it. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable'
}

/** Reads of the old server; it is never written to. */
export interface OldServer extends Disposable {
  /** Reads one path. {@throws Unreadable} what it refuses or answers wrongly {@throws Failure} when it cannot be reached */
  readonly get: (path: string, query?: Readonly<Record<string, string | number>>) => Promise<Members>
  /** Does work for each item, as many at once as there are connections, and yields the results in order. */
  readonly each: <Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>) => Promise<Result[]>
}

/** A busy server is asked so often; an answer that is wrong by itself is asked for less often. */
const TRIES = 6
const FEW_TRIES = 3
/** The pause before the second request; each later one is twice as long. */
const PAUSE_MS = 1000
/** An answer that took longer shows a busy server: the next request waits as long. */
const SLOW_MS = 5000

/** Opens the connection to the old server. Busy answers are tried again after a growing pause. */
export function openOldServer({ url, authorization, authority, connections, timeout }: OldServerOptions): OldServer {
  const isHttps = url.startsWith('https:')
  const shared = { keepAlive: true, maxSockets: connections }
  const agent = isHttps ? new HttpsAgent({ ...shared, ...(authority && { ca: authority }) }) : new HttpAgent(shared)
  const base = url.replace(/\/+$/, '')
  const send = (path: string) =>
    sendOnce(
      (isHttps ? requestHttps : requestHttp)(`${base}${path}`, {
        agent,
        headers: { authorization, accept: 'application/json' },
        timeout: timeout * 1000,
      }),
    )
  const isAnswering = () =>
    send('/api/status').then(
      () => true,
      () => false,
    )
  const get: OldServer['get'] = async (path, query = {}) => {
    const search = new URLSearchParams(
      Object.entries(query).map(([key, value]): [string, string] => [key, String(value)]),
    )
    const target = search.size > 0 ? `${path}?${search}` : path
    for (let tried = 1; ; tried++) {
      const started = performance.now()
      const answer = await send(target).catch((error: unknown) => describe(error))
      const verdict = 'trouble' in answer ? readTrouble(answer) : readVerdict(answer)
      const took = performance.now() - started
      if ('body' in verdict) {
        if (took > SLOW_MS) await sleep(Math.min(took, 60_000))
        return verdict.body
      }
      if ('refused' in verdict) throw new Unreadable(verdict.refused)
      if (tried >= verdict.tries) {
        // A server that answers other requests has a fault in this record.
        if ('trouble' in answer && !(await isAnswering()))
          throw new Failure('unavailable', `${base} cannot be reached: ${answer.trouble}`)
        throw new Unreadable(verdict.again)
      }
      await sleep(PAUSE_MS * 2 ** (tried - 1))
    }
  }
  return {
    get,
    each: (items, work) => mapAtOnce(items, connections, work),
    [Symbol.dispose]: () => agent.destroy(),
  }
}

interface Answered {
  readonly status: number
  readonly text: string
  readonly type: string
}

type Verdict =
  | { readonly body: Members }
  | { readonly again: string; readonly tries: number }
  | { readonly refused: string }

interface Trouble {
  readonly trouble: string
  /** Whether the server has begun to work on the request. */
  readonly wasSent: boolean
}

/** Judges a request without an answer: one that the server has is sent less often, because each takes its time. */
function readTrouble({ trouble, wasSent }: Trouble): { readonly again: string; readonly tries: number } {
  return { again: trouble, tries: wasSent ? FEW_TRIES : TRIES }
}

/** Judges an answer: a record, one to ask for again, or one that does not come. */
function readVerdict({ status, text, type }: Answered): Verdict {
  if (status === 429 || status >= 500)
    return { again: `it answers ${status}`, tries: status === 500 ? FEW_TRIES : TRIES }
  if (status === 401) throw new Failure('unauthenticated', 'the old server refuses this login')
  if (status !== 200) return { refused: `it answers ${status}${messageOf(text)}` }
  if (!/json/.test(type))
    return {
      again: `it answers a page (${type || 'no type'}) instead of a record: a proxy in front of it?`,
      tries: FEW_TRIES,
    }
  try {
    const body = parseRemembering(text)
    return isMembers(body) || Array.isArray(body) ? { body: body as Members } : { refused: 'it answers no record' } // both are looked at by key
  } catch {
    return { again: BREAKS_OFF, tries: FEW_TRIES }
  }
}

function messageOf(text: string): string {
  try {
    const body: unknown = JSON.parse(text)
    const error = isMembers(body) ? (body.error ?? body) : null
    const message = isMembers(error) ? (error.message ?? error.displayMessage) : null
    return typeof message === 'string' ? `: ${message.slice(0, 200)}` : ''
  } catch {
    return ''
  }
}

const NO_ANSWER = 'it does not answer in time'
const BREAKS_OFF = 'its answer breaks off'

function sendOnce(sent: ReturnType<typeof requestHttp>): Promise<Answered> {
  return new Promise((resolve, reject) => {
    sent.on('timeout', () => sent.destroy(new Error(NO_ANSWER)))
    sent.on('error', reject)
    sent.on('response', (response: IncomingMessage) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('error', () => reject(new Error(BREAKS_OFF)))
      response.on('end', () => {
        if (!response.complete) return reject(new Error(BREAKS_OFF))
        resolve({
          status: response.statusCode ?? 0,
          text: Buffer.concat(parts).toString('utf8'),
          type: String(response.headers['content-type'] ?? ''),
        })
      })
    })
    sent.end()
  })
}

function describe(error: unknown): Trouble {
  if (!(error instanceof Error)) return { trouble: String(error), wasSent: false }
  const trouble = error.message || ('code' in error ? String(error.code) : 'the connection broke')
  return { trouble, wasSent: [NO_ANSWER, BREAKS_OFF].includes(trouble) }
}
