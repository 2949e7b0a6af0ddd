import { z } from 'zod'
import type { Context } from '../../context.ts'
import { invalid } from '../../errors.ts'
import { notVisible, permissionFor, visible } from '../../kernel/authorize.ts'
import { idSegment, within } from '../../kernel/operations/within.ts'
import type { Action, Resource } from '../../kernel/resource.ts'
import type { Answer, Input } from '../../kernel/route.ts'
import { selectRecord } from '../../kernel/store/select.ts'
import { renderLoading, TemplateError } from '../../templates/index.ts'
import { editableParameters } from '../parameter/hidden.ts'
import { chooseTemplate } from '../rendering/choice.ts'
import { hostWorld } from '../rendering/world.ts'

/**
 * What a host would get of a kind of templates, rendered with what is known of it now. Whoever sees the host sees that;
 * passwords are in it only for those who may edit the host, hidden parameters for those who may edit these as well.
 */
export const previewTemplate: Action = {
  method: 'GET',
  path: '/:id/template/:kind',
  name: 'template',
  summary: 'Render the provisioning template of one kind that a host takes',
  permissions: ['view_hosts'],
  output: z
    .object({ template: z.string().meta({ description: 'The rendered text.' }) })
    .meta({ title: 'RenderedTemplate', description: 'A template rendered for a host.' }),
  refuses: 422,
  handle: preview,
}

async function preview(ctx: Context, resource: Resource, input: Input): Promise<Answer> {
  const segment = idSegment(input)
  const permission = permissionFor(resource, 'view')
  const { conditions } = await within(ctx, resource, input)
  const seen = [...visible(ctx, resource, permission), ...conditions]
  const found = await selectRecord(ctx.db, resource, ['id'], segment, seen)
  if (!found) throw notVisible(ctx, resource, permission, segment)
  const id = Number(found.id)
  const editable = visible(ctx, resource, permissionFor(resource, 'edit'))
  const secrets = (await selectRecord(ctx.db, resource, ['id'], id, editable)) !== undefined
  const chosen = await chooseTemplate(ctx, id, input.params.kind ?? '')
  const { world, load } = await hostWorld(ctx, id, {
    secrets,
    unhide: (ids) => editableParameters(ctx, resource.registry, secrets ? ids : []),
    diskLayout: true,
  })
  try {
    return { status: 200, body: { template: await renderLoading(chosen.template, world, load) } }
  } catch (error) {
    if (error instanceof TemplateError)
      throw invalid({ template: [`${chosen.name} cannot be rendered: ${error.message}`] }, id)
    throw error
  }
}
