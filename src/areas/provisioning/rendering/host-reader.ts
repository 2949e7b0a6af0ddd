import { HIDDEN } from '../../../requests/masks.ts'
import type { HostValue, TemplateFunction } from '../../../templates/index.ts'
import { HOST_METHODS, SERVER_AS_TEXT } from '../../../words/template-names.ts'
import { type Boot, bootOf, formatMediumPath } from './boot.ts'
import { documentOf } from './document.ts'
import type { HostData } from './host-data.ts'
import { createInterfaceReaders, createProxyReader, createSubnetReader, parseHostname } from './network-readers.ts'
import { buildParameterFunctions, type TemplateParameters } from './parameters.ts'
import { createClosedReader, createPartReader, type Methods } from './readers.ts'
import type { OwnerPart, ProvisioningData } from './surroundings.ts'

/** The data of a host that a template may read. */
export interface HostReaderOptions {
  /** Whether passwords are shown; else they are masked. */
  readonly secrets: boolean
  readonly diskLayout: TemplateFunction
  /** The surroundings of the host; absent: templates cannot read them. */
  readonly around?: ProvisioningData
  /** The build token, or its mask. */
  readonly token?: string | null
}

/** Creates `@host`: the methods of smart-parameters §4.10, and nothing else of the host. */
export function createHostReader(
  host: HostData,
  parameters: TemplateParameters,
  options: HostReaderOptions,
): HostValue {
  const { secrets, diskLayout, around = null } = options
  const interfaces = createInterfaceReaders(host, around, secrets)
  const findInterface = (flag: 'primary' | 'provision') => host.interfaces.findIndex((each) => each[flag] === true)
  const [primary, provision] = [findInterface('primary'), findInterface('provision')]
  const maskSecret = (value: string | null) => (value !== null && !secrets ? HIDDEN : value)
  const os = createSystemReader(host)
  const addressOf = (key: 'ip' | 'ip6' | 'mac') => host.interfaces[primary]?.[key] ?? null
  const readSubnet = (subnet: HostData['subnet']) =>
    createSubnetReader(subnet, around?.subnets.find(({ id }) => id === subnet?.id)?.proxies ?? null)
  return createClosedReader(
    'host',
    () => ({
      id: host.id,
      name: host.name,
      to_s: host.name,
      shortname: host.name.split('.')[0],
      certname: host.certname,
      ip: addressOf('ip'),
      ip6: addressOf('ip6'),
      mac: addressOf('mac'),
      domain: createPartReader('domain', host.domain),
      subnet: readSubnet(host.subnet),
      subnet6: readSubnet(host.subnet6),
      hostgroup: createPartReader('hostgroup', host.hostgroup, () => ({ to_label: host.hostgroup?.title })),
      organization: createPartReader('organization', host.organization, () => ({ to_label: host.organization?.title })),
      location: createPartReader('location', host.location, () => ({ to_label: host.location?.title })),
      environment: createPartReader('environment', host.environment),
      os,
      operatingsystem: os,
      architecture: createPartReader('architecture', host.architecture),
      arch: host.architecture?.name,
      model: createPartReader('model', host.model),
      realm: createPartReader('realm', host.realm),
      owner: createPartReader('owner', host.owner, () => (around === null ? {} : buildOwnerMethods(around))),
      medium: createPartReader('medium', host.medium),
      ptable: createPartReader('ptable', host.ptable),
      disk: host.disk ?? '',
      diskLayout,
      interfaces,
      ...buildInterfaceMethods(host, interfaces),
      primary_interface: interfaces[primary] ?? null,
      provision_interface: interfaces[provision] ?? null,
      pxe_loader: host.pxe_loader,
      'pxe_loader_efi?': /EFI/i.test(host.pxe_loader ?? ''),
      uuid: host.uuid,
      provision_method: host.provision_method,
      root_pass: maskSecret(host.root_pass),
      grub_pass: maskSecret(host.grub_pass),
      facts: host.facts,
      facts_hash: host.facts,
      ...buildMeasureMethods(host.facts),
      ...buildParameterFunctions(parameters),
      'param_true?': buildParameterFunctions(parameters)['host_param_true?'],
      'param_false?': buildParameterFunctions(parameters)['host_param_false?'],
      params: parameters.values,
      info: () => documentOf(host, parameters, maskSecret(host.root_pass)),
      last_report: host.last_report,
      'managed?': host.managed,
      'build?': host.build,
      'enabled?': host.enabled,
      'pxe_build?': host.provision_method === 'build',
      'image_build?': host.provision_method === 'image',
      'bootdisk_build?': host.provision_method === 'bootdisk',
      ...buildBootMethods(bootOf(host)),
      ...(around === null ? {} : buildSurroundingMethods(host, around, options)),
    }),
    host.name,
  )
}

