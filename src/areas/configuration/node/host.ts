import { attributesOf, type HostFacts, LINKED } from '../../../classification/attributes.ts'
import { CONFIG_SERVER_ATTRIBUTE } from '../../../words/protocols.ts'
import type { Catalog } from './catalog.ts'
import type { NodeHost, NodeInputs } from './inputs.ts'

/** Builds the host from its stored values, with the effective root password. */
export function buildNodeHost(inputs: Pick<NodeInputs, 'host'>, { settings }: Catalog): NodeHost {
  const host: Omit<NodeHost, 'grub_pass'> = JSON.parse(inputs.host) // the statement selects this JSON
  const { root_pass: own } = host
  return { ...host, root_pass: own ?? (settings.root_pass || null), grub_pass: own?.startsWith('$') ? own : null }
}

/** The attributes of the host as texts for matchers. */
export function attributesOfHost(host: NodeHost): ReadonlyMap<string, string | null> {
  return attributesOf(buildHostFacts(host), CONFIG_SERVER_ATTRIBUTE)
}

function buildHostFacts(host: NodeHost): HostFacts {
  const nameOf = (part: NodeHost['domain'], key = 'name') => (part === null ? null : textOf(part, key))
  const primary = host.interfaces.find((each) => each.primary === true) ?? null
  const { operatingsystem: os, owner } = host
  return {
    fqdn: host.name,
    certname: host.own_certname,
    hostgroup: nameOf(host.hostgroup, 'title'),
    organization: nameOf(host.organization, 'title'),
    location: nameOf(host.location, 'title'),
    operatingsystem: os && {
      name: textOf(os, 'name') ?? '',
      major: textOf(os, 'major') ?? '',
      minor: textOf(os, 'minor'),
      description: textOf(os, 'description'),
    },
    owner: owner && {
      login: textOf(owner, 'name') ?? '',
      firstname: textOf(owner, 'firstname'),
      lastname: textOf(owner, 'lastname'),
    },
    domain: nameOf(host.domain),
    environment: nameOf(host.environment),
    architecture: nameOf(host.architecture),
    model: nameOf(host.model),
    realm: nameOf(host.realm),
    medium: nameOf(host.medium),
    ptable: nameOf(host.ptable),
    subnet: nameOf(host.subnet),
    subnet6: nameOf(host.subnet6),
    comment: host.comment,
    ip: nameOf(primary, 'ip'),
    ip6: nameOf(primary, 'ip6'),
    mac: nameOf(primary, 'mac'),
    owner_type: owner && (owner.login === undefined ? 'Usergroup' : 'User'),
    provision_method: host.provision_method,
    configmaster: host.config_server,
    build: host.build,
    managed: host.managed,
    enabled: host.enabled,
    ids: Object.fromEntries(LINKED.map((name) => [name, host[name]?.id ?? null])),
  }
}

function textOf(part: NonNullable<NodeHost['domain']>, key: string): string | null {
  const value = part[key]
  return typeof value === 'string' ? value : null
}
