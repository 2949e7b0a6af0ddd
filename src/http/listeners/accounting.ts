import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { type Tally, tallyStatements } from '../../database/statements.ts'
import { type Beginning, beginSpan, type Span } from '../../tracing/tracing.ts'
import type { ReadClientAddress } from './addresses.ts'
import type { Metrics } from './metrics.ts'

/** Records what requests cost: a log line for each, and metrics and a span where these are wanted. */
export interface Accounting {
  /** Runs the work of a request so that its statements are counted for it. */
  readonly run: (request: FastifyRequest, work: () => Promise<void>) => Promise<void>
  /** Called once the answer of a request is sent: logs and measures the request, and ends its span. */
  readonly answered: (request: FastifyRequest, reply: FastifyReply) => void
}

/** Creates the accounting of a listener; without metrics, requests are only logged and traced. */
export function createAccounting(log: Logger, metrics: Metrics | null, clientAddress: ReadClientAddress): Accounting {
  const tallies = new WeakMap<FastifyRequest, Tally>()
  const spans = new WeakMap<FastifyRequest, Span>()
  return {
    run(request, work) {
      const tally: Tally = { count: 0, milliseconds: 0 }
      tallies.set(request, tally)
      const span = beginSpan(() => beginningOf(request))
      if (!span) return tallyStatements(tally, work)
      spans.set(request, span)
      return span.run(() => tallyStatements(tally, work))
    },
    answered(request, reply) {
      const { count = 0, milliseconds = 0 } = tallies.get(request) ?? {}
      metrics?.observeRequest({
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: reply.statusCode,
        seconds: reply.elapsedTime / 1000,
        statements: count,
        databaseSeconds: milliseconds / 1000,
      })
      spans.get(request)?.end({ 'http.response.status_code': reply.statusCode }, reply.statusCode >= 500)
      log[isQuiet(request, reply) ? 'debug' : 'info'](
        {
          requestId: request.id,
          method: request.method,
          path: request.url.split('?', 1)[0],
          status: reply.statusCode,
          milliseconds: round(reply.elapsedTime),
          statements: count,
          databaseMilliseconds: round(milliseconds),
          address: clientAddress(request),
        },
        'request',
      )
    },
  }
}

/** What machines ask every few seconds is no event while all is well. */
function isQuiet({ routeOptions: { url = '' } }: FastifyRequest, { statusCode }: FastifyReply): boolean {
  return statusCode === 200 && PROBES.has(url)
}

const PROBES = new Set(['/livez', '/readyz'])

/** Yields what a span tells of a request: its route, not its path and query, which may contain what users wrote. */
function beginningOf(request: FastifyRequest): Beginning {
  const { method, id, headers, routeOptions } = request
  const facts = { 'http.request.method': method, 'http.route': routeOptions.url ?? '', 'millwright.request_id': id }
  const parent = typeof headers.traceparent === 'string' ? headers.traceparent : null
  return { name: `${method} ${routeOptions.url}`, kind: 'answers', facts, parent }
}

function round(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100
}
