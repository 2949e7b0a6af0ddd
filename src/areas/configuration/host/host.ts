import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { notFound } from '../../../errors.ts'
import type { Action, Resource, WriteWrapper } from '../../../kernel/index.ts'
import { nestWrappers } from '../../../records/nest-wrappers.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { asksForHidden, HIDDEN_QUERY } from '../../access/index.ts'
import { buildClassFields, CLASS_KEYS } from '../configclass/applied.ts'
import { classAssignments } from '../configclass/assignments.ts'
import { type InEnvironment, resolveClasses } from '../configclass/resolve-classes.ts'
import { assignedSearch } from '../configclass/search.ts'
import { groupWhatIf } from '../hostgroup/what-if.ts'
import { answerNode, type Form } from '../node/answer.ts'
import { loadNodes } from '../node/node.ts'
import { withReadSecrets } from '../node/references.ts'
import { loadViewer } from '../node/viewer.ts'
import { overrideWrites } from '../override-value/override-writes.ts'
import { classification } from './explain.ts'
import { whatIf } from './what-if.ts'

/** Answers the node document of a host, with an ETag (spec 2.4, smart-parameters §5.1). */
const enc: Action = {
  method: 'GET',
  path: '/:id/enc',
  name: 'enc',
  summary: 'Show the classification of a host: its parameters, its classes with their values, its environment',
  permissions: ['view_hosts'],
  query: HIDDEN_QUERY,
  output: z
    .object({
      data: z
        .object({
          parameters: z.record(z.string(), z.json()).meta({ description: 'Parameters of the host, by name.' }),
          classes: z
            .union([z.record(z.string(), z.record(z.string(), z.json()).nullable()), z.array(z.string())])
            .meta({ description: 'Values by class; a list of names where the settings say so.' }),
          environment: z.string().optional().meta({ description: 'Environment of the host.' }),
        })
        .meta({ description: 'The document.' }),
    })
    .meta({
      title: 'Classification',
      description: 'The classification of a host, as sent to the configuration engine.',
    }),
  refuses: 412,
  record: { how: 'found' },
  handle: (ctx, resource, input, { id }) =>
    answerDocument(ctx, resource, input, { id, format: 'data', called: (name) => name }),
}

/** Answers the document of a host that the caller may see. */
async function answerDocument(
  ctx: Context,
  resource: Resource,
  input: Input,
  { id, ...form }: Form & { readonly id: number },
): Promise<Answer> {
  const [prepared] = await loadNodes(ctx, [id], await loadViewer(ctx, resource, id, asksForHidden(input.query)))
  if (!prepared) throw notFound(resource.name, id)
  return answerNode(ctx, await withReadSecrets(ctx, prepared), form, input.headers?.['if-none-match'])
}

const keepClasses: WriteWrapper<InEnvironment> = {
  keepsCreated: true,
  create: async (ctx, draft, next) => next({ ...draft, ...(await resolveClasses(ctx, draft, null)) }),
  update: async (ctx, stored, draft, next) => next({ ...draft, ...(await resolveClasses(ctx, draft, stored)) }),
}

/** The contribution of configuration to hosts: classes, node document and explanations (smart-parameters §5, §8). */
export const hostClasses = {
  fields: buildClassFields('host'),
  keys: CLASS_KEYS,
  search: assignedSearch('host'),
  wrapWrite: nestWrappers(overrideWrites('host'), keepClasses),
  actions: [enc, classification, whatIf, ...classAssignments('host')],
} as const

/** The contribution of configuration to host groups: classes (smart-parameters §8). */
export const hostgroupClasses = {
  fields: buildClassFields('hostgroup'),
  keys: CLASS_KEYS,
  asked: [{ parameter: 'include', words: ['configclasses'], keys: ['configclasses', 'config_groups'] }],
  search: assignedSearch('hostgroup'),
  wrapWrite: overrideWrites('hostgroup'),
  actions: [...classAssignments('hostgroup'), groupWhatIf],
} as const
