import { type HttpProxy, httpProxyOf } from '../runs/runners/http-proxy.ts'
import type { ProxyAccess } from './access.ts'

/** How smart proxies are asked: who we are to them, which way requests take, and how long they have to answer. */
export interface Reach {
  readonly access: ProxyAccess
  readonly through: HttpProxy | null
  readonly timeoutMs: number
}

/** What the configuration of this process and the settings say of it; the context of a request has both. */
export function reachOf({
  proxies,
  settings,
}: {
  readonly proxies: ProxyAccess
  readonly settings: Parameters<typeof httpProxyOf>[0] & { readonly proxy_request_timeout: number }
}): Reach {
  return {
    access: proxies,
    through: httpProxyOf(settings),
    timeoutMs: settings.proxy_request_timeout * 1000,
  }
}
