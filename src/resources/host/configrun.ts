import type { Context } from '../../context.ts'
import { invalid, notFound } from '../../errors.ts'
import { idSegment, within } from '../../kernel/operations/within.ts'
import type { Action, Resource } from '../../kernel/resource.ts'
import type { Answer, Input } from '../../kernel/route.ts'
import { selectRecord } from '../../kernel/store/select.ts'
import { ATTEMPTS, enqueue } from '../../runs/queue.ts'
import { outcomeOf } from '../../runs/requests.ts'
import { RUN_PERMISSION, refuseWhileOff, runnable } from '../config-run/running.ts'
import { rawHost } from './raw.ts'

/**
 * Spec 4.3, core-api §1.5: 200 with the host as it is stored, once the run is queued or, where the setting says so, once
 * it has succeeded. `Link` names the run.
 */
export const configrun: Action = {
  method: 'PUT',
  path: '/:id/configrun',
  name: 'configrun',
  summary: 'Run the configuration of a host',
  permissions: [RUN_PERMISSION],
  outputs: 'deleted',
  handle: runConfiguration,
}

async function runConfiguration(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const segment = idSegment(input)
  const conditions = [...runnable(ctx, resource.registry), ...(await within(ctx, resource, input)).conditions]
  const host = await selectRecord(ctx.db, resource, ['id', 'config_proxy_id'], segment, conditions)
  if (!host) throw notFound(resource.name, segment)
  const hostId = host.id as number // every id is a number
  refuseWhileOff(ctx)
  if (host.config_proxy_id === null) throw invalid({ base: ['no config proxy defined - cant continue'] }, hostId)
  const waitSeconds = ctx.settings.configrun_wait
  // Who waits wants to know at once what went wrong.
  const run = await enqueue(ctx.db, hostId, ctx.user, waitSeconds > 0 ? 1 : ATTEMPTS)
  if (!run) throw notFound(resource.name, segment)
  if (waitSeconds > 0) await refuseFailure(ctx, hostId, run.id, waitSeconds)
  const headers = { link: `</api/config_runs/${run.id}>; rel="monitor"` }
  return { status: 200, headers, body: await rawHost(ctx, resource, hostId) }
}

/** {@throws Failure} invalid unless the run succeeds in time, in the words that clients know */
async function refuseFailure(ctx: Context, hostId: number, runId: number, waitSeconds: number): Promise<void> {
  const outcome = await outcomeOf(ctx.db, ctx.followers, runId, waitSeconds * 1000)
  if (outcome?.status === 'succeeded') return
  const why =
    outcome === null ? `no outcome after ${waitSeconds} s; it goes on as config run ${runId}` : outcome.message
  throw invalid({ base: [`failed to execute configrun: ${why}`] }, hostId)
}
