import { asksForAnotherVersion, type Dialect } from '../http/dialect.ts'
import type { Route } from '../kernel/route.ts'
import { surfaceOf } from '../kernel/surface.ts'
import { describe } from './apidoc/document.ts'
import { descriptionRoutes } from './apidoc/routes.ts'
import { errorInTheirs } from './errors.ts'
import { pathInOurs, vendorPath } from './paths.ts'
import { vendorRoutes } from './routes.ts'
import { serviceRoutes } from './service.ts'
import { HEADERS, VERSIONS } from './table.ts'

/** A listener that existing clients of this API can be pointed at: what it serves, and how it speaks (docs/compatibility.md). */
export interface Vendor {
  readonly dialect: Dialect
  readonly routes: readonly Route[]
}

/** The same service in the words of those clients. Made once, when the listener opens. */
export function openVendor(routes: readonly Route[]): Vendor {
  const translated = vendorRoutes(routes)
  const about = serviceRoutes({
    ping: named(routes, 'service.ping'),
    proxies: named(routes, 'smart_proxies.list'),
    routes: translated,
  })
  const description = describe([...about, ...translated])
  return {
    routes: [...about, ...descriptionRoutes(description), ...translated],
    dialect: {
      path: vendorPath,
      refusesVersion: (url, { accept }) =>
        !/^\/(?:[a-z_]+\/)?api\/v2(?:\/|$)/.test(url) && asksForAnotherVersion(accept),
      everywhere: { [HEADERS.checksum]: description.checksum },
      headers: (_version, { organization, location }) => ({
        [HEADERS.version]: VERSIONS.service,
        [HEADERS.apiVersion]: '2',
        [HEADERS.organization]: organization ?? '; ANY',
        [HEADERS.location]: location ?? '; ANY',
      }),
      surface: (path) => surfaceOf(pathInOurs(path)),
      error: errorInTheirs,
    },
  }
}

function named(routes: readonly Route[], id: string): Route {
  const route = routes.find((one) => one.id === id)
  if (!route) throw new Error(`there is no route ${id}`)
  return route
}
