import { sql } from 'kysely'
import { z } from 'zod'
import { asTrustedService, type Context, inTransaction } from '../../../context.ts'
import { isRace } from '../../../database/failures.ts'
import { inSavepoint } from '../../../database/savepoints.ts'
import { row, type Sql } from '../../../database/sql.ts'
import { isStorable } from '../../../database/storable.ts'
import { Failure, type FieldErrors, invalid, notFound } from '../../../errors.ts'
import { joinConditions } from '../../../kernel/condition.ts'
import type { Action, Resource } from '../../../kernel/definition.ts'
import { BLANK, NOT_STORABLE, NOT_TEXT } from '../../../kernel/fields/values.ts'
import { readDraft, validate } from '../../../kernel/input.ts'
import { lock } from '../../../kernel/operations/change.ts'
import { updateStored } from '../../../kernel/operations/update.ts'
import type { Sent } from '../../../kernel/record.ts'
import { limitToScope } from '../../../kernel/scope.ts'
import { membersOf } from '../../../values.ts'
import { GROUP_FACT } from '../../../words/protocols.ts'
import { resolveDefaultOwner } from '../host/owner.ts'
import { loadRawHost } from '../host/raw.ts'
import { type FactReport, readFactReport } from './fact-report.ts'
import type { Facts } from './flatten.ts'
import type { HostDescription } from './host-description.ts'
import { primaryOf, storeInterfaces } from './host-interfaces.ts'
import { refuseMovedAway, resolveKnownPlaces, resolveNewPlaces } from './places.ts'
import { createFromInput, findDefaultEnvironment, type HostPlaces, resolveHostAttributes } from './records.ts'
import { type ReportedInterface, readInterfaces } from './reported-interfaces.ts'
import { storeFacts } from './store.ts'

/** The parsed body of an upload. */
interface Upload extends FactReport {
  readonly name: string
  readonly certname: string | null
  /** When the facts were collected. */
  readonly taken: Date | null
}

/** `POST /api/hosts/facts`: an agent uploads the facts of its host (smart-parameters §9.2). An action of hosts. */
export const uploadFacts: Action = {
  method: 'POST',
  path: '/facts',
  name: 'facts',
  forMachines: true,
  summary: 'Upload the facts of a host, which is created when it is not known',
  permissions: ['upload_facts'],
  body: z.object({
    name: z.string().meta({ description: 'Name of the host.' }),
    certname: z.string().optional().meta({ description: 'Name of its certificate; default: the name.' }),
    facts: z.record(z.string(), z.json()).meta({ description: 'All of its facts; others that it had are forgotten.' }),
  }),
  outputs: 'deleted',
  status: 201,
  handle: async (ctx, resource, { body }) => {
    const upload = readUpload(body)
    return { status: 201, body: await withoutRefused(ctx, (dropped) => receive(ctx, resource, upload, dropped)) }
  },
}

const KINDS = ['Host::Managed', 'Host::Base', 'Host']

function readUpload(body: Sent): Upload {
  const errors: FieldErrors = {}
  const text = (key: string): string | null => {
    const value = body[key] ?? null
    if (value === null) return null
    if (typeof value === 'string' && isStorable(value)) return value.trim().toLowerCase() || null
    errors[key] = [typeof value === 'string' ? NOT_STORABLE : NOT_TEXT]
    return null
  }
  const [name, certname] = [text('name'), text('certname')]
  if (name === null) errors.name ??= [BLANK]
  const kind = body.type ?? 'Host'
  if (!KINDS.includes(String(kind))) errors.type = [`is not included in the list (${KINDS.join(', ')})`]
  if (Object.keys(errors).length > 0 || name === null) throw invalid(errors)
  const told = readFactReport(body.facts)
  const { _timestamp } = membersOf(body.facts)
  return { ...told, name, certname, taken: momentOf(_timestamp) }
}

