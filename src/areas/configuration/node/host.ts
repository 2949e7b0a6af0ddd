import { attributesOf, type HostFacts } from '../../../classification/attributes.ts'
import { CONFIG_SERVER_ATTRIBUTE } from '../../../words/protocols.ts'
import type { Catalog } from './catalog.ts'
import type { NodeHost, NodeInputs } from './inputs.ts'

/** Builds the host from its stored values, with the effective root password. */
export function buildNodeHost(inputs: Pick<NodeInputs, 'host'>, { settings }: Catalog): NodeHost {
  const host: NodeHost = JSON.parse(inputs.host) // the statement selects this JSON
  return { ...host, root_pass: host.root_pass ?? (settings.root_pass || null) }
}

/** The attributes of the host as texts for matchers. */
export function attributesOfHost(host: NodeHost): ReadonlyMap<string, string | null> {
  return attributesOf(hostFacts(host), CONFIG_SERVER_ATTRIBUTE)
}

function hostFacts(host: NodeHost): HostFacts {
  const named = (part: NodeHost['domain'], key = 'name') => (part === null ? null : textIn(part, key))
  const primary = host.interfaces.find((each) => each.primary === true) ?? null
  const { operatingsystem: os, owner } = host
  return {
    fqdn: host.name,
    certname: host.own_certname,
    hostgroup: named(host.hostgroup, 'title'),
    organization: named(host.organization, 'title'),
    location: named(host.location, 'title'),
    operatingsystem: os && {
      name: textIn(os, 'name') ?? '',
      major: textIn(os, 'major') ?? '',
      minor: textIn(os, 'minor'),
      description: textIn(os, 'description'),
    },
    owner: owner && {
      login: textIn(owner, 'name') ?? '',
      firstname: textIn(owner, 'firstname'),
      lastname: textIn(owner, 'lastname'),
    },
    domain: named(host.domain),
    environment: named(host.environment),
    architecture: named(host.architecture),
    model: named(host.model),
    realm: named(host.realm),
    medium: named(host.medium),
    ptable: named(host.ptable),
    subnet: named(host.subnet),
    subnet6: named(host.subnet6),
    comment: host.comment,
    ip: named(primary, 'ip'),
    ip6: named(primary, 'ip6'),
    mac: named(primary, 'mac'),
    owner_type: owner && (owner.login === undefined ? 'Usergroup' : 'User'),
    provision_method: host.provision_method,
    configmaster: host.config_server,
    build: host.build,
    managed: host.managed,
    enabled: host.enabled,
  }
}

function textIn(part: NonNullable<NodeHost['domain']>, key: string): string | null {
  const value = part[key]
  return typeof value === 'string' ? value : null
}
