import type { Context } from '../context.ts'
import { row } from '../database/sql.ts'
import { Failure } from '../errors.ts'
import { findResource } from '../kernel/index.ts'
import { isMembers, type Members } from '../lib/values.ts'
import type { Route } from '../requests/route.ts'
import { loadSettings } from '../settings/settings.ts'
import { sql } from '../sql.ts'
import type { Body } from './adapt.ts'
import { readFacts } from './facts.ts'
import { createIds, type Ids } from './ids.ts'
import { loadEntries, loadPairs } from './journal.ts'
import { KINDS, type Kind } from './kinds.ts'
import { describeShape, type Shape } from './members.ts'
import { type OldServer, Unreadable } from './old-server.ts'
import { createOwnRecords, type OwnRecords, type Spot } from './own-records.ts'
import { createReporting, type MissingSecret, type Report, type Reporting, suggestFix } from './report.ts'
import { type Found, takeRecord } from './take-record.ts'
import { createTheirRecords, type TheirRecords } from './their-records.ts'
import type { Working } from './working.ts'

/** What an import is asked for. */
export interface ImportOrder {
  /** The address of the old server, by which later imports know its records. */
  readonly address: string
  /** Computes and reports what an import would do, and stores nothing. */
  readonly isPlan: boolean
  /** Records here get the ids that they have there, as far as these are free. */
  readonly keepsIds: boolean
  readonly signal: AbortSignal
  readonly onProgress: (progress: Progress) => void
}

/** How far an import is. */
export interface Progress {
  readonly kind: string
  readonly done: number
  readonly kinds: number
  readonly records: number
}

/** The state of an import. */
export interface Run extends Pick<ImportOrder, 'address' | 'isPlan'> {
  ctx: Context
  readonly working: Working
  readonly server: OldServer
  readonly their: TheirRecords
  readonly own: OwnRecords
  readonly ids: Ids
  readonly reporting: Reporting
  readonly order: ImportOrder
  /** Records of the present kind that refer to later ones. */
  again: Set<number>
  isSecondRound: boolean
  readonly beforeCreate: (ctx: Context, found: Found) => Promise<void>
}

/** What came of an import. */
export interface Imported {
  readonly report: Report
  readonly secrets: readonly MissingSecret[]
}

/**
 * Takes everything that an administrator of the old server sees, in the order of relations. Each record is stored in a
 * transaction of its own with the journal's entry, so that an import that ends at any moment is continued by the next
 * one. A plan does the same in one transaction that is undone, so that it knows what the rules refuse.
 */
export async function importServer(working: Working, server: OldServer, order: ImportOrder): Promise<Imported> {
  if (!order.isPlan) return takeAll(createRun(working, server, order, working.ctx))
  let imported: Imported | undefined
  await working.ctx.db
    .transaction(async (db) => {
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(db)
      imported = await takeAll(createRun(working, server, order, { ...working.ctx, db }))
      throw new Undone()
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error
    })
  if (!imported) throw new Error('a plan ended without a report')
  return imported
}

/** Thrown to undo a plan. */
class Undone extends Error {}

function createRun(working: Working, server: OldServer, order: ImportOrder, ctx: Context): Run {
  const { address, isPlan } = order
  return {
    address,
    isPlan,
    ctx,
    working,
    server,
    order,
    their: createTheirRecords(server),
    own: createOwnRecords(working),
    ids: createIds(),
    reporting: createReporting(),
    again: new Set(),
    isSecondRound: false,
    beforeCreate: (tx, found) => (order.keepsIds && !isPlan ? reserveId(tx, found) : Promise.resolve()),
  }
}

async function takeAll(run: Run): Promise<Imported> {
  await requireAdministrator(run)
  await rememberIds(run)
  const second: [Kind, Set<number>][] = []
  for (const [place, kind] of KINDS.entries()) {
    run.again = new Set()
    await takeKind(run, kind, place)
    if (run.again.size > 0) second.push([kind, run.again])
    if (kind.name === 'setting') run.ctx = { ...run.ctx, settings: await loadSettings(run.ctx.db) }
  }
  run.isSecondRound = true
  for (const [kind, again] of second) await takeKind(run, kind, KINDS.length, again)
  if (run.order.keepsIds && !run.isPlan) await continueIds(run)
  return { report: run.reporting.report, secrets: run.reporting.secrets }
}

