import type { Context } from '../context.ts'
import { Failure } from '../errors.ts'
import { findResource } from '../kernel/index.ts'
import { loadSettings } from '../settings/settings.ts'
import { sql } from '../sql.ts'
import type { Found } from './found.ts'
import { createIds } from './ids.ts'
import { loadPairs } from './journal.ts'
import { KINDS, type Kind } from './kinds.ts'
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
    postponed: new Set(),
    beforeCreate: (tx, found) => (order.keepsIds && !isPlan ? setNextId(tx, found) : Promise.resolve()),
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
