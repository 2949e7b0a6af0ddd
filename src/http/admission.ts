import { lookup, reverse } from 'node:dns/promises'
import type { FastifyRequest } from 'fastify'
import { normalizeAddress } from '../areas/access/index.ts'
import { type Actor, type Grant, type Places, SERVICE, type Tree, type Trees } from '../context.ts'
import { withBelow } from '../kernel/trees.ts'
import type { Settings } from '../settings.ts'
import type { ReadClientNames } from './client-certificate.ts'

/**
 * As whom the machine acts that a request comes from; null for one that is not known (smart-parameters §5.2). This is the
 * only way from a certificate to hosts: whatever such an actor asks for is left out by its places.
 */
export type AdmitMachine = (request: FastifyRequest) => Promise<Actor | null>

/** A registered smart proxy that serves the configuration engine. */
interface AdmittedProxy extends Places {
  /** The host in its URL. */
  readonly host: string
}

export interface AdmissionOptions {
  readonly clientNames: ReadClientNames
  readonly proxies: () => Promise<readonly AdmittedProxy[]>
  readonly trees: () => Promise<Trees>
  readonly settings: () => Settings
}

/**
 * Machines are known by their certificates, or, where a setting says so, by what the DNS says of their addresses. Trusted
 * names act for all hosts; smart proxies where they are, those of one name together.
 */
export function createAdmission({ clientNames, proxies, trees, settings }: AdmissionOptions): AdmitMachine {
  return async (request) => {
    const { require_ssl_smart_proxies, trusted_hosts } = settings()
    const certified = clientNames(request)
    if (certified === null && require_ssl_smart_proxies) return null
    const names = certified ?? (await namesInDns(normalizeAddress(request.ip)))
    if (names.length === 0) return null
    const isCalled = (host: string) => names.some((name) => isNamed(host, name))
    if (trusted_hosts.some(isCalled)) return SERVICE
    const called = (await proxies()).filter(({ host }) => isCalled(host))
    return called.length === 0 ? null : actorIn(called, await trees())
  }
}

/** What smart proxies may do with the hosts that they act for. */
const GRANTED = ['view_hosts', 'upload_facts', 'upload_config_reports']

function actorIn(proxies: readonly Places[], { organizations, locations }: Trees): Actor {
  if (proxies.some((place) => place.organizations === null && place.locations === null)) return SERVICE
  const everything: Grant = { search: null, organizations: null, locations: null }
  return {
    ...SERVICE,
    admin: false,
    organizations: allIn(
      organizations,
      proxies.map((place) => place.organizations),
    ),
    locations: allIn(
      locations,
      proxies.map((place) => place.locations),
    ),
    grants: new Map(GRANTED.map((permission) => [permission, [everything]])),
    places: proxies.map((place) => ({ organizations: place.organizations, locations: place.locations })),
  }
}

/** Every place that one of these lists is about. */
function allIn(tree: Tree, lists: readonly (readonly number[] | null)[]): readonly number[] {
  return lists.some((list) => list === null)
    ? [...tree.keys()]
    : withBelow(
        tree,
        lists.flatMap((list) => list ?? []),
      )
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