/** Remembers what imports before have taken, so that records are complete in the first round. Nothing refers to hosts by id. */
async function rememberIds({ ctx, address, ids, working: { registry } }: Run): Promise<void> {
  for (const kind of KINDS.filter(({ name }) => name !== 'host')) {
    const { table } = findResource(registry, kind.name)
    for (const { their_id, our_id } of await loadPairs(ctx.db, address, kind.name, table))
      ids.set(kind, their_id, our_id)
  }
}

/** Only an administrator sees everything. {@throws Failure} */
async function requireAdministrator({ server }: Run): Promise<void> {
  const caller = await server.get('/api/current_user').catch((error: unknown) => {
    if (error instanceof Unreadable) return null // older servers have no such path
    throw error
  })
  if (caller && caller.admin !== true && caller.effective_admin !== true)
    throw new Failure(
      'denied',
      'the login must be an administrator of the old server: others see a part of its records',
    )
}

/** Takes all records of a kind, or those that are named. */
async function takeKind(run: Run, kind: Kind, place: number, only?: ReadonlySet<number>): Promise<void> {
  const resource = findResource(run.working.registry, kind.name)
  const shape = describeShape(run.working.registry, resource, kind)
  const parents = kind.below ? run.ids.theirs(kind.below) : [null]
  for (const theirParent of parents) {
    const parent = theirParent === null || !kind.below ? null : (run.ids.get(kind.below, theirParent) ?? null)
    if (kind.below && parent === null) continue
    const below: Below = { kind, resource, parent, theirParent, shape, index: undefined }
    try {
      for await (const rows of orderRows(run, below)) {
        run.order.signal.throwIfAborted()
        const wanted = only ? rows.filter(({ id }) => only.has(Number(id))) : rows
        for (const some of chunk(wanted, 50)) await takeRows(run, below, some)
        run.order.onProgress({ kind: kind.name, done: place, kinds: KINDS.length, records: countOf(run, kind) })
      }
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      const reason = `The list cannot be read: ${error.message}.`
      run.reporting.remark(kind.name, {
        record: `all below ${theirParent ?? 'the server'}`,
        outcome: 'refused',
        reason,
        fix: suggestFix(reason),
      })
    }
  }
}

interface Below extends Spot {
  readonly theirParent: number | null
  readonly shape: Shape
  index: Map<string, number> | undefined
}

function countOf({ reporting }: Run, { name }: Kind): number {
  return reporting.report.kinds[name]?.there ?? 0
}

function chunk<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_none, at) => items.slice(at * size, (at + 1) * size))
}

/** Lists the rows of a kind; those of a tree come from the root down. */
async function* orderRows(run: Run, below: Below): AsyncGenerator<readonly Members[]> {
  const { kind, shape } = below
  const route = routeOf(run, below, 'list')
  if (!route) return
  const pages = run.their.list(route, paramsOf(run, below, null))
  const up = shape.members.find(({ key, target }) => target === kind.name && key.endsWith('_id'))
  if (!up) return yield* pages
  const all: Members[] = []
  for await (const rows of pages) all.push(...rows)
  const above = new Map(all.map((one) => [Number(one.id), Number(up.read(one) ?? 0)]))
  const depthOf = (id: number, steps = 0): number => {
    const parent = above.get(id) ?? 0
    return parent === 0 || steps > above.size ? 0 : 1 + depthOf(parent, steps + 1)
  }
  const depths = new Map(all.map(({ id }) => [Number(id), depthOf(Number(id))]))
  yield all.toSorted((a, b) => (depths.get(Number(a.id)) ?? 0) - (depths.get(Number(b.id)) ?? 0))
}

function routeOf(
  { working: { routes, registry } }: Run,
  { kind, resource }: Spot,
  operation: string,
): Route | undefined {
  const above = operation === 'list' ? kind.below : kind.partOf
  return above
    ? routes.get(`${findResource(registry, above).plural}.${resource.plural}.${operation}`)
    : routes.get(`${resource.plural}.${operation}`)
}

function paramsOf(
  { working: { registry } }: Run,
  { kind, theirParent }: Below,
  id: number | null,
): Readonly<Record<string, string>> {
  const above =
    kind.below && theirParent !== null ? { [`${findResource(registry, kind.below).word}_id`]: String(theirParent) } : {}
  return id === null ? above : { ...above, id: String(id) }
}

interface Reading {
  readonly record?: Members
  /** Why it cannot be read. */
  readonly trouble?: string
}

