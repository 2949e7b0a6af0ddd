import { type Context, inTransaction } from '../context.ts'
import { rows } from '../database/sql.ts'
import { Failure } from '../errors.ts'
import { findResource, type Registry } from '../kernel/index.ts'
import type { Members } from '../lib/values.ts'
import { sql } from '../sql.ts'
import { deleteEntry, type Entry, findServer, type Links, loadNewest } from './journal.ts'
import { KINDS, type Kind } from './kinds.ts'
import { describeShape, type Shape } from './members.ts'
import { createOwnRecords, type OwnRecords, type Spot } from './own-records.ts'
import { suggestFix } from './report.ts'
import { computeOwnDigest, listLinks } from './take-record.ts'
import type { Working } from './working.ts'

/** A record that an undo leaves. */
interface Kept {
  readonly kind: string
  readonly record: string
  readonly reason: string
  readonly fix: string
}

/** What came of an undo. */
export interface Undone {
  readonly removed: number
  readonly kept: readonly Kept[]
}

const PAGE = 500

/**
 * Removes what imports from the last server have created and nobody has changed since, the newest first. An undo that ends at any
 * moment is continued by the next one.
 */
export async function undoImport(working: Working, signal: AbortSignal): Promise<Undone> {
  const address = await findServer(working.ctx.db)
  if (address === null) throw new Failure('not_found', 'nothing has been imported')
  return undoFrom(working, address, signal)
}

/** Does the same with the records of one address. */
export async function undoFrom(working: Working, address: string, signal: AbortSignal): Promise<Undone> {
  const own = createOwnRecords(working)
  let removed = 0
  for (;;) {
    const pass = await removeOnce(working, { own, address, signal })
    removed += pass.removed
    // What kept a record may be gone by now.
    if (pass.removed === 0 || pass.kept.length === 0) return { removed, kept: pass.kept }
  }
}

interface Pass {
  readonly own: OwnRecords
  readonly address: string
  readonly signal: AbortSignal
}

async function removeOnce(working: Working, { own, address, signal }: Pass): Promise<Undone> {
  const kept: Kept[] = []
  let removed = 0
  for (let before: number | null = null; ; ) {
    const entries = await loadNewest(working.ctx.db, address, before, PAGE)
    const last = entries.at(-1)
    if (!last) return { removed, kept }
    for (const entry of entries) {
      signal.throwIfAborted()
      const reason = await undoEntry(working, own, address, entry)
      if (reason === null) removed += entry.created ? 1 : 0
      else kept.push({ kind: entry.kind, record: entry.name, reason, fix: suggestFix(reason) })
    }
    before = last.position
  }
}

/** Removes one record. Yields the reason when it stays; what was here before the import stays without one. */
async function undoEntry(working: Working, own: OwnRecords, address: string, entry: Entry): Promise<string | null> {
  const kind = KINDS.find(({ name }) => name === entry.kind)
  if (!kind) return 'this version does not know its kind'
  try {
    return await inTransaction(working.ctx, (tx) => removeUnchanged(working, tx, { own, kind, address, entry }))
  } catch (error) {
    if (!(error instanceof Failure)) {
      working.ctx.log.error(
        { err: error, kind: entry.kind, record: entry.name },
        'an imported record could not be removed',
      )
      return 'a fault of this service, see its log'
    }
    if (error.code === 'unavailable') throw error
    return error.message
  }
}

interface Removal {
  readonly own: OwnRecords
  readonly kind: Kind
  readonly address: string
  readonly entry: Entry
}

async function removeUnchanged(
  { registry }: Working,
  tx: Context,
  { own, kind, address, entry }: Removal,
): Promise<string | null> {
  const resource = findResource(registry, kind.name)
  const spot: Spot = { kind, resource, parent: entry.parent_id }
  const record = entry.created ? await own.show(tx, spot, entry.our_id) : null
  if (record) {
    const shape = describeShape(registry, resource, kind)
    const isUnchanged =
      computeOwnDigest(shape, record) === entry.ours ||
      computeOwnDigest(shape, record, await findGone(tx, registry, shape, record, entry.links)) === entry.ours
    if (!isUnchanged) return 'somebody has changed it since the import'
    await own.remove(tx, spot, entry.our_id)
  }
  await deleteEntry(tx.db, address, entry)
  return null
}

/** Finds the links of a record that it lost because the records that they led to are gone. */
async function findGone(tx: Context, registry: Registry, shape: Shape, record: Members, links: Links): Promise<Links> {
  const present = listLinks(shape, record)
  const gone: [string, readonly number[]][] = []
  for (const { key, target } of shape.members) {
    const lost = links[key]?.filter((id) => !present[key]?.includes(id)) ?? []
    if (lost.length === 0 || target === undefined) continue
    const table = sql.table(findResource(registry, target).table)
    const left = await rows<{ id: number }>(tx.db, sql`select id from ${table} where id = any (${lost}::bigint[])`)
    gone.push([key, lost.filter((id) => !left.some((one) => one.id === id))])
  }
  return Object.fromEntries(gone)
}
