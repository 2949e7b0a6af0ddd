import { randomBytes } from 'node:crypto'
import { readJson } from '../../../classification/json.ts'
import { HIDDEN } from '../../../requests/masks.ts'
import type { Settings } from '../../../settings.ts'
import { type Given, Reader, type TemplateFunction } from '../../../templates/index.ts'
import { HOST_PARAMETERS, KNOWN_PARTS, TEMPLATE_FUNCTIONS } from '../../../words/template-names.ts'
import { buildServerFunctions } from './addresses.ts'
import { type Boot, bootOf } from './boot.ts'
import { documentOf } from './document.ts'
import type { HostData } from './host-data.ts'
import { configAuthorityOf, configServerOf } from './host-reader.ts'
import { buildParameterFunctions, type TemplateParameters, toGiven } from './parameters.ts'
import { makeRandomName, nameOfMac } from './random-names.ts'
import { createSettingReader } from './readable-settings.ts'
import { createClosedReader } from './readers.ts'
import type { Surroundings } from './surroundings.ts'

type Functions = Readonly<Record<string, TemplateFunction>>

/** Builds the functions about a host that every use of templates has. */
export function buildHostFunctions(
  settings: Settings,
  parameters: TemplateParameters,
  serverUrl: string | null = settings.server_url || null,
): Functions {
  return withTheirNames({
    ...buildParameterFunctions(parameters),
    rand_hex: ({ args: [length], fail }) =>
      typeof length === 'number' && length > 0 && length <= 1024
        ? randomBytes(length).toString('hex')
        : fail('rand_hex takes a number of bytes from 1 to 1024'),
    rand_name: () => makeRandomName(),
    mac_name: ({ args: [mac], fail }) =>
      typeof mac === 'string' && /^[0-9a-f]{2}(?::[0-9a-f]{2}){5,19}$/i.test(mac)
        ? nameOfMac(mac)
        : fail('mac_name takes a hardware address, two digits between colons'),
    global_setting: createSettingReader(settings),
    ...buildServerFunctions(serverUrl),
  })
}

/** Adds aliases that templates of existing sites use for these functions. */
export function withTheirNames(functions: Functions): Functions {
  const theirs = Object.entries(TEMPLATE_FUNCTIONS).flatMap(([name, other]): [string, TemplateFunction][] => {
    const own = functions[name]
    return own === undefined ? [] : [[other, own]]
  })
  return { ...functions, ...Object.fromEntries(theirs) }
}

