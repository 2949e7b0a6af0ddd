import { isIPv4, isIPv6 } from 'node:net'
import { RE2JS } from 're2js'
import { z } from 'zod'
import type { Settings } from '../../../settings/settings.ts'
import { CLIENT_INTERFACES, PLAYBOOK_FACTS } from '../../../words/protocols.ts'
import { canonicalizeAddress } from '../address.ts'
import { MODES } from '../host/interface-fields.ts'
import type { Facts } from './flatten.ts'

/** An interface according to facts; null: they do not say, so that the known value stays. */
export interface ReportedInterface {
  readonly identifier: string
  readonly type: 'interface' | 'bond' | 'bridge'
  readonly mac: string | null
  readonly ip: string | null
  readonly ip6: string | null
  readonly virtual: boolean
  readonly tag: string | null
  readonly attached_to: string | null
  readonly attached_devices: readonly string[] | null
  readonly mode: string | null
}

/** The interfaces in facts, and the one that the host itself calls primary. */
export interface ReportedInterfaces {
  readonly all: readonly ReportedInterface[]
  readonly primary: string | null
}

/** The most interfaces that are read: longer lists would delay other hosts. */
const MOST = 500

/**
 * Reads the interfaces of facts in any form: structured, flat (old agents), of playbooks, of subscription clients.
 * Those that the settings exclude are left out.
 */
export function readInterfaces(settings: Settings, facts: Facts): ReportedInterfaces {
  if (settings.ignore_config_facts_for_provisioning) return { all: [], primary: null }
  const isIgnored = compileIgnored(settings.ignored_interface_identifiers)
  const read = READERS.map((reader) => reader(facts)).find((found) => found.size > 0) ?? new Map<string, ReadProperty>()
  const all = [...read]
    .filter(([name]) => name.length <= 255 && !isIgnored(name))
    .slice(0, MOST)
    .map(([name, own]) => describe(name, own))
  const primary = textOf(facts, 'networking::primary')
  return { all: withoutShared(all, primary), primary }
}

/**
 * Leaves an address that several interfaces report to one of them, because two interfaces of a host cannot have one: to the
 * primary one, else to the first physical one, else to the first.
 */
function withoutShared(all: readonly ReportedInterface[], primary: string | null): readonly ReportedInterface[] {
  const rank = ({ identifier, virtual }: ReportedInterface) => (identifier === primary ? 0 : virtual ? 2 : 1)
  const holders = new Map<string, ReportedInterface>()
  for (const one of all.toSorted((a, b) => rank(a) - rank(b)))
    for (const address of [one.ip, one.ip6]) if (address !== null && !holders.has(address)) holders.set(address, one)
  const keep = (one: ReportedInterface, address: string | null) =>
    address !== null && holders.get(address) === one ? address : null
  return all.map((one) => ({ ...one, ip: keep(one, one.ip), ip6: keep(one, one.ip6) }))
}

/** Reads one property of an interface. */
type ReadProperty = (property: Property) => string | null

type Property = 'mac' | 'ip' | 'ip6' | 'type' | 'devices' | 'mode'

/** Reads the address by which a subscription client calls its host. */
export function readClientAddress(facts: Facts): Pick<ReportedInterface, 'mac' | 'ip' | 'ip6'> {
  return { mac: null, ...pickReachableAddresses(textOf(facts, CLIENT_INTERFACES.address), null) }
}

const READERS: readonly ((facts: Facts) => ReadonlyMap<string, ReadProperty>)[] = [
  readStructured,
  readPlaybook,
  createClientReaders,
  createFlatReaders,
]

const STRUCTURED = /^networking::interfaces::((?:(?!::).)+)(?:::|$)/

function readStructured(facts: Facts): ReadonlyMap<string, ReadProperty> {
  const names = new Set([...facts.keys()].flatMap((fact) => STRUCTURED.exec(fact)?.[1] ?? []))
  return buildReaders(names, (name, property) => textOf(facts, `networking::interfaces::${name}::${property}`))
}

