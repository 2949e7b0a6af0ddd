import { z } from 'zod'
import { type Context, hasPermission } from '../../../context.ts'
import { denied, invalid } from '../../../errors.ts'
import type { Action, Resource, Stored } from '../../../kernel/index.ts'
import type { Answer, Input } from '../../../requests/route.ts'
import { BLANK, formatTooLong } from '../../../requests/sent.ts'
import { asksForHidden, HIDDEN_QUERY } from '../../access/index.ts'
import { MAX_TEMPLATE } from '../provisioning-template/source.ts'
import { listChosen } from '../rendering/choice.ts'
import { renderForHost, renderTemplate } from '../unattended/host-rendering.ts'
import { loadViewedOptions } from '../unattended/viewed-options.ts'

const MAX_NAME = 255

const RENDERED = z
  .object({ template: z.string().meta({ description: 'The rendered text.' }) })
  .meta({ title: 'RenderedTemplate', description: 'A template rendered for a host.' })

/**
 * Renders the template of a kind that a host would get now: for callers who may reveal its secrets what the machine gets,
 * for others with masked ones.
 */
export const previewTemplate: Action = {
  method: 'GET',
  path: '/:id/template/:kind',
  name: 'template',
  summary: 'Render the provisioning template of one kind that a host takes',
  permissions: ['view_hosts'],
  query: HIDDEN_QUERY,
  output: RENDERED,
  refuses: 422,
  record: { how: 'found' },
  handle: preview,
}

const SENT = z.object({
  template: z
    .string('must be a text')
    .min(1, BLANK)
    .max(MAX_TEMPLATE, formatTooLong(MAX_TEMPLATE))
    .meta({ description: 'The text, with tags.' }),
  name: z
    .string('must be a text')
    .min(1, BLANK)
    .max(MAX_NAME, formatTooLong(MAX_NAME))
    .default('the text')
    .meta({ description: 'Name of the template in messages.' }),
})

/**
 * The permissions to render text. Callers who may write templates could as well bind one to the host and preview it.
 */
const WRITING = ['create_provisioning_templates', 'edit_provisioning_templates']

/**
 * Renders text that is not stored for a host, for authors of templates. Secrets are masked as in other views of the
 * host.
 */
export const renderText: Action = {
  method: 'POST',
  path: '/:id/render',
  name: 'render',
  summary: 'Render a text for a host without storing it as a template',
  permissions: ['view_hosts'],
  status: 200,
  query: HIDDEN_QUERY,
  body: SENT,
  output: RENDERED,
  record: { how: 'found' },
  handle: renderSent,
}

/** Lists the template of each kind that a host gets. */
export const takenTemplates: Action = {
  method: 'GET',
  path: '/:id/templates',
  name: 'templates',
  summary: 'List the provisioning templates that a host takes',
  permissions: ['view_hosts'],
  output: z
    .object({
      results: z
        .array(
          z.object({
            id: z.int().meta({ description: 'Id of the template.' }),
            name: z.string().meta({ description: 'Its name.' }),
            template_kind_id: z.int().meta({ description: 'Id of its kind.' }),
            template_kind_name: z.string().meta({ description: 'Purpose.' }),
          }),
        )
        .meta({ description: 'The template of each kind that it takes one of.' }),
    })
    .meta({ title: 'TakenTemplates', description: 'The template of each kind that a host takes.' }),
  record: { how: 'found' },
  handle: async (ctx, _resource, _input, { id }) => ({ status: 200, body: { results: await listChosen(ctx, id) } }),
}

async function preview(ctx: Context, resource: Resource, input: Input, { id }: Stored): Promise<Answer> {
  const options = await loadViewedOptions(ctx, resource, id, asksForHidden(input.query))
  return { status: 200, body: { template: await renderForHost(ctx, id, input.params.kind ?? '', options) } }
}

async function renderSent(ctx: Context, resource: Resource, input: Input, { id }: Stored): Promise<Answer> {
  if (!WRITING.some((permission) => hasPermission(ctx, permission))) throw denied([...WRITING])
  const sent = SENT.safeParse(input.body)
  if (!sent.success) throw invalid(z.flattenError(sent.error).fieldErrors, id)
  const { template, name } = sent.data
  const options = await loadViewedOptions(ctx, resource, id, asksForHidden(input.query))
  return { status: 200, body: { template: await renderTemplate(ctx, id, { name, template }, options) } }
}
