import { computeId } from '../listed-records.ts'
import {
  BRANCHES,
  type Branch,
  DATABASE_TEAM,
  ENVIRONMENTS,
  idOfSystem,
  MODELS,
  type SampleRecord,
  SYSTEMS,
  type System,
} from './company.ts'

/** A host of the sample: its record, and the facts that it reports. */
export interface SampleHost {
  readonly record: SampleRecord & { readonly name: string }
  readonly facts: Readonly<Record<string, string>>
}

/** The purposes of hosts, each with its host group and its number in each organization: a hundred together. */
const PURPOSES = [
  { prefix: 'web', group: 'linux/web', count: 36, collection: 'Web servers' },
  { prefix: 'app', group: 'linux/application', count: 34, collection: null },
  { prefix: 'db', group: 'linux/database', count: 18, collection: 'Databases' },
  { prefix: 'cache', group: 'linux/cache', count: 12, collection: null },
] as const

/** How many of 24 hosts have each system, in the order of `SYSTEMS`. */
const SHARES = [6, 5, 4, 3, 2, 2, 1, 1]
const SYSTEMS_BY_NUMBER = SYSTEMS.flatMap((system, place) => Array.from({ length: SHARES[place] ?? 1 }, () => system))

/** Builds the 300 hosts of the sample, always the same ones. */
export function buildHosts(): readonly SampleHost[] {
  return BRANCHES.flatMap((branch, row) => {
    const named = PURPOSES.flatMap(({ prefix, count, ...purpose }) =>
      Array.from({ length: count }, (_none, at) => ({
        ...purpose,
        name: `${prefix}${String(at + 1).padStart(2, '0')}`,
      })),
    )
    return named.map((one, at) => buildHost(branch, { ...one, at, number: row * named.length + at }))
  })
}

interface Seat {
  readonly name: string
  readonly group: string
  /** The host collection of its organization that it belongs to. */
  readonly collection: string | null
  /** Its position in its organization. */
  readonly at: number
  /** Its position in the sample. */
  readonly number: number
}

function buildHost(branch: Branch, { name: short, group, collection, at, number }: Seat): SampleHost {
  const name = `${short}.${branch.domain}`
  const system = chooseFrom(SYSTEMS_BY_NUMBER, number * 7)
  const model = chooseFrom(MODELS, number)
  const ip = `${branch.network}.${at + 10}`
  const mac = `52:54:00:00:${toHex(number >> 8)}:${toHex(number & 255)}`
  const card = {
    identifier: 'eth0',
    name,
    ip,
    mac,
    primary: true,
    provision: true,
    managed: false,
    domain_id: computeId('domain', branch.domain),
    subnet_id: computeId('subnet', branch.network),
  }
  return {
    record: {
      id: computeId('host', name),
      name,
      managed: false,
      interfaces: [card],
      organization_id: computeId('organization', branch.organization),
      location_id: computeId('location', branch.location),
      hostgroup_id: computeId('hostgroup', group),
      operatingsystem_id: idOfSystem(system),
      architecture_id: computeId('architecture', 'x86_64'),
      owner_type: 'Usergroup',
      owner_id: computeId('usergroup', group === 'linux/database' ? DATABASE_TEAM : branch.team),
      host_collections:
        collection === null ? [] : [{ id: computeId('host_collection', branch.organization, collection) }],
      environment_id: computeId('environment', environmentOf(number)),
      model_id: computeId('model', model),
      comment: at % 12 === 5 ? 'Moves to the new data centre this quarter' : null,
    },
    facts: buildFacts(system, { name, short, ip, mac, model, number, domain: branch.domain }),
  }
}

/** Two of ten hosts are not in production. */
function environmentOf(number: number): string {
  const [production, staging, development] = ENVIRONMENTS
  if (number % 10 === 7) return staging
  return number % 10 === 3 ? development : production
}

interface Machine {
  readonly name: string
  readonly short: string
  readonly domain: string
  readonly ip: string
  readonly mac: string
  readonly model: string
  readonly number: number
}

function buildFacts(system: System, { name, short, domain, ip, mac, model, number }: Machine): SampleHost['facts'] {
  const cores = chooseFrom([2, 4, 8, 16], number)
  const days = ((number + 1) * 7) % 200
  return {
    architecture: 'x86_64',
    fqdn: name,
    hostname: short,
    domain,
    ipaddress: ip,
    macaddress: mac,
    kernel: 'Linux',
    kernelrelease: system.kernel,
    'os::family': system.family,
    'os::name': system.name,
    'os::release::full': [system.major, system.minor].filter(Boolean).join('.'),
    'processors::count': String(cores),
    'memory::system::total_bytes': String(cores * 4 * 2 ** 30),
    'system_uptime::days': String(days),
    'system_uptime::seconds': String(days * 86_400),
    is_virtual: String(model === 'KVM'),
    productname: model,
  }
}

function chooseFrom<Item>(items: readonly [Item, ...Item[]] | readonly Item[], at: number): Item {
  return items[at % items.length] as Item // the position is below the length, and no list here is empty
}

function toHex(number: number): string {
  return number.toString(16).padStart(2, '0')
}
