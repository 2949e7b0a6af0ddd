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
import { DRIFTING, KEY_OF_HOSTS, type KeyColumns, type KeyOfHosts, loadKeyOfHosts } from './drift.ts'
import { loadDifferences } from './drift-differences.ts'
import { loadExpectations } from './drift-expected.ts'
import { withVisibleKeys } from './drift-keys.ts'
import { requireHosts } from './reapply-hosts.ts'
import { REAPPLY_BODY, type ReapplyRequest, readWanted } from './reapply-request.ts'
import { loadReapplyTargets } from './reapply-targets.ts'

/** The most hosts that a preview lists; its total counts all of them. */
const SHOWN = 100

/** Lists what reapplying would change, for the first hosts by name. */
async function previewReapply(ctx: Context, keys: Resource, key: KeyOfHosts, wanted: ReapplyRequest) {
  const ids = await loadReapplyTargets(ctx, keys.registry, key, wanted)
  const shown = ids.slice(0, SHOWN)
  const { fields } = wanted
  const found = await loadDifferences(ctx, key.id, await loadExpectations(ctx, key, shown), fields, shown)
  const seen = await withVisibleKeys(ctx, keys, found)
  const byId = new Map(seen.map((one) => [one.id, one]))
  const results = shown.flatMap((id) => {
    const one = byId.get(id)
    return one ? [{ id, name: one.name, differences: one.differences }] : []
  })
  return { total: ids.length, fields, results }
}

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
