import { row } from '../database/sql.ts'
import { findResource } from '../kernel/index.ts'
import { mapAtOnce } from '../lib/map-at-once.ts'
import { isMembers, type Members } from '../lib/values.ts'
import type { Route } from '../requests/route.ts'
import { sql } from '../sql.ts'
import type { Body } from './adapt.ts'
import { readFacts } from './facts.ts'
import type { Found } from './found.ts'
import { loadEntries } from './journal.ts'
import type { Kind } from './kinds.ts'
import { describeShape, type Shape } from './members.ts'
import { Unreadable } from './old-server.ts'
import type { Spot } from './own-records.ts'
import { suggestFix } from './report.ts'
import type { Run } from './run.ts'
import { takeRecord } from './take-record.ts'

/** Takes all records of a kind, or those that are named. */
export async function takeKind(run: Run, kind: Kind, place: number, only?: ReadonlySet<number>): Promise<void> {
  const resource = findResource(run.working.registry, kind.name)
  const shape = describeShape(run.working.registry, resource, kind)
  const parents = kind.below ? run.ids.theirs(kind.below) : [null]
  for (const theirParent of parents) {
    const parent = theirParent === null || !kind.below ? null : (run.ids.get(kind.below, theirParent) ?? null)
    if (kind.below && parent === null) continue
    const below: Below = { kind, resource, parent, theirParent, shape, index: undefined }
    try {
      // Records of the second round are shown by their ids; only parts, and settings, need the list.
      const named = only && !kind.below && kind.name !== 'setting' ? [[...only].map((id) => ({ id }))] : null
      for await (const rows of named ?? orderRows(run, below)) {
        run.order.signal.throwIfAborted()
        const wanted = only ? rows.filter(({ id }) => only.has(Number(id))) : rows
        await takeRows(run, below, wanted)
        run.order.onProgress({ kind: kind.name, done: place, kinds: run.kinds.length, records: countOf(run, kind) })
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

function splitInto<Item>(items: readonly Item[], size: number): Item[][] {
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
  readonly facts?: Pick<Found, 'further' | 'also'>
}

/** Takes rows, while the next ones are read. */
async function takeRows(run: Run, below: Below, rows: readonly Members[]): Promise<void> {
  const { kind } = below
  for (const one of rows.filter((row) => kind.except?.(row))) await takeKnown(run, below, one)
  const portions = splitInto(
    rows.filter((one) => !kind.except?.(one)),
    PORTION,
  )
  let coming = readRows(run, below, portions[0] ?? [])
  for (const [at, portion] of portions.entries()) {
    const readings = await coming
    coming = readRows(run, below, portions[at + 1] ?? [])
    coming.catch(() => undefined) // the loop waits for it, or ends with an error before
    const ids = portion.map(({ id }) => Number(id))
    const entries = await loadEntries(run.ctx.db, run.address, kind.name, { table: below.resource.table, ids })
    await mapAtOnce(portion, countWriters(run, kind), async (listed, place) => {
      const { record, trouble, facts } = readings[place] ?? {}
      const theirId = Number(listed.id)
      if (record)
        await takeOne(run, below, { theirId, record: { ...listed, ...record }, entry: entries.get(theirId), ...facts })
      else if (trouble !== undefined && !run.isSecondRound) refuseUnread(run, below, listed, trouble)
    })
  }
}

/**
 * Yields how many records are written at once. Hosts, of which there are most, refer to no other host; but a plan is one
 * transaction, and ids that are kept come from one sequence.
 */
function countWriters({ isPlan, isSecondRound, order }: Run, { name }: Kind): number {
  return name === 'host' && !isPlan && !isSecondRound && !order.keepsIds ? HOST_WRITERS : 1
}

const HOST_WRITERS = 2

const PORTION = 25

/** Reads the records of rows, as many at once as there are connections. */
function readRows(run: Run, below: Below, rows: readonly Members[]): Promise<Reading[]> {
  const { kind } = below
  const route = kind.how === 'known' || kind.name === 'setting' ? undefined : routeOf(run, below, 'show')
  return run.server.each(rows, async (listed): Promise<Reading> => {
    if (!route) return { record: listed }
    try {
      const record = await run.their.show(route, paramsOf(run, below, Number(listed.id)))
      // Files have no facts of the hosts that they name.
      if (kind.name !== 'host' || kind.how === 'changed') return { record }
      return { record, facts: await readFacts(run, record) }
    } catch (error) {
      if (error instanceof Unreadable) return { trouble: error.message }
      throw error
    }
  })
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

async function takeOne(
  run: Run,
  below: Below,
  one: Pick<Found, 'theirId' | 'record' | 'entry' | 'further' | 'also'>,
): Promise<void> {
  const { kind } = below
  if (kind.how === 'known') return takeKnown(run, below, one.record)
  const previous = run.ctx
  if (kind.name === 'smart_proxy')
    run.ctx = { ...previous, proxies: { ...previous.proxies, told: readFeatures(one.record) } }
  await takeRecord(run, {
    ...below,
    ...one,
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
