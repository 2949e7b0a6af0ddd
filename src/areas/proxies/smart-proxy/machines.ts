import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import {
  type Action,
  findResource,
  limitToVisible,
  notVisible,
  permissionOf,
  type Resource,
  type Stored,
  selectRecord,
  updateStored,
} from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import type { SmartProxyFields } from './fields.ts'

const MACHINE = z.object({
  smart_proxy_id: z.int().meta({ description: 'Id of the smart proxy.' }),
  host_id: z.int().meta({ description: 'Id of the host that it runs on.' }),
})

/**
 * `/:id/machines/:host_id`: adds and removes hosts on which a smart proxy itself is installed. Callers need to edit
 * proxy and host. The search field `runs_smart_proxy_id` of hosts lists them.
 */
export const machines: readonly Action[] = [
  {
    method: 'PUT',
    path: '/:id/machines/:host_id',
    name: 'add_machine',
    summary: 'Say that a smart proxy runs on a host',
    status: 201,
    output: MACHINE,
    record: { how: 'locked' },
    handle: add,
  },
  {
    method: 'DELETE',
    path: '/:id/machines/:host_id',
    name: 'remove_machine',
    summary: 'Say that a smart proxy no longer runs on a host',
    output: MACHINE,
    record: { how: 'locked' },
    handle: remove,
  },
]

async function add(tx: Context, resource: Resource, input: Input, proxy: Stored<SmartProxyFields>): Promise<Answer> {
  const host = await hostOf(tx, resource, input)
  const machines = [...new Set([...readIds(proxy), host])].sort((a, b) => a - b)
  await updateStored(tx, resource, proxy, { machines })
  return { status: 201, body: { smart_proxy_id: proxy.id, host_id: host } }
}

async function remove(tx: Context, resource: Resource, input: Input, proxy: Stored<SmartProxyFields>): Promise<Answer> {
  const host = await hostOf(tx, resource, input)
  const before = readIds(proxy)
  if (!before.includes(host)) throw notFound('machine', input.params.host_id ?? '')
  await updateStored(tx, resource, proxy, { machines: before.filter((id) => id !== host) })
  return { status: 200, body: { smart_proxy_id: proxy.id, host_id: host } }
}

/** Finds the host that the path names, which the caller has to be allowed to edit. {@throws Failure} not_found */
async function hostOf(tx: Context, { registry }: Resource, { params: { host_id: segment = '' } }: Input) {
  const hosts = findResource(registry, 'host')
  const permission = permissionOf(hosts, 'edit')
  const found = await selectRecord(tx.db, hosts, ['id'], segment, limitToVisible(tx, hosts, permission))
  if (!found) throw notVisible(tx, hosts, permission, segment)
  return Number(found.id)
}

function readIds({ machines }: Stored<SmartProxyFields>): readonly number[] {
  return Array.isArray(machines) ? machines : []
}
