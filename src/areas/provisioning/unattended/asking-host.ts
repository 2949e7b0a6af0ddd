import { isIP } from 'node:net'
import type { Context } from '../../../context.ts'
import { rows } from '../../../database/sql.ts'
import { Failure } from '../../../errors.ts'
import { sql } from '../../../sql.ts'
import { findTokenHost } from './build-token.ts'

/** The data in a request about the machine that sends it. */
export interface Claim {
  /** The build token in its query, or null. */
  readonly token: string | null
  /** Address of the machine, as trusted web servers tell it. */
  readonly address: string
  /** Hardware addresses that a trusted web server adds; those that a machine sends itself are not believed. */
  readonly macs: readonly string[]
}

/** The host that a machine is, and how it was identified: only the token is a proof. */
export interface AskingHost {
  readonly id: number
  readonly name: string
  readonly proven: boolean
}

/**
 * Finds the host under installation that a request comes from: by its token, or else by an address, which proves
 * nothing. {@throws Failure} not_found; precondition_failed for an expired token; conflict for several hosts
 */
export async function findAskingHost(ctx: Context, claim: Claim): Promise<AskingHost> {
  if (claim.token !== null) return findByToken(ctx, claim.token)
  const found = await rows<{ id: number; name: string; build: boolean }>(
    ctx.db,
    sql`select h.id, h.name, h.build from hosts h where h.id in (${limitToAddress(claim)}) order by h.build desc, h.id limit 2`,
  )
  const [host, other] = found
  const told = claim.macs.length > 0 ? claim.macs.join(', ') : claim.address
  if (!host) throw new Failure('parent_not_found', `No host has an interface with the address ${told}`)
  if (!host.build) throw createNotBuilding(host.name)
  if (other?.build) throw new Failure('conflict', `Several hosts that are being installed have the address ${told}`)
  return { id: host.id, name: host.name, proven: false }
}

/** Finds the host of a token. {@throws Failure} not_found; precondition_failed for an expired token */
export async function findByToken(ctx: Context, token: string): Promise<AskingHost> {
  const found = await findTokenHost(ctx, token)
  if (!found) throw new Failure('parent_not_found', 'No host is being installed with this token')
  if (found.expired)
    throw new Failure('precondition_failed', `The token of ${found.name} has expired: ask for its installation again`)
  return { id: found.host, name: found.name, proven: true }
}

function createNotBuilding(name: string): Failure {
  return new Failure('conflict', `${name} does not wait to be installed: set its build to true first`)
}

/** Selects the ids of hosts by address; only primary and provisioning interfaces count. */
function limitToAddress({ address, macs }: Claim) {
  const through = sql`(i.provision or i."primary")`
  if (macs.length > 0)
    return sql`select i.host_id from interfaces i where i.mac = any (${[...macs]}::text[]) and ${through}`
  if (isIP(address) === 0) return sql`select null::bigint`
  const column = isIP(address) === 4 ? sql`i.ip` : sql`i.ip6`
  return sql`select i.host_id from interfaces i
    where (host(${column}) collate "C") = host(${address}::inet) and ${through}`
}
