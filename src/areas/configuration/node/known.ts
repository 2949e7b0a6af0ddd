import { fromJavaScript, type Value, type ValueMap } from '../../../classification/values.ts'
import type { Encryption } from '../../../encryption/encryption.ts'
import { HIDDEN } from '../../../requests/masks.ts'
import type { Settings } from '../../../settings/settings.ts'
import { INTERFACE_PASSWORD } from '../../inventory/index.ts'
import type { NodeHost, NodeUser } from './inputs.ts'
import type { Viewer } from './prepare.ts'

/** The data for the built-in parameters of a host, and their reader. */
export interface BuiltInParameterOptions {
  readonly settings: Pick<Settings, 'bmc_credentials_accessible'>
  readonly decrypt: Encryption['decrypt']
  /** The viewer, who may not see all passwords. */
  readonly viewer: Pick<Viewer, 'passwords' | 'leavesOut'>
}

/** Computes the built-in parameters of a host, in the order of the table in smart-parameters §5.4; some need a value. */
export function computeBuiltInParameters(host: NodeHost, options: BuiltInParameterOptions): ValueMap {
  const known = new Map<string, Value>()
  const add = (name: string, value: unknown) => known.set(name, fromJavaScript(value))
  add('millwright_hostname', host.name.split('.', 1)[0])
  add('millwright_fqdn', host.name)
  if (host.hostgroup) add('hostgroup', host.hostgroup.title)
  if (host.comment) add('comment', host.comment)
  if (host.realm) add('realm', host.realm.name)
  for (const kind of ['location', 'organization'] as const) {
    const found = host[kind]
    if (!found) continue
    add(kind, found.name)
    add(`${kind}_title`, found.title)
  }
  if (host.domain) add('domainname', host.domain.name)
  if (host.domain?.fullname) add('millwright_domain_description', host.domain.fullname)
  addOwner(add, host)
  if (host.operatingsystem?.password_hash !== 'Base64') addRootPassword(add, host, options.viewer)
  add('millwright_subnets', host.subnets.map(presentSubnet))
  add('millwright_interfaces', presentInterfaces(host, options))
  add('millwright_config_groups', [...new Set(host.config_groups)])
  add('configmaster', host.config_server ?? '')
  const ca = hostOf(host.config_ca)
  if (ca) add('config_ca', ca)
  if (host.environment) add('millwright_env', host.environment.name)
  // The authority of this service is also the one of the certificates that its machines show each other.
  for (const name of ['server_ca', 'ssl_ca']) if (host.server_ca !== null) add(name, host.server_ca)
  return known
}

type Add = (name: string, value: unknown) => void

function addRootPassword(
  add: Add,
  { root_pass }: NodeHost,
  { passwords, leavesOut }: BuiltInParameterOptions['viewer'],
): void {
  if (passwords || root_pass === null) add('root_pw', root_pass)
  else if (!leavesOut) add('root_pw', HIDDEN)
}

function addOwner(add: Add, { owner, users }: NodeHost): void {
  if (!owner) return
  const [first] = users
  const isGroup = owner.login === undefined
  add('owner_name', isGroup || !first ? owner.name : nameOf(first))
  add('owner_email', isGroup ? users.flatMap(({ mail }) => mail ?? []) : owner.mail)
  const keys = users.flatMap(presentAuthorizedKeys)
  add(
    'ssh_authorized_keys',
    keys.map(({ type, key, comment }) => `${type} ${key} ${comment}`),
  )
  add('millwright_users', Object.fromEntries(users.map((user) => [user.login, presentUser(user)])))
}

function presentUser(user: NodeUser) {
  const { firstname, lastname, mail, description } = user
  const fullname = [firstname, lastname].filter(Boolean).join(' ')
  const name = nameOf(user)
  return { firstname, lastname, mail, description, fullname, name, ssh_authorized_keys: presentAuthorizedKeys(user) }
}

/** Presents the SSH keys of an owner; a key without a comment has its name as one. */
function presentAuthorizedKeys({ ssh_keys }: NodeUser): { type: string; key: string; comment: string }[] {
  return ssh_keys.map(({ name, key: line }) => {
    const [type = '', key = '', ...comment] = line.trim().split(/\s+/)
    return { type, key, comment: comment.join(' ') || name }
  })
}

function nameOf({ firstname, lastname, login }: NodeUser): string {
  return [firstname, lastname].filter(Boolean).join(' ') || login
}

function presentSubnet({ id: _id, ...subnet }: NodeHost['subnets'][number]) {
  return subnet
}

const TYPES: Readonly<Record<string, string>> = { interface: 'Interface', bmc: 'BMC', bond: 'Bond', bridge: 'Bridge' }

function presentInterfaces(host: NodeHost, { settings, decrypt, viewer }: BuiltInParameterOptions): unknown[] {
  const subnetOf = (id: unknown) => {
    const found = host.subnets.find((subnet) => subnet.id === id)
    return found ? presentSubnet(found) : null
  }
  return host.interfaces.map((each) => {
    const processor = host.service_processors.find(({ id }) => id === each.id)
    const sees = viewer.passwords && settings.bmc_credentials_accessible
    return {
      ip: each.ip,
      ip6: each.ip6,
      mac: each.mac,
      name: each.name,
      attrs: host.attrs.find(({ id }) => id === each.id)?.attrs ?? {},
      virtual: each.virtual,
      link: true, // interfaces that are down are unknown to this service
      identifier: each.identifier,
      managed: each.managed,
      primary: each.primary,
      provision: each.provision,
      subnet: subnetOf(each.subnet_id),
      subnet6: subnetOf(each.subnet6_id),
      tag: each.tag,
      attached_to: each.virtual ? each.attached_to : null,
      type: TYPES[String(each.type)],
      ...(processor && {
        provider: processor.provider,
        username: processor.username,
        password: sees && processor.password !== null ? decrypt(processor.password, INTERFACE_PASSWORD) : null,
      }),
      ...(each.type === 'bond' && { mode: each.mode, bond_options: each.bond_options }),
      ...((each.type === 'bond' || each.type === 'bridge') && { attached_devices: each.attached_devices }),
    }
  })
}

function hostOf(url: string | null): string | null {
  return url !== null && URL.canParse(url) ? new URL(url).hostname : null
}
