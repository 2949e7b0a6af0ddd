import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { createNetworkCheck } from '../../../lib/networks.ts'
import { normalizeAddress } from '../../access/index.ts'

/** Decides to which addresses webhooks may connect. */
export interface AddressCheck {
  /**
   * Resolves the host of a URL to the addresses to connect to: nothing else is resolved later, so that a name cannot lead
   * elsewhere by then. {@throws RefusedAddressError} where it leads to no allowed address
   */
  resolve(host: string): Promise<readonly Address[]>
}

/** An address of a host. */
export interface Address {
  readonly address: string
  readonly family: number
}

/** A host has no address that webhooks may connect to; the message says so for people. */
export class RefusedAddressError extends Error {
  override readonly name = 'RefusedAddressError'
}

/** Networks of this machine, of private networks, and those that lead to either. */
const PRIVATE = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '2001::/32',
  '2002::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
]

/** Creates the check; `allowed` has the private addresses and networks that are permitted all the same. */
export function createAddressCheck(allowed: readonly string[]): AddressCheck {
  const [isClosed, isOpen] = [createNetworkCheck(PRIVATE), createNetworkCheck(allowed)]
  const isAllowed = ({ address }: Address) => {
    const plain = normalizeAddress(address)
    return isOpen(plain) || !isClosed(plain)
  }
  return {
    async resolve(host) {
      const name = host.replace(/^\[|\]$/g, '')
      const found = isIP(name) ? [{ address: name, family: isIP(name) }] : await lookup(name, { all: true })
      const addresses = found.filter(isAllowed)
      if (addresses.length > 0) return addresses
      throw new RefusedAddressError(
        `${host} leads to ${found.map(({ address }) => address).join(', ')}: webhooks may send to private addresses only if MILLWRIGHT_WEBHOOK_ALLOW names their network`,
      )
    },
  }
}
