import { lookup, reverse } from 'node:dns/promises'
import type { FastifyRequest } from 'fastify'
import type { Actor } from '../context.ts'
import { normalizeAddress } from '../identity/addresses.ts'
import type { Settings } from '../settings.ts'
import type { ReadClientNames } from './client-certificate.ts'

/** Whether a request comes from a registered smart proxy or a trusted host (smart-parameters §5.2). */
export type Admits = (request: FastifyRequest) => Promise<boolean>

export interface AdmissionOptions {
  readonly clientNames: ReadClientNames
  /** Hosts of the URLs of smart proxies that serve the configuration engine. */
  readonly proxyHosts: () => Promise<readonly string[]>
  readonly settings: () => Settings
}

/** They are known by their certificates, or, where a setting says so, by what the DNS says of their addresses. */
export function createAdmission({ clientNames, proxyHosts, settings }: AdmissionOptions): Admits {
  return async (request) => {
    const { require_ssl_smart_proxies, trusted_hosts } = settings()
    const certified = clientNames(request)
    if (certified === null && require_ssl_smart_proxies) return false
    const names = certified ?? (await namesInDns(normalizeAddress(request.ip)))
    if (names.length === 0) return false
    const hosts = [...trusted_hosts, ...(await proxyHosts())]
    return names.some((name) => hosts.some((host) => isNamed(host, name)))
  }
}

/** Acts for machines, which are no users. */
export const SERVICE: Actor = {
  ...{ id: 0, login: '', name: 'System', admin: true, disabled: false, timezone: null },
  ...{ organizations: [], locations: [], grants: new Map() },
}

/** A name that begins with `*.` stands for any one word there. */
function isNamed(host: string, name: string): boolean {
  if (!name.startsWith('*.')) return host === name
  const rest = name.slice(1)
  return host.endsWith(rest) && /^[^.]+$/.test(host.slice(0, -rest.length))
}

/** What the DNS calls an address, as far as it says the same the other way round; the address itself where it has no name. */
async function namesInDns(address: string): Promise<readonly string[]> {
  const names = await reverse(address).catch(() => [])
  if (names.length === 0) return [address]
  const confirmed = names.map(async (name) => {
    const found = await lookup(name, { all: true }).catch(() => [])
    return found.some((each) => normalizeAddress(each.address) === address) ? [name] : []
  })
  return (await Promise.all(confirmed)).flat()
}
