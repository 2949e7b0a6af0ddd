import createRouter from 'find-my-way'
import type { Input, Route } from '../../requests/route.ts'
import { canonicalizePath } from '../paths.ts'
import type { BatchOperation } from './request.ts'

interface RouteMatch {
  readonly route: Route
  readonly params: Input['params']
}

/** Finds the route for a method and a canonical path, with the parameters in the path; undefined for an unknown one. */
export type Find = (method: string, path: string) => RouteMatch | undefined

/** Builds the router of the routes that a batch may call; PATCH is routed like PUT. */
export function createFinder(routes: readonly Route[]): Find {
  const router = createRouter({ maxParamLength: 1000 })
  for (const route of routes) {
    const methods = route.method === 'PUT' ? ['PUT' as const, 'PATCH' as const] : [route.method]
    for (const method of methods) router.on(method, route.path, () => undefined, route)
  }
  return (method, path) => {
    const found = router.find(method as 'POST', path) // the schema only allows HTTP methods
    return found ? { route: found.store as Route, params: found.params as RouteMatch['params'] } : undefined // as it was stored above
  }
}

/** Finds the route of an operation, with its canonical URL; undefined outside of `/api` and `/content/api`. */
export function findRoute({ method, path }: Pick<BatchOperation, 'method' | 'path'>, find: Find) {
  if (!/^(?:\/content)?\/api\//.test(path)) return undefined
  const url = new URL(canonicalizePath(path), 'http://localhost')
  const found = find(method, url.pathname)
  return found && { ...found, url }
}
