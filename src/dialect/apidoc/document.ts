import { createHash } from 'node:crypto'
import { copyLazy } from '../../lib/lazy.ts'
import type { Route } from '../../requests/route.ts'
import { isContentPath } from '../paths.ts'
import { definitionOf } from '../routes/definition-of.ts'
import { BELOW_BOTH, CORE_PAGES, LISTED_BY_BODY, LOOKED_UP, METHODS, OLDER_SEGMENTS } from '../table.ts'
import { isDescribedWith, withRequired } from './adjusted.ts'
import { type DescribedAction, listFurtherParameters, listUnservedActions, withFurtherMembers } from './described.ts'
import { type ActionAddress, actionAddressOf, translateSegment } from './names.ts'
import { describeParameters, describeSegment, type Parameter, parseParameter } from './parameters.ts'
import type { Description } from './routes.ts'

/**
 * Builds the description of the API for existing clients, which find every path, method and parameter here and send nothing
 * else. It is made from the routes of the dialect.
 */
export function describeApi(routes: readonly Route[]): Description {
  const resources = new Map<string, Map<string, Served>>()
  for (const route of routes) {
    const place = actionAddressOf(route)
    if (place === null || !isLookedUp(route)) continue
    const actions = resources.get(place.resource) ?? new Map<string, Served>()
    resources.set(place.resource, actions)
    const served = actions.get(place.action) ?? { routes: [], summary: route.summary }
    actions.set(place.action, served)
    served.routes.push(copyLazy(route, { path: pathOf(route, place) }))
  }
  const documented = [...resources].map(
    ([name, actions]) =>
      [
        name,
        resourceOf(
          name,
          [...actions].map((served) => actionOf(name, served)),
        ),
      ] as const,
  )
  const others = Object.entries(listUnservedActions(resources)).map(
    ([name, actions]) => [name, resourceOf(name, actions)] as const,
  )
  const docs = { ...ABOUT, resources: Object.fromEntries([...documented, ...others]) }
  const text = JSON.stringify({ docs })
  return { text, checksum: createHash('md5').update(text).digest('hex') }
}

/** The routes of one action, each with the path under which clients look it up. */
interface Served {
  readonly routes: Route[]
  readonly summary: string
}

const ABOUT = { name: 'Foreman', info: '', copyright: '', doc_url: '/apidoc/v2', api_url: '/api' }

/**
 * Tells whether a route is described: not those for older clients, not those that moved to another method, not those below
 * two parents, and no second form of a list.
 */
function isLookedUp({ method, path }: Route): boolean {
  if (BELOW_BOTH.some(({ theirs }) => path.startsWith(theirs))) return false
  if (LISTED_BY_BODY.some((one) => one.path === path)) return false
  if (path.split('/').some((segment) => OLDER.includes(segment))) return false
  return !METHODS.some((one) => method === (one.older ? one.theirs : one.ours) && path.endsWith(one.end))
}

const OLDER = Object.values(OLDER_SEGMENTS)

function pathOf({ path, group }: Route, place: ActionAddress): string {
  if (place.path) return place.path
  const prefix = LOOKED_UP[group]
  const prefixed = prefix && path.startsWith('/api/') ? prefix + path.slice('/api'.length) : path
  return prefixed.replace(/:(\w+)/g, (_, name: string) => `:${translateSegment(group, name)}`)
}

function actionOf(resource: string, [name, { routes, summary }]: readonly [string, Served]): DescribedAction {
  const action = `${resource}.${name}`
  const found = narrowed(routes, action)
  const parameters = [...withFurtherMembers(action, mergeParameters(found)), ...listFurtherParameters(resource, name)]
  const isContent =
    resource === 'host_subscriptions' ||
    found.every(({ path, group }) => isContentPath(path) && !CORE_PAGES.includes(group))
  const placed = isContent
    ? parameters.filter((one) => isDescribedWith(action, one.name))
    : withScope(resource, parameters)
  return {
    name,
    summary,
    apis: found.map(({ path, method }) => ({ path, method })),
    parameters: withRequired(action, placed),
  }
}

/** Resources of the core API that are described without them. */
const WITHOUT_SCOPE = ['hosts_bulk_actions', 'ping']

