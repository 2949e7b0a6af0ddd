import { invalid, notFound } from '../../errors.ts'
import { readBack } from '../../kernel/operations/show.ts'
import type { Action } from '../../kernel/resource.ts'
import { cancelRun } from '../../runs/queue.ts'
import { findId, RUN_PERMISSION, runsOfRunnable } from './running.ts'

/** Cancels what is queued at once, and asks the worker to stop what runs: then the run is cancelled a moment later. */
export const cancel: Action = {
  method: 'PUT',
  path: '/:id/cancel',
  name: 'cancel',
  summary: 'Cancel a configuration run',
  permissions: [RUN_PERMISSION],
  handle: async (ctx, resource, input) => {
    const id = await findId(ctx, resource, input, runsOfRunnable(ctx, resource.registry))
    const became = await cancelRun(ctx.db, id, ctx.user.login)
    if (became === undefined) throw notFound(resource.name, id)
    const run = await readBack(ctx, resource, id)
    if (became === 'ended' && run.status !== 'cancelled') {
      throw invalid({ base: [`the run has ended already: it ${run.status}`] }, id)
    }
    return { status: 200, body: run }
  },
}
