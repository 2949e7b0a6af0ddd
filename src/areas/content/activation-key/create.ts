import type { Context } from '../../../context.ts'
import { type Action, create, type Resource } from '../../../kernel/index.ts'
import { changeAttributes } from '../../../records/attributes.ts'
import type { Answer, Input } from '../../../requests/route.ts'

/**
 * Creates a key (spec 4.6, content-api §2.3). A key that is created below an environment gets that environment, and its
 * organization.
 */
export const createKey: Action = {
  method: 'POST',
  path: '',
  name: 'create',
  summary: 'Create a new activation key',
  permissions: ['create_activation_keys'],
  takes: 'create',
  status: 201,
  handle: createBelow,
}

async function createBelow(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const environment_id = input.params.environment_id
  if (environment_id === undefined) return create(ctx, resource, input)
  const body = changeAttributes(resource, input.body, ({ environment: _other, ...attributes }) => ({
    ...attributes,
    environment_id,
  }))
  return create(ctx, resource, { ...input, body })
}
