/** Network devices that containers and virtual machines create and remove, and the loopback device. */
const PASSING_DEVICES = [
  'lo',
  'en*v*',
  'usb*',
  'vnet*',
  'macvtap*',
  ';vdsmdummy;',
  'veth*',
  'docker*',
  'tap*',
  'qbr*',
  'qvb*',
  'qvo*',
  'qr-*',
  'qg-*',
  'vlinuxbr*',
  'vovsbr*',
  'br-int',
  'vif*',
  'cali*',
]

/** Names of facts that are not stored by default: those of temporary devices, and measurements that change every time. */
const EXCLUDED_FACTS = [
  ...PASSING_DEVICES,
  'load_averages::*',
  'memory::swap::available*',
  'memory::swap::capacity',
  'memory::swap::used*',
  'memory::system::available*',
  'memory::system::capacity',
  'memory::system::used*',
  'memoryfree',
  'memoryfree_mb',
  'swapfree',
  'swapfree_mb',
  'uptime_hours',
  'uptime_days',
]

/** Settings about facts, and about hosts that are created from them or named by them. */
export const FACT_SETTINGS = {
  create_new_host_when_facts_are_uploaded: {
    type: 'boolean',
    default: true,
    category: 'Facts',
    fullName: 'Create new host when facts are uploaded',
    description: 'Whether facts of an unknown host create the host.',
  },
  excluded_facts: {
    type: 'array',
    default: EXCLUDED_FACTS,
    category: 'Facts',
    fullName: 'Exclude pattern for facts',
    description:
      'Patterns of names: facts that they match are not stored, whoever tells them. * is any characters; a pattern is compared with the parts of a name, so that ignore* is true of ignore, ignore123, a::ignore, a_ignore and a::ignore123::b.',
  },
  ignored_interface_identifiers: {
    type: 'array',
    default: PASSING_DEVICES,
    category: 'Facts',
    fullName: 'Ignore interfaces with matching identifier',
    description:
      'Patterns of identifiers: facts about these interfaces make none, and change none. * is any characters; a pattern is compared with the whole identifier.',
  },
  ignore_config_facts_for_provisioning: {
    type: 'boolean',
    default: false,
    category: 'Facts',
    fullName: 'Ignore facts for provisioning',
    description: 'Whether facts do not change the interfaces of hosts, with their IP and MAC addresses.',
  },
  ignore_facts_for_operatingsystem: {
    type: 'boolean',
    default: false,
    category: 'Facts',
    fullName: 'Ignore facts for operating system',
    description: 'Whether facts do not change the operating system of hosts.',
  },
  ignore_facts_for_domain: {
    type: 'boolean',
    default: false,
    category: 'Facts',
    fullName: 'Ignore facts for domain',
    description: 'Whether facts make no domains and give hosts none.',
  },
  update_hostgroup_from_facts: {
    type: 'boolean',
    default: false,
    category: 'Facts',
    fullName: 'Update host group from facts',
    description:
      'Whether the fact millwright_hostgroup, the title of a known host group, moves its host there. A machine then says itself which values and passwords of groups it gets.',
  },
  update_operatingsystem_of_managed_hosts: {
    type: 'boolean',
    default: false,
    category: 'Facts',
    fullName: 'Update operating system of managed hosts from facts',
    description:
      'Whether facts that tell of another operating system change that of a managed host. At first it keeps the one that it is installed with.',
  },
  register_hostname_fact: {
    type: 'string',
    default: '',
    max: 255,
    category: 'Content',
    fullName: 'Register host name fact',
    description:
      'The fact of subscription clients that names the host which registers, for example network.hostname-override; no other name then counts. Without it, and where a machine has no such fact, a known host is found by network.hostname, network.fqdn or network.hostname-override, in this order, and a new one is called by network.fqdn first.',
  },
  organization_fact: {
    type: 'string',
    default: 'millwright_organization',
    max: 255,
    category: 'Facts',
    fullName: 'Organization fact',
    description:
      'Name of the fact by which a host says, with a title, in which organization it lies; blank: none does. Only known organizations count, and only those where who tells the facts may act.',
  },
  location_fact: {
    type: 'string',
    default: 'millwright_location',
    max: 255,
    category: 'Facts',
    fullName: 'Location fact',
    description:
      'Name of the fact by which a host says, with a title, at which location it is; blank: none does. Only known locations count, and only those where who tells the facts may act.',
  },
  default_organization: {
    type: 'string',
    default: '',
    max: 255,
    category: 'Facts',
    fullName: 'Default organization',
    description:
      'Title of the organization of hosts that facts create without one; blank: the only organization, if there is exactly one.',
  },
  default_location: {
    type: 'string',
    default: '',
    max: 255,
    category: 'Facts',
    fullName: 'Default location',
    description:
      'Title of the location of hosts that facts create without one; blank: the only location, if there is exactly one.',
  },
  default_config_environment: {
    type: 'string',
    default: 'production',
    max: 255,
    category: 'Configuration',
    fullName: 'Default environment',
    description:
      'Environment of hosts that facts create without an environment, if it exists at the place of the host.',
  },
  host_owner: {
    type: 'string',
    default: '',
    max: 255,
    allows: (text: string) => /^(?:\d{1,15}-(?:Users|Usergroups))?$/.test(text),
    expected: 'the id of a user or a user group with what it is, such as 1-Users or 2-Usergroups, or blank',
    category: 'Provisioning',
    fullName: 'Host owner',
    description:
      'Default owner of new hosts, such as 1-Users or 2-Usergroups by id; blank: their creator, or none if facts create them.',
  },
} as const
