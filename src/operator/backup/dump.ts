import { createHash } from 'node:crypto'
import type { Logger } from 'pino'
import type { Database } from '../../database/database.ts'
import { inUndoneSavepoint } from '../../database/savepoints.ts'
import { type Db, row } from '../../database/sql.ts'
import { tallyStatements } from '../../database/statements.ts'
import { listApplied } from '../../postgresql/migrate.ts'
import { sql } from '../../sql.ts'
import { readVersion } from '../../version.ts'
import { type Answers, sampleAnswers } from './answers.ts'
import { listCopiedSequences, listCopiedTables, readCopiedRows } from './copy-tables.ts'
import { createLineWriter, type Header, type LineWriter, type Totals } from './lines.ts'
import type { Sealed } from './sealed.ts'

/** Yields the bytes of a backup of the whole database at one moment; an error ends the bytes. */
export function dump(
  { db, kind }: Pick<Database, 'db' | 'kind'>,
  keys: Sealed | null,
  log: Logger,
): AsyncIterable<Uint8Array> {
  const writer = createLineWriter()
  inSnapshot(db, (tx) => writeAll(tx, kind, keys, writer, log)).then(writer.end, writer.fail)
  return writer.bytes
}

/**
 * Computes the answers of a restored database to the requests of its backup, with the clock set to the time of the backup.
 */
export function computeAnswers(db: Db, { madeAt }: Header, log: Logger): Promise<Answers> {
  return db.transaction((tx) =>
    inUndoneSavepoint(tx, async () => {
      await sql`create schema verified`.execute(tx)
      await sql`create function verified.now() returns timestamptz language sql stable
        as $$ select current_setting('verified.now')::timestamptz $$`.execute(tx)
      await sql`select set_config('verified.now', ${madeAt}, true),
        set_config('search_path', 'verified, pg_catalog, public', true)`.execute(tx)
      return sampleAnswers(tx, new Date(madeAt), log)
    }),
  )
}

/** Computes rows and checksums of all tables, as the last line of a backup has them. */
export async function computeTotals(db: Db, tables: readonly string[]): Promise<Totals> {
  const totals: Totals = {}
  await inSnapshot(db, async (tx) => {
    for (const table of await listCopiedTables(tx)) {
      if (tables.includes(table.name)) totals[table.name] = await readTable(tx, table, async () => undefined)
    }
  })
  return totals
}

function inSnapshot(db: Db, work: (tx: Db) => Promise<void>): Promise<void> {
  return tallyStatements({ count: 0, milliseconds: 0, mayBeSlow: true, unlimited: true }, () =>
    db.readSnapshot(async (tx) => {
      // A slow disk or network makes the transaction wait.
      await sql`set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`.execute(tx)
      await work(tx)
    }),
  )
}

async function writeAll(
  tx: Db,
  kind: Database['kind'],
  keys: Sealed | null,
  writer: LineWriter,
  log: Logger,
): Promise<void> {
  const header: Header = {
    format: 'millwright backup 1',
    version: readVersion(),
    madeAt: await readNow(tx),
    kind,
    migrations: (await listApplied(tx)).map(({ number, name, checksum }) => ({ number, name, checksum })),
    keys,
  }
  await writer.write([JSON.stringify(header)])
  const totals: Totals = {}
  for (const table of await listCopiedTables(tx)) {
    const { name, columns, key } = table
    await writer.write([JSON.stringify({ table: name, columns, key })])
    totals[name] = await readTable(tx, table, writer.write)
  }
  const sequences = await listCopiedSequences(tx)
  const answers = await sampleAnswers(tx, new Date(header.madeAt), log)
  await writer.write([JSON.stringify({ sequences, totals, answers, sha256: writer.sha256() })])
}

/** Reads the time of the transaction with the precision of the database. */
async function readNow(tx: Db): Promise<string> {
  const found = await row<{ now: string }>(
    tx,
    sql`select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as now`,
  )
  return found?.now ?? ''
}

async function readTable(
  tx: Db,
  table: Parameters<typeof readCopiedRows>[1],
  write: LineWriter['write'],
): Promise<Totals[string]> {
  const hash = createHash('sha256')
  let count = 0
  await readCopiedRows(tx, table, async (lines) => {
    for (const line of lines) hash.update(`${line}\n`)
    count += lines.length
    await write(lines)
  })
  return { rows: count, sha256: hash.digest('hex') }
}
