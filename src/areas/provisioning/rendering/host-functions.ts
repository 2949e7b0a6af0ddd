import { hash, randomBytes, randomInt } from 'node:crypto'
import { readJson } from '../../../classification/json.ts'
import { HIDDEN } from '../../../requests/masks.ts'
import type { Settings } from '../../../settings/settings.ts'
import { HostObject, type HostValue, type TemplateFunction } from '../../../templates/index.ts'
import { HOST_PARAMETERS, KNOWN_PARTS, TEMPLATE_FUNCTIONS } from '../../../words/template-names.ts'
import { buildServerFunctions } from './addresses.ts'
import { type Boot, bootOf } from './boot.ts'
import { documentOf } from './document.ts'
import type { HostData } from './host-data.ts'
import { configAuthorityOf, configServerOf } from './host-reader.ts'
import { buildParameterFunctions, type TemplateParameters, toGiven } from './parameters.ts'
import { createSettingReader } from './readable-settings.ts'
import { createClosedReader } from './readers.ts'
import type { ProvisioningData } from './surroundings.ts'

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
  around: ProvisioningData,
  { secrets, unhidden, authorities }: { secrets: boolean; unhidden: ReadonlySet<number>; authorities: string },
): Functions {
  const boot = bootOf(host)
  const root = host.root_pass !== null && !secrets ? HIDDEN : host.root_pass
  const findParameter = (name: string) => parameters.values.get(name) ?? null
  const findSubnetParameter = (subnet: HostValue, name: HostValue) => {
    const found = around.subnets.find(({ id }) => subnet instanceof HostObject && subnet.methods.get('id') === id)
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
          of instanceof HostObject
            ? (of.methods.get(name === 'memory' ? 'ram' : name) as HostValue)
            : null) satisfies TemplateFunction,
      ]),
    ),
  }
}

/** Creates `medium_provider`, which tells where the host is installed from. */
export function createMediumReader(boot: Boot | null): HostValue {
  if (boot === null) return null
  const uri: TemplateFunction = ({ args: [path] }) => boot.medium(path === undefined ? '' : String(path))
  const methods = { medium_uri: uri, unique_id: boot.mediumId, errors: [], to_s: boot.mediumId }
  return createClosedReader('medium', () => methods, boot.mediumId)
}

function requireBoot(boot: Boot | null, read: (boot: Boot, args: readonly HostValue[]) => HostValue): TemplateFunction {
  return ({ args, fail }) => (boot === null ? fail('the host has no medium, or no architecture') : read(boot, args))
}

function buildKernelOptions({ operatingsystem }: HostData, parameter: (name: string) => HostValue): string[] {
  const [own, blacklist] = [parameter('kernelcmd'), parameter('blacklist')]
  const blocks = operatingsystem?.family === 'Redhat' && blacklist !== null
  return [
    ...(own === null ? [] : [String(own)]),
    ...(blocks ? [`modprobe.blacklist=${String(blacklist).replaceAll(' ', '')}`] : []),
  ]
}

function readAlong(
  document: ReadonlyMap<string, HostValue>,
  path: readonly HostValue[],
  fail: (message: string) => never,
): HostValue {
  let found: HostValue = document
  for (const step of path) {
    const next: HostValue = found instanceof Map ? found.get(String(step)) : undefined
    if (next === undefined) return fail(`the host has no '${String(step)}' in what the classification says of it`)
    found = next
  }
  return found
}

/** Asks no question while an installation runs: what is configured stays, and new files take their defaults. */
const APT = 'apt-get -o Dpkg::Options::="--force-confdef" -o Dpkg::Options::="--force-confold" -y'
const APT_FIRST = 'export DEBIAN_FRONTEND=noninteractive\napt-get -y update\n'
const MANAGERS: Readonly<Record<string, Readonly<Record<'install' | 'update', string>>>> = {
  Debian: { install: `${APT_FIRST}${APT} install`, update: `${APT_FIRST}${APT} install --only-upgrade` },
  Redhat: { install: 'dnf -y install', update: 'dnf -y update' },
  Redhat7: { install: 'yum -y install', update: 'yum -y update' },
  Suse: { install: 'zypper --non-interactive install', update: 'zypper --non-interactive update' },
}

/** A command of the package manager of the host's family; blank text for an installation without packages. */
function buildPackageCommand(host: HostData, verb: 'install' | 'update', names: HostValue): string {
  const packages = (Array.isArray(names) ? names.map(String).join(' ') : String(names ?? '')).trim()
  const { family, major } = host.operatingsystem ?? {}
  const isOld = family === 'Redhat' && Number(major) < 8
  const manager = MANAGERS[isOld ? 'Redhat7' : String(family ?? '')] ?? MANAGERS.Redhat
  return packages === '' && verb === 'install' ? '' : `${manager?.[verb]} ${packages}`.trim()
}

const FIRST = `amber ash aspen azure basil birch blue bold brave bright calm cedar clear clever coral crisp dapper dawn
  deep delta eager early ember fair fern fleet fresh gentle glad golden grand green happy hazel honest humble ivory ivy jade
  jolly keen kind lark lime lively lucky lunar maple merry mild mint misty noble north oak olive opal pearl plain`
const LAST = `anchor arrow badger barrow beacon bear beaver bison bridge brook canyon castle cliff cloud comet coyote crane
  creek crow dale deer delta dune eagle falcon finch fjord fox gale garden glen grove harbor hawk heron hill island jay
  lagoon lake lantern lynx marsh meadow mesa moose otter owl peak pine plover pond quail raven reef ridge river robin sparrow`

const FIRSTS = FIRST.split(/\s+/)
const LASTS = LAST.split(/\s+/)

/** Makes a random name for a host, of two words. */
function makeRandomName(): string {
  return `${FIRSTS[randomInt(FIRSTS.length)]}-${LASTS[randomInt(LASTS.length)]}`
}

/** A name of four words, always the same for a hardware address. */
function nameOfMac(mac: string): string {
  const bytes = hash('sha256', mac.toLowerCase(), 'buffer')
  const [a = 0, b = 0, c = 0, d = 0] = bytes
  const pickWord = (list: readonly string[], byte: number) => list[byte % list.length] ?? ''
  return [pickWord(FIRSTS, a), pickWord(LASTS, b), pickWord(FIRSTS, c), pickWord(LASTS, d)].join('-')
}
