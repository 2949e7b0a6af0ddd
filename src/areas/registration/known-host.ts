import { type Context, hasPermission } from '../../context.ts'
import { lockName } from '../../database/savepoints.ts'
import { row, rows } from '../../database/sql.ts'
import { unknownReference } from '../../errors.ts'
import { joinConditions, limitToVisible, type Resource } from '../../kernel/index.ts'
import { sql } from '../../sql.ts'
import type { RegistrationOwner } from './key.ts'
import type { RegistrationRequest } from './registration-request.ts'

/** A known host that a client registers again. */
export interface ExistingHost {
  readonly id: number
  readonly name: string
  readonly organization_id: number | null
  readonly location_id: number | null
  /** Null: it is not registered at present. */
  readonly uuid: string | null
  /** The firmware UUID of its registration. */
  readonly system_uuid: string | null
  /** PEM of its registration's certificate, and whether it has expired. */
  readonly certificate: string | null
  readonly expired: boolean
  /** Whether it waits for an installation. */
  readonly build: boolean
  /** Keys at which it holds a place. */
  readonly holds: readonly number[]
}

/**
 * Chooses the name that a machine is registered by: that of its own registration, else the first of its names that a host has which
 * no other machine is registered as, else the one for new hosts. Whether it may become that host is decided later.
 */
export async function chooseHostName(
  ctx: Context,
  owner: RegistrationOwner,
  { hostName, knownNames, systemUuid }: Pick<RegistrationRequest, 'hostName' | 'knownNames' | 'systemUuid'>,
): Promise<string> {
  if (knownNames.length === 1) return hostName
  const known = await row<{ name: string }>(
    ctx.db,
    sql`select h.name from hosts h left join registrations r on r.host_id = h.id
      where h.name = any (${knownNames}::text[]) and coalesce(h.organization_id, ${owner.id}) = ${owner.id}
        and (h.name = ${hostName} or r.uuid is null or h.build or r.system_uuid is not distinct from ${systemUuid}::text)
      order by (r.system_uuid = ${systemUuid}::text) is true desc, array_position(${knownNames}::text[], h.name) limit 1`,
  )
  return known?.name ?? hostName
}

/**
 * Finds the host with this name and locks it until the transaction ends. {@throws Failure} unknown_reference when it
 * belongs to another organization, or this machine is registered under another name
 */
export async function lockExistingHost(
  tx: Context,
  hosts: Resource,
  owner: RegistrationOwner,
  asked: Pick<RegistrationRequest, 'hostName' | 'systemUuid'>,
): Promise<ExistingHost | null> {
  // Machines of one image have one UUID: the first that registers is the host, whoever else asks meanwhile.
  if (asked.systemUuid !== null) await lockName(tx.db, `DMI UUID ${asked.systemUuid} of organization ${owner.id}`)
  return chooseHost(tx, hosts, await find(tx, owner, asked, true), owner, asked)
}

/** Loads the existing host of a registration without a lock and without refusals, for callers who only look. */
export async function loadExistingHost(
  ctx: Context,
  owner: RegistrationOwner,
  asked: Pick<RegistrationRequest, 'hostName' | 'systemUuid'>,
): Promise<ExistingHost | null> {
  const found = await find(ctx, owner, asked, false)
  return found.find(({ name, organization_id }) => name === asked.hostName && organization_id === owner.id) ?? null
}

function find(
  ctx: Context,
  owner: RegistrationOwner,
  { hostName, systemUuid }: Pick<RegistrationRequest, 'hostName' | 'systemUuid'>,
  locked: boolean,
): Promise<ExistingHost[]> {
  const lock = locked ? sql`for no key update of h` : sql``
  return rows<ExistingHost>(
    ctx.db,
    sql`
      select h.id, h.name, h.organization_id, h.location_id, h.build, r.uuid, r.system_uuid, r.certificate,
        coalesce(r.expires_at <= now(), false) as expired, array(select k.activation_key_id from activation_key_hosts k where k.host_id = h.id order by k.position) as holds
      from hosts h left join registrations r on r.host_id = h.id
      where h.id in (
          select n.id from hosts n where n.name = ${hostName}
          union all
          select x.host_id from registrations x where x.system_uuid = ${systemUuid}
        ) and (h.name = ${hostName} or h.organization_id = ${owner.id})
      order by h.id ${lock}`,
  )
}

async function chooseHost(
  tx: Context,
  hosts: Resource,
  found: readonly ExistingHost[],
  owner: RegistrationOwner,
  { hostName, systemUuid }: Pick<RegistrationRequest, 'hostName' | 'systemUuid'>,
): Promise<ExistingHost | null> {
  const named = found.find(({ name }) => name === hostName)
  if (named && named.organization_id !== null && named.organization_id !== owner.id)
    throw unknownReference(
      `Host with name ${hostName} is currently registered to a different org, please migrate host to ${owner.name}.`,
    )
  const others = found.filter((host) => host !== named)
  if (others.length === 0) return named ?? null
  const seen = await loadSeenNames(
    tx,
    hosts,
    others.map(({ id }) => id),
  )
  throw unknownReference(
    `The DMI UUID of this host (${systemUuid}) matches other registered hosts${seen.length > 0 ? `: ${seen.join(', ')}` : ''} (Please unregister or remove hosts which match this DMI UUID and try again.)`,
  )
}

/** Names of those hosts that the caller may see; none for machines with only a key. */
async function loadSeenNames(tx: Context, hosts: Resource, ids: readonly number[]): Promise<readonly string[]> {
  if (tx.user.id === 0 || !hasPermission(tx, 'view_hosts')) return []
  const seen = joinConditions(limitToVisible(tx, hosts, 'view_hosts'))
  const found = await rows<{ name: string }>(
    tx.db,
    sql`select t.name from hosts t where t.id = any (${ids}::bigint[]) and ${seen} order by t.name`,
  )
  return found.map(({ name }) => name)
}