/** Parses `2010-02-16 12:52:38.163833 +01:00` and ISO 8601; null for anything else. */
function momentOf(sent: unknown): Date | null {
  if (typeof sent !== 'string') return null
  const parts = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(\.\d{1,9})?\s*(Z|UTC|[-+]\d\d:?\d\d)?$/.exec(sent.trim())
  if (!parts) return null
  const [, day, time, fraction = '', zone = 'Z'] = parts
  const offset = zone === 'UTC' ? 'Z' : zone.replace(/^([-+]\d\d):?(\d\d)$/, '$1:$2')
  const moment = new Date(`${day}T${time}${fraction.slice(0, 4)}${offset}`)
  return Number.isNaN(moment.getTime()) ? null : moment
}

/**
 * The most attempts after lost races: many new hosts may bring the same new names, and then use what another request
 * created.
 */
const MOST_RACES = 5

/**
 * Executes work again without the keys that were refused: facts are stored even if values from them are not allowed on
 * the host.
 */
async function withoutRefused<Result>(
  ctx: Context,
  work: (dropped: ReadonlySet<string>) => Promise<Result>,
): Promise<Result> {
  const dropped = new Set<string>()
  for (let races = 0; ; ) {
    try {
      return await withSavepoint(ctx, () => work(dropped))
    } catch (error) {
      const refused = refusedKeys(error).filter((key) => !dropped.has(key))
      if (refused.length === 0) {
        races += 1
        if (!isRace(error) || races > MOST_RACES) throw error
        continue
      }
      for (const key of refused) dropped.add(key)
      ctx.log.info({ refused }, 'facts do not fit their host')
    }
  }
}

/** Executes work in a savepoint, so that refused writes leave nothing behind in a transaction that goes on. */
function withSavepoint<Result>({ db }: Context, work: () => Promise<Result>): Promise<Result> {
  return db.isTransaction ? inSavepoint(db, work) : work()
}

const PLACES = ['organization_id', 'location_id', 'hostgroup_id']

const FROM_FACTS = [
  ...PLACES,
  'architecture_id',
  'operatingsystem_id',
  'model_id',
  'domain_id',
  'environment_id',
  'ip',
  'ip6',
  'mac',
]

function refusedKeys(error: unknown): string[] {
  if (!(error instanceof Failure) || error.code !== 'invalid') return []
  const named = Object.keys(error.details.errors ?? {}).map((key) => key.replace(/^interfaces\./, ''))
  const refused = FROM_FACTS.filter((key) => named.includes(key) || named.includes(key.replace(/_id$/, '')))
  // A link to something that is not in the new places refuses the move: the host then stays where it is.
  return named.some((key) => key.endsWith('_id')) ? [...refused, ...PLACES] : refused
}

interface KnownHost {
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
}

async function receive(ctx: Context, hosts: Resource, upload: Upload, dropped: ReadonlySet<string>): Promise<unknown> {
  return inTransaction(ctx, async (tx) => {
    const known = await findHost(tx, hosts, upload)
    if (known && !known.reachable) throw notFound(hosts.name, upload.name)
    if (known?.build) throw invalid({ base: ['Host is pending for build'] }, known.id)
    if (known?.stale) return loadRawHost(tx, hosts, known.id)
    if (!known && !tx.settings.create_new_host_when_facts_are_uploaded) throw notFound(hosts.name, upload.name)
    const id = known ? await change(tx, hosts, upload, known, dropped) : await create(tx, hosts, upload, dropped)
    await storeFacts(tx, id, upload.facts, upload.teller)
    await sql`update hosts set last_compile = ${upload.taken ?? tx.now()}::timestamptz where id = ${id}`.execute(tx.db)
    return loadRawHost(tx, hosts, id)
  })
}

/** Finds the host, first by the name in the certificate. Facts older than the last upload are ignored. */
async function findHost(
  ctx: Context,
  hosts: Resource,
  { name, certname, taken }: Upload,
): Promise<KnownHost | undefined> {
  const wanted = [name, ...(certname ? [certname] : [])]
  return row<KnownHost>(
    ctx.db,
    sql`select t.id, t.name, t.managed, t.build, coalesce(t.last_compile >= ${taken}::timestamptz, false) as stale,
        ${joinConditions(limitToScope(ctx, hosts))} as reachable,
        ${titleOf('organization')} as organization, ${titleOf('location')} as location, ${titleOf('hostgroup')} as hostgroup
      from hosts t where coalesce(t.certname, t.name) = ${certname ?? name} or t.name = any (${wanted}::text[])
      order by (coalesce(t.certname, t.name) = ${certname ?? name}) desc, t.id limit 1 for no key update of t`,
  )
}

