import type { ProxyAccess } from '../../context.ts'
import { type HttpProxy, httpProxyOf } from './http-proxy.ts'

/** How smart proxies are asked: who we are to them, which way requests take, and how long they have to answer. */
export interface ProxyTransport {
  readonly access: ProxyAccess
  readonly through: HttpProxy | null
  readonly timeoutMs: number
}

/** What the configuration of this process and the settings say of it; the context of a request has both. */
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
