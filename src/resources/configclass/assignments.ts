import { z } from 'zod'
import { type Context, inTransaction } from '../../context.ts'
import { invalid } from '../../errors.ts'
import { audit, oldAndNew } from '../../kernel/audit.ts'
import { TAKEN } from '../../kernel/fields/values.ts'
import { labelOf } from '../../kernel/operations/change.ts'
import type { Action, Resource, Stored } from '../../kernel/resource.ts'
import type { Answer, Input } from '../../kernel/route.ts'
import { updateRecord } from '../../kernel/store/write.ts'
import { previewable } from '../explanation/preview.ts'
import { findClass, lockOwner, type Owner, PERMISSIONS, sentClass } from './assigned.ts'
import { classesFor } from './of-hosts.ts'
import { watchAssignment } from './preview.ts'

const id = z.int().meta({ description: 'Id of a config class.' })

/** `/:id/configclass_ids` of hosts and host groups: the classes that one has itself, one by one (smart-parameters §8). */
export function classAssignments(owner: Owner): Action[] {
  const permissions = [PERMISSIONS[owner]]
  const link = z.object({
    [`${owner}_id`]: z.int().meta({ description: `Id of the ${owner}.` }),
    configclass_id: id,
  })
  return [
    {
      method: 'GET',
      path: '/:id/configclass_ids',
      name: 'list_configclass_ids',
      summary: `List the ids of the config classes that a ${owner} has itself`,
      permissions,
      output: z.object({ results: z.array(id).meta({ description: 'Their ids.' }) }),
      handle: (ctx, resource, input) => inTransaction(ctx, (tx) => listIds(tx, resource, owner, input)),
    },
    previewable(
      {
        method: 'POST',
        path: '/:id/configclass_ids',
        name: 'add_configclass_id',
        summary: `Give a ${owner} a config class`,
        permissions,
        body: z.object({ configclass_id: id }),
        output: link,
        handle: (ctx, resource, input) => inTransaction(ctx, (tx) => addId(tx, resource, owner, input)),
      },
      watchAssignment(owner),
    ),
    previewable(
      {
        method: 'DELETE',
        path: '/:id/configclass_ids/:configclass_id',
        name: 'remove_configclass_id',
        summary: `Take a config class from a ${owner}`,
        permissions,
        output: z.array(link).meta({ description: 'What was taken: one, or none.' }),
        handle: (ctx, resource, input) => inTransaction(ctx, (tx) => removeId(tx, resource, owner, input)),
      },
      watchAssignment(owner),
    ),
  ]
}

async function listIds(ctx: Context, resource: Resource, owner: Owner, input: Input): Promise<Answer> {
  return { status: 200, body: { results: idsIn(await lockOwner(ctx, resource, owner, input)) } }
}

async function addId(ctx: Context, resource: Resource, owner: Owner, input: Input): Promise<Answer> {
  const stored = await lockOwner(ctx, resource, owner, input)
  const added = await findClass(ctx, resource, sentClass(owner, input))
  const before = idsIn(stored)
  if (before.includes(added)) throw invalid({ configclass_id: [TAKEN] }, stored.id)
  await store(ctx, resource, owner, stored, [...before, added])
  return { status: 200, body: { [`${owner}_id`]: stored.id, configclass_id: added } }
}

async function removeId(ctx: Context, resource: Resource, owner: Owner, input: Input): Promise<Answer> {
  const stored = await lockOwner(ctx, resource, owner, input)
  const removed = await findClass(ctx, resource, sentClass(owner, input))
  const before = idsIn(stored)
  if (!before.includes(removed)) return { status: 200, body: [] }
  const left = before.filter((one) => one !== removed)
  await store(ctx, resource, owner, stored, left)
  return { status: 200, body: [{ [`${owner}_id`]: stored.id, configclass_id: removed }] }
}

async function store(
  ctx: Context,
  resource: Resource,
  owner: Owner,
  stored: Stored,
  ids: readonly number[],
): Promise<void> {
  const changed = { configclasses: ids.toSorted((a, b) => a - b) }
  if (owner === 'host') await classesFor(ctx, changed, stored)
  await updateRecord(ctx, resource, stored.id, changed)
  await audit(
    ctx,
    resource,
    'update',
    { id: stored.id, label: labelOf(resource, stored) },
    oldAndNew(resource, stored, changed),
  )
}

function idsIn({ configclasses }: Stored): readonly number[] {
  return Array.isArray(configclasses) ? configclasses : []
}
