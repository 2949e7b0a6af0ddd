import type { Context } from '../../../context.ts'
import { invalid, notFound } from '../../../errors.ts'
import { type Action, type Resource, readBack, resolveParents, selectRecord } from '../../../kernel/index.ts'
import type { Input } from '../../../requests/route.ts'
import { readIdSegment } from '../../../requests/sent.ts'
import { cancelRun } from '../queue.ts'
import { limitToRunsOfRunnable, RUN_PERMISSION } from './running.ts'

/** Cancels a queued run at once; a running one is stopped by its worker soon after. */
export const cancel: Action = {
  method: 'PUT',
  path: '/:id/cancel',
  name: 'cancel',
  summary: 'Cancel a configuration run',
  permissions: [RUN_PERMISSION],
  handle: async (ctx, resource, input) => {
    const id = await findCancellable(ctx, resource, input)
    const became = await cancelRun(ctx.db, id, ctx.user.login)
    if (became === undefined) throw notFound(resource.name, id)
    const run = await readBack(ctx, resource, id)
    if (became === 'ended' && run.status !== 'cancelled') {
      throw invalid({ base: [`the run has ended already: it ${run.status}`] }, id)
    }
    return { status: 200, body: run }
  },
}

/**
 * Finds the id of the run in the path, for callers who may run the configuration of its host. {@throws Failure}
 * not_found
 */
async function findCancellable(ctx: Context, resource: Resource, input: Input): Promise<number> {
  const segment = readIdSegment(input)
  const conditions = [
    ...limitToRunsOfRunnable(ctx, resource.registry),
    ...(await resolveParents(ctx, resource, input)).conditions,
  ]
  const found = await selectRecord(ctx.db, resource, ['id'], segment, conditions)
  if (!found) throw notFound(resource.name, segment)
  return Number(found.id)
}
