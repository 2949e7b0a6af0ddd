import { z } from 'zod'
import { type Context, inTransaction } from '../../../context.ts'
import { Failure } from '../../../errors.ts'
import {
  type Action,
  createRecord,
  type Draft,
  findLocked,
  type Resource,
  readAttributes,
  readBack,
  readDraft,
  type Stored,
  validate,
  valuesOf,
} from '../../../kernel/index.ts'
import { findDeclared } from '../../../records/declared.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { resolveEnvironmentList } from './environments.ts'
import { keyFields } from './fields.ts'
import { resolveLimits } from './limits.ts'

/**
 * Copies an activation key in one transaction: everything except its name and its hosts; pools keep their quantities
 * (spec 4.6, content-api §2.11).
 */
export const copy: Action = {
  method: 'POST',
  path: '/:id/copy',
  name: 'copy',
  summary: 'Copy an activation key; what else is sent counts instead of what it has',
  permissions: ['create_activation_keys'],
  body: z.looseObject({ new_name: z.string().meta({ description: 'Name of the new key.' }) }),
  status: 201,
  handle: copyKey,
}

/** Fields that are not copied. */
const OWN = new Set(['name', 'user', 'usage_count', 'used_at'])

async function copyKey(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  return inTransaction(ctx, async (tx) => {
    const keys = findDeclared(resource.registry, resource.name, keyFields)
    const source = await findLocked(tx, keys, input, { permission: 'view_activation_keys' })
    const { new_name: name, ...sent } = { ...input.body, ...readAttributes(resource, input.body) }
    if (name === undefined || name === null) throw new Failure('bad_parameter', 'New name cannot be blank')
    const validated = await validate(tx, resource, { ...sent, name })
    const { organization_id } = source
    // No host is registered with the copy.
    const draft = await readDraft(
      tx,
      resource,
      { ...validated, sent: { ...validated.sent, organization_id } },
      { ...source, usage_count: 0 },
    )
    const id = await createRecord(tx, resource, {
      ...copyValues(resource, source),
      ...draft,
      ...resolveLimits(draft, source),
      ...(await resolveEnvironmentList(tx, draft, source)),
    })
    return { status: 201, ...(input.reading !== null && { body: await readBack(tx, resource, id) }) }
  })
}

function copyValues(resource: Resource, source: Stored): Draft {
  return Object.fromEntries(Object.entries(valuesOf(resource, source)).filter(([name]) => !OWN.has(name)))
}