/** The methods about the surroundings, by our names and by those that templates of existing sites use. */
function buildSurroundingMethods(
  host: HostData,
  around: ProvisioningData,
  { secrets, token }: HostReaderOptions,
): Methods {
  const own: Methods = {
    comment: around.comment,
    created_at: around.created_at,
    installed_at: around.installed_at,
    owner_type: around.owner_type,
    otp: around.otp !== null && !secrets ? HIDDEN : around.otp,
    token: token ?? null,
    use_image: around.use_image,
    image_file: around.image_file,
    compute_resource: createPartReader('compute resource', around.compute_resource),
    provider: around.compute_resource === null ? 'BareMetal' : (around.compute_resource.name ?? null),
    capabilities: around.compute_resource === null ? ['build'] : ['build', 'image'],
    bmc_nic: host.interfaces.some(({ type }) => type === 'bmc')
      ? createInterfaceReaders(host, around, secrets)[host.interfaces.findIndex(({ type }) => type === 'bmc')]
      : null,
    ssh_authorized_keys: around.owners.flatMap(({ ssh_keys }) => ssh_keys.map(({ key }) => key)),
    smart_proxies: [around.config_proxy, around.config_ca_proxy]
      .map((proxy) => createProxyReader(proxy))
      .filter(Boolean),
    config_server: configServerOf(around),
    config_ca_server: configAuthorityOf(around) ?? '', // templates ask whether it is empty
    config_ca_token: null,
    content_source: null,
    content_view: around.content_view,
    lifecycle_environment: around.lifecycle_environment,
    organization_label: around.organization_label,
  }
  const theirs = Object.entries(HOST_METHODS).flatMap(([name, others]): [string, HostValue | TemplateFunction][] =>
    name in own ? others.map((other) => [other, own[name]]) : [],
  )
  return { ...own, ...Object.fromEntries(theirs), [SERVER_AS_TEXT]: own.config_server ?? '' }
}

/** The server of the configuration engine: as its proxy advertises it, or else the host name of the proxy. */
export function configServerOf({ config_server, config_proxy }: ProvisioningData): string | null {
  if (config_server !== null) return parseHostname(config_server)
  return config_proxy === null ? null : parseHostname(config_proxy.url)
}

/** Host name of the certificate authority: that of the host's CA proxy, or else of any proxy with that feature. */
export function configAuthorityOf({ config_ca_proxy, any_config_ca }: ProvisioningData): string | null {
  const proxy = config_ca_proxy ?? any_config_ca
  return proxy === null ? null : parseHostname(proxy.url)
}

function createSystemReader(host: HostData): HostValue {
  const os = host.operatingsystem
  if (os === null) return null
  const release = [os.major, os.minor].filter((part) => part !== null && part !== '').join('.')
  const boot = bootOf(host)
  const needed =
    <Value extends HostValue>(read: (boot: Boot, kind: string) => Value): TemplateFunction =>
    ({ args, block, fail }) => {
      if (block !== null) return fail('what is said of media here cannot be changed by a block')
      if (boot === null) return fail('the host has no medium, or no architecture')
      return read(boot, readKindName(args.at(-1)))
    }
  return createPartReader('operatingsystem', os, () => ({
    to_label: os.title,
    fullname: `${os.name} ${release}`,
    release,
    pxe_type: boot?.type ?? null,
    kernel: needed(({ file }) => file('kernel')),
    initrd: needed(({ file }) => file('initrd')),
    bootfile: needed(({ file }, kind) => file(kind)),
    boot_files_uri: needed(({ urls }) => [...urls.values()]),
    mediumpath: needed((found) => formatMediumPath(found, os.family)),
    media_url: needed(({ medium }) => medium()),
    medium_uri: needed(({ medium }) => medium()),
  }))
}

