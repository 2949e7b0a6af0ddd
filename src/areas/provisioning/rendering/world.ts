import { sql } from 'kysely'
import type { Context } from '../../../context.ts'
import { row, rows } from '../../../database/sql.ts'
import {
  isTemplate,
  type Options,
  renderLoading,
  TemplateError,
  type TemplateFunction,
} from '../../../templates/index.ts'
import { buildAddressFunctions, resolveServerUrl } from './addresses.ts'
import { limitToHostPlace } from './choice.ts'
import { findHostData, type HostData } from './host-data.ts'
import { buildHostFunctions, buildProvisioningFunctions, withTheirNames } from './host-functions.ts'
import { createHostReader } from './host-reader.ts'
import { maskHiddenParameters } from './parameters.ts'
import { loadSurroundings } from './surroundings.ts'
import { buildVariables } from './variables.ts'

/** What the templates of one host can read and call, and where snippets come from. */
export interface HostWorld {
  readonly world: Options
  /** The text of a snippet, null when there is none of that name for this host. */
  readonly load: (name: string) => Promise<string | null>
}

export interface HostWorldOptions {
  /** Whether passwords have their true values; else they are masked. */
  readonly secrets: boolean
  /** The build token that addresses carry, or its mask; null where there is none, or none for whom it is rendered. */
  readonly token: string | null
  /** Which of these hidden parameters have theirs; the others are masked. */
  readonly unhide: (ids: readonly number[]) => Promise<ReadonlySet<number>>
  /** What of the facts and the parameters is there for whom it is rendered; default: all. */
  readonly shown?: (host: HostData) => Promise<HostData>
  /** What `template_name` says. */
  readonly name?: string
  /** Whether `@host.diskLayout` is offered: it may be a template itself, which is then rendered before. */
  readonly diskLayout?: true
}

/** Rendering holds up the process: this is used up before others notice, and more than templates of sites need. */
const BUDGET = { steps: 250_000 }

/**
 * Reads everything that templates of a host may ask for (smart-parameters §4.10), so that rendering asks nobody. Whether
 * the caller may see the host is the caller's business. {@throws Failure} not_found
 */
export async function loadHostWorld(ctx: Context, hostId: number, options: HostWorldOptions): Promise<HostWorld> {
  const stored = await findHostData(ctx, hostId)
  const host = options.shown ? await options.shown(stored) : stored
  const around = await loadSurroundings(ctx, hostId)
  const concealed = [...host.parameters, ...around.subnets.flatMap(({ parameters }) => parameters)]
  const hidden = concealed.filter(({ hidden_value }) => hidden_value).map(({ id }) => id)
  const unhidden = await options.unhide(hidden)
  const parameters = maskHiddenParameters(host.parameters, unhidden)
  const { secrets, token } = options
  const url = resolveServerUrl(ctx)
  const authorities = await loadAuthorities(ctx)
  const load = (name: string) => loadSnippet(ctx, host, name)
  const worldWith = (diskLayout: TemplateFunction): Options => ({
    budget: BUDGET,
    ...(options.name === undefined ? {} : { name: options.name }),
    variables: {
      ...buildVariables(host, parameters, around),
      '@host': createHostReader(host, parameters, { secrets, diskLayout, around, token }),
    },
    functions: withTheirNames({
      ...buildHostFunctions(ctx.settings, parameters, url),
      ...buildAddressFunctions(url, token, host, around),
      ...buildProvisioningFunctions(host, parameters, around, { secrets, unhidden, authorities }),
    }),
  })
  const none = worldWith(({ fail }) => fail('the disk layout is not offered here'))
  if (!options.diskLayout) return { world: none, load }
  const layout = host.disk ?? host.ptable?.layout
  return { world: worldWith(await diskLayoutOf(typeof layout === 'string' ? layout : null, none, load)), load }
}

/** Certificates that prove this service to hosts: those that it is configured with, and its own authority. */
async function loadAuthorities(ctx: Context): Promise<string> {
  const own = await rows<{ certificate: string }>(
    ctx.db,
    sql`select certificate from certificate_authorities where purpose = 'identity'`,
  )
  const configured = ctx.proxies.tls.authorities
  return [...(configured === undefined ? [] : [configured]), ...own.map(({ certificate }) => certificate)]
    .map((certificate) => certificate.trim())
    .join('\n')
}

/** A layout with tags is rendered once, by the same rules; what is wrong with it is said where it is asked for. */
async function diskLayoutOf(layout: string | null, world: Options, load: HostWorld['load']): Promise<TemplateFunction> {
  if (layout === null) return ({ fail }) => fail('the host has neither a partition table nor a disk layout of its own')
  const plain = layout.replaceAll('\r', '')
  if (!isTemplate(plain)) return () => plain
  try {
    const rendered = await renderLoading(plain, world, load)
    return () => rendered
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    return ({ fail }) => fail(`the disk layout: ${error.message}`)
  }
}

/** Snippets that belong where the host is, or above, as all templates that it takes; those marked so everywhere. */
async function loadSnippet(
  ctx: Context,
  { organization_id, location_id }: HostData,
  name: string,
): Promise<string | null> {
  const found = await row<{ template: string }>(
    ctx.db,
    sql`select t.template from templates t where t.name = ${name} and t.snippet
      and (t."default" or (${limitToHostPlace(ctx, 'organization', organization_id)}
        and ${limitToHostPlace(ctx, 'location', location_id)}))`,
  )
  return found?.template ?? null
}
