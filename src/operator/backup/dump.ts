import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../database/connect.ts'
import { listCopiedSequences, listCopiedTables, readCopiedRows } from '../../database/copying.ts'
import { listApplied } from '../../database/migrate.ts'
import type { Db } from '../../database/sql.ts'
import { tallyStatements } from '../../database/statements.ts'
import { version } from '../../version.ts'
import { createLineWriter, type Header, type LineWriter, type Totals } from './lines.ts'
import type { Sealed } from './sealed.ts'

/** A database as the bytes of a backup, all of it as it was at one moment; what goes wrong ends the bytes. */
export function dump({ db, kind }: Pick<Database, 'db' | 'kind'>, keys: Sealed | null): AsyncIterable<Uint8Array> {
  const writer = createLineWriter()
  inSnapshot(db, (tx) => writeAll(tx, kind, keys, writer)).then(writer.end, writer.fail)
  return writer.bytes
}

/** Rows and checksums of all tables, as the end of a backup has them. */
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
    db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute(async (tx) => {
        // A slow disk or network makes the transaction wait.
        await sql`set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`.execute(tx)
        await work(tx)
      }),
  )
}

async function writeAll(tx: Db, kind: Database['kind'], keys: Sealed | null, writer: LineWriter): Promise<void> {
  const header: Header = {
    format: 'millwright backup 1',
    version: version(),
    madeAt: new Date().toISOString(),
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
  await writer.write([JSON.stringify({ sequences, totals, sha256: writer.sha256() })])
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
