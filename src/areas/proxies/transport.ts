import type { ProxyAccess } from '../../context.ts'
import { type HttpProxy, httpProxyOf } from './http-proxy.ts'

/** How to reach smart proxies: certificates, HTTP proxy and time limit. */
export interface ProxyTransport {
  readonly access: ProxyAccess
  readonly through: HttpProxy | null
  readonly timeoutMs: number
}

/** Yields how to reach smart proxies, from the configuration and the settings in the context of a request. */
export function transportOf({
  proxies,
  settings,
}: {
  readonly proxies: ProxyAccess
  readonly settings: Parameters<typeof httpProxyOf>[0] & { readonly proxy_request_timeout: number }
}): ProxyTransport {
  return {
    access: proxies,
    through: httpProxyOf(settings),
    timeoutMs: settings.proxy_request_timeout * 1000,
  }
}
