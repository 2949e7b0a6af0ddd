import { HIDDEN } from '../../../requests/masks.ts'
import type { HostValue } from '../../../templates/index.ts'
import type { HostData, HostPart } from './host-data.ts'
import { createClosedReader, createPartReader, type Methods } from './readers.ts'
import type { Processor, ProvisioningData, ProxyPart, SubnetPart, SubnetProxy } from './surroundings.ts'

/** Creates readers for the interfaces of a host, with subnets and domains where these are known. */
export function createInterfaceReaders(
  host: HostData,
  around: ProvisioningData | null,
  secrets: boolean,
): readonly HostValue[] {
  const subnets = new Map(around?.subnets.map(({ id, columns, proxies }) => [id, createSubnetReader(columns, proxies)]))
  const domains = new Map(around?.domains.map((domain) => [domain.id, domain]))
  const buildLinked = (part: NonNullable<HostPart>): Methods => ({
    subnet: subnets.get(Number(part.subnet_id)) ?? null,
    subnet6: subnets.get(Number(part.subnet6_id)) ?? null,
    domain: createPartReader('domain', domains.get(part.domain_id ?? 0) ?? null),
    vlanid: vlanOf(part, around?.subnets ?? []),
    ...buildAccountMethods(
      around?.processors.find(({ id }) => id === part.id),
      secrets,
    ),
  })
  return host.interfaces.map((part) =>
    createPartReader('interface', part, () => ({
      ...nameMethods(part, domains),
      ...buildKindMethods(part),
      inheriting_mac:
        part.mac || (host.interfaces.find(({ identifier }) => identifier === part.attached_to)?.mac ?? null),
      ...(around === null ? {} : buildLinked(part)),
    })),
  )
}

/** Creates a reader for a subnet, with its proxies where these are known. */
export function createSubnetReader(
  part: HostPart,
  proxies: Readonly<Record<SubnetProxy, ProxyPart | null>> | null,
): HostValue {
  if (part === null) return null
  const dns = [part.dns_primary, part.dns_secondary].filter((server) => server !== null)
  const text = `${part.name} (${part.network}/${part.cidr})`
  const served = Object.entries(proxies ?? {}).flatMap(([name, proxy]): [string, HostValue][] => [
    [name, createProxyReader(proxy, name)],
    [`${name}?`, proxy !== null],
  ])
  return createClosedReader(
    'subnet',
    () => ({
      ...part,
      to_s: text,
      title: text,
      to_label: text,
      dns_servers: dns,
      'dhcp_boot_mode?': part.boot_mode === 'DHCP',
      network_address: `${part.network}/${part.cidr}`,
      'has_vlanid?': part.vlanid !== null,
      ...Object.fromEntries(served),
    }),
    text,
  )
}

/** Creates a reader for a smart proxy: its name and URL, and for `httpboot` the ports of that feature. */
export function createProxyReader(proxy: ProxyPart | null, feature = ''): HostValue {
  if (proxy === null) return null
  const { name, url, settings } = proxy
  const portOf = (kind: string) => settings?.[`${kind}_port`]
  const parsePort = (value: unknown) => (/^\d{1,5}$/.test(String(value ?? '')) ? Number(value) : null)
  const ports =
    feature === 'httpboot'
      ? { httpboot_http_port: parsePort(portOf('http')), httpboot_https_port: parsePort(portOf('https')) }
      : {}
  return createClosedReader(
    'smart proxy',
    () => ({ name, to_s: name, url, hostname: parseHostname(url), ...ports }),
    name,
  )
}

/** The host name in a URL, or the text itself if it is no URL. */
export function parseHostname(url: string): string {
  return URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : url
}

function nameMethods(part: NonNullable<HostPart>, domains: ReadonlyMap<unknown, NonNullable<HostPart>>): Methods {
  const name = String(part.name ?? '')
  const domain = String(domains.get(part.domain_id)?.name ?? '')
  return {
    shortname: domain !== '' && name.endsWith(`.${domain}`) ? name.slice(0, -domain.length - 1) : name,
    fqdn: name === '' || name.includes('.') || domain === '' ? name : `${name}.${domain}`,
    hostname: name,
  }
}

function buildKindMethods(part: NonNullable<HostPart>): Methods {
  const devices = String(part.attached_devices ?? '')
    .split(',')
    .filter((word) => word !== '')
  const isVirtual = part.virtual === true
  return {
    attached_devices: devices,
    attached_devices_identifiers: devices,
    bond_options: part.bond_options ?? '',
    link: true,
    'managed?': part.managed === true,
    'virtual?': isVirtual,
    'physical?': !isVirtual,
    'primary?': part.primary === true,
    'provision?': part.provision === true,
    'bond?': part.type === 'bond',
    'bridge?': part.type === 'bridge',
    'bmc?': part.type === 'bmc',
    'alias?': isVirtual && String(part.identifier ?? '').includes(':'),
  }
}

/** The methods about the account of a service processor; blank text without one, because templates ask `empty?`. */
function buildAccountMethods(processor: Processor | undefined, secrets: boolean): Methods {
  if (processor === undefined) return {}
  const { provider, username, password } = processor
  return { provider, username: username ?? '', password: password !== null && !secrets ? HIDDEN : (password ?? '') }
}

/** The VLAN of an interface: its own tag, or else that of its subnet. */
function vlanOf(part: NonNullable<HostPart>, subnets: readonly SubnetPart[]): string | null {
  const subnet = subnets.find(({ id }) => id === part.subnet_id) ?? subnets.find(({ id }) => id === part.subnet6_id)
  const number = subnet?.columns.vlanid ?? null
  if (part.tag !== null && part.tag !== '') return String(part.tag)
  return number === null ? null : String(number)
}
