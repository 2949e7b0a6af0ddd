import type { Context } from '../../../context.ts'
import { row, rows } from '../../../database/sql.ts'
import { invalid } from '../../../errors.ts'
import { sql } from '../../../sql.ts'
import {
  isTemplate,
  type Options,
  renderLoading,
  TemplateError,
  type TemplateFunction,
} from '../../../templates/index.ts'
import { type EffectiveParameter, resolveReferences } from '../../parameters/index.ts'
import { buildAddressFunctions, resolveServerUrl } from './addresses.ts'
import { limitToHostPlace } from './choice.ts'
import { findHostData, type HostData } from './host-data.ts'
import { buildHostFunctions, buildProvisioningFunctions, withTheirNames } from './host-functions.ts'
import { createHostReader } from './host-reader.ts'
import { maskHiddenParameters } from './parameters.ts'
import { loadSurroundings } from './surroundings.ts'
import { buildVariables } from './variables.ts'

/** Everything that templates of a host can read and call, and where snippets come from. */
export interface HostWorld {
  readonly world: Options
  /** Loads the text of a snippet; null if this host has none of that name. */
  readonly load: (name: string) => Promise<string | null>
}

/** The data of a host for templates, and the name of the rendered template. */
export interface HostWorldOptions {
  /** Whether passwords are shown; else they are masked. */
  readonly secrets: boolean
  /** The build token in URLs, or its mask; null when there is none or the reader must not have one. */
  readonly token: string | null
  /** Chooses hidden parameters whose values are shown; others are masked. */
  readonly unhide: (ids: readonly number[]) => Promise<ReadonlySet<number>>
  /** Masks facts and parameters that the reader may not see; default: none are masked. */
  readonly shown?: (host: HostData) => Promise<HostData>
  /** Whether references to secrets are replaced by the secrets, unless a transaction would wait for these. */
  readonly resolves?: true
  /** The value of `template_name`. */
  readonly name?: string
  /** Whether `@host.diskLayout` exists. It may be a template itself, which is then rendered first. */
  readonly diskLayout?: true
}

/** Rendering blocks the process: so many steps take little time, and are more than templates of sites need. */
const BUDGET = { steps: 250_000 }

/**
 * Loads everything that templates of a host may ask for (smart-parameters §4.10), so that rendering needs no database.
 * The calling function checks the permission to see the host. {@throws Failure} not_found
 */
export async function loadHostWorld(ctx: Context, hostId: number, options: HostWorldOptions): Promise<HostWorld> {
  const { unhidden, host, around } = await loadRevealed(ctx, hostId, options)
  const parameters = maskHiddenParameters(host.parameters, unhidden)
  const { secrets, token } = options
  const url = resolveServerUrl(ctx)
  const authorities = await loadAuthorities(ctx)
  const load = (name: string) => loadSnippet(ctx, host, name)
  const buildWorld = (diskLayout: TemplateFunction): Options => ({
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
  const none = buildWorld(({ fail }) => fail('the disk layout is not offered here'))
  if (!options.diskLayout) return { world: none, load }
  const layout = host.disk ?? host.ptable?.layout
  return { world: buildWorld(await diskLayoutOf(typeof layout === 'string' ? layout : null, none, load)), load }
}

/** Loads the data of a host, and which of its hidden parameters are shown; references among these are resolved if the options say so. */
async function loadRevealed(ctx: Context, hostId: number, { shown, unhide, resolves }: HostWorldOptions) {
  const stored = await findHostData(ctx, hostId)
  const host = shown ? await shown(stored) : stored
  const around = await loadSurroundings(ctx, hostId)
  const concealed = [...host.parameters, ...around.subnets.flatMap(({ parameters }) => parameters)]
  const unhidden = await unhide(concealed.filter(({ hidden_value }) => hidden_value).map(({ id }) => id))
  if (!resolves) return { unhidden, host, around }
  const { values, failures } = await resolveReferences(
    ctx,
    concealed.filter(({ id }) => unhidden.has(id)),
  )
  if (failures.length > 0) throw invalid({ template: [...failures] }, hostId)
  const replace = <Each extends EffectiveParameter>(each: Each): Each => {
    const secret = values.get(each.id)
    return secret === undefined ? each : { ...each, value: JSON.stringify(secret) }
  }
  const subnets = around.subnets.map((subnet) => ({ ...subnet, parameters: subnet.parameters.map(replace) }))
  return {
    unhidden,
    host: { ...host, parameters: host.parameters.map(replace) },
    around: { ...around, subnets },
  }
}

/** Loads the certificates by which hosts can verify this service: configured ones, and its own authority. */
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

/** Renders the disk layout if it has tags; its errors appear where a template reads it. */
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

/**
 * Loads a snippet that belongs to the host's places or above, as for all templates; default snippets belong everywhere.
 */
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
