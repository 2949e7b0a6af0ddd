import type { KeyObject } from 'node:crypto'
import { Failure } from '../../errors.ts'
import { isValidText } from '../../lib/lossless-json.ts'
import { isMembers } from '../../lib/values.ts'
import { isBlank } from '../../search/blank.ts'
import { HOST_NAME } from '../inventory/index.ts'
import type { HostFacts, HostRecords } from './hosts.ts'
import type { RequestedAttributes } from './key.ts'

type Json = Readonly<Record<string, unknown>>

/** A product that is installed on a host. */
export interface InstalledProduct {
  readonly productId: string
  readonly [key: string]: unknown
}

/** A virtual machine on a host, as its hypervisor reports it. */
export interface Guest {
  readonly guestId: string
  readonly attributes: Readonly<Record<string, unknown>>
}

/** The report of a client about its host, at or after registration; undefined: not sent. */
export interface ConsumerReport {
  readonly facts: Json | undefined
  readonly installedProducts: readonly InstalledProduct[] | undefined
  readonly requested: RequestedAttributes
  readonly autoheal: boolean | undefined
  readonly guestIds: readonly Guest[] | undefined
}

/** The content of a registration request. */
export interface RegistrationRequest extends ConsumerReport {
  readonly facts: Json
  readonly hostFacts: HostFacts
  /** The name of a host that is not known by any of these, in lower case. */
  readonly hostName: string
  /** The names that it may be known by, the one that counts most first. */
  readonly knownNames: readonly string[]
  /** The UUID of its firmware; null when that does not identify it. */
  readonly systemUuid: string | null
  /** The public key of a signing request; null: a key has to be made for it. */
  readonly key: KeyObject | null
  /** Ids of the requested pairs: `<content view>-<environment>`. */
  readonly environments: readonly string[]
}

/**
 * Reads the body of a registration (content-api §5.2). `nameFact` is the fact that names the host; if there is none, others do.
 * {@throws Failure} malformed, naming what is wrong
 */
export async function readRegistrationRequest(
  body: Json,
  hosts: Pick<HostRecords, 'readFacts'>,
  nameFact: string,
): Promise<RegistrationRequest> {
  const told = readConsumerReport(body)
  const { facts } = told
  if (facts === undefined) throw createRefusal('facts', 'must be an object of facts, network.hostname among them')
  return {
    ...told,
    facts,
    hostFacts: hosts.readFacts(facts),
    ...readHostNames(facts, nameFact),
    systemUuid: readSystemUuid(facts),
    key: await readRequestedKey(body),
    environments: readEnvironments(body) ?? [],
  }
}

/** Reads the public key of a body; null: it has no signing request. {@throws Failure} malformed */
export async function readRequestedKey({ csr = null }: Json): Promise<KeyObject | null> {
  if (csr === null) return null
  const { readRequestKey } = await import('./authority/signing-request.ts')
  return readRequestKey(csr)
}

/** Reads the body of later reports. {@throws Failure} malformed, naming what is wrong */
export function readConsumerReport(body: Json): ConsumerReport {
  const told: ConsumerReport = {
    facts: readFacts(body),
    installedProducts: readProducts(body),
    requested: readRequestedAttributes(body),
    autoheal: typeof body.autoheal === 'boolean' ? body.autoheal : undefined,
    guestIds: body.guestIds === undefined ? undefined : readGuests(body.guestIds),
  }
  for (const [key, value] of Object.entries(told))
    if (!isValidText(value)) throw createRefusal(key, 'must be Unicode text without the NUL character')
  return told
}

const MOST_PRODUCTS = 1000

/** Names that machines have before they get their own. */
const NO_NAMES = ['localhost', 'localhost.localdomain', 'localhost.localhost']

function readFacts({ facts = null }: Json): Json | undefined {
  if (facts === null) return undefined
  if (!isMembers(facts)) throw createRefusal('facts', 'must be an object of facts')
  const nested = Object.entries(facts).find(([, value]) => typeof value === 'object' && value !== null)
  if (nested)
    throw createRefusal('facts', `must have texts, numbers and booleans as values: ${nested[0].slice(0, 100)}`)
  return facts
}

const [HOSTNAME, FQDN, OVERRIDE] = ['network.hostname', 'network.fqdn', 'network.hostname-override']

/** Reads the names that a machine has: what the command `hostname` says may be short, and may end in a dot. */
function readHostNames(facts: Json, nameFact: string): Pick<RegistrationRequest, 'hostName' | 'knownNames'> {
  if (readName(facts[nameFact]) !== null) {
    const hostName = requireName(facts, nameFact)
    return { hostName, knownNames: [hostName] }
  }
  const listUsable = (...names: readonly string[]) =>
    names
      .flatMap((name) => readName(facts[name]) ?? [])
      .filter((name) => HOST_NAME.test(name) && !NO_NAMES.includes(name))
  const [hostName = requireName(facts, HOSTNAME)] = listUsable(FQDN, OVERRIDE, HOSTNAME)
  return { hostName, knownNames: [...new Set([...listUsable(HOSTNAME, FQDN, OVERRIDE), hostName])] }
}