/** Reads the name of a kind: `:kernel` or `'kernel'`. */
function readKindName(kind: HostValue): string {
  return typeof kind === 'object' && kind !== null && 'name' in kind ? String(kind.name) : String(kind ?? '')
}

function buildBootMethods(boot: Boot | null): Methods {
  const url: TemplateFunction = ({ args: [kind], fail }) =>
    boot === null ? fail('the host has no medium, or no architecture') : (boot.urls.get(readKindName(kind)) ?? null)
  const refuseUnresolved: TemplateFunction = ({ fail }) => fail('paths of network file systems are not looked up')
  return {
    url_for_boot: url,
    multiboot: boot?.file('kernel') ?? null,
    miniroot: boot?.file('initrd') ?? null,
    jumpstart_path: refuseUnresolved,
    install_path: refuseUnresolved,
  }
}

function buildInterfaceMethods(host: HostData, readers: readonly HostValue[]): Methods {
  const filterReaders = (test: (part: HostData['interfaces'][number]) => boolean) =>
    readers.filter((_, index) => {
      const part = host.interfaces[index]
      return part !== undefined && test(part)
    })
  return {
    managed_interfaces: filterReaders(({ managed, type }) => managed === true && type !== 'bmc'),
    interfaces_with_identifier: ({ args: [wanted] }) =>
      filterReaders(({ identifier }) =>
        wanted === undefined
          ? identifier !== null && identifier !== ''
          : [wanted].flat().some((each) => each === identifier),
      ),
    bond_interfaces: filterReaders(({ type }) => type === 'bond'),
    bridge_interfaces: filterReaders(({ type }) => type === 'bridge'),
    'has_primary_interface?': host.interfaces.some((each) => each.primary === true),
  }
}

function buildOwnerMethods({ owners, owner_type }: ProvisioningData): Methods {
  const people = owners.map(createPersonReader)
  if (owner_type === 'Usergroup') return { all_users: people, ssh_authorized_keys: owners.flatMap(keysOf) }
  const [owner] = owners
  return owner === undefined ? {} : buildPersonMethods(owner)
}

function createPersonReader(owner: OwnerPart): HostValue {
  return createClosedReader('user', () => buildPersonMethods(owner), owner.login)
}

function buildPersonMethods(owner: OwnerPart): Methods {
  const { login, firstname, lastname, mail, ssh_keys } = owner
  const name = [firstname, lastname].filter(Boolean).join(' ') || login
  return {
    login,
    firstname,
    lastname,
    mail,
    name,
    to_s: login,
    description: null,
    ssh_keys: ssh_keys.map((stored) => {
      const [type = '', key = '', ...comment] = stored.key.split(/\s+/)
      const methods = { name: stored.name, key: stored.key, to_export: stored.key, type, ssh_key: key }
      return createClosedReader('ssh key', () => ({ ...methods, comment: comment.join(' ') }), stored.key)
    }),
    ssh_authorized_keys: keysOf(owner),
  }
}

function keysOf({ ssh_keys }: OwnerPart): string[] {
  return ssh_keys.map(({ key }) => key)
}

/** The methods about hardware facts, in the units that templates expect: megabytes and counts. */
function buildMeasureMethods(facts: HostData['facts']): Methods {
  const readNumber = (...names: readonly string[]) => {
    const found = names.map((name) => facts[name]).find((value) => value !== undefined && value !== null)
    const value = Number(found ?? Number.NaN)
    return Number.isFinite(value) ? value : null
  }
  const bytes = readNumber('memory::system::total_bytes')
  const megabytes = readNumber('memorysize_mb')
  const ram = bytes === null ? megabytes : bytes / 2 ** 20
  return {
    ram: ram === null ? null : Math.floor(ram),
    cores: readNumber('processors::count', 'processorcount'),
    sockets: readNumber('processors::physicalcount', 'physicalprocessorcount'),
    virtual: (facts.is_virtual ?? facts['virtual::is_virtual']) === 'true',
    kernel_release: facts.kernelrelease ?? facts['kernel::release'] ?? null,
    uptime_seconds: readNumber('system_uptime::seconds', 'uptime_seconds'),
  }
}
