import { type Given, reader, type TemplateFunction } from '../../templates/index.ts'
import type { HostData, Part } from './host-data.ts'
import { MASK, type Parameters, parameterFunctions } from './parameters.ts'

/** `@host`: what templates may read of a host, by the names of smart-parameters §4.10, and nothing else. */
export function hostReader(
  host: HostData,
  parameters: Parameters,
  { secrets, diskLayout }: { readonly secrets: boolean; readonly diskLayout: TemplateFunction },
) {
  const interfaces = host.interfaces.map((each) => partReader('interface', each, { attached_devices: words(each) }))
  const among = (flag: 'primary' | 'provision') => host.interfaces.findIndex((each) => each[flag] === true)
  const [primary, provision] = [among('primary'), among('provision')]
  const secret = (value: string | null) => (value !== null && !secrets ? MASK : value)
  const os = partReader('operatingsystem', host.operatingsystem, { to_label: host.operatingsystem?.title })
  const address = (key: 'ip' | 'ip6' | 'mac') => host.interfaces[primary]?.[key] ?? null
  return closed(
    'host',
    {
      id: host.id,
      name: host.name,
      to_s: host.name,
      shortname: host.name.split('.')[0],
      certname: host.certname,
      ip: address('ip'),
      ip6: address('ip6'),
      mac: address('mac'),
      domain: partReader('domain', host.domain),
      subnet: subnetReader(host.subnet),
      subnet6: subnetReader(host.subnet6),
      hostgroup: partReader('hostgroup', host.hostgroup, { to_label: host.hostgroup?.title }),
      organization: partReader('organization', host.organization, { to_label: host.organization?.title }),
      location: partReader('location', host.location, { to_label: host.location?.title }),
      environment: partReader('environment', host.environment),
      os,
      operatingsystem: os,
      architecture: partReader('architecture', host.architecture),
      arch: host.architecture?.name,
      model: partReader('model', host.model),
      realm: partReader('realm', host.realm),
      owner: partReader('owner', host.owner),
      medium: partReader('medium', host.medium),
      ptable: partReader('ptable', host.ptable),
      diskLayout,
      interfaces,
      primary_interface: interfaces[primary] ?? null,
      provision_interface: interfaces[provision] ?? null,
      pxe_loader: host.pxe_loader,
      uuid: host.uuid,
      provision_method: host.provision_method,
      root_pass: secret(host.root_pass),
      grub_pass: secret(host.grub_pass),
      facts: host.facts,
      facts_hash: host.facts,
      ...measures(host.facts),
      ...parameterFunctions(parameters),
      params: parameters.values,
      last_report: host.last_report,
      'managed?': host.managed,
      'build?': host.build,
      'enabled?': host.enabled,
      'pxe_build?': host.provision_method === 'build',
      'image_build?': host.provision_method === 'image',
    },
    host.name,
  )
}

type Methods = Readonly<Record<string, Given | TemplateFunction>>

/** A reader that does not even say what it is. */
function closed(kind: string, methods: Methods, text: string): Given {
  return reader(kind, { class: ({ fail }) => fail(`undefined method 'class' for ${kind}`), ...methods }, text)
}

/** A record beside the host: its columns, and as text its title or name. */
function partReader(kind: string, part: Part, more: Methods = {}): Given {
  if (part === null) return null
  const text = part.title ?? part.name ?? part.identifier ?? ''
  return closed(kind, { ...part, ...more }, String(text))
}

function subnetReader(part: Part): Given {
  if (part === null) return null
  const dns = [part.dns_primary, part.dns_secondary].filter((server) => server !== null)
  return closed(
    'subnet',
    {
      ...part,
      dns_servers: dns,
      'dhcp_boot_mode?': part.boot_mode === 'DHCP',
      network_address: `${part.network}/${part.cidr}`,
      'has_vlanid?': part.vlanid !== null,
    },
    `${part.name} (${part.network}/${part.cidr})`,
  )
}

function words({ attached_devices }: NonNullable<Part>): readonly string[] {
  return String(attached_devices ?? '')
    .split(',')
    .filter((word) => word !== '')
}

/** What the facts say of the machine, in the units that templates expect: megabytes and counts. */
function measures(facts: HostData['facts']): Methods {
  const number = (...names: readonly string[]) => {
    const found = names.map((name) => facts[name]).find((value) => value !== undefined && value !== null)
    const value = Number(found ?? Number.NaN)
    return Number.isFinite(value) ? value : null
  }
  const bytes = number('memory::system::total_bytes')
  const megabytes = number('memorysize_mb')
  const ram = bytes === null ? megabytes : bytes / 2 ** 20
  return {
    ram: ram === null ? null : Math.floor(ram),
    cores: number('processors::count', 'processorcount'),
    sockets: number('processors::physicalcount', 'physicalprocessorcount'),
    virtual: (facts.is_virtual ?? facts['virtual::is_virtual']) === 'true',
  }
}
