import { typeName } from './compare.ts'
import { type Exchange, isList, isObject, type Json } from './exchanges.ts'
import { routeOf } from './routes.ts'

/** What differs between recorded servers on one route. */
export interface Variations {
  /** Tells whether some server answered this route with that status. */
  readonly knowsStatus: (route: string, status: number) => boolean
  /** Tells whether some servers leave out this key. */
  readonly varies: (route: string, path: string) => boolean
  /** Tells whether some server has a value of this type there. */
  readonly knowsType: (route: string, path: string, type: string) => boolean
}

/** Collects what differs between servers: versions, and installed extensions. */
export function readVariations(exchanges: readonly Exchange[]): Variations {
  const statuses = new Set<string>()
  const containers = new Map<string, number>()
  const keys = new Map<string, number>()
  const count = (counts: Map<string, number>, key: string) => counts.set(key, (counts.get(key) ?? 0) + 1)
  const types = new Set<string>()
  const walk = (route: string, value: Json, path: string): void => {
    types.add(`${route} ${path} ${typeName(value)}`)
    if (isList(value)) {
      if (value[0] !== undefined) walk(route, value[0], `${path}[]`)
      return
    }
    if (!isObject(value)) return
    count(containers, `${route} ${path}`)
    for (const [key, nested] of Object.entries(value)) {
      const at = path === '' ? key : `${path}.${key}`
      count(keys, `${route} ${at}`)
      walk(route, nested, at)
    }
  }
  for (const exchange of exchanges) {
    const route = routeOf(exchange)
    statuses.add(`${route} ${exchange.status}`)
    if (exchange.status < 300) walk(route, exchange.response, '')
  }
  return {
    knowsStatus: (route, status) => statuses.has(`${route} ${status}`),
    knowsType: (route, path, type) => types.has(`${route} ${path} ${type}`),
    varies: (route, path) => {
      const dot = path.lastIndexOf('.')
      const container = dot < 0 ? '' : path.slice(0, dot)
      return (keys.get(`${route} ${path}`) ?? 0) < (containers.get(`${route} ${container}`) ?? 0)
    },
  }
}
