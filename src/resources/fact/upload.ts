import { sql } from 'kysely'
import { z } from 'zod'
import { type Context, inTransaction } from '../../context.ts'
import { row } from '../../database/sql.ts'
import { isStorable } from '../../database/storable.ts'
import { Failure, type FieldErrors, invalid, notFound } from '../../errors.ts'
import { where } from '../../kernel/condition.ts'
import { BLANK, NOT_STORABLE, NOT_TEXT } from '../../kernel/fields/values.ts'
import { judge, readDraft } from '../../kernel/input.ts'
import { lock } from '../../kernel/operations/change.ts'
import { updateStored } from '../../kernel/operations/update.ts'
import type { Action, Resource, Sent } from '../../kernel/resource.ts'
import { inScope, TAXONOMIES, type Taxonomy } from '../../kernel/scope.ts'
import { rawHost } from '../host/raw.ts'
import type { About } from './about.ts'
import { attributesFrom, make, type Place, trusted } from './records.ts'
import { storeFacts } from './store.ts'
import { readTold, type Told } from './told.ts'

/** What a request says. */
interface Upload extends Told {
  readonly name: string
  readonly certname: string | null
  /** When the facts were taken. */
  readonly taken: Date | null
}

/** `POST /api/hosts/facts`: what agents tell of their hosts (smart-parameters §9.2). To be an action of hosts. */
export const uploadFacts: Action = {
  method: 'POST',
  path: '/facts',
  name: 'facts',
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
  const told = readTold(body.facts)
  const { _timestamp } = body.facts as Sent // an object, or `readTold` had refused it
  return { ...told, name, certname, taken: momentOf(_timestamp) }
}

/** `2010-02-16 12:52:38.163833 +01:00` and ISO 8601; anything else says nothing. */
function momentOf(sent: unknown): Date | null {
  if (typeof sent !== 'string') return null
  const parts = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(\.\d{1,9})?\s*(Z|UTC|[-+]\d\d:?\d\d)?$/.exec(sent.trim())
  if (!parts) return null
  const [, day, time, fraction = '', zone = 'Z'] = parts
  const offset = zone === 'UTC' ? 'Z' : zone.replace(/^([-+]\d\d):?(\d\d)$/, '$1:$2')
  const moment = new Date(`${day}T${time}${fraction.slice(0, 4)}${offset}`)
  return Number.isNaN(moment.getTime()) ? null : moment
}

/** Agents of new hosts bring the same new names at the same time, and go on with what another one has made. */
const MOST_RACES = 5

