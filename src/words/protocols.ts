/** Words of the existing servers and clients of this API that the rest of the project does not use. */

/** Where smart proxies take configuration runs, below their URL (core-api §1.5). */
export const CONFIG_ENGINE_PATH = 'puppet/run'

/** Runs the configuration of a host once, on the host, and tells by its exit status how that went (smart-parameters §7). */
export const CONFIG_AGENT_ONCE =
  'puppet agent --onetime --no-daemonize --no-usecacheonfailure --verbose --detailed-exitcodes'

/** What it exits with when all is well: nothing was to change, or all of it was changed. */
export const CONFIG_AGENT_SUCCESS: readonly number[] = [0, 2]

/** Our names of what smart proxies say they do. */
const FEATURE_NAMES: Readonly<Record<string, string>> = {
  bmc: 'BMC',
  chefproxy: 'Chef Proxy',
  dhcp: 'DHCP',
  dns: 'DNS',
  externalipam: 'External IPAM',
  httpboot: 'HTTPBoot',
  puppet: 'Config',
  puppetca: 'Config CA',
  tftp: 'TFTP',
}

/** The name of a feature by the word a smart proxy has for it; an unknown word in capitals, `Container_Gateway`. */
export function featureName(word: string): string {
  return FEATURE_NAMES[word.toLowerCase()] ?? word.replace(/(?<=^|_)\p{Ll}/gu, (letter: string) => letter.toUpperCase())
}

/** Where smart proxies tell of environments and their classes, below their URL (smart-parameters §6.3). */
export const CONFIG_CLASSES_PATH = 'puppet/environments'

/** The setting of a smart proxy's feature that names the server of the configuration engine it asks itself. */
export const CONFIG_SERVER_SETTING = 'puppet_url'

/** What matchers of existing sites call the server that configures a host. */
export const CONFIG_SERVER_ATTRIBUTE = 'puppetmaster'

/** Where a server of the configuration engine tells of its environments, and of the classes in one of them. */
export const SERVER_ENVIRONMENTS_PATH = 'puppet/v3/environments'
export const SERVER_CLASSES_PATH = 'puppet/v3/environment_classes'

/** The parameter of a host or host group that lists the activation keys it registers with (content-api §2.10, §5.1). */
export const KEYS_PARAMETER = 'kt_activation_keys'

/** Facts by which hosts say where they belong, as existing hosts have them written down. */
export const PLACE_FACTS = { organization: 'foreman_organization', location: 'foreman_location' } as const

/** The fact by which a host says which group it is in, as existing hosts have it. */
export const GROUP_FACT = 'foreman_hostgroup'

/**
 * Facts as playbooks tell them: the type that they say they are of, the key that they stand under, how their names begin, and
 * which facts of the configuration engine say the same.
 */
export const PLAYBOOK_FACTS = {
  type: 'ansible',
  within: 'ansible_facts',
  prefix: 'ansible_',
  meanings: {
    ansible_distribution: 'os::name',
    ansible_distribution_version: 'os::release::full',
    ansible_distribution_major_version: 'os::release::major',
    ansible_distribution_release: 'os::distro::codename',
    ansible_architecture: 'os::architecture',
    ansible_product_name: 'dmi::product::name',
    ansible_domain: 'networking::domain',
    'ansible_default_ipv4::address': 'networking::ip',
    'ansible_default_ipv4::macaddress': 'networking::mac',
    'ansible_default_ipv6::address': 'networking::ip6',
    'ansible_default_ipv4::interface': 'networking::primary',
  },
  /** The list of interfaces, and what is said of each of them below a fact of its name. */
  interfaces: 'ansible_interfaces',
  properties: {
    mac: ['macaddress'],
    ip: ['ipv4::address'],
    type: ['type'],
    devices: ['slaves', 'interfaces'],
    mode: ['mode'],
  },
} as const

/** Where the subscription client tells of interfaces, once the dots in its names are `::`, and what it says of each. */
export const CLIENT_INTERFACES: {
  readonly address: string
  readonly prefix: string
  readonly properties: Readonly<Record<string, readonly string[]>>
} = {
  address: 'network::ipv4_address',
  prefix: 'net::interface::',
  properties: {
    mac: ['permanent_mac_address', 'mac_address'],
    ip: ['ipv4_address'],
    ip6: ['ipv6_address::global'],
  },
}

/** The client that hosts register with, and the header by which it knows the version of what it talks to (content-api §5.4). */
export const SUBSCRIPTION_CLIENT = 'subscription-manager'
export const SUBSCRIPTION_VERSION_HEADER = 'x-candlepin-version'

/**
 * Who sends reports of what was configured: the word that they say, what the sources of their log lines look like, and what we
 * call that.
 */
export const REPORTERS: readonly {
  readonly reporter: string
  readonly logged?: RegExp
  readonly origin: string
}[] = [
  { reporter: 'puppet', logged: /Puppet/, origin: 'Config' },
  { reporter: 'ansible', origin: 'Playbook' },
]

/** What the state of a host as a whole is called, beside `global`. */
export const GLOBAL_STATUS = 'HostStatus::Global'
