import { z } from 'zod'
import { withoutScope } from '../context.ts'
import { Failure } from '../errors.ts'
import type { Registry } from '../kernel/index.ts'
import { computeOnce } from '../lib/lazy.ts'
import type { Route } from '../requests/route.ts'

/** Builds `POST /api/sample`, which does what `millwright sample` does. `routes` has the routes of the records. */
export function sampleRoute(registry: Registry, routes: readonly Route[]): Route {
  const findRoutes = computeOnce(() => new Map(routes.map((route) => [route.id, route])))
  return {
    method: 'POST',
    path: '/api/sample',
    id: 'sample.create',
    group: 'service',
    summary: 'Load sample data: a company with 300 hosts. Administrators only',
    access: { kind: 'login', unlimited: true },
    notInBatch: true,
    invalidates: 'identities',
    answers: { 200: sampled },
    handle: async (ctx) => {
      if (!ctx.user.admin) throw new Failure('denied', 'Only an administrator may load sample data')
      const { loadAlone } = await import('../switching/operation.ts')
      const working = { ctx: withoutScope(ctx), registry, routes: findRoutes() }
      return { status: 200, body: await loadAlone(working) }
    },
  }
}

const sampled = z.object({
  created: z.int().meta({ description: 'Number of created records.' }),
  left: z.int().meta({ description: 'Number of records of the sample that were here already.' }),
})