/** Adds the organization and the location, which every request of the core API may name, where the schemas do not. */
function withScope(resource: string, parameters: readonly Parameter[]): readonly Parameter[] {
  if (WITHOUT_SCOPE.includes(resource)) return parameters
  const missing = ['location_id#', 'organization_id#'].map((one) => parseParameter(one))
  return [...parameters, ...missing.filter(({ name }) => !parameters.some((one) => one.name === name))]
}

/**
 * Chooses the described routes of an action. Paths below a parent are described for lists, for actions without a plain path,
 * and where clients use them. A resource that the content API has, too, is described there.
 */
function narrowed(routes: readonly Route[], action: string): readonly Route[] {
  const content = routes.filter(({ path }) => isContentPath(path))
  const found = content.length > 0 ? content : routes
  if (action.endsWith('.index') || BELOW_PARENTS.has(action)) return found
  const fewest = Math.min(...found.map(({ path }) => segmentsOf(path).length))
  return found.filter(({ path }) => segmentsOf(path).length === fewest)
}

/** Actions that clients also ask for below a parent. */
const BELOW_PARENTS: ReadonlySet<string> = new Set([
  'puppetclasses.show',
  'template_combinations.show',
  'smart_proxies.import_puppetclasses',
  'subscriptions.show',
  'images.show',
  'images.create',
  'images.update',
  'images.destroy',
  'lifecycle_environments.show',
  'lifecycle_environments.create',
  'lifecycle_environments.update',
  'lifecycle_environments.destroy',
  'lifecycle_environments.paths',
  'host_collections.create',
  'content_views.create',
  'products.create',
])

function mergeParameters(routes: readonly Route[]): Parameter[] {
  const found = new Map<string, Parameter>()
  const isContent = routes.every(({ path }) => isContentPath(path))
  const segments = routes.map(({ path }) => segmentsOf(path))
  for (const name of new Set(segments.flat())) {
    const isRequired = segments.every((names) => names.includes(name))
    found.set(name, { ...describeSegment(name, isContent), required: isRequired })
  }
  for (const route of routes) {
    for (const parameter of [...describeQuery(route, isContent), ...describeSent(route)]) {
      if (!found.has(parameter.name)) found.set(parameter.name, parameter)
    }
  }
  return [...found.values()]
}

function segmentsOf(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
}

function describeQuery({ query, group }: Route, isContent: boolean): Parameter[] {
  const found = query ? describeParameters(query, group) : []
  return isContent ? found.map((one) => (one.name === 'per_page' ? parseParameter('per_page#') : one)) : found
}

/** Clients of the content API send the keys of a record unwrapped; all others wrap them in the name of the resource. */
function describeSent({ body, group, path }: Route): Parameter[] {
  if (!body) return []
  const whole = describeParameters(body, group)
  const [only, ...others] = whole
  const isWrapped = only?.expected_type === 'hash' && others.length === 0
  if (!isWrapped || !isContentPath(path) || group === 'content_organizations') return whole
  const { shape = {} } = definitionOf(body)
  return Object.values(shape).flatMap((inner) => describeParameters(inner, group))
}

function resourceOf(name: string, actions: readonly DescribedAction[]): unknown {
  return {
    doc_url: `/apidoc/v2/${name}`,
    id: name,
    api_url: '/api',
    name: name.replace(/(?:^|_)(\w)/g, (_, letter: string) => ` ${letter.toUpperCase()}`).trim(),
    short_description: null,
    full_description: null,
    version: 'v2',
    formats: null,
    metadata: null,
    methods: actions.map((action) => methodOf(name, action)),
    headers: null,
    deprecated: null,
  }
}

function methodOf(resource: string, { name, summary, apis, parameters }: DescribedAction): unknown {
  return {
    doc_url: `/apidoc/v2/${resource}/${name}`,
    name,
    apis: apis.map(({ path, method }) => ({
      api_url: path,
      http_method: method,
      short_description: summary,
      deprecated: null,
    })),
    formats: null,
    full_description: '',
    errors: [],
    params: parameters,
    returns: [],
    examples: [],
    metadata: null,
    see: [],
    headers: [],
    show: true,
  }
}
