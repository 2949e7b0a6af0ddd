import { z } from 'zod'
import { type Context, inTransaction } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { notVisible, permissionFor, visible } from '../../kernel/authorize.ts'
import type { Condition } from '../../kernel/condition.ts'
import { lock } from '../../kernel/operations/change.ts'
import { updateStored } from '../../kernel/operations/update.ts'
import { idSegment, within } from '../../kernel/operations/within.ts'
import type { Action, Resource, Stored } from '../../kernel/resource.ts'
import type { Answer, Input } from '../../kernel/route.ts'
import { selectRecord } from '../../kernel/store/select.ts'

const MACHINE = z.object({
  smart_proxy_id: z.int().meta({ description: 'Id of the smart proxy.' }),
  host_id: z.int().meta({ description: 'Id of the host that it runs on.' }),
})

/**
 * `/:id/machines/:host_id`: the hosts that a smart proxy itself runs on, one by one. Who changes them may edit the proxy
 * and the host; which there are is asked of hosts, by `runs_smart_proxy_id`.
 */
export const machines: readonly Action[] = [
  {
    method: 'PUT',
    path: '/:id/machines/:host_id',
    name: 'add_machine',
    summary: 'Say that a smart proxy runs on a host',
    status: 201,
    output: MACHINE,
    handle: (ctx, resource, input) => inTransaction(ctx, (tx) => add(tx, resource, input)),
  },
  {
    method: 'DELETE',
    path: '/:id/machines/:host_id',
    name: 'remove_machine',
    summary: 'Say that a smart proxy no longer runs on a host',
    output: MACHINE,
    handle: (ctx, resource, input) => inTransaction(ctx, (tx) => remove(tx, resource, input)),
  },
]

async function add(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const { conditions } = await within(ctx, resource, input)
  const stored = await lock(ctx, resource, await editable(ctx, resource, idSegment(input), conditions))
  const host = await hostOf(ctx, resource, input)
  const machines = [...new Set([...idsIn(stored), host])].sort((a, b) => a - b)
  await updateStored(ctx, resource, stored, { machines })
  return { status: 201, body: { smart_proxy_id: stored.id, host_id: host } }
}

async function remove(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const { conditions } = await within(ctx, resource, input)
  const stored = await lock(ctx, resource, await editable(ctx, resource, idSegment(input), conditions))
  const host = await hostOf(ctx, resource, input)
  const before = idsIn(stored)
  if (!before.includes(host)) throw notFound('machine', input.params.host_id ?? '')
  await updateStored(ctx, resource, stored, { machines: before.filter((id) => id !== host) })
  return { status: 200, body: { smart_proxy_id: stored.id, host_id: host } }
}

function hostOf(ctx: Context, { registry }: Resource, { params }: Input): Promise<number> {
  const hosts = registry.get('host')
  if (!hosts) throw new Error('no resource is named host')
  return editable(ctx, hosts, params.host_id ?? '', [])
}

/** The id of the record that a segment names, which the caller may edit. {@throws Failure} not_found */
async function editable(
  ctx: Context,
  resource: Resource,
  segment: string,
  conditions: readonly Condition[],
): Promise<number> {
  const permission = permissionFor(resource, 'edit')
  const found = await selectRecord(ctx.db, resource, ['id'], segment, [
    ...visible(ctx, resource, permission),
    ...conditions,
  ])
  if (!found) throw notVisible(ctx, resource, permission, segment)
  return found.id as number // every id is a number
}

function idsIn({ machines }: Stored): readonly number[] {
  return Array.isArray(machines) ? machines : []
}
