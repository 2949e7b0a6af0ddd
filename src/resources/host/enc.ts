import { z } from 'zod'
import type { Context } from '../../context.ts'
import { Failure, notFound } from '../../errors.ts'
import { notVisible, permissionFor, visible } from '../../kernel/authorize.ts'
import { idSegment, within } from '../../kernel/operations/within.ts'
import type { Action, Resource } from '../../kernel/resource.ts'
import type { Answer, Input } from '../../kernel/route.ts'
import { selectRecord } from '../../kernel/store/select.ts'
import { type Format, nodeAnswer, noNode } from '../node/answer.ts'
import { idOfNode } from '../node/inputs.ts'
import { nodes } from '../node/node.ts'
import { viewerOf } from '../node/viewer.ts'

/** Spec 2.4, smart-parameters §5.1: what the host gets from its classes, with an ETag. */
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
          parameters: z.record(z.string(), z.json()).meta({ description: 'What it gets to know, by name.' }),
          classes: z
            .union([z.record(z.string(), z.record(z.string(), z.json()).nullable()), z.array(z.string())])
            .meta({ description: 'Values by class; a list of names where the settings say so.' }),
          environment: z.string().optional().meta({ description: 'Its environment.' }),
        })
        .meta({ description: 'The document.' }),
    })
    .meta({ title: 'Classification', description: 'What the configuration engine is told of a host.' }),
  refuses: 412,
  handle: (ctx, resource, input) => encOf(ctx, resource, input, 'data'),
}

/** The document of a host that the caller may see. */
export async function encOf(ctx: Context, resource: Resource, input: Input, format: Format): Promise<Answer> {
  const segment = idSegment(input)
  const permission = permissionFor(resource, 'view')
  const { conditions } = await within(ctx, resource, input)
  const found = await selectRecord(ctx.db, resource, ['id'], segment, [
    ...visible(ctx, resource, permission),
    ...conditions,
  ])
  if (!found) throw notVisible(ctx, resource, permission, segment)
  const id = Number(found.id)
  const [prepared] = await nodes(ctx.db, [id], await viewerOf(ctx, resource, id))
  if (!prepared) throw notFound(resource.name, segment)
  return nodeAnswer(ctx, prepared, format, input.headers?.['if-none-match'])
}

/** The same for the host with this certificate name, name or id (smart-parameters §5.1). */
export async function encNamed(
  ctx: Context,
  resource: Resource,
  input: Input,
  { name, format }: { readonly name: string; readonly format: Format },
): Promise<Answer> {
  const id = await idOfNode(ctx.db, name)
  if (id === null) return noNode(name, format)
  try {
    return await encOf(ctx, resource, { ...input, params: { id: String(id) } }, format)
  } catch (error) {
    if (error instanceof Failure && error.code === 'not_found') return noNode(name, format)
    throw error
  }
}
