import { computeOnce, copyLazy } from '../../lib/lazy.ts'
import type { Input, Route } from '../../requests/route.ts'
import { buildHandler } from '../handler.ts'
import { LEFT_OUT } from '../left-out.ts'
import { translateSentence } from '../names.ts'
import { partRoutes } from '../parts.ts'
import { toVendorPaths } from '../paths.ts'
import type { Handle } from '../shapes.ts'
import { BELOW_BOTH, LISTED_BY_BODY, METHODS } from '../table.ts'
import { bulkRoutes } from './bulk.ts'
import { machineRoutes, OF_RUNS } from './machines.ts'
import { orchestrationRoutes } from './orchestration.ts'
import { overviewRoutes } from './overview.ts'
import { powerRoutes } from './power.ts'
import { webhookRoutes, withVendorWebhooks } from './webhooks.ts'

/** Builds every route of the dialect: our routes under the paths, methods and words of clients. */
export function vendorRoutes(routes: readonly Route[]): Route[] {
  const served = routes.filter(({ id }) => !LEFT_OUT.includes(id) && !OF_RUNS.includes(id)).map(withMoreListed)
  const known = withVendorWebhooks(served)
  const mounted = new Map<string, Route>()
  const task = known.find(({ id }) => id === 'tasks.show')
  const mount = (method: Route['method'], route: Route, status?: number) => {
    // Translations follow from schemas, which take much memory for all routes together: they are built for the first request.
    const inner = computeOnce(() => buildHandler(route, method, task))
    const summary = translateSentence(route.summary)
    const handle: Handle = status
      ? async (ctx, input) => ({ ...(await inner()(ctx, input)), status })
      : async (ctx, input) => inner()(ctx, input)
    for (const path of [...toVendorPaths(route.path), ...listDeeperPaths(route)]) {
      const at = `${method} ${path}`
      if (!mounted.has(at)) mounted.set(at, copyLazy(route, { method, path, handle, summary }))
    }
  }
  // The methods of clients take precedence over ours on the same path.
  for (const { end, theirs, ours, status } of METHODS) {
    const meant = known.filter(({ method, path }) => method === ours && path.endsWith(end))
    for (const route of meant) mount(theirs, route, status)
  }
  for (const { list, path, include } of LISTED_BY_BODY) {
    for (const route of known.filter(({ id }) => id === list)) {
      const handle: Handle = (ctx, input) => route.handle(ctx, withIncluded(include, input))
      mount('GET', copyLazy(route, { path, handle }))
      mount('POST', copyLazy(route, { path, handle }))
    }
  }
  const theirs = [
    machineRoutes,
    powerRoutes,
    orchestrationRoutes,
    overviewRoutes,
    partRoutes,
    bulkRoutes,
    webhookRoutes,
  ]
  for (const route of [...theirs.flatMap((list) => list(routes)), ...known]) mount(route.method, route)
  return [...mounted.values()]
}

/** Keys of records that lists show of clients' own accord, by the end of the route: inventories group hosts by them. */
const ALWAYS_LISTED: Readonly<Record<string, readonly string[]>> = {
  'hosts.list': ['content_facet_attributes', 'subscription_facet_attributes'],
}

/** Has lists show the keys that clients expect in them; a list of nothing but names stays as it is. */
function withMoreListed(route: Route): Route {
  const [, include] = Object.entries(ALWAYS_LISTED).find(([end]) => `.${route.id}`.endsWith(`.${end}`)) ?? []
  if (!include) return route
  const handle: Handle = (ctx, input) => route.handle(ctx, withIncluded(include, input))
  return copyLazy(route, { handle })
}

function withIncluded(include: readonly string[], input: Input): Input {
  return { ...input, query: { ...input.query, include: [input.query.include ?? [], include].flat() } }
}

/** Lists below an organization are also mounted below a location, and the other way round, because both narrow them. */
function listDeeperPaths({ id, path }: Route): string[] {
  return BELOW_BOTH.flatMap(({ ours, theirs, operations }) => {
    const isList = path.startsWith(`${ours}/`) && operations.some((operation) => id.endsWith(`.${operation}`))
    return isList ? toVendorPaths(path).map((known) => theirs + known.slice(ours.length)) : []
  })
}
