import type { Facts } from './flatten.ts'
import { parseMac, pickReachableAddresses } from './reported-interfaces.ts'

/** An operating system according to facts. */
export interface OperatingSystem {
  readonly name: string
  readonly major: string
  readonly minor: string
  readonly family: string | null
  readonly release_name: string | null
}

/** The values of facts that are also stored with the host; null: unknown. */
export interface HostDescription {
  readonly operatingsystem: OperatingSystem | null
  readonly architecture: string | null
  readonly model: string | null
  readonly domain: string | null
  readonly environment: string | null
  readonly ip: string | null
  readonly ip6: string | null
  readonly mac: string | null
}

/** Reads structured facts (`os::name`) and the flat ones of old agents (`operatingsystem`). */
export function readFacts(facts: Facts): HostDescription {
  const findFirst = (...names: string[]) => names.map((name) => facts.get(name)?.trim()).find((value) => value) ?? null
  return {
    operatingsystem: readOperatingSystem(findFirst),
    architecture: normalizeArchitecture(findFirst('os::architecture', 'architecture', 'hardwaremodel')),
    model: takeIfShort(
      findFirst('dmi::product::name', 'productname', 'boardproductname') ?? readVirtualModel(findFirst),
    ),
    domain: findFirst('networking::domain', 'domain')?.toLowerCase() ?? null,
    environment: takeIfMatching(/^[A-Za-z0-9_]{1,255}$/, findFirst('agent_specified_environment', 'environment')),
    ...pickReachableAddresses(findFirst('networking::ip', 'ipaddress'), findFirst('networking::ip6', 'ipaddress6')),
    mac: parseMac(findFirst('networking::mac', 'macaddress')),
  }
}

type First = (...names: string[]) => string | null

// Agents have several names for the same processor.
const ARCHITECTURES: Readonly<Record<string, string>> = { amd64: 'x86_64', arm64: 'aarch64' }

function normalizeArchitecture(name: string | null): string | null {
  return takeIfMatching(/^\S{1,255}$/u, name === null ? null : (ARCHITECTURES[name] ?? name))
}

const FAMILIES: Readonly<Record<string, readonly string[]>> = {
  Debian: ['debian', 'ubuntu', 'linuxmint', 'kali', 'raspbian'],
  Redhat: [
    'redhat',
    'centos',
    'fedora',
    'rocky',
    'almalinux',
    'oraclelinux',
    'scientific',
    'amazon',
    'ascendos',
    'cloudlinux',
  ],
  Suse: ['sles', 'sled', 'opensuse', 'suse'],
  Archlinux: ['archlinux', 'manjaro'],
  Gentoo: ['gentoo'],
  Freebsd: ['freebsd'],
  Solaris: ['solaris'],
  AIX: ['aix'],
  Altlinux: ['altlinux'],
  Windows: ['windows'],
}

/**
 * Leaves out names and versions that operating systems cannot have here: a version is digits, maybe with a dot and more
 * behind.
 */
function readOperatingSystem(first: First): OperatingSystem | null {
  const name = takeIfMatching(/^\S{1,255}$/u, first('os::name', 'operatingsystem'))
  const full = first('os::release::full', 'operatingsystemrelease') ?? ''
  const release = /^(\d{1,5})(?:\.(\S{1,16}))?$/.exec(full)
  const major = takeIfMatching(/^\d{1,5}$/, first('os::release::major', 'operatingsystemmajrelease')) ?? release?.[1]
  if (name === null || major === undefined) return null
  const minor =
    takeIfMatching(/^\S{1,16}$/u, first('os::release::minor')) ?? (release?.[1] === major ? release[2] : undefined)
  const family = Object.entries(FAMILIES).find(([, names]) => names.includes(name.toLowerCase()))?.[0] ?? null
  const release_name = takeIfShort(first('os::distro::codename', 'lsbdistcodename'))
  return {
    name,
    major,
    minor: minor ?? '',
    family,
    release_name: release_name ?? (family === 'Debian' ? 'unknown' : null),
  }
}

/** The model of a machine without a manufacturer: what it is virtualized by. */
function readVirtualModel(first: First): string | null {
  return first('is_virtual') === 'true' ? first('virtual') : null
}

function takeIfShort(text: string | null): string | null {
  return text !== null && [...text].length <= 255 ? text : null
}

function takeIfMatching(pattern: RegExp, text: string | null): string | null {
  return text !== null && pattern.test(text) ? text : null
}
