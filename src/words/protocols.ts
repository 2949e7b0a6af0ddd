/** Words of existing servers and clients of this API that the rest of the project does not use. */

/** The path below a smart proxy's URL that starts configuration runs (core-api §1.5). */
export const CONFIG_ENGINE_PATH = 'puppet/run'

/**
 * The command that runs the configuration of a host once, on the host; its exit status tells the result (smart-parameters
 * §7).
 */
export const CONFIG_AGENT_ONCE =
  'puppet agent --onetime --no-daemonize --no-usecacheonfailure --verbose --detailed-exitcodes'

/** Exit statuses of success: nothing had to change, or all changes were made. */
export const CONFIG_AGENT_SUCCESS: readonly number[] = [0, 2]

/** Our names of the features that smart proxies report. */
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

/** Yields the name of a feature by the word of smart proxies; an unknown word is capitalized, `Container_Gateway`. */
export function featureNameOf(word: string): string {
  return FEATURE_NAMES[word.toLowerCase()] ?? word.replace(/(?<=^|_)\p{Ll}/gu, (letter: string) => letter.toUpperCase())
}

/** The path below a smart proxy's URL that lists environments and their classes (smart-parameters §6.3). */
export const CONFIG_CLASSES_PATH = 'puppet/environments'

/** The setting of a smart proxy's feature that names its server of the configuration engine. */
export const CONFIG_SERVER_SETTING = 'puppet_url'

/** The attribute by which matchers of existing sites name the server that configures a host. */
export const CONFIG_SERVER_ATTRIBUTE = 'puppetmaster'

/** The path of a configuration server that lists its environments. */
export const SERVER_ENVIRONMENTS_PATH = 'puppet/v3/environments'

/** The path of a configuration server for the classes of one environment. */
export const SERVER_CLASSES_PATH = 'puppet/v3/environment_classes'

/** The parameter of a host or host group that lists the activation keys it registers with (content-api §2.10, §5.1). */
export const KEYS_PARAMETER = 'kt_activation_keys'

/** Facts by which existing hosts report their organization and location. */
export const PLACE_FACTS = { organization: 'foreman_organization', location: 'foreman_location' } as const

/** The fact by which existing hosts report their host group. */
export const GROUP_FACT = 'foreman_hostgroup'

/**
 * Facts that playbooks report: their type, the key they stand under, the prefix of their names, and the equivalent facts of
 * the configuration engine.
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
    'ansible_lsb::description': 'os::distro::description',
    ansible_kernel: 'kernelrelease',
    ansible_architecture: 'os::architecture',
    ansible_product_name: 'dmi::product::name',
    ansible_domain: 'networking::domain',
    'ansible_default_ipv4::address': 'networking::ip',
    'ansible_default_ipv4::macaddress': 'networking::mac',
    'ansible_default_ipv6::address': 'networking::ip6',
    'ansible_default_ipv4::interface': 'networking::primary',
  },
  /** The fact that lists the interfaces; each has a further fact by its name. */
  interfaces: 'ansible_interfaces',
  properties: {
    mac: ['macaddress'],
    ip: ['ipv4::address'],
    type: ['type'],
    devices: ['slaves', 'interfaces'],
    mode: ['mode'],
  },
} as const

/** How the subscription client reports interfaces, once the dots in its names are `::`, and which facts it has of each. */
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

/** The client with which hosts register (content-api §5.4). */
export const SUBSCRIPTION_CLIENT = 'subscription-manager'

/** The header by which that client recognizes the version of the server (content-api §5.4). */
export const SUBSCRIPTION_VERSION_HEADER = 'x-candlepin-version'

/**
 * Programs that send configuration reports: the word by which they identify themselves, the form of the sources in their log
 * lines, and our name.
 */
export const REPORTERS: readonly {
  readonly reporter: string
  readonly logged?: RegExp
  readonly origin: string
}[] = [
  { reporter: 'puppet', logged: /Puppet/, origin: 'Config' },
  { reporter: 'ansible', origin: 'Playbook' },
]

/** The name of the overall status of a host, beside `global`. */
export const GLOBAL_STATUS = 'HostStatus::Global'
