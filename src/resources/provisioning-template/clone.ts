import { z } from 'zod'
import { type Context, inTransaction } from '../../context.ts'
import { notVisible, permissionFor, visible } from '../../kernel/authorize.ts'
import { attributesOf, judge, readDraft } from '../../kernel/input.ts'
import { lock } from '../../kernel/operations/change.ts'
import { createRecord } from '../../kernel/operations/create.ts'
import { idSegment, within } from '../../kernel/operations/within.ts'
import type { Action, Resource } from '../../kernel/resource.ts'
import type { Answer, Input } from '../../kernel/route.ts'
import { selectRecord } from '../../kernel/store/select.ts'
import { rawRecord } from './raw.ts'

/** Core-api §11: a copy that may be changed, which is what people make of locked templates. Combinations stay behind. */
export const clone: Action = {
  method: 'POST',
  path: '/:id/clone',
  name: 'clone',
  summary: 'Copy a provisioning template under a new name',
  permissions: ['create_provisioning_templates'],
  body: z.object({
    provisioning_template: z
      .object({ name: z.string().meta({ description: 'Name of the copy.' }) })
      .meta({ description: 'What differs in the copy.' }),
  }),
  outputs: 'deleted',
  status: 201,
  handle: cloneTemplate,
}

async function cloneTemplate(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const { name } = attributesOf(resource, input.body)
  const judged = await judge(ctx, resource, name === undefined ? {} : { name })
  const segment = idSegment(input)
  const { conditions } = await within(ctx, resource, input)
  return inTransaction(ctx, async (tx) => {
    const permission = permissionFor(resource, 'view')
    const seen = [...visible(tx, resource, permission), ...conditions]
    const found = await selectRecord(tx.db, resource, ['id'], segment, seen)
    if (!found) throw notVisible(tx, resource, permission, segment)
    const original = await lock(tx, resource, found.id as number) // ids are numbers
    const { template, description, snippet, template_kind_id, operatingsystems, locations, organizations } = original
    const copied = { template, description, snippet, operatingsystems, locations, organizations }
    const draft = await readDraft(tx, resource, judged, null, { ...copied, template_kind: template_kind_id })
    const id = await createRecord(tx, resource, draft)
    return { status: 201, body: await rawRecord(tx, resource, id) }
  })
}