/** What facts say of a host is not always what it may be here: facts are kept even then, without the keys refused. */
async function withoutRefused<Result>(
  ctx: Context,
  work: (dropped: ReadonlySet<string>) => Promise<Result>,
): Promise<Result> {
  const dropped = new Set<string>()
  for (let races = 0; ; ) {
    try {
      return await undone(ctx, () => work(dropped))
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

/** Whether another request was quicker to make what this one was about to: the next attempt finds it. */
function isRace(error: unknown): boolean {
  if (!(error instanceof Failure)) return false
  const { cause } = error
  return error.code === 'conflict' || (cause instanceof Error && 'code' in cause && cause.code === UNIQUE_VIOLATION)
}

const UNIQUE_VIOLATION = '23505'

/** What was refused leaves nothing behind, also where the transaction is that of others and goes on. */
async function undone<Result>(ctx: Context, work: () => Promise<Result>): Promise<Result> {
  if (!ctx.db.isTransaction) return work()
  await sql`savepoint facts`.execute(ctx.db)
  try {
    const result = await work()
    await sql`release savepoint facts`.execute(ctx.db)
    return result
  } catch (error) {
    await sql`rollback to savepoint facts`.execute(ctx.db)
    throw error
  }
}

const FROM_FACTS = [
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
  return FROM_FACTS.filter((key) => named.includes(key) || named.includes(key.replace(/_id$/, '')))
}

interface Known {
  readonly id: number
  readonly name: string
  readonly managed: boolean
  readonly build: boolean
  readonly stale: boolean
  readonly reachable: boolean
}

async function receive(ctx: Context, hosts: Resource, upload: Upload, dropped: ReadonlySet<string>): Promise<unknown> {
  return inTransaction(ctx, async (tx) => {
    const known = await findHost(tx, hosts, upload)
    if (known && !known.reachable) throw notFound(hosts.name, upload.name)
    if (known?.build) throw invalid({ base: ['Host is pending for build'] }, known.id)
    if (known?.stale) return rawHost(tx, hosts, known.id)
    if (!known && !tx.settings.create_new_host_when_facts_are_uploaded) throw notFound(hosts.name, upload.name)
    const id = known ? await change(tx, hosts, upload, known, dropped) : await create(tx, hosts, upload, dropped)
    await storeFacts(tx, id, upload.facts, upload.teller)
    await sql`update hosts set last_compile = ${upload.taken ?? tx.now()}::timestamptz where id = ${id}`.execute(tx.db)
    return rawHost(tx, hosts, id)
  })
}

/** By the name of the certificate first. Older facts than those of the last upload say nothing new. */
async function findHost(ctx: Context, hosts: Resource, { name, certname, taken }: Upload): Promise<Known | undefined> {
  const wanted = [name, ...(certname ? [certname] : [])]
  return row<Known>(
    ctx.db,
    sql`select t.id, t.name, t.managed, t.build, coalesce(t.last_compile >= ${taken}::timestamptz, false) as stale,
        ${where(inScope(ctx, hosts))} as reachable
      from hosts t where coalesce(t.certname, t.name) = ${certname ?? name} or t.name = any (${wanted}::text[])
      order by (coalesce(t.certname, t.name) = ${certname ?? name}) desc, t.id limit 1 for no key update of t`,
  )
}

async function create(ctx: Context, hosts: Resource, upload: Upload, dropped: ReadonlySet<string>): Promise<number> {
  const { name, certname, about } = upload
  const [organization_id, location_id] = await Promise.all(TAXONOMIES.map((taxonomy) => placeFor(ctx, taxonomy, about)))
  const place: Place = { organization_id: organization_id ?? null, location_id: location_id ?? null }
  const tx = trusted(ctx)
  const decided = await attributesFrom(tx, hosts.registry, about, { name, managed: false, isNew: true }, place)
  return make(tx, hosts, {
    name,
    managed: false,
    owner_id: null,
    ...(certname && { certname }),
    ...place,
    ...kept(decided, dropped),
  })
}

async function change(
  ctx: Context,
  hosts: Resource,
  upload: Upload,
  known: Known,
  dropped: ReadonlySet<string>,
): Promise<number> {
  const tx = trusted(ctx)
  const stored = await lock(tx, hosts, known.id)
  const place = stored as unknown as Place // columns of hosts
  const decided = await attributesFrom(tx, hosts.registry, upload.about, { ...known, isNew: false }, place)
  const sent = { ...(upload.certname && { certname: upload.certname }), ...kept(decided, dropped) }
  await updateStored(tx, hosts, stored, await readDraft(tx, hosts, await judge(tx, hosts, sent), stored))
  return known.id
}

function kept(attributes: Record<string, unknown>, dropped: ReadonlySet<string>): Sent {
  return Object.fromEntries(Object.entries(attributes).filter(([key]) => !dropped.has(key)))
}

/** Where a new host belongs: where its fact says, else where the request is about, else the setting, else the only one. */
async function placeFor(ctx: Context, { kind, plural }: Taxonomy, about: About): Promise<number | null> {
  const current = ctx.scope[kind]
  const named = about[kind] ?? (current === null ? ctx.settings[`default_${kind}`] : '')
  const found = await row<{ id: number | null }>(
    ctx.db,
    sql`select coalesce(
        (select id from ${sql.table(plural)} where title = ${named} and (${ctx.user.admin} or id = any (${ctx.user[plural]}::bigint[]))),
        ${current}::bigint,
        (select min(id) from ${sql.table(plural)} having count(*) = 1)) as id`,
  )
  return found?.id ?? null
}
