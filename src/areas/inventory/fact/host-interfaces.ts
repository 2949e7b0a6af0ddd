import type { Context } from '../../../context.ts'
import { type AuditEntry, insertAudits } from '../../../database/audits.ts'
import { inSavepoint } from '../../../database/savepoints.ts'
import { rows } from '../../../database/sql.ts'
import { Failure } from '../../../errors.ts'
import {
  causeOf,
  type Draft,
  findResource,
  lock,
  type Resource,
  readAuditedValues,
  type Stored,
  updateStored,
} from '../../../kernel/index.ts'
import { readTexts } from '../../../lib/values.ts'
import { sql } from '../../../sql.ts'
import type { HostDescription } from './host-description.ts'
import { isLoopback, type ReportedInterface, type ReportedInterfaces } from './reported-interfaces.ts'

type Addresses = Pick<HostDescription, 'ip' | 'ip6' | 'mac'>

/** A stored interface of the host. */
interface OwnInterface {
  readonly id: number
  readonly type: string
  readonly identifier: string | null
  readonly mac: string | null
  readonly ip: string | null
  readonly ip6: string | null
  readonly virtual: boolean
  readonly managed: boolean
  /** Whether the host is managed. */
  readonly of_managed: boolean
  readonly primary: boolean
  readonly attached_devices: readonly string[]
  readonly mode: string | null
}

/**
 * Stores the interfaces that facts report: one statement when nothing has changed. An interface is identified by its
 * identifier, or by its MAC address if only one device has that. The interfaces of a managed host get only missing
 * identifiers. Interfaces that are not reported stay.
 */
export async function storeInterfaces(
  ctx: Context,
  hosts: Resource,
  host: number,
  told: ReportedInterfaces,
  about: Addresses,
): Promise<void> {
  if (told.all.length === 0) return
  const own = await rows<OwnInterface>(
    ctx.db,
    sql`select id, type, identifier, mac, host(ip) as ip, host(ip6) as ip6, virtual, managed, of_managed, "primary",
        attached_devices, mode
      from interfaces where host_id = ${host} order by "primary" desc, id`,
  )
  const known = pairInterfaces(own, told, about)
  const interfaces = findResource(hosts.registry, 'interface')
  for (const [found, stored] of known) {
    const isKept = stored.of_managed && stored.managed
    if (isKept && stored.identifier !== null) continue
    const mine = isKept ? stored : await withoutMoved(ctx, interfaces, stored, found, told)
    known.set(found, mine)
  }
  const reported = new Set([...known.values()].map(({ id }) => id))
  for (const mine of own) {
    const stays = reported.has(mine.id) || mine.type === 'bmc' || (mine.of_managed && mine.managed)
    if (!stays) await withoutMoved(ctx, interfaces, mine, null, told)
  }
  for (const [found, mine] of known) {
    const isKept = mine.of_managed && mine.managed
    if (isKept && mine.identifier !== null) continue
    const changes = isKept ? { identifier: found.identifier } : changesOf(mine, found, mine.primary ? about : null)
    if (saysNothingNew(mine, changes)) continue
    await change(ctx, interfaces, mine, changes)
  }
  const taken = new Set(own.map(({ identifier }) => identifier))
  const missing = told.all.filter((one) => !known.has(one) && !taken.has(one.identifier))
  if (missing.length > 0) await make(ctx, interfaces, host, missing)
}

/**
 * The reported interface that is to be the primary one: the one that the host names, else one with the address in its
 * facts, else preferably a physical one with any address.
 */
export function primaryOf({ all, primary }: ReportedInterfaces, { ip, mac }: Addresses): ReportedInterface | null {
  return (
    all.find(({ identifier }) => identifier === primary) ??
    all.find((one) => ip !== null && one.ip === ip) ??
    all.find((one) => mac !== null && one.mac === mac) ??
    all.find((one) => !one.virtual && isReachable(one)) ??
    all.find(isReachable) ??
    all.find((one) => !one.virtual) ??
    null
  )
}

function isReachable({ ip }: ReportedInterface): boolean {
  return ip !== null && !isLoopback(ip)
}

/** Pairs the reported interfaces with the stored ones that they are about. */
function pairInterfaces(
  own: readonly OwnInterface[],
  told: ReportedInterfaces,
  about: Addresses,
): Map<ReportedInterface, OwnInterface> {
  const left = new Set(own.filter(({ type }) => type !== 'bmc'))
  const known = new Map<ReportedInterface, OwnInterface>()
  const pairRemaining = (isSame: (found: ReportedInterface, mine: OwnInterface) => boolean) => {
    for (const found of told.all) {
      if (known.has(found)) continue
      const mine = own.find((one) => left.has(one) && isSame(found, one))
      if (!mine) continue
      known.set(found, mine)
      left.delete(mine)
    }
  }
  pairRemaining((found, mine) => mine.identifier === found.identifier)
  pairRemaining(
    (found, mine) => mine.identifier !== null && toFlatName(mine.identifier) === toFlatName(found.identifier),
  )
  pairRemaining((found, mine) => !found.virtual && !mine.virtual && mine.mac !== null && mine.mac === found.mac)
  pairRemaining((found, mine) => mine.primary && mine.ip !== null && mine.ip === found.ip)
  const primary = primaryOf(told, about)
  pairRemaining((found, mine) => mine.primary && found === primary && (!mine.of_managed || isBlank(mine)))
  return known
}