function titleOf(link: string): Sql {
  return sql`(select x.title from ${sql.table(`${link}s`)} x where x.id = ${sql.ref(`t.${link}_id`)})`
}

async function create(ctx: Context, hosts: Resource, upload: Upload, dropped: ReadonlySet<string>): Promise<number> {
  const { name, certname, facts, words } = upload
  const place = await resolveNewPlaces(ctx, facts)
  const tx = asTrustedService(ctx)
  const about = withoutIgnoredNetwork(ctx, upload.about)
  const decided = await resolveHostAttributes(tx, hosts.registry, about, { name, managed: false, isNew: true }, place)
  const owner = await resolveDefaultOwner(ctx)
  const told = readInterfaces(ctx.settings, words)
  const primary = primaryOf(told, about)
  const environment_id = decided.environment_id ?? (await findDefaultEnvironment(tx, hosts, place))
  const sent = {
    ...decided,
    ...(environment_id !== null && { environment_id }),
    ...(await findReportedGroup(tx, facts, null)),
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

async function change(
  ctx: Context,
  hosts: Resource,
  upload: Upload,
  known: KnownHost,
  dropped: ReadonlySet<string>,
): Promise<number> {
  const tx = asTrustedService(ctx)
  const told = readInterfaces(ctx.settings, upload.words)
  const about = withoutIgnoredNetwork(ctx, upload.about)
  const moved = withoutDropped(await resolveKnownPlaces(tx, upload.facts, known), dropped)
  const stored = await lock(tx, hosts, known.id)
  const place = { ...stored, ...moved } as unknown as HostPlaces // these are columns of hosts
  // Reported interfaces are stored one by one, so that the host itself gets no addresses.
  const whole = told.all.length > 0 ? { ...about, ...NO_ADDRESSES } : about
  const decided = await resolveHostAttributes(tx, hosts.registry, whole, { ...known, isNew: false }, place)
  const sent = {
    ...(upload.certname && { certname: upload.certname }),
    ...withoutDropped(
      { ...decided, ...moved, ...(await findReportedGroup(tx, upload.facts, known.hostgroup)) },
      dropped,
    ),
  }
  await updateStored(tx, hosts, stored, await readDraft(tx, hosts, await validate(tx, hosts, sent), stored))
  if (Object.keys(moved).length > 0) await refuseMovedAway(ctx, hosts, known.id)
  await storeInterfaces(tx, hosts, known.id, told, about)
  return known.id
}

const NO_ADDRESSES = { ip: null, ip6: null, mac: null }

/** The description without network values if the setting says to ignore them. */
function withoutIgnoredNetwork({ settings }: Context, about: HostDescription): HostDescription {
  return settings.ignore_config_facts_for_provisioning ? { ...about, ...NO_ADDRESSES } : about
}

function addressesOf({ ip, ip6, mac }: ReportedInterface): Sent {
  return withoutNothing({ ip, ip6, mac })
}

function withoutNothing(values: object): Sent {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
}

/** The host group named by a fact, if the setting asks for that; nothing if the host is already in it. */
async function findReportedGroup(ctx: Context, facts: Facts, known: string | null): Promise<Sent> {
  if (!ctx.settings.update_hostgroup_from_facts) return {}
  const title = ['millwright_hostgroup', GROUP_FACT].map((name) => facts.get(name)?.trim()).find((text) => text)
  if (title === undefined || title === known) return {}
  const found = await row<{ id: number }>(ctx.db, sql`select id from hostgroups where title = ${title}`)
  return found ? { hostgroup_id: found.id } : {}
}

function withoutDropped(attributes: Record<string, unknown>, dropped: ReadonlySet<string>): Sent {
  return Object.fromEntries(Object.entries(attributes).filter(([key]) => !dropped.has(key)))
}