/** Builds the further functions of provisioning templates: about the host and its surroundings. */
export function buildProvisioningFunctions(
  host: HostData,
  parameters: TemplateParameters,
  around: Surroundings,
  { secrets, unhidden, authorities }: { secrets: boolean; unhidden: ReadonlySet<number>; authorities: string },
): Functions {
  const boot = bootOf(host)
  const root = host.root_pass !== null && !secrets ? HIDDEN : host.root_pass
  const findParameter = (name: string) => parameters.values.get(name) ?? null
  const findSubnetParameter = (subnet: Given, name: Given) => {
    const found = around.subnets.find(({ id }) => subnet instanceof Reader && subnet.methods.get('id') === id)
    return found?.parameters.find((each) => each.name === String(name))
  }
  return {
    root_pass: () => root,
    grub_pass: () => '',
    ks_console: () => '',
    'preview?': () => false,
    'plugin_present?': ({ args: [name] }) => KNOWN_PARTS.includes(String(name)),
    host_config_server: () => configServerOf(around) ?? findParameter(HOST_PARAMETERS.config_server),
    host_config_ca_server: () => configAuthorityOf(around) ?? findParameter(HOST_PARAMETERS.config_ca_server),
    host_config_environment: () => host.environment?.name ?? findParameter(HOST_PARAMETERS.config_environment),
    host_enc: ({ args, fail }) => readAlong(documentOf(host, parameters, root), args, fail),
    pxe_kernel_options: () => buildKernelOptions(host, findParameter).join(' '),
    medium_uri: requireBoot(boot, ({ medium }, [path]) => medium(path === undefined ? '' : String(path))),
    media_path: requireBoot(boot, ({ medium }) => medium()),
    'subnet_has_param?': ({ args: [subnet, name] }) => findSubnetParameter(subnet, name) !== undefined,
    subnet_param: ({ args: [subnet, name] }) => {
      const found = findSubnetParameter(subnet, name)
      if (found === undefined || found.value === null) return null
      return secrets && (!found.hidden_value || unhidden.has(found.id)) ? toGiven(readJson(found.value)) : HIDDEN
    },
    install_packages: ({ args: [names] }) => buildPackageCommand(host, 'install', names),
    update_packages: ({ args: [names] }) => buildPackageCommand(host, 'update', names),
    server_ca_cert: () => authorities,
    dns_lookup: ({ fail }) => fail('dns_lookup is not offered: a template asks no network'),
    subscription_client_url: ({ fail }) =>
      fail('there is no package that sets subscription clients up: the script of /register does it'),
    repository_url: ({ fail }) => fail('repository_url is not offered: the content of the host is told by its keys'),
    ...Object.fromEntries(
      ['kernel_release', 'uptime_seconds', 'memory', 'sockets', 'cores', 'virtual'].map((name) => [
        `host_${name}`,
        (({ args: [of] }) =>
          of instanceof Reader
            ? (of.methods.get(name === 'memory' ? 'ram' : name) as Given)
            : null) satisfies TemplateFunction,
      ]),
    ),
  }
}

/** Creates `medium_provider`, which tells where the host is installed from. */
export function createMediumReader(boot: Boot | null): Given {
  if (boot === null) return null
  const uri: TemplateFunction = ({ args: [path] }) => boot.medium(path === undefined ? '' : String(path))
  const methods = { medium_uri: uri, unique_id: boot.mediumId, errors: [], to_s: boot.mediumId }
  return createClosedReader('medium', methods, boot.mediumId)
}

function requireBoot(boot: Boot | null, read: (boot: Boot, args: readonly Given[]) => Given): TemplateFunction {
  return ({ args, fail }) => (boot === null ? fail('the host has no medium, or no architecture') : read(boot, args))
}

function buildKernelOptions({ operatingsystem }: HostData, parameter: (name: string) => Given): string[] {
  const [own, blacklist] = [parameter('kernelcmd'), parameter('blacklist')]
  const blocks = operatingsystem?.family === 'Redhat' && blacklist !== null
  return [
    ...(own === null ? [] : [String(own)]),
    ...(blocks ? [`modprobe.blacklist=${String(blacklist).replaceAll(' ', '')}`] : []),
  ]
}

function readAlong(
  document: ReadonlyMap<string, Given>,
  path: readonly Given[],
  fail: (message: string) => never,
): Given {
  let found: Given = document
  for (const step of path) {
    const next: Given = found instanceof Map ? found.get(String(step)) : undefined
    if (next === undefined) return fail(`the host has no '${String(step)}' in what the classification says of it`)
    found = next
  }
  return found
}

const MANAGERS: Readonly<Record<string, Readonly<Record<'install' | 'update', string>>>> = {
  Debian: { install: 'apt-get -y install', update: 'apt-get -y install --only-upgrade' },
  Redhat: { install: 'yum -y install', update: 'yum -y update' },
  Suse: { install: 'zypper --non-interactive install', update: 'zypper --non-interactive update' },
}

/** A command of the package manager of the host's family; blank text for an installation without packages. */
function buildPackageCommand(host: HostData, verb: 'install' | 'update', names: Given): string {
  const packages = (Array.isArray(names) ? names.map(String).join(' ') : String(names ?? '')).trim()
  const manager = MANAGERS[String(host.operatingsystem?.family ?? '')] ?? MANAGERS.Redhat
  return packages === '' && verb === 'install' ? '' : `${manager?.[verb]} ${packages}`.trim()
}
