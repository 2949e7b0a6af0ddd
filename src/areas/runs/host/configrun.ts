import type { Context } from '../../../context.ts'
import { invalid, notFound } from '../../../errors.ts'
import type { Action, Resource, Stored } from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { loadRawHost } from '../../inventory/index.ts'
import { RUN_PERMISSION, refuseWhileOff } from '../config-run/running.ts'
import { ATTEMPTS, enqueueRun } from '../queue.ts'
import { waitForOutcome } from '../requests.ts'

/**
 * Requests a run (spec 4.3, core-api §1.5): 200 with the stored host once the run is queued or, by setting, once it has
 * succeeded. `Link` refers to the run.
 */
export const configrun: Action = {
  method: 'PUT',
  path: '/:id/configrun',
  name: 'configrun',
  notInBatch: true,
  summary: 'Run the configuration of a host',
  permissions: [RUN_PERMISSION],
  outputs: 'deleted',
  record: { how: 'found', keys: ['id', 'config_proxy_id'] },
  handle: runConfiguration,
}

async function runConfiguration(ctx: Context, resource: Resource, _input: Input, host: Stored): Promise<Answer> {
  const { id: hostId } = host
  refuseWhileOff(ctx)
  if (host.config_proxy_id === null) throw invalid({ base: ['no config proxy defined - cant continue'] }, hostId)
  const waitSeconds = ctx.settings.configrun_wait
  // A client that waits wants to know of a failure at once, so that there is one attempt.
  const run = await enqueueRun(ctx.db, hostId, ctx.user, waitSeconds > 0 ? 1 : ATTEMPTS)
  if (!run) throw notFound(resource.name, hostId)
  if (waitSeconds > 0) await refuseFailure(ctx, hostId, run.id, waitSeconds)
  const headers = { link: `</api/config_runs/${run.id}>; rel="monitor"` }
  return { status: 200, headers, body: await loadRawHost(ctx, resource, hostId) }
}

/** Waits for the run. {@throws Failure} invalid, in words that clients know, unless the run succeeds in time */
async function refuseFailure(ctx: Context, hostId: number, runId: number, waitSeconds: number): Promise<void> {
  const outcome = await waitForOutcome(ctx.db, ctx.followers, runId, waitSeconds * 1000)
  if (outcome?.status === 'succeeded') return
  const why =
    outcome === null ? `no outcome after ${waitSeconds} s; it goes on as config run ${runId}` : outcome.message
  throw invalid({ base: [`failed to execute configrun: ${why}`] }, hostId)
}
