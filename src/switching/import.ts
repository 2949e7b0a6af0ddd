import type { Context } from '../context.ts'
import { Failure } from '../errors.ts'
import { findResource } from '../kernel/index.ts'
import { loadSettings } from '../settings/settings.ts'
import { sql } from '../sql.ts'
import type { Found } from './found.ts'
import { createIds } from './ids.ts'
import { loadPairs } from './journal.ts'
import { KINDS, type Kind } from './kinds.ts'
import { createListedRecords, FILE_KINDS, type Listed, NO_SERVER } from './listed-records.ts'
import { type OldServer, Unreadable } from './old-server.ts'
import { createOwnRecords } from './own-records.ts'
import { createReporting, type MissingSecret, type Report } from './report.ts'
import type { ImportOrder, Run } from './run.ts'
import { takeKind } from './take-kind.ts'
import { createTheirRecords } from './their-records.ts'
import type { Working } from './working.ts'

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
  await requireAdministrator(server)
  return importFrom(working, { server, their: createTheirRecords(server), kinds: KINDS }, order)
}

/** Takes records that were read from a file, in the same way. */
export async function importListed(working: Working, listed: Listed, order: ImportOrder): Promise<Imported> {
  const source = { server: NO_SERVER, their: createListedRecords(listed.records), kinds: FILE_KINDS }
  const { report } = await importFrom(working, source, order, createReporting(listed.remarks))
  return { report, secrets: [] }
}

/** Where an import reads records, and which kinds it takes. */
type Source = Pick<Run, 'server' | 'their' | 'kinds'>

/** Takes the records of a source. In a transaction of the caller each record has a savepoint. */
export async function importFrom(
  working: Working,
  source: Source,
  order: ImportOrder,
  reporting = createReporting(),
): Promise<Imported> {
  const create = (ctx: Context) => createRun(working, { ...source, reporting }, order, ctx)
  if (!order.isPlan) return takeAll(create(working.ctx))
  let imported: Imported | undefined
  await working.ctx.db
    .transaction(async (db) => {
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(db)
      imported = await takeAll(create({ ...working.ctx, db }))
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

function createRun(working: Working, source: Source & Pick<Run, 'reporting'>, order: ImportOrder, ctx: Context): Run {
  const { address, isPlan } = order
  return {
    address,
    isPlan,
    ctx,
    working,
    ...source,
    order,
    own: createOwnRecords(working),
    ids: createIds(),
    again: new Set(),
    isSecondRound: false,
    postponed: new Set(),
    beforeCreate: (tx, found) => (order.keepsIds && !isPlan ? setNextId(tx, found) : Promise.resolve()),
  }
}

async function takeAll(run: Run): Promise<Imported> {
  await rememberIds(run)
  const second: [Kind, Set<number>][] = []
  for (const [place, kind] of run.kinds.entries()) {
    run.again = new Set()
    await takeKind(run, kind, place)
    if (run.again.size > 0) second.push([kind, run.again])
    if (kind.name === 'setting') run.ctx = { ...run.ctx, settings: await loadSettings(run.ctx.db) }
  }
  run.isSecondRound = true
  for (const [kind, again] of second) await takeKind(run, kind, run.kinds.length, again)
  if (run.order.keepsIds && !run.isPlan) await continueIds(run)
  return { report: run.reporting.report, secrets: run.reporting.secrets }
}

/** Remembers what imports before have taken, so that records are complete in the first round. Nothing refers to hosts by id. */
async function rememberIds({ ctx, address, ids, kinds, working: { registry } }: Run): Promise<void> {
  for (const kind of kinds.filter(({ name }) => name !== 'host')) {
    const { table } = findResource(registry, kind.name)
    for (const { their_id, our_id } of await loadPairs(ctx.db, address, kind.name, table))
      ids.set(kind, their_id, our_id)
  }
}

/** Only an administrator sees everything. {@throws Failure} */
async function requireAdministrator(server: OldServer): Promise<void> {
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

/** Has the next record get the id that it has there, if that is free. */
async function setNextId(tx: Context, { resource, theirId }: Found): Promise<void> {
  const table = sql.table(resource.table)
  // A sequence that stands before records with ids of the old server would meet them.
  await sql`select setval(pg_get_serial_sequence(${resource.table}, 'id'), case
      when exists (select from ${table} where id = ${theirId}) then (select max(id) + 1 from ${table})
      else ${theirId}::bigint end, false)`.execute(tx.db)
}

/** Has the records that are created from now on get ids behind all others. */
async function continueIds({ ctx, working: { registry } }: Run): Promise<void> {
  for (const { name } of KINDS) {
    const { table } = findResource(registry, name)
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), greatest((select max(id) from ${sql.table(table)}), 1))
      where pg_get_serial_sequence(${table}, 'id') is not null`.execute(ctx.db)
  }
}
