import { z } from 'zod'
import { inTransaction } from '../../../context.ts'
import { invalid, refuseWithoutId } from '../../../errors.ts'
import {
  type Action,
  createRecord,
  readAttributes,
  readBack,
  readDraft,
  resolveParents,
  type Sent,
  validate,
} from '../../../kernel/index.ts'
import { CONTENT_VIEW_PERMISSIONS } from '../content-view/readable.ts'
import { ERRATUM_TYPES } from './types.ts'

/** The most rules that one request may create. */
const MOST = 500

const word = (description: string) => z.string().nullish().meta({ description })
const many = (description: string) =>
  z
    .union([z.string(), z.array(z.string())])
    .nullish()
    .meta({ description })

const RULE = z.object({
  name: many('Packages, groups or tags by their names, with * for any characters; each becomes a rule.'),
  uuid: word('A package group by its uuid.'),
  version: word('Packages of this version alone.'),
  min_version: word('Packages of this version and later ones.'),
  max_version: word('Packages of this version and earlier ones.'),
  architecture: word('Packages of this architecture alone.'),
  errata_id: word('An erratum by its id.'),
  errata_ids: z.array(z.string()).nullish().meta({ description: 'Errata by their ids; each becomes a rule.' }),
  start_date: word('Errata of this day (YYYY-MM-DD) and later ones.'),
  end_date: word('Errata of this day (YYYY-MM-DD) and earlier ones.'),
  types: z
    .array(z.string())
    .nullish()
    .meta({ description: `Errata of these types: ${ERRATUM_TYPES.join(', ')}.` }),
  date_type: word('Date of an erratum that counts: issued or updated.'),
  module_stream_ids: z.array(z.int()).nullish().meta({ description: 'Refused: modules are not known here.' }),
})

/** Creates one rule, or one for each of several names or errata; all or none. */
export const createRules: Action = {
  method: 'POST',
  path: '',
  name: 'create',
  summary: 'Create rules of a content view filter',
  permissions: [CONTENT_VIEW_PERMISSIONS.edit_content_views],
  body: z.object({ rule: RULE.meta({ description: 'The rule, or what several have in common.' }) }),
  adds: {
    results: z
      .array(z.looseObject({ id: z.int().meta({ description: 'Id of the rule.' }) }))
      .optional()
      .meta({ description: 'All rules that were made, where these are several; the answer itself is the first.' }),
  },
  status: 201,
  handle: async (ctx, rules, input) => {
    const { draft: given } = await resolveParents(ctx, rules, input, 'edit')
    const validated = await Promise.all(
      splitRules(readAttributes(rules, input.body)).map((one) => validate(ctx, rules, one)),
    )
    return inTransaction(ctx, async (tx) => {
      const made: Record<string, unknown>[] = []
      for (const each of validated) {
        const id = await createRecord(tx, rules, await readDraft(tx, rules, each, null, given))
        made.push(await readBack(tx, rules, id))
      }
      return { status: 201, body: { ...made[0], ...(made.length > 1 && { results: made }) } }
    }).catch(refuseWithoutId)
  },
}

/** Splits attributes into those of each rule. {@throws Failure} invalid for malformed lists */
function splitRules({ errata_ids, module_stream_ids, ...attributes }: Sent): Sent[] {
  if (isSaid(module_stream_ids)) throw invalid({ module_stream_ids: ['cannot be set: modules are not known here'] })
  if (isSaid(errata_ids) && !Array.isArray(errata_ids))
    throw invalid({ errata_ids: ['must be a list of ids of errata'] })
  const key = isSaid(errata_ids) ? 'errata_ids' : 'name'
  const several = isSaid(errata_ids) ? errata_ids : attributes.name
  if (!Array.isArray(several) || several.length === 0)
    return [Array.isArray(several) ? { ...attributes, name: null } : attributes]
  if (several.length > MOST) throw invalid({ [key]: [`has too many entries (maximum is ${MOST})`] })
  return several.map((one) => ({ ...attributes, [key === 'name' ? 'name' : 'errata_id']: one }))
}

function isSaid(value: unknown): boolean {
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0)
}