function readName(value: unknown): string | null {
  return typeof value === 'string' && !isBlank(value) ? value.trim().toLowerCase().replace(/\.$/, '') : null
}

function requireName(facts: Json, fact: string): string {
  const name = readName(facts[fact])
  if (name === null) throw createRefusal('facts', `must have ${fact}: the name of the host`)
  if (NO_NAMES.includes(name)) throw createRefusal('facts', `must have the name of this host as ${fact}, not ${name}`)
  return name
}

/** UUIDs that manufacturers use for many machines, so that they identify none. */
const REPEATED = ['03000200-0400-0500-0006-000700080009', '12345678-1234-5678-90ab-cddeefaabbcc']

function readSystemUuid(facts: Json): string | null {
  const uuid = facts['dmi.system.uuid']
  if (typeof uuid !== 'string') return null
  const lower = uuid.trim().toLowerCase()
  const isUuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(lower)
  return !isUuid || /^[0-]+$|^[f-]+$/.test(lower) || REPEATED.includes(lower) ? null : lower
}

function readProducts({ installedProducts: products = null }: Json): readonly InstalledProduct[] | undefined {
  if (products === null) return undefined
  const isList = Array.isArray(products) && products.length <= MOST_PRODUCTS
  if (!isList || !products.every(isProduct))
    throw createRefusal(
      'installedProducts',
      `must be a list of at most ${MOST_PRODUCTS} objects that each have a productId`,
    )
  return products
}

function isProduct(value: unknown): value is InstalledProduct {
  return isMembers(value) && typeof value.productId === 'string'
}

function readRequestedAttributes(body: Json): RequestedAttributes {
  const addons = body.addOns ?? null
  if (addons !== null && !(Array.isArray(addons) && addons.length <= 100 && addons.every(isShort)))
    throw createRefusal('addOns', 'must be a list of texts of at most 255 characters')
  return {
    service_level: readBodyText(body, 'serviceLevel'),
    release_version: readRelease(body),
    purpose_usage: readBodyText(body, 'usage'),
    purpose_role: readBodyText(body, 'role'),
    ...(addons !== null && { purpose_addons: addons }),
  }
}

/** The release, which clients send as text or as an object around it. */
function readRelease(body: Json): string | null | undefined {
  const { releaseVer } = body
  return readBodyText(isMembers(releaseVer) ? releaseVer : body, 'releaseVer')
}

/** A text of the body; null when blank, undefined when not sent. */
function readBodyText(body: Json, key: string): string | null | undefined {
  const value = body[key]
  if (value === undefined) return undefined
  if (value === null || value === '') return null
  if (!isShort(value)) throw createRefusal(key, 'must be a text of at most 255 characters')
  return value
}

/** Reads the ids of the pairs that a body names; undefined when it names none. {@throws Failure} malformed */
export function readEnvironments({ environments, environment }: Json): readonly string[] | undefined {
  const sent = environments ?? (isMembers(environment) ? [environment] : undefined)
  if (sent === undefined || sent === null) return undefined
  if (!Array.isArray(sent))
    throw createRefusal('environments', 'must be a list of objects with the id of an environment')
  return sent.map((one) => {
    if (isMembers(one) && typeof one.id === 'string' && isValidText(one.id)) return one.id
    throw createRefusal('environments', 'must be a list of objects with the id of an environment')
  })
}

const MOST_GUESTS = 1000

/** Reads guests, which are sent as ids or as objects. {@throws Failure} malformed */
export function readGuests(sent: unknown): readonly Guest[] {
  if (sent === null) return []
  if (!Array.isArray(sent) || sent.length > MOST_GUESTS)
    throw createRefusal('guestIds', `must be a list of at most ${MOST_GUESTS} guests`)
  const guests = sent.map((guest) => readGuest(typeof guest === 'string' ? { guestId: guest } : guest))
  return [...new Map(guests.map((guest) => [guest.guestId, guest])).values()]
}

/** Reads one guest, sent as an id or as an object. {@throws Failure} malformed */
export function readGuest(sent: unknown): Guest {
  const { guestId = null, attributes = null } = isMembers(sent) ? sent : {}
  if (!isShort(guestId) || isBlank(guestId) || !isValidText(guestId))
    throw createRefusal('guestIds', 'must be texts, or objects with a guestId of at most 255 characters')
  const facts = readFacts({ facts: attributes }) ?? {}
  if (Object.keys(facts).length > 100 || !isValidText(facts))
    throw createRefusal('guestIds', 'must have at most 100 attributes each, of Unicode text without the NUL character')
  return { guestId, attributes: facts }
}

function isShort(value: unknown): value is string {
  return typeof value === 'string' && [...value].length <= 255
}

function createRefusal(key: string, reason: string): Failure {
  return new Failure('malformed', `${key} ${reason}`)
}
