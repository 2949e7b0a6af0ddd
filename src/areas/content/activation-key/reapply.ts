import { z } from 'zod'
import { type Context, inTransaction } from '../../../context.ts'
import {
  type Action,
  compileRequestSearch,
  findResource,
  type Resource,
  readAttributes,
  type Stored,
} from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { APPLIED } from '../../registration/index.ts'
import { answersTask, answerWithTask, planTask } from '../../tasks/index.ts'
import type { KeyColumns } from './drift.ts'
import { DRIFTING, KEY_OF_HOSTS, loadKeyOfHosts } from './drift.ts'
import { requireHosts } from './reapply-hosts.ts'
import { previewReapply, SHOWN } from './reapply-preview.ts'
import { REAPPLY_BODY, readWanted } from './reapply-request.ts'

/** The kind of the tasks that reapply keys to hosts. */
export const REAPPLYING = 'activation_key.reapply'

/**
 * `POST /activation_keys/:id/reapply`: a task that gives hosts of a key what all their keys would give them now. Only
 * hosts that the caller may edit are changed.
 */
export const reapply: Action<KeyColumns> = {
  method: 'POST',
  path: '/:id/reapply',
  name: 'reapply',
  summary: 'Give registered hosts what their activation keys give now',
  permissions: ['edit_hosts'],
  body: REAPPLY_BODY,
  ...answersTask,
  previews: z.object({
    total: z.int().meta({ description: 'Hosts that would change.' }),
    fields: z.array(z.enum(APPLIED)).meta({ description: 'Fields to change where they differ.' }),
    results: z.array(DRIFTING).meta({ description: `The first ${SHOWN} of them, by name, with what would change.` }),
  }),
  record: { how: 'found', keys: KEY_OF_HOSTS, permission: 'view_activation_keys' },
  handle: reapplyKey,
}

async function reapplyKey(ctx: Context, resource: Resource, input: Input, found: Stored<KeyColumns>): Promise<Answer> {
  const key = loadKeyOfHosts(found)
  const { preview, ...wanted } = readWanted(readAttributes(resource, input.body))
  await requireHosts(ctx, resource.registry, key, wanted)
  await compileRequestSearch(ctx, findResource(resource.registry, 'host'), wanted.search) // the task could only fail
  if (preview) return { status: 200, body: await previewReapply(ctx, resource, key, wanted) }
  const { id, name } = key
  return inTransaction(ctx, async (tx) => {
    const planned = await planTask(tx, {
      kind: REAPPLYING,
      action: 'Re-apply',
      input: { activation_key: { id, name }, ...wanted },
      organization: key.organization,
    })
    return answerWithTask(tx, resource.registry, planned)
  })
}
