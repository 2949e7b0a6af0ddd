import { z } from 'zod'
import { requestFeatures, transportOf, UnansweredError } from '../../areas/proxies/index.ts'
import { type Context, hasPermission } from '../../context.ts'
import { membersOf, readText, resultsOf } from '../../lib/values.ts'
import type { Answer, Route } from '../../requests/route.ts'
import { NOTHING, presentWhole } from '../filtered-lists.ts'
import { createValueTranslator, translateName } from '../names.ts'
import type { Versions } from '../versions.ts'

/** Our routes from which the routes about the service are made. */
interface Sources {
  readonly ping: Route
  readonly proxies: Route
  readonly permissions: Route
  /** Every route of the dialect, for the index. */
  readonly routes: readonly Route[]
  readonly versions: Versions
}

/** Routes about the service that only clients of the dialect ask for (core-api §4.9, clients.md §5, §6). */
export function vendorServiceRoutes({ ping, proxies, permissions, routes, versions }: Sources): Route[] {
  const links = linksOf(routes)
  return [
    route('/api', 'home.index', 'Show available API links', async () => ({ links })),
    route('/api/status', 'home.status', 'Show status', async () => ({
      result: 'ok',
      status: 200,
      version: versions.service,
      api_version: 2,
    })),
    {
      ...route('/api/ping', 'ping.ping', 'Show whether the parts of the service are there', async (ctx) => ({
        results: { foreman: await loadOwnState(ctx, ping), katello: await buildParts(ctx, ping) },
      })),
      access: ping.access,
    },
    route('/api/statuses', 'ping.statuses', 'Show status and version of system and its parts', async (ctx) => ({
      results: {
        foreman: await statusOf(ctx, ping, proxies, versions),
        katello: { ...versionOf(ctx, versions), ...(await buildParts(ctx, ping)) },
      },
    })),
    {
      ...route('/katello/api/status', 'ping.server_status', 'Show version of the content part', async (ctx) =>
        versionOf(ctx, versions),
      ),
      access: { kind: 'public' }, // the command line asks for it without a login
    },
    {
      ...route('/api/permissions/resource_types', 'permissions.resource_types', 'List all kinds of records', (ctx) =>
        listResourceTypes(ctx, permissions),
      ),
      access: permissions.access,
    },
    {
      ...route('/katello/api/ping', 'ping.index', 'Show status of the content part', (ctx) => buildParts(ctx, ping)),
      access: { kind: 'public' },
    },
  ]
}

function route(path: string, id: string, summary: string, body: (ctx: Context) => Promise<unknown>): Route {
  return {
    method: 'GET',
    path,
    id,
    group: id.split('.', 1)[0] ?? id,
    summary,
    access: { kind: 'login' },
    answers: { 200: z.json() },
    handle: async (ctx) => ({ status: 200, body: await body(ctx) }),
  }
}

async function statusOf(ctx: Context, ping: Route, proxies: Route, versions: Versions) {
  return {
    version: versions.service,
    api: { version: 'v2' },
    plugins: [],
    smart_proxies: await loadProxyStates(ctx, proxies),
    compute_resources: [],
    database: await loadDatabaseState(ctx, ping),
  }
}

/** Lists the types of records that have permissions, as a page. */
async function listResourceTypes(ctx: Context, permissions: Route): Promise<unknown> {
  const { body } = await permissions.handle(ctx, { ...NOTHING, query: { per_page: 'all' } })
  const word = createValueTranslator('theirs', 'resource_type', 'permissions')
  const types = new Set(
    resultsOf(body).map((one) => {
      const type = readText(one, 'resource_type') ?? null
      return type === null || !word ? type : word(type)
    }),
  )
  const names = [...types].filter((type) => type !== null).sort()
  return presentWhole(names.map((name) => ({ name })))
}

/** Yields the states of the content services: all are parts of this service, and depend on its database only. */
async function buildParts(ctx: Context, ping: Route) {
  const { active, duration_ms } = await loadDatabaseState(ctx, ping)
  const state = { status: active ? 'ok' : 'FAIL', duration_ms, message: null }
  return { services: Object.fromEntries(PARTS.map((name) => [name, state])), status: state.status }
}

const PARTS = [
  'candlepin',
  'candlepin_auth',
  'foreman_tasks',
  'katello_events',
  'candlepin_events',
  'pulp3',
  'pulp',
  'pulp_auth',
]

function versionOf({ now }: Context, { content }: Versions) {
  return { version: content, timeUTC: `${now().toISOString().slice(0, 19).replace('T', ' ')} UTC` }
}

async function loadOwnState(ctx: Context, ping: Route): Promise<unknown> {
  const { body } = await ping.handle(ctx, NOTHING)
  return membersOf(membersOf(body).results).millwright
}

interface DatabaseState {
  readonly active: boolean
  readonly duration_ms: string
}

async function loadDatabaseState(ctx: Context, ping: Route): Promise<DatabaseState> {
  const { database } = (await loadOwnState(ctx, ping)) as { readonly database: DatabaseState } // according to its schema
  return database
}

interface Proxy {
  readonly name: string
  readonly url: string
}

/** Yields the states of the smart proxies that the caller may see, which are asked concurrently. */
async function loadProxyStates(ctx: Context, proxies: Route): Promise<unknown[]> {
  if (proxies.access.kind === 'permission' && !proxies.access.anyOf.some((name) => hasPermission(ctx, name))) return []
  const { body }: Answer = await proxies.handle(ctx, { ...NOTHING, query: { per_page: 'all' } })
  const { results } = body as { results: readonly Proxy[] } // a page of smart proxies
  return Promise.all(results.map((proxy) => stateOf(ctx, proxy)))
}

async function stateOf(ctx: Context, { name, url }: Proxy): Promise<unknown> {
  const since = performance.now()
  const formatTaken = () => String(Math.round(performance.now() - since))
  try {
    const features = await requestFeatures(url, transportOf(ctx))
    const word = createValueTranslator('theirs', 'name', 'features')
    const running = Object.fromEntries(
      features.map((one) => [word ? word(one.name) : one.name, one.capabilities.join(', ')]),
    )
    return { name, status: 'ok', duration_ms: formatTaken(), version: null, features: running, failed_features: {} }
  } catch (error) {
    if (!(error instanceof UnansweredError)) throw error
    return { name, status: 'FAIL', duration_ms: formatTaken(), message: error.message }
  }
}

/** Lists the paths of each resource for the index. */
function linksOf(routes: readonly Route[]): Record<string, Record<string, string>> {
  const links: Record<string, Record<string, string>> = {}
  for (const { group, summary, path } of routes) {
    const name = translateName('theirs', group)
    links[name] ??= {}
    links[name][summary] ??= path.replace(/(?<=:)\w+/g, (segment) => translateName('theirs', segment))
  }
  return links
}