/** Reads the records of some rows, several at once, and takes them one after the other. */
async function takeRows(run: Run, below: Below, rows: readonly Members[]): Promise<void> {
  const { kind } = below
  const wanted = rows.filter((one) => !kind.except?.(one))
  for (const one of rows.filter((row) => kind.except?.(row))) await takeKnown(run, below, one)
  const entries = await loadEntries(
    run.ctx.db,
    run.address,
    kind.name,
    wanted.map(({ id }) => Number(id)),
  )
  const route = kind.how === 'known' || kind.name === 'setting' ? undefined : routeOf(run, below, 'show')
  const readings = await run.server.each(wanted, async (listed): Promise<Reading> => {
    if (!route) return { record: listed }
    try {
      return { record: await run.their.show(route, paramsOf(run, below, Number(listed.id))) }
    } catch (error) {
      if (error instanceof Unreadable) return { trouble: error.message }
      throw error
    }
  })
  for (const [place, listed] of wanted.entries()) {
    const { record, trouble } = readings[place] ?? {}
    const theirId = Number(listed.id)
    if (record) await takeOne(run, below, { theirId, record: { ...listed, ...record }, entry: entries.get(theirId) })
    else if (trouble !== undefined && !run.isSecondRound) refuseUnread(run, below, listed, trouble)
  }
}

function refuseUnread(run: Run, { kind }: Below, { id, name, title }: Members, trouble: string): void {
  const reason = `The record cannot be read: ${trouble}.`
  run.reporting.count(kind.name, 'refused')
  run.reporting.remark(kind.name, {
    record: String(title ?? name ?? id),
    outcome: 'refused',
    reason,
    fix: suggestFix(reason),
  })
}

async function takeOne(run: Run, below: Below, one: Pick<Found, 'theirId' | 'record' | 'entry'>): Promise<void> {
  const { kind } = below
  if (kind.how === 'known') return takeKnown(run, below, one.record)
  const facts = kind.name === 'host' && !run.isSecondRound ? await readFacts(run, one) : {}
  const previous = run.ctx
  if (kind.name === 'smart_proxy')
    run.ctx = { ...previous, proxies: { ...previous.proxies, told: readFeatures(one.record) } }
  await takeRecord(run, {
    ...below,
    ...one,
    ...facts,
    match: (ctx, body) => matchRecord({ ...run, ctx }, below, one.record, body),
  })
  if (kind.name === 'smart_proxy') run.ctx = previous
}

/** Remembers the record here that both servers have from their beginning. */
async function takeKnown(run: Run, below: Below, record: Members): Promise<void> {
  const ours = await matchRecord(run, below, record, {})
  if (ours !== undefined) run.ids.set(below.kind, Number(record.id), ours)
}

function readFeatures({ features }: Members): readonly Members[] {
  return Array.isArray(features) ? features.filter(isMembers) : []
}

/** Finds the record here that has the names of one there. */
async function matchRecord(run: Run, below: Below, record: Members, body: Body): Promise<number | undefined> {
  const { kind } = below
  const readKey = (key: string) => body[key] ?? (key.endsWith('_id') ? null : record[key]) ?? null
  if (kind.name === 'host') {
    const found = await row<{ id: number }>(
      run.ctx.db,
      sql`select id from hosts where name = ${String(readKey('name')).toLowerCase()}`,
    )
    return found?.id
  }
  below.index ??= await indexOwn(run, below)
  return below.index.get(JSON.stringify(kind.key.map(readKey)))
}

async function indexOwn(run: Run, below: Below): Promise<Map<string, number>> {
  const { kind, shape } = below
  const readers = new Map(shape.members.map((member) => [member.key, member.read]))
  const list = await run.own.list(run.ctx, below)
  return new Map(
    list.map((one) => [
      JSON.stringify(kind.key.map((key) => readers.get(key)?.(one) ?? one[key] ?? null)),
      Number(one.id),
    ]),
  )
}

/** Has the next record get the id that it has there, if that is free. */
async function reserveId(tx: Context, { resource, theirId }: Found): Promise<void> {
  await sql`select setval(pg_get_serial_sequence(${resource.table}, 'id'), ${theirId}, false)
    where not exists (select from ${sql.table(resource.table)} where id = ${theirId})`.execute(tx.db)
}

/** Has the records that are created from now on get ids behind all others. */
async function continueIds({ ctx, working: { registry } }: Run): Promise<void> {
  for (const { name } of KINDS) {
    const { table } = findResource(registry, name)
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), greatest((select max(id) from ${sql.table(table)}), 1))
      where pg_get_serial_sequence(${table}, 'id') is not null`.execute(ctx.db)
  }
}
