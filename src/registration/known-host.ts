import { sql } from 'kysely'
import type { Context } from '../context.ts'
import { rows } from '../database/sql.ts'
import { Failure } from '../errors.ts'
import type { Asked } from './asked.ts'
import type { Owner } from './key.ts'

/** The host that a client registers again. */
export interface KnownHost {
  readonly id: number
  readonly name: string
  readonly organization_id: number | null
  readonly location_id: number | null
  /** Null: it is not registered now. */
  readonly uuid: string | null
  /** What its firmware was known by when it registered. */
  readonly system_uuid: string | null
  /** Keys whose places it holds. */
  readonly holds: readonly number[]
}

interface Found extends KnownHost {
  readonly organization: string | null
}

/**
 * The host with this name, or the one that this machine is registered as in the same organization; locked until the
 * transaction ends. {@throws Failure} unknown_reference where another organization has it, or where these are two hosts
 */
export async function lockKnownHost(
  tx: Context,
  owner: Owner,
  asked: Pick<Asked, 'hostName' | 'systemUuid'>,
): Promise<KnownHost | null> {
  return chosen(await find(tx, owner, asked, true), owner, asked)
}

/** The same without a lock, and without a word about others: for what is only looked at. */
export async function knownHost(
  ctx: Context,
  owner: Owner,
  asked: Pick<Asked, 'hostName' | 'systemUuid'>,
): Promise<KnownHost | null> {
  const found = await find(ctx, owner, asked, false)
  return found.find(({ organization_id }) => organization_id === owner.id) ?? null
}

/** Whether another machine than the one that is registered asks for the same name. */
export function isStranger(known: KnownHost | null, { systemUuid }: Pick<Asked, 'systemUuid'>): boolean {
  return known !== null && known.system_uuid !== null && known.system_uuid !== systemUuid
}

function find(
  ctx: Context,
  owner: Owner,
  { hostName, systemUuid }: Pick<Asked, 'hostName' | 'systemUuid'>,
  locked: boolean,
): Promise<Found[]> {
  const lock = locked ? sql`for no key update of h` : sql``
  return rows<Found>(
    ctx.db,
    sql`
      select h.id, h.name, h.organization_id, h.location_id, (select r.uuid from registrations r where r.host_id = h.id) as uuid,
        (select r.system_uuid from registrations r where r.host_id = h.id) as system_uuid,
        (select o.title from organizations o where o.id = h.organization_id) as organization,
        array(select k.activation_key_id from activation_key_hosts k where k.host_id = h.id order by k.position) as holds
      from hosts h
      where h.id in (
          select n.id from hosts n where n.name = ${hostName}
          union all
          select r.host_id from registrations r where r.system_uuid = ${systemUuid}
        ) and (h.name = ${hostName} or h.organization_id = ${owner.id})
      order by h.id ${lock}`,
  )
}

function chosen(
  found: readonly Found[],
  owner: Owner,
  { hostName, systemUuid }: Pick<Asked, 'hostName' | 'systemUuid'>,
): KnownHost | null {
  const named = found.find(({ name }) => name === hostName)
  if (named && named.organization_id !== null && named.organization_id !== owner.id)
    throw refused(
      `Host with name ${hostName} is currently registered to a different org, please migrate host to ${owner.name}.`,
    )
  const others = found.filter((host) => host !== named)
  const [other] = others
  if (other && (named || others.length > 1))
    throw refused(
      `The DMI UUID of this host (${systemUuid}) matches other registered hosts: ${others.map(({ name }) => name).join(', ')} (Please unregister or remove hosts which match this DMI UUID and try again.)`,
    )
  return named ?? other ?? null
}

function refused(message: string): Failure {
  return new Failure('unknown_reference', message)
}
