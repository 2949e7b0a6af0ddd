import type { Actor, Grant } from '../../../context.ts'
import { createNetworkCheck } from '../../../lib/networks.ts'

/** The limits of a token: null where it has none. Organizations and locations include their descendants. */
export interface TokenLimits {
  readonly permissions: readonly string[] | null
  readonly organizations: readonly number[] | null
  readonly locations: readonly number[] | null
  /** Addresses and networks. */
  readonly addresses: readonly string[] | null
}

/** What an administrator may do: all permissions, in all organizations and locations. */
export interface Everything {
  readonly permissions: readonly string[]
  readonly organizations: readonly number[]
  readonly locations: readonly number[]
}

/**
 * Limits a user to what a token is for: never more than the user may, and never more than the limits name. Administrators
 * become holders of the permissions. A token whose limits leave no organization or location permits nothing.
 */
export function limitActor(actor: Actor, limits: TokenLimits, everything: Everything): Actor {
  const { permissions, organizations, locations } = limits
  // Limited to addresses only.
  if (permissions === null && organizations === null && locations === null)
    return Object.freeze({ ...actor, limited: true })
  const own = actor.admin ? everything : actor
  const within = {
    organizations: intersect(own.organizations, organizations),
    locations: intersect(own.locations, locations),
  }
  const isNowhere =
    (organizations !== null && within.organizations.length === 0) ||
    (locations !== null && within.locations.length === 0)
  return Object.freeze({
    ...actor,
    ...within,
    admin: false,
    limited: true,
    grants: isNowhere ? NONE : limitGrants(actor, permissions, everything),
    ...(actor.admin ? { places: [{ organizations, locations }] } : {}),
  })
}

/** Whether a client at this address may use a token with these limits. */
export function isAdmitted({ addresses }: TokenLimits, address: string): boolean {
  return addresses === null || createNetworkCheck(addresses)(address)
}

const NONE: Actor['grants'] = new Map()
const EVERY_RECORD: Grant = Object.freeze({ search: null, organizations: null, locations: null })

function limitGrants({ admin, grants }: Actor, permissions: TokenLimits['permissions'], all: Everything) {
  if (admin) return new Map((permissions ?? all.permissions).map((permission) => [permission, [EVERY_RECORD]]))
  return permissions === null ? grants : new Map([...grants].filter(([permission]) => permissions.includes(permission)))
}

function intersect(own: readonly number[], named: readonly number[] | null): readonly number[] {
  return named === null ? own : own.filter((id) => named.includes(id))
}
