import { z } from 'zod'
import type { Context } from '../../../context.ts'
import {
  type Action,
  createRecord,
  type Resource,
  readAttributes,
  readBack,
  readDraft,
  type Stored,
  validate,
} from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { readNumbers } from '../../../values.ts'
import { loadMemberCandidates } from './members.ts'

/**
 * `POST /host_collections/:id/copy` (content-api §8.1): copies a collection with its limit, and with those hosts that
 * the caller may edit.
 */
export const copyCollection: Action = {
  method: 'POST',
  path: '/:id/copy',
  name: 'copy',
  summary: 'Copy a host collection',
  permissions: ['create_host_collections'],
  body: z.object({ name: z.string().meta({ description: 'Name of the copy.' }) }),
  status: 201,
  record: { how: 'locked', permission: 'view_host_collections' },
  handle: copy,
}

async function copy(tx: Context, resource: Resource, input: Input, source: Stored): Promise<Answer> {
  const { name = null } = readAttributes(resource, input.body)
  const validated = await validate(tx, resource, { name })
  const members = await loadMemberCandidates(tx, resource.registry, readNumbers(source, 'hosts') ?? [])
  const draft = await readDraft(tx, resource, validated, null, {
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
}
