import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { type Tally, tallyStatements } from '../database/statements.ts'
import type { Metrics } from './metrics.ts'

/** Keeps count of what requests cost: one log line each, and metrics where they are served. */
export interface Accounting {
  /** Runs the work of a request so that its statements are counted for it. */
  readonly run: (request: FastifyRequest, work: () => Promise<void>) => Promise<void>
  readonly answered: (request: FastifyRequest, reply: FastifyReply) => void
}

export function createAccounting(log: Logger, metrics: Metrics | null): Accounting {
  const tallies = new WeakMap<FastifyRequest, Tally>()
  return {
    run(request, work) {
      const tally: Tally = { count: 0, milliseconds: 0 }
      tallies.set(request, tally)
      return tallyStatements(tally, work)
    },
    answered(request, reply) {
      const { count = 0, milliseconds = 0 } = tallies.get(request) ?? {}
      metrics?.countStatements(count)
      metrics?.observeRequest({
        method: request.method,
        route: request.routeOptions.url ?? null,
        status: reply.statusCode,
        seconds: reply.elapsedTime / 1000,
      })
      log.info(
        {
          requestId: request.id,
          method: request.method,
          path: request.url.split('?', 1)[0],
          status: reply.statusCode,
          milliseconds: round(reply.elapsedTime),
          statements: count,
          databaseMilliseconds: round(milliseconds),
          address: request.ip,
        },
        'request',
      )
    },
  }
}

function round(milliseconds: number): number {
  return Math.round(milliseconds * 100) / 100
}
