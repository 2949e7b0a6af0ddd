import type { FieldErrors } from '../../../errors.ts'
import type { Draft, Stored } from '../../../kernel/index.ts'
import { BLANK } from '../../../requests/sent.ts'
import { addressFamilyOf, toAddressNumber, toAddressText } from '../address.ts'
import type { NetworkType, SubnetFields } from './fields.ts'

const SUGGESTS: Readonly<Record<NetworkType, readonly string[]>> = {
  IPv4: ['DHCP', 'Internal DB', 'Random DB', 'External IPAM', 'None'],
  IPv6: ['EUI-64', 'Internal DB', 'External IPAM', 'None'],
}

const INVALID = 'is invalid'
const OUTSIDE = 'does not belong to subnet'
const ADDRESSES = ['network', 'mask', 'gateway', 'dns_primary', 'dns_secondary', 'from', 'to'] as const

/** The protocol of a record: the stated one, or else that of its network. */
export function networkTypeOf({
  network_type,
  network,
}: {
  readonly network_type?: string
  readonly network?: string | null
}): NetworkType {
  if (network_type === 'IPv4' || network_type === 'IPv6') return network_type
  return network && addressFamilyOf(network) === 6 ? 'IPv6' : 'IPv4'
}

/** The mask of a length in bits: `255.255.255.0` for 24; null for anything that is no length. */
export function maskOf(type: NetworkType, length: number | null | undefined): string | null {
  const bits = bitsOf(type)
  if (length === null || length === undefined || length > bits) return null
  const mask = (1n << BigInt(bits)) - (1n << BigInt(bits - length))
  return toAddressText(mask, type === 'IPv4' ? 4 : 6)
}

/**
 * Validates that the range is in order and in the network, and that the network has host bits; the gateway may be
 * elsewhere (core-api §11).
 */
export function validateSubnet(
  record: Draft<SubnetFields>,
  draft: Draft<SubnetFields>,
  _ctx: unknown,
  stored: Stored<SubnetFields> | null,
): FieldErrors | undefined {
  const type = networkTypeOf(record)
  if (stored && draft.network_type !== undefined && draft.network_type !== stored.network_type) {
    return { network_type: ["can't be updated after subnet is saved"] }
  }
  const errors: FieldErrors = {}
  const mask = resolveMask(type, draft, stored, errors)
  const addresses = { ...record, mask }
  for (const name of ADDRESSES) if (isForeign(type, addresses[name])) errors[name] = [INVALID]
  if (!SUGGESTS[type].includes(record.ipam ?? 'None')) errors.ipam = ['not supported by this protocol']
  if (mask !== null && !errors.mask && !isMask(type, mask)) errors.mask = [INVALID]
  if (type === 'IPv4' && mask !== null && !errors.mask && !holdsHosts(mask)) errors.mask = [INVALID]
  if (Object.keys(errors).length > 0 || mask === null) return errors
  return validatePlaces(addresses, mask)
}

/** Resolves the mask to store, from the sent mask or its length, which must not contradict each other; adds messages. */
function resolveMask(
  type: NetworkType,
  draft: Draft<SubnetFields>,
  stored: Stored<SubnetFields> | null,
  errors: FieldErrors,
): string | null {
  const sent = draft.mask ?? null
  const { cidr } = draft
  const counted = maskOf(type, cidr)
  if (typeof cidr === 'number' && counted === null) {
    errors.cidr = [`must be less than or equal to ${bitsOf(type)}`]
  } else if (sent !== null && counted !== null && sent !== counted) {
    errors.cidr = ['is not the length of the mask']
  }
  const kept = draft.mask === undefined && stored ? stored.mask : null
  const mask = sent ?? counted ?? kept
  if (mask === null && !errors.cidr) errors.mask = [BLANK]
  return mask
}

function validatePlaces(record: Draft<SubnetFields>, mask: string): FieldErrors {
  const errors: FieldErrors = {}
  if (!record.network) return errors
  const bits = toAddressNumber(mask)
  const network = toAddressNumber(record.network) & bits
  const isInside = (value: string) => (toAddressNumber(value) & bits) === network
  const { from, to } = record
  if (!from && !to) return errors
  if (!from) return { ...errors, from: ['must be specified if to is defined'] }
  if (!to) return { ...errors, to: ['must be specified if from is defined'] }
  const start = isInside(from) ? [] : [OUTSIDE]
  if (toAddressNumber(from) > toAddressNumber(to)) start.push("can't be bigger than to range")
  if (start.length > 0) errors.from = start
  if (!isInside(to)) errors.to = [OUTSIDE]
  return errors
}

function isForeign(type: NetworkType, value: string | null | undefined): boolean {
  return typeof value === 'string' && addressFamilyOf(value) !== (type === 'IPv4' ? 4 : 6)
}

/** Whether text is a mask: one bits followed by zero bits. */
function isMask(type: NetworkType, text: string): boolean {
  const zeros = (1n << BigInt(bitsOf(type))) - 1n - toAddressNumber(text)
  return (zeros & (zeros + 1n)) === 0n
}

/** Whether an IPv4 mask leaves bits for hosts and has bits for the network. */
function holdsHosts(mask: string): boolean {
  return mask !== '0.0.0.0' && mask !== '255.255.255.255'
}

function bitsOf(type: NetworkType): number {
  return type === 'IPv4' ? 32 : 128
}
