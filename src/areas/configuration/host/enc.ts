import { z } from 'zod'
import type { Context } from '../../../context.ts'
import { Failure, notFound } from '../../../errors.ts'
import { type Action, findRecord, permissionOf, type Resource } from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { answerMissingNode, answerNode, type Form } from '../node/answer.ts'
import { loadNodeId } from '../node/inputs.ts'
import { loadNodes } from '../node/node.ts'
import { loadViewer } from '../node/viewer.ts'

/** Answers the node document of a host, with an ETag (spec 2.4, smart-parameters §5.1). */
export const enc: Action = {
  method: 'GET',
  path: '/:id/enc',
  name: 'enc',
  summary: 'Show the classification of a host: its parameters, its classes with their values, its environment',
  permissions: ['view_hosts'],
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
  const [prepared] = await loadNodes(ctx.db, [id], await loadViewer(ctx, resource, id))
  if (!prepared) throw notFound(resource.name, id)
  return answerNode(ctx, prepared, form, input.headers?.['if-none-match'])
}

/** Answers the document of the host with this certificate name, name or id, or 404 in its form (smart-parameters §5.1). */
export async function answerDocumentByName(
  ctx: Context,
  resource: Resource,
  input: Input,
  { name, ...form }: Form & { readonly name: string },
): Promise<Answer> {
  const id = await loadNodeId(ctx.db, name)
  if (id === null) return answerMissingNode(name, form.format)
  try {
    const named = { ...input, params: { id: String(id) } }
    await findRecord(ctx, resource, named, { permission: permissionOf(resource, 'view') })
    return await answerDocument(ctx, resource, input, { id, ...form })
  } catch (error) {
    if (error instanceof Failure && error.code === 'not_found') return answerMissingNode(name, form.format)
    throw error
  }
}
