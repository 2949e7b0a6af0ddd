import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { row } from '../../database/sql.ts'
import type { Settings } from '../../settings.ts'
import { isTemplate, type Options, renderLoading, TemplateError, type TemplateFunction } from '../../templates/index.ts'
import { belongs } from './choice.ts'
import { type HostData, readHost } from './host-data.ts'
import { hostReader } from './host-reader.ts'
import { type Parameters, parameterFunctions, readParameters } from './parameters.ts'

/** What the templates of one host can read and call, and where snippets come from. */
export interface HostWorld {
  readonly world: Options
  /** The text of a snippet, null when there is none of that name for this host. */
  readonly load: (name: string) => Promise<string | null>
}

export interface HostWorldOptions {
  /** Whether passwords have their true values; else they are masked. */
  readonly secrets: boolean
  /** Which of these hidden parameters have theirs; the others are masked. */
  readonly unhide: (ids: readonly number[]) => Promise<ReadonlySet<number>>
  /** Whether `@host.diskLayout` is offered: it may be a template itself, which is then rendered before. */
  readonly diskLayout?: true
}

/** Rendering holds up the process: this is used up before others notice, and more than templates of sites need. */
const BUDGET = { steps: 250_000 }

/**
 * Reads everything that templates of a host may ask for (smart-parameters §4.10), so that rendering asks nobody. Whether
 * the caller may see the host is the caller's business. {@throws Failure} not_found
 */
export async function hostWorld(ctx: Context, hostId: number, options: HostWorldOptions): Promise<HostWorld> {
  const host = await readHost(ctx, hostId)
  const hidden = host.parameters.filter(({ hidden_value }) => hidden_value).map(({ id }) => id)
  const parameters = readParameters(host.parameters, await options.unhide(hidden))
  const load = (name: string) => loadSnippet(ctx, host, name)
  const worldWith = (diskLayout: TemplateFunction): Options => ({
    budget: BUDGET,
    variables: { '@host': hostReader(host, parameters, { secrets: options.secrets, diskLayout }) },
    functions: functionsOf(ctx.settings, parameters),
  })
  const none = worldWith(({ fail }) => fail('the disk layout is not offered here'))
  if (!options.diskLayout) return { world: none, load }
  const layout = host.disk ?? host.ptable?.layout
  return { world: worldWith(await diskLayoutOf(typeof layout === 'string' ? layout : null, none, load)), load }
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

/** What templates of a host can call beside what every template can. */
export function functionsOf(settings: Settings, parameters: Parameters): Readonly<Record<string, TemplateFunction>> {
  return {
    ...parameterFunctions(parameters),
    rand_hex: ({ args: [length], fail }) =>
      typeof length === 'number' && length > 0 && length <= 1024
        ? randomBytes(length).toString('hex')
        : fail('rand_hex takes a number of bytes from 1 to 1024'),
    global_setting: ({ args: [name, otherwise], fail }) => {
      const readable = READABLE.find((each) => each === name)
      if (!readable) return fail(`templates may read these settings only: ${READABLE.join(', ')}`)
      const value = settings[readable]
      return value === '' && otherwise !== undefined ? otherwise : value
    },
    server_url: ({ fail }) => settings.server_url || fail(NO_URL),
    server_fqdn: ({ fail }) => (settings.server_url ? new URL(settings.server_url).hostname : fail(NO_URL)),
  }
}

const NO_URL = 'the setting server_url is blank: it says how hosts reach this service'

/** Settings that say nothing of accounts and logins. */
const READABLE = [
  'server_url',
  'entries_per_page',
  'proxy_request_timeout',
] as const satisfies readonly (keyof Settings)[]

/** Snippets that belong where the host is, or above, as all templates that it takes. */
async function loadSnippet(
  ctx: Context,
  { organization_id, location_id }: HostData,
  name: string,
): Promise<string | null> {
  const found = await row<{ template: string }>(
    ctx.db,
    sql`select t.template from templates t where t.name = ${name} and t.snippet
      and ${belongs(ctx, 'organization', organization_id)} and ${belongs(ctx, 'location', location_id)}`,
  )
  return found?.template ?? null
}
