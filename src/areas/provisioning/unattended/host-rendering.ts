import type { Context } from '../../../context.ts'
import { invalid } from '../../../errors.ts'
import { renderLoading, TemplateError } from '../../../templates/index.ts'
import { type ChosenTemplate, chooseTemplate } from '../rendering/choice.ts'
import { type HostWorldOptions, loadHostWorld } from '../rendering/world.ts'

/**
 * Renders the template of a kind for a host; the options say what it may contain. {@throws Failure} not_found, naming
 * what was tried; invalid, naming the line of an error in the template
 */
export async function renderForHost(
  ctx: Context,
  host: number,
  kind: string,
  options: HostWorldOptions,
): Promise<string> {
  return renderTemplate(ctx, host, await chooseTemplate(ctx, host, kind), options)
}

/** Renders a chosen template. */
export async function renderTemplate(
  ctx: Context,
  host: number,
  { name, template }: Pick<ChosenTemplate, 'name' | 'template'>,
  options: HostWorldOptions,
): Promise<string> {
  const { world, load } = await loadHostWorld(ctx, host, { ...options, name, diskLayout: true, resolves: true })
  try {
    return await renderLoading(template, world, load)
  } catch (error) {
    if (error instanceof TemplateError)
      throw invalid({ template: [`${name} cannot be rendered: ${error.message}`] }, host)
    throw error
  }
}
