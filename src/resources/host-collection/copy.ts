import { z } from 'zod'
import { type Context, inTransaction } from '../../context.ts'
import { permissionFor } from '../../kernel/authorize.ts'
import { attributesOf, judge, readDraft } from '../../kernel/input.ts'
import { createRecord } from '../../kernel/operations/create.ts'
import { readBack } from '../../kernel/operations/show.ts'
import type { Action, Resource } from '../../kernel/resource.ts'
import type { Answer, Input } from '../../kernel/route.ts'
import { foundRecord } from '../content/found.ts'
import { candidates } from './members.ts'

/** `POST /host_collections/:id/copy` (content-api §8.1): with its limit and those of its hosts that the caller may edit. */
export const copyCollection: Action = {
  method: 'POST',
  path: '/:id/copy',
  name: 'copy',
  summary: 'Copy a host collection',
  permissions: ['create_host_collections'],
  body: z.object({ name: z.string().meta({ description: 'Name of the copy.' }) }),
  status: 201,
  handle: copy,
}

async function copy(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const { name = null } = attributesOf(resource, input.body)
  const judged = await judge(ctx, resource, { name })
  return inTransaction(ctx, async (tx) => {
    const source = await foundRecord(tx, resource, input, permissionFor(resource, 'view'))
    const members = await candidates(tx, resource.registry, source.hosts as readonly number[]) // as its field keeps it
    const draft = await readDraft(tx, resource, judged, null, {
      organization: source.organization_id,
      description: source.description,
      max_hosts: source.max_hosts,
      unlimited_hosts: source.unlimited_hosts,
      hosts: members
        .filter(({ editable, organization_id }) => editable && organization_id === source.organization_id)
        .map(({ id }) => id),
    })
    const id = await createRecord(tx, resource, draft)
    return { status: 201, body: await readBack(tx, resource, id) }
  })
}
