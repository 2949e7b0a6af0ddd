import type { Facts } from './flatten.ts'
import { type First, type OperatingSystem, readOperatingSystem } from './operating-system.ts'
import { parseMac, pickReachableAddresses } from './reported-interfaces.ts'

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
    architecture: readArchitecture(findFirst),
    model: takeIfShort(
      findFirst('dmi::product::name', 'productname', 'boardproductname') ?? readVirtualModel(findFirst),
    ),
    domain: findFirst('networking::domain', 'domain')?.toLowerCase() ?? null,
    environment: takeIfMatching(/^[A-Za-z0-9_]{1,255}$/, findFirst('agent_specified_environment', 'environment')),
    ...pickReachableAddresses(findFirst('networking::ip', 'ipaddress'), findFirst('networking::ip6', 'ipaddress6')),
    mac: parseMac(findFirst('networking::mac', 'macaddress')),
  }
}

// Agents have several names for the same processor.
const ARCHITECTURES: Readonly<Record<string, string>> = { amd64: 'x86_64', arm64: 'aarch64' }

/** Solaris and Junos call the machine where others name its architecture. */
function readArchitecture(first: First): string | null {
  const ofMachine = /solaris|sunos|junos/i.test(first('os::name', 'operatingsystem') ?? '')
  const name =
    (ofMachine ? first('processors::isa', 'hardwareisa') : null) ??
    first('os::architecture', 'architecture', 'hardwaremodel')
  return takeIfMatching(/^\S{1,255}$/u, name === null ? null : (ARCHITECTURES[name] ?? name))
}

/**
 * The model of a machine without a manufacturer: what it is virtualized by. Agents before 2.3 say all in text, and the servers
 * they were made for take the text `false` for true, so that such machines have the model `physical` there.
 */
function readVirtualModel(first: First): string | null {
  const isOld = /^(?:1|2\.[0-2])\./.test(first('facterversion') ?? '')
  return isOld || first('is_virtual') === 'true' ? first('virtual') : null
}

function takeIfShort(text: string | null): string | null {
  return text !== null && [...text].length <= 255 ? text : null
}

function takeIfMatching(pattern: RegExp, text: string | null): string | null {
  return text !== null && pattern.test(text) ? text : null
}