/**
 * Reads interfaces of flat facts. The names of these are in lower case, with `_` for characters that fact names cannot have,
 * and interfaces are called likewise; a number behind `_` is that of a VLAN, `eth0_5` for `eth0.5`.
 */
function createFlatReaders(facts: Facts): ReadonlyMap<string, ReadProperty> {
  const listed = (textOf(facts, 'interfaces') ?? '').split(',').map((name) => name.trim())
  const called = { mac: 'macaddress', ip: 'ipaddress', ip6: 'ipaddress6', type: null, devices: null, mode: null }
  const names = new Map(
    listed
      .filter((name) => name !== '')
      .map((name) => [name.toLowerCase().replace(/^([a-z0-9]+)_(\d{1,4})$/, '$1.$2'), name]),
  )
  return buildReaders(new Set(names.keys()), (name, property) => {
    const fact = called[property]
    const words = [names.get(name) ?? name, name].map((word) => word.replace(/[-.: ]/g, '_'))
    const found = fact === null ? [] : words.map((word) => textOf(facts, `${fact}_${word}`))
    return found.find((value) => value !== null) ?? null
  })
}

function readPlaybook(facts: Facts): ReadonlyMap<string, ReadProperty> {
  const { prefix, interfaces, properties } = PLAYBOOK_FACTS
  const names = parseList(textOf(facts, interfaces)) ?? []
  const places = new Map(
    names.map((name) => [
      name,
      [name, name.replace(/[-:]/g, '_'), name.replace(/[-.:]/g, '_')]
        .map((word) => `${prefix}${word}`)
        .find((fact) => facts.has(fact)),
    ]),
  )
  return buildReaders(new Set(names), (name, property) => {
    const within = places.get(name)
    if (within === undefined) return null
    if (property === 'ip6') return parseFirstGlobal(textOf(facts, `${within}::ipv6`))
    const found = properties[property].map((word) => textOf(facts, `${within}::${word}`))
    return found.find((value) => value !== null) ?? null
  })
}

/**
 * Reads interfaces of a subscription client. Their names may contain dots, which also separate the parts of its facts.
 */
function createClientReaders(facts: Facts): ReadonlyMap<string, ReadProperty> {
  const { prefix, properties } = CLIENT_INTERFACES
  const suffixes = Object.values(properties).flat()
  const found = new Map<string, Map<string, string>>()
  for (const fact of facts.keys()) {
    if (!fact.startsWith(prefix)) continue
    const suffix = suffixes.find((one) => fact.endsWith(`::${one}`))
    const name = suffix && fact.slice(prefix.length, -suffix.length - 2).replaceAll('::', '.')
    const value = textOf(facts, fact)
    if (!name || value === null) continue
    found.set(name, (found.get(name) ?? new Map<string, string>()).set(suffix, value))
  }
  return buildReaders(new Set(found.keys()), (name, property) => {
    const words: readonly string[] = properties[property] ?? []
    return words.map((word) => found.get(name)?.get(word)).find((value) => value !== undefined) ?? null
  })
}

function buildReaders(
  names: ReadonlySet<string>,
  read: (name: string, property: Property) => string | null,
): ReadonlyMap<string, ReadProperty> {
  return new Map([...names].map((name) => [name, (property: Property) => read(name, property)]))
}

const BOND = /^(?:bond|lagg|team)\d+$/
const BRIDGE = /^(?:vir|lxc)?br(?:\d+|-[a-z0-9]+)(?:_nic)?$/
const VLAN = /^(.+)\.(\d{1,4})$/
const ALIAS = /^([A-Za-z0-9.]+)[:_][A-Za-z0-9]+$/
const TYPES: Readonly<Record<string, ReportedInterface['type']>> = {
  bonding: 'bond',
  bond: 'bond',
  team: 'bond',
  bridge: 'bridge',
}

