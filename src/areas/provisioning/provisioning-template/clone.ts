import { z } from 'zod'
import type { Context } from '../../../context.ts'
import {
  type Action,
  createRecord,
  type Resource,
  readAttributes,
  readDraft,
  type Stored,
  validate,
} from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { loadRawRecord, type TextResource } from './raw.ts'

/**
 * The action that copies a template, usually a locked one, to change it (core-api §11). Combinations are not copied.
 */
export function clone(name: TextResource): Action {
  return {
    method: 'POST',
    path: '/:id/clone',
    name: 'clone',
    summary: `Copy a ${name.replaceAll('_', ' ')} under a new name`,
    permissions: [`create_${name}s`],
    body: z.object({
      [name]: z
        .object({ name: z.string().meta({ description: 'Name of the copy.' }) })
        .meta({ description: 'Values of the copy that differ from the original.' }),
    }),
    outputs: 'deleted',
    status: 201,
    record: { how: 'locked', permission: `view_${name}s` },
    handle: cloneTemplate,
  }
}

/** The keys that a copy takes over, if the resource has them. */
const COPIED = [
  'template',
  'layout',
  'description',
  'snippet',
  'os_family',
  'operatingsystems',
  'locations',
  'organizations',
]

async function cloneTemplate(tx: Context, resource: Resource, input: Input, original: Stored): Promise<Answer> {
  const { name } = readAttributes(resource, input.body)
  const validated = await validate(tx, resource, name === undefined ? {} : { name })
  const copied = Object.fromEntries(COPIED.filter((key) => key in original).map((key) => [key, original[key]]))
  const kind = 'template_kind_id' in original && { template_kind: original.template_kind_id }
  const draft = await readDraft(tx, resource, validated, null, { ...copied, ...kind, cloned_from: original.id })
  const id = await createRecord(tx, resource, draft)
  return { status: 201, body: await loadRawRecord(tx, resource, id) }
}
