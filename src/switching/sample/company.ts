import { computeId } from '../listed-records.ts'

/** A record of the sample in the shape of answers, with an id by which links of other records name it. */
export type SampleRecord = Readonly<Record<string, unknown>> & { readonly id: number }

/** An organization of the sample with its site and its network. */
export interface Branch {
  readonly organization: string
  readonly location: string
  /** The user group that owns its hosts, but for databases. */
  readonly team: string
  readonly domain: string
  readonly network: string
}

/** The organizations of the sample. */
export const BRANCHES: readonly Branch[] = [
  {
    organization: 'Harbour Bank',
    location: 'Hamburg',
    team: 'Bank platform',
    domain: 'harbour.example',
    network: '10.20.0',
  },
  {
    organization: 'Meadow Retail',
    location: 'Lisbon',
    team: 'Retail platform',
    domain: 'meadow.example',
    network: '10.30.0',
  },
  {
    organization: 'Summit Health',
    location: 'Toronto',
    team: 'Health platform',
    domain: 'summit.example',
    network: '10.40.0',
  },
]

/** An operating system of the sample, with the kernel that its hosts report. */
export interface System {
  readonly name: string
  readonly major: string
  readonly minor?: string
  readonly family: string
  readonly release?: string
  readonly kernel: string
}

/** The operating systems of the sample, the most frequent ones first. */
export const SYSTEMS: readonly System[] = [
  { name: 'Debian', major: '12', family: 'Debian', release: 'bookworm', kernel: '6.1.0-28-amd64' },
  { name: 'Ubuntu', major: '24', minor: '04', family: 'Debian', release: 'noble', kernel: '6.8.0-49-generic' },
  { name: 'AlmaLinux', major: '9', minor: '5', family: 'Redhat', kernel: '5.14.0-503.el9.x86_64' },
  { name: 'RedHat', major: '9', minor: '5', family: 'Redhat', kernel: '5.14.0-503.el9.x86_64' },
  { name: 'Ubuntu', major: '22', minor: '04', family: 'Debian', release: 'jammy', kernel: '5.15.0-126-generic' },
  { name: 'Debian', major: '11', family: 'Debian', release: 'bullseye', kernel: '5.10.0-33-amd64' },
  { name: 'Rocky', major: '8', minor: '10', family: 'Redhat', kernel: '4.18.0-553.el8.x86_64' },
  { name: 'SLES', major: '15', minor: '6', family: 'Suse', kernel: '6.4.0-150600.23-default' },
]

/** The environments of the sample; most hosts are in the first one. */
export const ENVIRONMENTS = ['production', 'staging', 'development'] as const

/** The hardware models of the sample. */
export const MODELS = ['PowerEdge R650', 'ProLiant DL380 Gen11', 'KVM'] as const

/** The user group that owns the databases of all organizations. */
export const DATABASE_TEAM = 'Databases'

const FIRST_START = `#!/bin/sh
# Runs once, when <%= @host.name %> starts for the first time.
<% if @host.operatingsystem.family == 'Debian' -%>
apt-get install --yes chrony
<% else -%>
dnf install --assumeyes chrony
<% end -%>
echo 'Questions: <%= host_param('contact') %>' > /etc/motd
`

/** The host groups of the sample by title; parents come first. */
const GROUPS: readonly { readonly title: string; readonly classes: readonly string[] }[] = [
  { title: 'linux', classes: ['ntp', 'ssh', 'monitoring'] },
  { title: 'linux/web', classes: ['nginx'] },
  { title: 'linux/application', classes: ['java'] },
  { title: 'linux/database', classes: ['postgresql'] },
  { title: 'linux/cache', classes: ['redis'] },
]

/** Yields the id by which links name the system. */
export function idOfSystem({ name, major, minor = '' }: System): number {
  return computeId('operatingsystem', name, major, minor)
}

interface ClassParameter {
  readonly type: string
  readonly value: unknown
  readonly matches?: Readonly<Record<string, unknown>>
}

const CLASSES: Readonly<Record<string, Readonly<Record<string, ClassParameter>>>> = {
  ntp: {
    servers: {
      type: 'array',
      value: ['ntp1.harbour.example', 'ntp2.harbour.example'],
      matches: {
        'domain=meadow.example': ['ntp1.meadow.example'],
        'domain=summit.example': ['ntp1.summit.example'],
      },
    },
  },
  ssh: {
    permit_root_login: { type: 'boolean', value: false },
    port: { type: 'integer', value: 22, matches: { 'fqdn=web01.harbour.example': 2222 } },
  },
  monitoring: {
    interval: { type: 'integer', value: 60, matches: { 'hostgroup=linux/database': 15, 'hostgroup=linux/web': 30 } },
  },
  nginx: {
    worker_processes: {
      type: 'integer',
      value: 4,
      matches: { 'hostgroup=linux/web': 8, 'os=AlmaLinux 9.5': 6, 'fqdn=web01.harbour.example': 16 },
    },
    server_tokens: { type: 'boolean', value: false },
  },
  java: { heap_size: { type: 'string', value: '2g', matches: { 'hostgroup=linux/application': '4g' } } },
  postgresql: {
    max_connections: { type: 'integer', value: 100, matches: { 'hostgroup=linux/database': 400 } },
    settings: { type: 'hash', value: { shared_buffers: '2GB', work_mem: '16MB' } },
  },
  redis: { maxmemory: { type: 'string', value: '1gb', matches: { 'domain=meadow.example': '4gb' } } },
}

const DAY_MS = 86_400_000

