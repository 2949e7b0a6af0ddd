import { z } from 'zod'
import { inTransaction } from '../../context.ts'
import { updateStored } from '../../kernel/operations/update.ts'
import type { Action } from '../../kernel/resource.ts'
import { recordFinished } from '../../tasks/task.ts'
import { foundId, foundRecord } from '../content/found.ts'
import { answersTask, taskAnswer } from '../task/answer.ts'
import { type AccessMode, accessMode } from './access-mode.ts'

/** Turns simple content access on and off, and tells of it (content-api §8.5). */
export const switchMode: readonly Action[] = [
  turning('enable', 'org_environment'),
  turning('disable', 'entitlement'),
  {
    method: 'GET',
    path: '/:id/simple_content_access/status',
    name: 'simple_content_access_status',
    summary: 'Say whether an organization uses simple content access',
    permissions: ['view_organizations'],
    output: z.object({
      simple_content_access: z.boolean().meta({ description: 'Whether hosts get all content of their environment.' }),
    }),
    handle: async (ctx, organizations, input) => {
      const id = await foundId(ctx, organizations, input, 'view_organizations')
      return { status: 200, body: { simple_content_access: (await accessMode(ctx, id)) === 'org_environment' } }
    },
  },
  {
    method: 'GET',
    path: '/:id/simple_content_access/eligible',
    name: 'simple_content_access_eligible',
    summary: 'Say whether an organization could use simple content access',
    permissions: ['view_organizations'],
    output: z.object({
      simple_content_access_eligible: z.boolean().meta({ description: 'Always true: every organization may.' }),
    }),
    handle: async (ctx, organizations, input) => {
      await foundId(ctx, organizations, input, 'view_organizations')
      return { status: 200, body: { simple_content_access_eligible: true } }
    },
  },
]

function turning(verb: 'enable' | 'disable', mode: AccessMode): Action {
  const summary = `${verb === 'enable' ? 'Enable' : 'Disable'} simple content access for an organization`
  return {
    method: 'PUT',
    path: `/:id/simple_content_access/${verb}`,
    name: `${verb}_simple_content_access`,
    summary,
    permissions: ['edit_organizations'],
    ...answersTask,
    handle: (ctx, organizations, input) =>
      inTransaction(ctx, async (tx) => {
        const stored = await foundRecord(tx, organizations, input, 'edit_organizations')
        await updateStored(tx, organizations, stored, { simple_content_access: mode })
        const { id, name, label } = stored
        const task = await recordFinished(tx, {
          kind: `organization.simple_content_access.${verb}`,
          action: `${verb === 'enable' ? 'Enable' : 'Disable'} simple content access for`,
          input: { organization: { id, name, label } },
          organization: id,
        })
        return taskAnswer(tx, organizations.registry, task)
      }),
  }
}
