import { isIP, isIPv4 } from 'node:net'

/** Stands for clients without a usable address, e.g. on a local socket; they share one count. */
export const NO_ADDRESS = '0.0.0.0'

/** Normalizes an address: IPv4 within IPv6 becomes IPv4; IPv6 is compressed and without zone. */
export function normalizeAddress(address: string | null | undefined): string {
  const text = address ?? ''
  if (isIPv4(text)) return text
  const plain = text.replace(/%.*$/, '')
  if (isIP(plain) !== 6) return NO_ADDRESS
  const compressed = new URL(`http://[${plain}]`).hostname.slice(1, -1)
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(compressed)
  return mapped ? formatDotted(mapped[1], mapped[2]) : compressed
}

/**
 * The network for which failures are counted: an IPv4 address, or the /64 of an IPv6 address, which one client has as a
 * whole.
 */
export function networkOf(address: string | null | undefined): string {
  const one = normalizeAddress(address)
  if (isIPv4(one)) return one
  const [left = [], right = []] = one.split('::').map((half) => half.split(':').filter((group) => group !== ''))
  const zeros = one.includes('::') ? Array.from({ length: 8 - left.length - right.length }, () => '0') : []
  return normalizeAddress(`${[...left, ...zeros, ...right].slice(0, 4).join(':')}::`)
}

function formatDotted(high = '0', low = '0'): string {
  const bits = Number.parseInt(high, 16) * 0x10000 + Number.parseInt(low, 16)
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 255).join('.')
}
