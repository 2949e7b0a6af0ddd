import type { FieldErrors } from '../../errors.ts'
import { BLANK } from '../../kernel/fields/values.ts'
import type { Draft, Stored } from '../../kernel/resource.ts'
import { addressFamily, addressNumber, canonicalAddress } from '../address.ts'

/** The protocols that a subnet may be of. */
export const NETWORK_TYPES = ['IPv4', 'IPv6'] as const
type NetworkType = (typeof NETWORK_TYPES)[number]

/** How addresses are suggested, in both protocols together. */
export const IPAM = ['DHCP', 'Internal DB', 'Random DB', 'EUI-64', 'External IPAM', 'None'] as const
const SUGGESTS: Readonly<Record<NetworkType, readonly string[]>> = {
  IPv4: ['DHCP', 'Internal DB', 'Random DB', 'External IPAM', 'None'],
  IPv6: ['EUI-64', 'Internal DB', 'External IPAM', 'None'],
}

const INVALID = 'is invalid'
const OUTSIDE = 'does not belong to subnet'
const ADDRESSES = ['network', 'mask', 'gateway', 'dns_primary', 'dns_secondary', 'from', 'to'] as const

/** The protocol of a record: the one it says, else that of its network. */
export function typeOf({ network_type, network }: Draft | Stored): NetworkType {
  if (network_type === 'IPv4' || network_type === 'IPv6') return network_type
  return typeof network === 'string' && addressFamily(network) === 6 ? 'IPv6' : 'IPv4'
}

/** `255.255.255.0` for 24. */
export function maskOf(type: NetworkType, length: unknown): string | null {
  const bits = bitsOf(type)
  if (typeof length !== 'number' || length > bits) return null
  const mask = (1n << BigInt(bits)) - (1n << BigInt(bits - length))
  return type === 'IPv4' ? dotted(mask) : canonicalAddress(grouped(mask))
}

/** A network is the first address of its mask; everything else lies in it, in order (core-api §11). */
export function subnetRules(
  record: Draft,
  draft: Draft,
  _ctx: unknown,
  stored: Stored | null,
): FieldErrors | undefined {
  const type = typeOf(record)
  if (stored && draft.network_type !== undefined && draft.network_type !== stored.network_type) {
    return { network_type: ["can't be updated after subnet is saved"] }
  }
  const errors: FieldErrors = {}
  const mask = effectiveMask(type, draft, stored, errors)
  const addresses: Draft = { ...record, mask }
  for (const name of ADDRESSES) if (isForeign(type, addresses[name])) errors[name] = [INVALID]
  if (!SUGGESTS[type].includes(String(record.ipam ?? 'None'))) errors.ipam = ['not supported by this protocol']
  if (mask !== null && !errors.mask && !isMask(type, mask)) errors.mask = [INVALID]
  if (Object.keys(errors).length > 0 || mask === null) return errors
  return judgePlaces(addresses, mask)
}

/** The mask that is to be stored. Mask and length are two ways to say one thing: they must not differ. */
function effectiveMask(type: NetworkType, draft: Draft, stored: Stored | null, errors: FieldErrors): string | null {
  const sent = draft.mask === undefined || draft.mask === null ? null : String(draft.mask)
  const { cidr } = draft
  const counted = cidr === undefined || cidr === null ? null : maskOf(type, cidr)
  if (typeof cidr === 'number' && counted === null) {
    errors.cidr = [`must be less than or equal to ${bitsOf(type)}`]
  } else if (sent !== null && counted !== null && sent !== counted) {
    errors.cidr = ['is not the length of the mask']
  }
  const kept = draft.mask === undefined && stored ? String(stored.mask) : null
  const mask = sent ?? counted ?? kept
  if (mask === null && !errors.cidr) errors.mask = [BLANK]
  return mask
}

function judgePlaces(record: Draft, mask: string): FieldErrors {
  const errors: FieldErrors = {}
  if (typeof record.network !== 'string') return errors
  const bits = addressNumber(mask)
  const network = addressNumber(record.network)
  if ((network & bits) !== network) return { network: [INVALID] }
  const isInside = (value: unknown) => typeof value === 'string' && (addressNumber(value) & bits) === network
  const { gateway, from, to } = record
  if (gateway && !isInside(gateway)) errors.gateway = [OUTSIDE]
  if (!from && !to) return errors
  if (!from) return { ...errors, from: ['must be specified if to is defined'] }
  if (!to) return { ...errors, to: ['must be specified if from is defined'] }
  const start = isInside(from) ? [] : [OUTSIDE]
  if (addressNumber(String(from)) > addressNumber(String(to))) start.push("can't be bigger than to range")
  if (start.length > 0) errors.from = start
  if (!isInside(to)) errors.to = [OUTSIDE]
  return errors
}

function isForeign(type: NetworkType, value: unknown): boolean {
  return typeof value === 'string' && addressFamily(value) !== (type === 'IPv4' ? 4 : 6)
}

/** Ones, then zeros. */
function isMask(type: NetworkType, text: string): boolean {
  const zeros = (1n << BigInt(bitsOf(type))) - 1n - addressNumber(text)
  return (zeros & (zeros + 1n)) === 0n
}

function bitsOf(type: NetworkType): number {
  return type === 'IPv4' ? 32 : 128
}

function dotted(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.')
}

function grouped(value: bigint): string {
  const groups = Array.from({ length: 8 }, (_, index) => (value >> BigInt(112 - 16 * index)) & 0xffffn)
  return groups.map((group) => group.toString(16)).join(':')
}
