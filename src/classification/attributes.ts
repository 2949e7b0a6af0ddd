/** The attributes of a host that orders and matchers may name; every other name is looked up in its parameters and facts. */
export interface HostFacts {
  readonly fqdn: string
  readonly certname: string | null
  /** The full title, e.g. `Base/Web`. */
  readonly hostgroup: string | null
  readonly organization: string | null
  readonly location: string | null
  readonly operatingsystem: {
    readonly name: string
    readonly major: string
    readonly minor: string | null
    readonly description: string | null
  } | null
  readonly owner: {
    /** The login of a user, or the name of a user group. */
    readonly login: string
    readonly firstname: string | null
    readonly lastname: string | null
  } | null
  readonly domain: string | null
  readonly environment: string | null
  readonly architecture: string | null
  readonly model: string | null
  readonly realm: string | null
  readonly medium: string | null
  readonly ptable: string | null
  readonly subnet: string | null
  readonly subnet6: string | null
  readonly comment: string | null
  readonly ip: string | null
  readonly ip6: string | null
  readonly mac: string | null
  readonly owner_type: string | null
  readonly provision_method: string | null
  /** The name of the server that configures the host. */
  readonly configmaster: string | null
  readonly build: boolean
  readonly managed: boolean
  readonly enabled: boolean
  /** The ids of the records that it has, by their words. */
  readonly ids: Readonly<Partial<Record<(typeof LINKED)[number], number | null>>>
}

/** Records whose ids are attributes of the host, too. */
export const LINKED = [
  'hostgroup',
  'organization',
  'location',
  'operatingsystem',
  'owner',
  'domain',
  'environment',
  'architecture',
  'model',
  'realm',
  'medium',
  'ptable',
  'subnet',
  'subnet6',
] as const

/** A host of which nothing is known, for whoever asks which attributes every host has. */
export const NOBODY: HostFacts = {
  fqdn: '',
  certname: null,
  hostgroup: null,
  organization: null,
  location: null,
  operatingsystem: null,
  owner: null,
  domain: null,
  environment: null,
  architecture: null,
  model: null,
  realm: null,
  medium: null,
  ptable: null,
  subnet: null,
  subnet6: null,
  comment: null,
  ip: null,
  ip6: null,
  mac: null,
  owner_type: null,
  provision_method: null,
  configmaster: null,
  build: false,
  managed: false,
  enabled: false,
  ids: {},
}

/**
 * Yields the display texts by which matchers know a host (smart-parameters §4.3, notes C2): an operating system by its name
 * and version (its description counts only under `operatingsystem_name`), a subnet by its name. The value is null where the
 * host has no such attribute. `server` is a further name of the attribute that holds the server which configures the host.
 */
export function attributesOf(host: HostFacts, server = 'configmaster'): ReadonlyMap<string, string | null> {
  const { fqdn, operatingsystem } = host
  const version = operatingsystem && [operatingsystem.major, operatingsystem.minor].filter(Boolean).join('.')
  const os = operatingsystem && `${operatingsystem.name} ${version}`.trim()
  return new Map<string, string | null>([
    ...NAMED.flatMap((name): [string, string | null][] => [
      [name, host[name] || null],
      [`${name}_name`, host[name] || null],
    ]),
    ...PLAIN.map((name): [string, string | null] => [name, host[name] || null]),
    ...LINKED.map((name): [string, string | null] => [`${name}_id`, host.ids[name]?.toString() ?? null]),
    ...FLAGS.map((name): [string, string] => [name, String(host[name])]),
    ['fqdn', fqdn],
    ['name', fqdn],
    ['hostname', fqdn],
    ['shortname', fqdn.split('.', 1)[0] ?? fqdn],
    ['certname', host.certname || fqdn],
    ['os', os],
    ['operatingsystem', os],
    ['operatingsystem_name', operatingsystem?.description || os],
    ['arch', host.architecture || null],
    [server, host.configmaster || null],
    ['owner', ownerTextOf(host)],
    ['owner_name', ownerTextOf(host)],
  ])
}

/** Linked records that are known by name; each is also an attribute called `<object>_name`. */
const NAMED = [
  'hostgroup',
  'organization',
  'location',
  'domain',
  'environment',
  'architecture',
  'model',
  'realm',
  'medium',
  'ptable',
  'subnet',
  'subnet6',
] as const
const PLAIN = ['comment', 'ip', 'ip6', 'mac', 'owner_type', 'provision_method', 'configmaster'] as const
const FLAGS = ['build', 'managed', 'enabled'] as const

function ownerTextOf({ owner }: HostFacts): string | null {
  if (!owner) return null
  return [owner.firstname, owner.lastname].filter(Boolean).join(' ') || owner.login
}
