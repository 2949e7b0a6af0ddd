import { asTrustedService, type Context } from '../../../context.ts'
import { row } from '../../../database/sql.ts'
import {
  findResource,
  type Resource,
  readDraft,
  type Sent,
  type Stored,
  updateStored,
  validate,
} from '../../../kernel/index.ts'
import { sql } from '../../../sql.ts'
import { GROUP_FACT } from '../../../words/protocols.ts'
import { limitToAvailable } from '../host/naming.ts'
import { resolveDefaultOwner } from '../host/owner.ts'
import type { Facts } from './flatten.ts'
import type { HostDescription } from './host-description.ts'
import { primaryOf, storeInterfaces } from './host-interfaces.ts'
import { refuseMovedAway, resolveKnownPlaces, resolveNewPlaces } from './places.ts'
import type { Upload } from './read-upload.ts'
import { createFromInput, findDefaultEnvironment, type HostPlaces, resolveHostAttributes } from './records.ts'
import { type ReportedInterface, readInterfaces } from './reported-interfaces.ts'

/** A host that facts are uploaded for. */
export interface KnownHost {
  readonly id: number
  readonly name: string
  readonly managed: boolean
  readonly build: boolean
  readonly stale: boolean
  readonly reachable: boolean
  /** Titles of its organization, location and host group. */
  readonly organization: string | null
  readonly location: string | null
  readonly hostgroup: string | null
  /** Its row, which is locked until the transaction ends. */
  readonly stored: Stored
}

/** Creates the host of an upload, with what its facts say, but for the dropped keys. Yields its id. */
export async function createReportedHost(
  ctx: Context,
  hosts: Resource,
  upload: Upload,
  dropped: ReadonlySet<string>,
): Promise<number> {
  const { name, certname, facts, words } = upload
  const place = await resolveNewPlaces(ctx, facts)
  const tx = asTrustedService(ctx)
  const about = withoutIgnored(ctx, upload.about)
  const unknown = { name, managed: false, isNew: true, keepsSystem: false, dropped }
  const decided = await resolveHostAttributes(tx, hosts.registry, about, unknown, place)
  const owner = await resolveDefaultOwner(ctx)
  const told = readInterfaces(ctx.settings, words)
  const primary = primaryOf(told, about)
  const environment_id = decided.environment_id ?? (await findDefaultEnvironment(tx, hosts, place))
  const sent = {
    ...decided,
    ...(environment_id !== null && { environment_id }),
    ...(await findReportedGroup(tx, hosts, facts, null, place)),
    ...(primary && { ...addressesOf(primary), interfaces_attributes: [{ ...withoutNothing(primary), primary: true }] }),
  }
  const id = await createFromInput(tx, hosts, {
    name,
    managed: false,
    owner_id: owner?.id ?? null,
    ...(owner && { owner_type: owner.type }),
    ...(certname && { certname }),
    ...place,
    ...withoutDropped(sent, dropped),
  })
  await storeInterfaces(tx, hosts, id, told, about)
  return id
}

/** Changes a known host to what its facts say, but for the dropped keys. Yields its id. */
export async function changeReportedHost(
  ctx: Context,
  hosts: Resource,
  upload: Upload,
  known: KnownHost,
  dropped: ReadonlySet<string>,
): Promise<number> {
  const tx = asTrustedService(ctx)
  const told = readInterfaces(ctx.settings, upload.words)
  const about = withoutIgnored(ctx, upload.about)
  const moved = withoutDropped(await resolveKnownPlaces(ctx, upload.facts, known), dropped)
  const { stored } = known
  await tx.beforeWrite?.(tx, hosts.name)
  const place = { ...stored, ...moved } as unknown as HostPlaces // these are columns of hosts
  // Reported interfaces are stored one by one, so that the host itself gets no addresses.
  const whole = told.all.length > 0 ? { ...about, ...NO_ADDRESSES } : about
  const keepsSystem =
    known.managed && stored.operatingsystem_id !== null && !ctx.settings.update_operatingsystem_of_managed_hosts
  const decided = await resolveHostAttributes(
    tx,
    hosts.registry,
    whole,
    { ...known, isNew: false, keepsSystem, dropped },
    place,
  )
  const sent = {
    ...(upload.certname && { certname: upload.certname }),
    ...withoutDropped(
      { ...decided, ...moved, ...(await findReportedGroup(tx, hosts, upload.facts, known.hostgroup, place)) },
      dropped,
    ),
  }
  await updateStored(tx, hosts, stored, await readDraft(tx, hosts, await validate(tx, hosts, sent), stored))
  if (Object.keys(moved).length > 0) await refuseMovedAway(ctx, hosts, known.id)
  await storeInterfaces(tx, hosts, known.id, told, about)
  return known.id
}

/**
 * Stores when the facts of a host were collected, or the present time if the upload does not say, with the next statement; this
 * is not audited.
 */
export function storeMoment(ctx: Context, id: number, taken: Date | null): void {
  void ctx.db.enqueue(sql`update hosts set last_compile = ${taken ?? ctx.now()}::timestamptz where id = ${id}`)
}

const NO_ADDRESSES = { ip: null, ip6: null, mac: null }

/** The description without the values that settings say to ignore. */
function withoutIgnored({ settings }: Context, about: HostDescription): HostDescription {
  return {
    ...about,
    ...(settings.ignore_config_facts_for_provisioning && NO_ADDRESSES),
    ...(settings.ignore_facts_for_operatingsystem && { operatingsystem: null }),
    ...(settings.ignore_facts_for_domain && { domain: null }),
  }
}

function addressesOf({ ip, ip6, mac }: ReportedInterface): Sent {
  return withoutNothing({ ip, ip6, mac })
}

function withoutNothing(values: object): Sent {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
}

/**
 * Finds the host group that a fact names, if the setting asks for it, among those for hosts in this place; yields no key if
 * the host is already in that group.
 */
async function findReportedGroup(
  ctx: Context,
  { registry }: Resource,
  facts: Facts,
  known: string | null,
  { organization_id: organization, location_id: location }: HostPlaces,
): Promise<Sent> {
  if (!ctx.settings.update_hostgroup_from_facts) return {}
  const title = ['millwright_hostgroup', GROUP_FACT].map((name) => facts.get(name)?.trim()).find((text) => text)
  if (title === undefined || title === known) return {}
  const available = limitToAvailable(ctx, findResource(registry, 'hostgroup'), 't', { organization, location })
  const found = await row<{ id: number }>(
    ctx.db,
    sql`select t.id from hostgroups t where t.title = ${title} and ${available}`,
  )
  return found ? { hostgroup_id: found.id } : {}
}

function withoutDropped(attributes: Record<string, unknown>, dropped: ReadonlySet<string>): Sent {
  return Object.fromEntries(Object.entries(attributes).filter(([key]) => !dropped.has(key)))
}
