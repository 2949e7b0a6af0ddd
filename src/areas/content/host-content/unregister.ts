import { type Context, inTransaction } from '../../../context.ts'
import { invalid } from '../../../errors.ts'
import { type Action, findLocked, type Resource, readBack } from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { createHostRecords, unregister } from '../../registration/index.ts'
import { answerQuietly } from '../shared/quietly.ts'

/**
 * `DELETE /api/hosts/:id/subscriptions`: ends the registration of a host. It needs the permission to edit the host,
 * or to delete it where the setting `unregister_delete_host` deletes unregistered hosts.
 */
export const unregisterHost: Action = {
  method: 'DELETE',
  path: '/:id/subscriptions',
  name: 'unregister',
  summary: 'End the registration of a host',
  permissions: ['edit_hosts', 'destroy_hosts'],
  mayBeEmpty: true,
  refuses: 422,
  handle: (ctx, resource, input) => answerQuietly(input, (asked) => endRegistration(ctx, resource, asked)),
}

async function endRegistration(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const removes = ctx.settings.unregister_delete_host
  return inTransaction(ctx, async (tx) => {
    const { id } = await findLocked(tx, resource, input, { permission: removes ? 'destroy_hosts' : 'edit_hosts' })
    const ended = await unregister(tx, createHostRecords(resource.registry), id)
    if (!ended) throw invalid({ base: ['The host is not registered'] }, id)
    if (removes) return { status: 204 }
    return { status: 200, ...(input.reading !== null && { body: await readBack(tx, resource, id) }) }
  })
}
