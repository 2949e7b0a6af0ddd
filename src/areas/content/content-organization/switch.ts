import { z } from 'zod'
import { type Action, updateStored } from '../../../kernel/index.ts'
import { answersTask, answerWithTask, storeFinishedTask } from '../../tasks/index.ts'
import { type AccessMode, findAccessMode } from './access-mode.ts'

/** The actions that switch simple content access on and off, and tell whether it is on (content-api §8.5). */
export const switchMode: readonly Action[] = [
  buildSwitch('enable', 'org_environment'),
  buildSwitch('disable', 'entitlement'),
  {
    method: 'GET',
    path: '/:id/simple_content_access/status',
    name: 'simple_content_access_status',
    summary: 'Say whether an organization uses simple content access',
    permissions: ['view_organizations'],
    output: z.object({
      simple_content_access: z.boolean().meta({ description: 'Whether hosts get all content of their environment.' }),
    }),
    record: { how: 'found' },
    handle: async (ctx, _organizations, _input, { id }) => ({
      status: 200,
      body: { simple_content_access: (await findAccessMode(ctx, id)) === 'org_environment' },
    }),
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
    record: { how: 'found' },
    handle: async () => ({ status: 200, body: { simple_content_access_eligible: true } }),
  },
]

function buildSwitch(verb: 'enable' | 'disable', mode: AccessMode): Action {
  const summary = `${verb === 'enable' ? 'Enable' : 'Disable'} simple content access for an organization`
  return {
    method: 'PUT',
    path: `/:id/simple_content_access/${verb}`,
    name: `${verb}_simple_content_access`,
    summary,
    permissions: ['edit_organizations'],
    ...answersTask,
    record: { how: 'locked' },
    handle: async (tx, organizations, _input, stored) => {
      await updateStored(tx, organizations, stored, { simple_content_access: mode })
      const { id, name, label } = stored
      const task = await storeFinishedTask(tx, {
        kind: `organization.simple_content_access.${verb}`,
        action: `${verb === 'enable' ? 'Enable' : 'Disable'} simple content access for`,
        input: { organization: { id, name, label } },
        organization: id,
      })
      return answerWithTask(tx, organizations.registry, task)
    },
  }
}
