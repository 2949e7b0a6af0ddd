import { typeName } from './compare.ts'
import { type Exchange, isList, isObject, type Json } from './exchanges.ts'
import { routeOf } from './routes.ts'

/** What recordings of the same route have in common, and where servers differ among themselves. */
export interface Variations {
  /** Whether some server answered this route with that status. */
  readonly knowsStatus: (route: string, status: number) => boolean
  /** Whether some servers leave this key away where others have it. */
  readonly varies: (route: string, path: string) => boolean
  /** Whether some server has a value of this type there. */
  readonly knowsType: (route: string, path: string, type: string) => boolean
}

/** Reads all recordings for what differs between servers: versions, and the extensions that were installed. */
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
