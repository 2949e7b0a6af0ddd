import type { ProxyAccess } from '../../context.ts'
import { type HttpProxy, httpProxyOf } from './http-proxy.ts'

/** How to reach smart proxies: certificates, HTTP proxy and time limit. */
export interface ProxyTransport {
  readonly access: ProxyAccess
  readonly through: HttpProxy | null
  readonly timeoutMs: number
}

/** Takes it from the configuration and settings in the context of a request. */
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
