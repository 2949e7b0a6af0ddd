import { z } from 'zod'
import type { Context } from '../../context.ts'
import { prefers } from '../../requests/prefer.ts'
import type { Answer, Input, Route } from '../../requests/route.ts'
import { type BatchOutcome, MOST_OPERATIONS, operation, outcomes, readChoices, readOperations } from './request.ts'
import { createFinder, type Find } from './routing.ts'
import { run } from './run.ts'
import { announceWrites, type BatchOptions, storeAll, storeEach, tryAll, type Work } from './storing.ts'

/** The most bytes of the body of a batch, where the configuration does not allow more to every request. */
const BODY_LIMIT = 16 * 1024 * 1024

/**
 * Builds the route for many writes in one transaction: all of them are stored or none. Each write counts as a request of its
 * own for permissions, scope, rules and audits, and sees what the writes before it have stored. With `atomic: false` each
 * write has a transaction of its own, and a refused one does not affect the others. With `dry_run: true` nothing is stored.
 */
export function batchRoute(routes: readonly Route[], options: BatchOptions): Route {
  // The router is built for the first batch only, because that takes as long as building all routes of the listener.
  let router: Find | undefined
  const find: Find = (method, path) => {
    router ??= createFinder(routes.filter((route) => route.method !== 'GET'))
    return router(method, path)
  }
  return {
    method: 'POST',
    path: '/api/batch',
    id: 'batch.create',
    group: 'batch',
    summary: 'Do many writes at once: all of them or none, or all that can be done',
    notInBatch: true,
    access: { kind: 'login' },
    bodyLimit: BODY_LIMIT,
    body: z.object({
      operations: z.array(operation).meta({ description: `At most ${MOST_OPERATIONS}, done in this order.` }),
      atomic: z.boolean().optional().meta({
        description: 'False: what is refused is left out, and the rest is stored. True, as without it: all or none.',
      }),
      dry_run: z.boolean().optional().meta({
        description:
          'True: nothing is stored; the results say what each operation would have got, after those before it.',
      }),
    }),
    answers: {
      200: z.object({ results: outcomes }),
      422: z.object({
        error: z
          .object({ message: z.string().meta({ description: 'Number of failed operations.' }) })
          .meta({ description: 'What failed, in one sentence.' }),
        results: outcomes,
      }),
    },
    handle: (ctx, input) => runBatch(ctx, input, find, options),
  }
}

function shorten(result: BatchOutcome, minimal: boolean): BatchOutcome {
  return minimal && result.status < 400 ? { status: result.status } : result
}

async function runBatch(ctx: Context, input: Input, find: Find, options: BatchOptions): Promise<Answer> {
  const operations = readOperations(input.body)
  const { isAtomic, isDryRun } = readChoices(input.body)
  const written = new Map<string, Route>()
  const minimal = prefers(input, 'return=minimal')
  const headers = input.headers ?? {}
  const work: Work = {
    operations,
    registry: options.registry,
    run: (tx, one, reading) => {
      const whole = { headers, ...(minimal ? { reading: null } : reading && { reading }) }
      return run(tx, one, find, options.registry, whole, written, reading !== undefined)
    },
    // What changes somebody's rights may change those with which the next transaction of the batch begins.
    afterEach: async () => {
      for (const route of written.values()) if (route.invalidates === 'identities') await options.afterWrite(route)
    },
    shorten: (result) => shorten(result, minimal),
  }
  const applied = minimal ? { headers: { 'preference-applied': 'return=minimal' } } : {}
  if (isDryRun) return { status: 200, body: { results: await tryAll(ctx, work) }, ...applied }
  const { results, failures } = await (isAtomic ? storeAll(ctx, work) : storeEach(ctx, work))
  if (isAtomic && failures > 0) {
    const rest = operations.length - results.length
    const message = `Nothing was stored: ${failures} of ${operations.length} operations failed${rest > 0 ? `, and ${rest} were not tried` : ''}`
    return { status: 422, body: { error: { message }, results } }
  }
  await announceWrites(ctx, [...written.values()], results.length, options)
  return { status: 200, body: { results }, ...applied }
}
