import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { invalid } from '../../../errors.ts'
import { type Action, type Resource, type Stored, storeChange } from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { TAKEN } from '../../../requests/sent.ts'
import { withPreview } from '../explanation/preview.ts'
import { type ClassOwner, findClass, PERMISSIONS } from './assigned.ts'
import { watchAssignment } from './preview.ts'
import { type InEnvironment, resolveClasses } from './resolve-classes.ts'

const id = z.int().meta({ description: 'Id of a config class.' })

/**
 * The actions `/:id/configclass_ids` of hosts and host groups: they list, add and remove directly assigned classes
 * (smart-parameters §8).
 */
export function classAssignments(owner: ClassOwner): Action<InEnvironment>[] {
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
      output: z.object({ results: z.array(id).meta({ description: 'Ids of the classes assigned.' }) }),
      record: { how: 'locked' },
      handle: async (_tx, _resource, _input, stored) => ({ status: 200, body: { results: stored.configclasses } }),
    },
    withPreview<InEnvironment>(
      {
        method: 'POST',
        path: '/:id/configclass_ids',
        name: 'add_configclass_id',
        summary: `Give a ${owner} a config class`,
        permissions,
        body: z.object({ configclass_id: id }),
        output: link,
        record: { how: 'locked' },
        handle: (tx, resource, input, stored) => addId(tx, resource, owner, input, stored),
      },
      watchAssignment(owner),
    ),
    withPreview<InEnvironment>(
      {
        method: 'DELETE',
        path: '/:id/configclass_ids/:configclass_id',
        name: 'remove_configclass_id',
        summary: `Take a config class from a ${owner}`,
        permissions,
        output: z.array(link).meta({ description: 'The removed assignment; empty if there was none.' }),
        record: { how: 'locked' },
        handle: (tx, resource, input, stored) => removeId(tx, resource, owner, input, stored),
      },
      watchAssignment(owner),
    ),
  ]
}

async function addId(
  tx: Context,
  resource: Resource,
  owner: ClassOwner,
  input: Input,
  stored: Stored<InEnvironment>,
): Promise<Answer> {
  const added = await findClass(tx, resource, owner, input)
  const before = stored.configclasses
  if (before.includes(added)) throw invalid({ configclass_id: [TAKEN] }, stored.id)
  await store(tx, resource, owner, stored, [...before, added])
  return { status: 200, body: { [`${owner}_id`]: stored.id, configclass_id: added } }
}

async function removeId(
  tx: Context,
  resource: Resource,
  owner: ClassOwner,
  input: Input,
  stored: Stored<InEnvironment>,
): Promise<Answer> {
  const removed = await findClass(tx, resource, owner, input)
  const before = stored.configclasses
  if (!before.includes(removed)) return { status: 200, body: [] }
  const left = before.filter((one) => one !== removed)
  await store(tx, resource, owner, stored, left)
  return { status: 200, body: [{ [`${owner}_id`]: stored.id, configclass_id: removed }] }
}

async function store(
  ctx: Context,
  resource: Resource,
  owner: ClassOwner,
  stored: Stored<InEnvironment>,
  ids: readonly number[],
): Promise<void> {
  const changed = { configclasses: ids.toSorted((a, b) => a - b) }
  if (owner === 'host') await resolveClasses(ctx, changed, stored)
  await storeChange(ctx, resource, stored, changed)
}
