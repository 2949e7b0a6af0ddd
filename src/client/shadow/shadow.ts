import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import type { Target } from '../commands/contexts.ts'
import { ask } from '../request.ts'
import { compareBodies, type Difference } from './compare.ts'
import type { Comparison } from './comparison.ts'
import { createIdentities } from './identities.ts'
import type { Answered } from './proxy.ts'
import { parseRoute, type Read, type Route, translateRoute } from './requests.ts'

/** How many requests are compared at a time, and how many wait at most: more are counted as not compared. */
const AT_ONCE = 2
const MOST_WAITING = 500

/** Where requests are compared with. */
export interface ShadowOptions {
  readonly upstream: Target
  readonly here: Target
  /** Whether `here` has its own login; otherwise requests to it carry the login of the client. */
  readonly hasLogin: boolean
  readonly comparison: Comparison
  /** Whether clients wait for an answer: comparisons give way to them. */
  readonly isBusy: () => boolean
}

/** How long a comparison gives way at most, and how often it looks. */
const GIVE_WAY_MS = { most: 100, step: 5 }

/** Creates a function that sends an answered request to this server too, and compares both answers. Resolves in `idle` when none is left. */
export function createShadow({ upstream, here, hasLogin, comparison, isBusy }: ShadowOptions) {
  const identities = createIdentities()
  const waiting: Answered[] = []
  let running = 0
  let awaitIdle: (() => void)[] = []
  return {
    compare(answered: Answered): void {
      if (waiting.length < MOST_WAITING) waiting.push(answered)
      else comparison.skip('too many at once')
      void work()
    },
    idle: () => new Promise<void>((resolve) => (running + waiting.length === 0 ? resolve() : awaitIdle.push(resolve))),
  }

  async function work(): Promise<void> {
    if (running >= AT_ONCE) return
    running++
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { method, url } = next
      for (let waited = 0; isBusy() && waited < GIVE_WAY_MS.most; waited += GIVE_WAY_MS.step)
        await sleep(GIVE_WAY_MS.step)
      await compareOne(next).catch((error: unknown) => {
        comparison.skip(
          `${method} ${parseRoute(url)?.pattern ?? ''}: ${error instanceof Error ? error.message : String(error)}`,
        )
      })
    }
    running--
    if (running > 0) return
    for (const resolve of awaitIdle) resolve()
    awaitIdle = []
  }

  async function compareOne(answered: Answered): Promise<void> {
    const route = parseRoute(answered.url)
    if (!route) return
    if (answered.body === null || answered.sent === null) return comparison.skip('too long')
    const authorization = answered.headers.authorization
    if (!hasLogin && authorization === undefined)
      return comparison.skip('the client has no login that this server could check')
    const text = unpackBody(answered.body, answered.encoding)
    const theirs = parse(text, answered.type)
    if (answered.status < 400) identities.learnBody('upstream', route.kind, theirs)
    const credentials: Record<string, string> = authorization === undefined || hasLogin ? {} : { authorization }
    const read: Read = async (side, path) => {
      const target = side === 'here' ? here : upstream
      const headers = side === 'here' ? credentials : { ...(authorization !== undefined && { authorization }) }
      const reply = await ask(target, { method: 'GET', path, headers, accepts: 'application/json' })
      return reply.status < 400 ? reply.body : null
    }
    const translated = await translateRoute(route, identities, read)
    if ('reason' in translated) return comparison.skip(translated.reason)
    const sent = parseText(answered.sent.toString('utf8') || '{}')
    if (sent === undefined) return comparison.skip('a body that is not JSON')
    const start = performance.now()
    const reply = await ask(here, {
      method: 'GET',
      path: translated.path,
      accepts: answered.headers.accept ?? '*/*',
      headers: { ...credentials, ...versionOf(answered) },
      ...(answered.sent.length > 0 && { body: sent }),
    })
    const times = { upstream: answered.milliseconds, here: performance.now() - start }
    const ours = parse(reply.text, reply.type)
    if (reply.status < 400) identities.learnBody('here', route.kind, ours)
    const differences = compareAnswers(route, { status: answered.status, body: theirs, text }, { ...reply, body: ours })
    comparison.add({ pattern: route.pattern, client: clientOf(answered), differences, times })
  }

  function compareAnswers(route: Route, theirs: Compared, ours: Compared): readonly Difference[] {
    if (theirs.status !== ours.status) {
      return [{ kind: 'status', path: '', upstream: String(theirs.status), here: String(ours.status) }]
    }
    if (theirs.status >= 400) return []
    if (theirs.body !== undefined && ours.body !== undefined) {
      return compareBodies(theirs.body, ours.body, { kind: route.kind, identities, ignored: comparison.ignore })
    }
    if (theirs.text === ours.text) return []
    return [
      {
        kind: 'text',
        path: '',
        upstream: `${theirs.text.length} characters`,
        here: `${ours.text.length} characters`,
      },
    ]
  }
}

interface Compared {
  readonly status: number
  readonly body: unknown
  readonly text: string
}

/** The version that a request asks for in a header. */
function versionOf({ headers }: Answered): Record<string, string> {
  const version = headers['foreman-api-version']
  return typeof version === 'string' ? { 'foreman-api-version': version } : {}
}

/** Names the program that asked: its own words up to the first bracket. */
function clientOf({ headers }: Answered): string {
  return (headers['user-agent'] ?? 'unknown').split('(')[0]?.trim().slice(0, 60) || 'unknown'
}

function parse(text: string, type: string): unknown {
  return /\bjson\b/.test(type) ? parseText(text) : undefined
}

/** Parses JSON; undefined where a text is none. An error of the parser would quote the text, which may hold secrets. */
function parseText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const DECODERS: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
}

function unpackBody(body: Buffer, encoding: string): string {
  return (DECODERS[encoding]?.(body) ?? body).toString('utf8')
}