/** Builds all records of the sample but its hosts, by the plural names of their resources. `since` is when it began. */
export function buildCompany(since: Date): Readonly<Record<string, readonly SampleRecord[]>> {
  const organizations = BRANCHES.map(({ organization: name }) => ({ id: computeId('organization', name), name }))
  const locations = BRANCHES.map(({ location: name }) => ({ id: computeId('location', name), name }))
  const everywhere = { organization_ids: organizations.map(idOf), location_ids: locations.map(idOf) }
  return {
    organizations,
    locations,
    architectures: [{ id: computeId('architecture', 'x86_64'), name: 'x86_64' }],
    usergroups: [...BRANCHES.map(({ team }) => team), DATABASE_TEAM].map((name) => ({
      id: computeId('usergroup', name),
      name,
    })),
    template_kinds: [{ id: computeId('template_kind', 'user_data'), name: 'user_data' }],
    provisioning_templates: [
      {
        id: computeId('provisioning_template', 'First start'),
        name: 'First start',
        template_kind_id: computeId('template_kind', 'user_data'),
        template: FIRST_START,
        ...everywhere,
      },
    ],
    models: MODELS.map((name) => ({ id: computeId('model', name), name })),
    operatingsystems: SYSTEMS.map((system) => ({
      id: idOfSystem(system),
      name: system.name,
      major: system.major,
      minor: system.minor ?? '',
      family: system.family,
      release_name: system.release ?? null,
      architectures: [{ id: computeId('architecture', 'x86_64') }],
    })),
    environments: ENVIRONMENTS.map((name) => ({ id: computeId('environment', name), name, ...everywhere })),
    ...buildClasses(),
    ...buildNetworks(),
    hostgroups: GROUPS.map((group) => buildGroup(group, everywhere)),
    ...buildKeys(since),
  }
}

function idOf({ id }: SampleRecord): number {
  return id
}

function buildClasses() {
  const environment_ids = ENVIRONMENTS.map((name) => computeId('environment', name))
  const parameters = Object.entries(CLASSES).flatMap(([classname, all]) =>
    Object.entries(all).map(([parameter, told]) => ({
      ...told,
      parameter,
      classname,
      id: computeId('smart_class_parameter', classname, parameter),
    })),
  )
  return {
    configclasses: Object.keys(CLASSES).map((name) => ({ id: computeId('configclass', name), name, environment_ids })),
    smart_class_parameters: parameters.map(({ id, classname, parameter, type, value }) => ({
      id,
      parameter,
      configclass_id: computeId('configclass', classname),
      environments: environment_ids.map((one) => ({ id: one })),
      override: true,
      parameter_type: type,
      default_value: value,
    })),
    override_values: parameters.flatMap(({ id, matches = {} }) =>
      Object.entries(matches).map(([match, value]) => {
        return { id: computeId('override_value', String(id), match), smart_class_parameter_id: id, match, value }
      }),
    ),
  }
}

function buildNetworks() {
  const placeOf = ({ organization, location }: Branch) => ({
    organization_ids: [computeId('organization', organization)],
    location_ids: [computeId('location', location)],
  })
  return {
    domains: BRANCHES.map((branch) => ({
      id: computeId('domain', branch.domain),
      name: branch.domain,
      fullname: branch.organization,
      ...placeOf(branch),
    })),
    subnets: BRANCHES.map((branch) => ({
      id: computeId('subnet', branch.network),
      name: `${branch.location} servers`,
      boot_mode: 'Static',
      network: `${branch.network}.0`,
      mask: '255.255.255.0',
      gateway: `${branch.network}.1`,
      ipam: 'None',
      network_type: 'IPv4',
      domain_ids: [computeId('domain', branch.domain)],
      ...placeOf(branch),
    })),
  }
}

function buildGroup({ title, classes }: (typeof GROUPS)[number], places: object): SampleRecord {
  const [name = title, parent] = title.split('/').toReversed()
  const top = {
    environment_id: computeId('environment', ENVIRONMENTS[0]),
    architecture_id: computeId('architecture', 'x86_64'),
    parameters: [
      { name: 'contact', value: 'infrastructure@harbour.example', parameter_type: 'string' },
      { name: 'backup', value: 'daily', parameter_type: 'string' },
    ],
  }
  return {
    id: computeId('hostgroup', title),
    name,
    title,
    ...places,
    ...(parent === undefined ? top : { parent_id: computeId('hostgroup', parent) }),
    ...(title === 'linux/database' && {
      parameters: [{ name: 'backup', value: 'hourly', parameter_type: 'string' }],
    }),
    configclass_ids: classes.map((one) => computeId('configclass', one)),
  }
}

function buildKeys(since: Date) {
  const collections = BRANCHES.flatMap(({ organization }) =>
    ['Web servers', 'Databases'].map((name) => ({
      id: computeId('host_collection', organization, name),
      name,
      unlimited_hosts: true,
      organization_id: computeId('organization', organization),
    })),
  )
  const keys = BRANCHES.flatMap(({ organization }, place) => {
    const shared = { organization_id: computeId('organization', organization), purpose_usage: 'Production' }
    return [
      {
        ...shared,
        id: computeId('activation_key', organization, 'web'),
        name: 'web-servers',
        description: 'For new web servers',
        unlimited_hosts: false,
        max_hosts: 40,
        host_collections: [{ id: computeId('host_collection', organization, 'Web servers') }],
      },
      {
        ...shared,
        id: computeId('activation_key', organization, 'migration'),
        name: 'migration',
        description: 'For the move of the data centre',
        unlimited_hosts: true,
        // The first organization has a key that ends soon, so that the dashboard has something to warn of.
        expires_at: new Date(since.getTime() + (place === 0 ? 9 : 120) * DAY_MS).toISOString(),
      },
    ]
  })
  return { host_collections: collections, activation_keys: keys }
}
