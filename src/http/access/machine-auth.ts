import { lookup, reverse } from 'node:dns/promises'
import type { FastifyRequest } from 'fastify'
import { normalizeAddress } from '../../areas/access/index.ts'
import { type Actor, type Grant, type Places, SERVICE, type Tree, type Trees, withBelow } from '../../context.ts'
import type { Settings } from '../../settings/settings.ts'
import type { ReadClientAddress } from '../listeners/addresses.ts'
import type { ReadClientNames } from './client-certificate.ts'

/**
 * Yields the actor for the machine that sent a request; null for an unknown one (smart-parameters §5.2). A smart proxy sees
 * the hosts of its organizations and locations only; a trusted host acts as the service itself.
 */
export type AdmitMachine = (request: FastifyRequest) => Promise<Actor | null>

/** A registered smart proxy that serves the configuration engine. */
interface AdmittedProxy extends Places {
  /** The host name in its URL. */
  readonly host: string
}

/** The data for admission: names in certificates, addresses, smart proxies, the trees of their places, and settings. */
export interface AdmissionOptions {
  readonly clientNames: ReadClientNames
  readonly clientAddress: ReadClientAddress
  readonly proxies: () => Promise<readonly AdmittedProxy[]>
  readonly trees: () => Promise<Trees>
  readonly settings: () => Settings
}

/**
 * Creates the admission of machines by their certificates or, if a setting allows it, by the DNS names of their
 * addresses. Trusted names act for all hosts. Smart proxies act for hosts of their organizations and locations; proxies
 * with the same name are combined.
 */
export function createAdmission(options: AdmissionOptions): AdmitMachine {
  const { clientNames, clientAddress, proxies, trees, settings } = options
  // A machine mostly asks many times in a row. The lists are replaced when a proxy or a place changes, so that it is enough
  // to compare which lists they are.
  let last: { all: unknown; places: Trees; name: string; actor: Actor | null } | null = null
  return async (request) => {
    const { require_ssl_smart_proxies, trusted_hosts } = settings()
    const certified = clientNames(request)
    if (certified === null && require_ssl_smart_proxies) return null
    const names = certified ?? (await lookUpNames(clientAddress(request)))
    if (names.length === 0) return null
    const isCalled = (host: string) => names.some((name) => isNamed(host, name))
    if (trusted_hosts.some(isCalled)) return SERVICE
    const all = await proxies()
    const places = await trees()
    const name = JSON.stringify(names) // a name may hold any separator
    if (last?.all === all && last.places === places && last.name === name) return last.actor
    const called = all.filter(({ host }) => isCalled(host))
    const actor = called.length === 0 ? null : buildActorOf(called, places)
    last = { all, places, name, actor }
    return actor
  }
}

/** The permissions of smart proxies on the hosts that they act for. */
const GRANTED = ['view_hosts', 'upload_facts', 'upload_config_reports']

function buildActorOf(proxies: readonly Places[], { organizations, locations }: Trees): Actor {
  if (proxies.some((place) => place.organizations === null && place.locations === null)) return SERVICE
  const everything: Grant = { search: null, organizations: null, locations: null }
  return {
    ...SERVICE,
    admin: false,
    organizations: collectPlaces(
      organizations,
      proxies.map((place) => place.organizations),
    ),
    locations: collectPlaces(
      locations,
      proxies.map((place) => place.locations),
    ),
    grants: new Map(GRANTED.map((permission) => [permission, [everything]])),
    places: proxies.map((place) => ({ organizations: place.organizations, locations: place.locations })),
  }
}

/** Lists every organization or location that one of these lists covers; null, as a list, covers all of them. */
function collectPlaces(tree: Tree, lists: readonly (readonly number[] | null)[]): readonly number[] {
  return lists.some((list) => list === null)
    ? [...tree.keys()]
    : withBelow(
        tree,
        lists.flatMap((list) => list ?? []),
      )
}

/** Tells whether a host has this name; a name that begins with `*.` stands for any one label there. */
function isNamed(host: string, name: string): boolean {
  if (!name.startsWith('*.')) return host === name
  const rest = name.slice(1)
  return host.endsWith(rest) && /^[^.]+$/.test(host.slice(0, -rest.length))
}

/** Yields the DNS names of an address that resolve back to this address; the address itself where it has no name at all. */
async function lookUpNames(address: string): Promise<readonly string[]> {
  const names = await reverse(address).catch(() => [])
  if (names.length === 0) return [address]
  const confirmed = names.map(async (name) => {
    const found = await lookup(name, { all: true }).catch(() => [])
    return found.some((each) => normalizeAddress(each.address) === address) ? [name] : []
  })
  return (await Promise.all(confirmed)).flat()
}