function describe(identifier: string, read: ReadProperty): ReportedInterface {
  const type =
    TYPES[read('type') ?? ''] ?? (BOND.test(identifier) ? 'bond' : BRIDGE.test(identifier) ? 'bridge' : 'interface')
  const vlan = type === 'interface' ? VLAN.exec(identifier) : null
  const attached_to = vlan?.[1] ?? (type === 'interface' ? (ALIAS.exec(identifier)?.[1] ?? null) : null)
  const devices = type === 'interface' ? null : parseList(read('devices'))
  const mode = type === 'bond' ? read('mode') : null
  return {
    identifier,
    type,
    mac: parseMac(read('mac')),
    ...pickAddresses(read('ip'), read('ip6')),
    virtual: type !== 'interface' || attached_to !== null,
    tag: vlan?.[2] ?? null,
    attached_to,
    attached_devices: devices?.filter((device) => device.length <= 255).slice(0, 100) ?? null,
    mode: mode !== null && MODES.includes(mode) ? mode : null,
  }
}

/** Picks the addresses by which others reach the host: those of an interface, but no loopback ones. */
export function pickReachableAddresses(ip: string | null, ip6: string | null): Pick<ReportedInterface, 'ip' | 'ip6'> {
  const own = pickAddresses(ip, ip6)
  return { ip: own.ip !== null && isLoopback(own.ip) ? null : own.ip, ip6: own.ip6 === '::1' ? null : own.ip6 }
}

/** Picks the addresses of an interface, without link-local ones, which say nothing outside of its network. */
function pickAddresses(ip: string | null, ip6: string | null): Pick<ReportedInterface, 'ip' | 'ip6'> {
  const isGlobal = ip6 !== null && isIPv6(ip6) && !ip6.includes('%') && !LINK_LOCAL.test(ip6)
  return { ip: ip !== null && isIPv4(ip) ? ip : null, ip6: isGlobal ? canonicalizeAddress(ip6) : null }
}

/** Tells whether an IPv4 address is one by which a host reaches itself. */
export function isLoopback(ip: string): boolean {
  return ip.startsWith('127.')
}

const LINK_LOCAL = /^fe[89ab]/i

/** A MAC address of six octets in lower case with colons; null for anything else and for all zeros. Solaris says `8:0:27:…`. */
export function parseMac(text: string | null): string | null {
  const octets = text?.toLowerCase().split(/[-:]/) ?? []
  const mac = octets.map((octet) => octet.padStart(2, '0')).join(':')
  return /^(?:[0-9a-f]{2}:){5}[0-9a-f]{2}$/.test(mac) && !/^(?:00:){5}00$/.test(mac) ? mac : null
}

function textOf(facts: Facts, name: string): string | null {
  return facts.get(name)?.trim() || null
}

/** Parses a list of texts that a fact holds as JSON. */
function parseList(text: string | null): string[] | null {
  return parseItems(text)?.flatMap((item) => (typeof item === 'string' && item !== '' ? [item] : [])) ?? null
}

const GLOBAL = z.object({ address: z.string(), scope: z.string().optional() })

/** The first address in `[{"address": …, "scope": "global"}, …]` that is not link-local. */
function parseFirstGlobal(text: string | null): string | null {
  const addresses = (parseItems(text) ?? []).flatMap((item) => GLOBAL.safeParse(item).data ?? [])
  return addresses.find(({ scope }) => scope !== 'link')?.address ?? null
}

/** Parses a list in JSON; null for other text, which anybody may have sent. */
function parseItems(text: string | null): z.core.util.JSONType[] | null {
  if (!text?.startsWith('[')) return null
  try {
    return z.array(z.json()).safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

/** Compiles the setting of ignored interfaces. A pattern is compared with the whole identifier; only `*` is special. */
function compileIgnored(patterns: readonly string[]): (identifier: string) => boolean {
  if (patterns.length === 0) return () => false
  const known = COMPILED.get(patterns) ?? compilePatterns(patterns)
  COMPILED.set(patterns, known)
  return (identifier) => known.matcher(identifier).matches()
}

const COMPILED = new WeakMap<readonly string[], RE2JS>()

function compilePatterns(patterns: readonly string[]): RE2JS {
  const words = patterns.map((pattern) => pattern.split('*').map(RE2JS.quote).join('.*'))
  return RE2JS.compile(`(?:${words.join('|')})`, RE2JS.DOTALL)
}