/** Takes addresses from an interface that another one of the host now has, because two of them cannot have one. */
async function withoutMoved(
  ctx: Context,
  interfaces: Resource,
  mine: OwnInterface,
  found: ReportedInterface | null,
  told: ReportedInterfaces,
): Promise<OwnInterface> {
  const moved = (['ip', 'ip6'] as const).filter(
    (name) =>
      mine[name] !== null && mine[name] !== (found?.[name] ?? null) && told.all.some((one) => one[name] === mine[name]),
  )
  if (moved.length === 0) return mine
  const nothing = Object.fromEntries(moved.map((name) => [name, null]))
  await change(ctx, interfaces, mine, nothing)
  return { ...mine, ...nothing }
}

/** The identifier as flat facts have it: structured ones of the same host call the same interface `eth0.5` or `Ethernet 2`. */
function toFlatName(identifier: string): string {
  return identifier.toLowerCase().replace(/[-.: ]/g, '_')
}

function isBlank({ identifier, mac }: OwnInterface): boolean {
  return identifier === null && mac === null
}

/**
 * The differences between a stored and a reported interface. Missing facts leave values of the primary interface as
 * they are, and clear those of others.
 */
function changesOf(mine: OwnInterface, found: ReportedInterface, about: Addresses | null): Draft {
  const { identifier, mac, ip, ip6, tag, attached_to, attached_devices, mode } = found
  const addresses = about ? { mac: mac ?? about.mac, ip: ip ?? about.ip, ip6: ip6 ?? about.ip6 } : { mac, ip, ip6 }
  const isKept = ([name, value]: [string, unknown]) => value !== null || (about === null && name !== 'mac')
  const isAlike = mine.type === found.type
  return {
    identifier,
    ...Object.fromEntries(Object.entries(addresses).filter(isKept)),
    ...(isAlike && attached_to !== null && { virtual: true, attached_to, ...(tag !== null && { tag }) }),
    ...(isAlike && attached_devices && { attached_devices }),
    ...(isAlike && mode !== null && { mode }),
  }
}

const COMPARED = ['identifier', 'mac', 'ip', 'ip6', 'virtual', 'mode'] as const

/**
 * Whether the compared values are unchanged; then the others need not be compared, because they change only with these.
 */
function saysNothingNew(mine: OwnInterface, changes: Draft): boolean {
  const devices = readTexts(changes, 'attached_devices')
  const isSame = COMPARED.every((name) => changes[name] === undefined || changes[name] === mine[name])
  return isSame && (!devices || devices.join() === mine.attached_devices.join())
}

/** Changes an interface, but leaves out values that are refused, such as an address outside of its subnet. */
async function change(ctx: Context, interfaces: Resource, mine: OwnInterface, changes: Draft): Promise<void> {
  try {
    await inSavepoint(ctx.db, async () => updateStored(ctx, interfaces, await lock(ctx, interfaces, mine.id), changes))
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'invalid') throw error
    const refused = Object.keys(error.details.errors ?? {})
    ctx.log.info({ refused }, 'facts do not fit an interface')
    const left = Object.entries(changes).filter(([name]) => !refused.includes(name))
    if (left.length > 0 && left.length < Object.keys(changes).length)
      await change(ctx, interfaces, mine, Object.fromEntries(left))
  }
}

/**
 * Inserts new interfaces with their audits, in two statements however many there are. They do not get an address that an
 * interface of the host keeps.
 */
async function make(
  ctx: Context,
  interfaces: Resource,
  host: number,
  told: readonly ReportedInterface[],
): Promise<void> {
  const selectFree = (name: 'ip' | 'ip6') => {
    const [held, wanted] = [sql.ref(`i.${name}`), sql.ref(`t.${name}`)]
    return sql`case when not exists (select from interfaces i where i.host_id = ${host} and ${held} = ${wanted}) then ${wanted} end`
  }
  const made = await rows<{ stored: Stored }>(
    ctx.db,
    sql`
      with made as (
        insert into interfaces (host_id, type, identifier, mac, ip, ip6, virtual, tag, attached_to, attached_devices, mode, managed)
        select ${host}::bigint, t.type, t.identifier, t.mac, ${selectFree('ip')}, ${selectFree('ip6')}, t.virtual, t.tag, t.attached_to,
          coalesce(t.attached_devices, '{}'), t.mode, false
        from jsonb_to_recordset(${JSON.stringify(told)}::jsonb) as t (type text, identifier text, mac text, ip inet, ip6 inet,
          virtual boolean, tag text, attached_to text, attached_devices text[], mode text)
        returning *
      )
      select to_jsonb(made) as stored from made order by id`,
  )
  const entries = made.map(
    ({ stored }): AuditEntry => ({
      action: 'create',
      type: interfaces.type,
      id: stored.id,
      name: null,
      changes: readAuditedValues(interfaces, stored),
    }),
  )
  const selectPlace = (kind: string) => {
    const column = sql.ref(`${kind}_id`)
    return sql`select ${column} from hosts where id = ${host} and ${column} is not null`
  }
  await insertAudits(ctx.db, causeOf(ctx), entries, {
    organizations: selectPlace('organization'),
    locations: selectPlace('location'),
  })
}
