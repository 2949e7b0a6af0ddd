import type { Dialect } from '../../http/dialect.ts'
import type { Route } from '../../requests/route.ts'
import { errorFormOf } from '../../requests/surface.ts'
import { describeApi } from '../apidoc/document.ts'
import { descriptionRoutes } from '../apidoc/routes.ts'
import { translateError } from '../errors.ts'
import { translateName, translateNodeParameter } from '../names.ts'
import { canonicalizeVendorPath, toServicePath } from '../paths.ts'
import { placeRoutes } from '../places.ts'
import { HEADERS } from '../table.ts'
import { type Profile, VERSIONS } from '../versions.ts'
import { vendorRoutes } from './routes.ts'
import { vendorServiceRoutes } from './service.ts'

/** The listener for existing clients: its routes, and how it speaks (docs/compatibility.md). */
export interface Vendor {
  readonly dialect: Dialect
  readonly routes: readonly Route[]
}

/**
 * Builds the listener's translation of requests and answers, once when it opens. The description is made from `described`, the same
 * routes: their schemas take much memory, which is free again when nobody else uses them.
 */
export function openVendor(
  routes: readonly Route[],
  profile: Profile = '3.12',
  described: readonly Route[] = routes,
): Vendor {
  const versions = VERSIONS[profile]
  const translated = vendorRoutes(routes)
  const about = vendorServiceRoutes({
    ping: named(routes, 'service.ping'),
    proxies: named(routes, 'smart_proxies.list'),
    permissions: named(routes, 'permissions.list'),
    routes: translated,
    versions,
  })
  const description = describeApi([...about, ...vendorRoutes(described)])
  const words = new Set([...description.text.matchAll(/"name":"([^"]+)"/g)].map(([, name = '']) => name))
  return {
    // What the description of existing servers leaves out is left out here, too.
    routes: [...about, ...descriptionRoutes(description), ...translated, ...placeRoutes(translated)],
    dialect: {
      path: canonicalizeVendorPath,
      // Only paths name versions in this dialect; one in `Accept` is ignored.
      refusesVersion: () => false,
      everywhere: { [HEADERS.checksum]: description.checksum },
      headers: (_version, { organization, location }) => ({
        [HEADERS.version]: versions.service,
        [HEADERS.apiVersion]: '2',
        [HEADERS.organization]: organization ?? '; ANY',
        [HEADERS.location]: location ?? '; ANY',
      }),
      isKnownWord: (name) => words.has(name) || words.has(translateName('theirs', name)),
      loginCookie: HEADERS.loginCookie,
      errorForm: (path) => errorFormOf(toServicePath(path)),
      nodeParameter: translateNodeParameter,
      error: translateError,
    },
  }
}

function named(routes: readonly Route[], id: string): Route {
  const route = routes.find((one) => one.id === id)
  if (!route) throw new Error(`there is no route ${id}`)
  return route
}
