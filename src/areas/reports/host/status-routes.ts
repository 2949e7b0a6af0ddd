import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import { badParameter, invalid } from '../../../errors.ts'
import type { Action, Resource, Stored } from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { sql } from '../../../sql.ts'
import { GLOBAL_STATUS } from '../../../words/protocols.ts'
import type { StatusKind } from './status-kind.ts'

const OUTPUT = z
  .object({
    status: z.int().nullable().meta({ description: 'The state as a number; null where the host has no such state.' }),
    status_label: z.string().nullable().meta({ description: 'The state in words.' }),
  })
  .meta({ title: 'HostStatus', description: 'A state of a host.' })

/** The actions that show one status of a host and clear it. The last kind is the global status. */
export function statusActions(kinds: readonly StatusKind[]): Action[] {
  return [
    {
      method: 'GET',
      path: '/:id/status/:type',
      name: 'get_status',
      summary: 'Show a state of a host',
      permissions: ['view_hosts'],
      output: OUTPUT,
      record: { how: 'found' },
      handle: async (ctx, _hosts, input, { id }) => answer(ctx, findKind(kinds, input), id),
    },
    {
      method: 'DELETE',
      path: '/:id/status/:type',
      name: 'forget_status',
      summary: 'Clear a state of a host',
      permissions: ['forget_status_hosts'],
      output: OUTPUT,
      record: { how: 'locked' },
      handle: (tx, hosts, input, host) => forget(tx, hosts, findKind(kinds, input), host),
    },
  ]
}

async function forget(tx: Context, hosts: Resource, kind: StatusKind, { id }: Stored): Promise<Answer> {
  if (!kind.clear) throw invalid({ base: [`The ${kind.type} status is made of others and cannot be cleared`] }, id)
  await kind.clear(tx, hosts, id)
  return answer(tx, kind, id)
}

async function answer(ctx: Context, { status, label }: StatusKind, id: number): Promise<Answer> {
  const body = await row(
    ctx.db,
    sql`select ${status('h')} as status, ${label('h')} as status_label from hosts h where h.id = ${id}`,
  )
  return { status: 200, body }
}

/** Finds the kind that the path names. {@throws Failure} bad_parameter */
function findKind(kinds: readonly StatusKind[], { params }: Input): StatusKind {
  const { type = '' } = params
  const found = kinds.find((kind) => kind.type === (type === GLOBAL_STATUS ? 'global' : type))
  if (found) return found
  throw badParameter('type', type, `must be one of ${kinds.map((kind) => kind.type).join(', ')}`)
}
