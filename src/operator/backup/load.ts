import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import type { Database } from '../../database/database.ts'
import { toDatabaseError } from '../../database/failures.ts'
import { type Db, rows } from '../../database/sql.ts'
import { tallyStatements } from '../../database/statements.ts'
import { Failure } from '../../errors.ts'
import { listApplied, migrateAround, refuseUnknownMigrations } from '../../postgresql/migrate.ts'
import { sql } from '../../sql.ts'
import type { Answers } from './answers.ts'
import {
  type CopiedTable,
  insertCopiedRows,
  isUnused,
  listCopiedSequences,
  listCopiedTables,
  setSequences,
  withoutConstraints,
} from './copy-tables.ts'
import {
  changed,
  END,
  HEADER,
  type Header,
  type Line,
  notABackup,
  readLines,
  TABLE,
  type Totals,
  truncated,
} from './lines.ts'

/** What a restored backup says of itself, to be compared with the database. */
export interface Loaded {
  readonly header: Header
  readonly totals: Totals
  /** The answers of the database from which the backup was made. */
  readonly answers: Answers
}

/** How a backup is restored. */
export interface LoadOptions {
  /** Path of the folder of the migrations. */
  readonly migrations: string
  /** Whether the schema is migrated to that of this program. */
  readonly forward: boolean
  /** Called with the header before anything is stored. */
  readonly accept: (header: Header) => Promise<void>
}

/**
 * Restores a backup into a database without users in one transaction, so that a failure leaves the database unchanged. {@throws
 * Failure} when the database is in use or the backup is damaged, MigrationError when its schema is unknown
 */
export async function load(
  { db }: Pick<Database, 'db'>,
  bytes: AsyncIterable<Uint8Array>,
  { migrations, forward, accept }: LoadOptions,
): Promise<Loaded> {
  const lines = readLines(bytes)
  const header = await readHeader(lines)
  await accept(header)
  const unlimited = { count: 0, milliseconds: 0, mayBeSlow: true, unlimited: true }
  const { totals, answers } = await tallyStatements(unlimited, () =>
    db.transaction(async (tx) => {
      await sql`set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0`.execute(tx)
      await refuseUsed(tx)
      await refuseUnknownMigrations(migrations, header.migrations, `backup by version ${header.version}`)
      const known = await listApplied(tx)
      let found: Filled = { totals: {}, answers: {} }
      const fill = async () => {
        await withoutConstraints(tx, async () => {
          found = await fillTables(tx, lines)
        })
      }
      if (known.length === 0) await migrateAround(tx, migrations, header.migrations, { forward, fill })
      else {
        const checksumsOf = (applied: Header['migrations']) => applied.map(({ checksum }) => checksum)
        if (!isDeepStrictEqual(checksumsOf(known), checksumsOf(header.migrations))) throw otherSchema(header)
        await fill()
      }
      return found
    }),
  )
  await tallyStatements(unlimited, () => rows(db, sql`analyze`))
  return { header, totals, answers }
}

type Filled = Pick<Loaded, 'totals' | 'answers'>

async function readHeader(lines: AsyncIterator<Line>): Promise<Header> {
  const first = await lines.next()
  if (first.done) throw truncated()
  return parseBySchema(HEADER, first.value.text, notABackup)
}

async function refuseUsed(tx: Db): Promise<void> {
  if ((await isUnused(tx)) === 'used') throw used()
}

function used(): Failure {
  return new Failure('unavailable', 'The database to restore into is not empty: name a new one, and nothing is lost')
}

function otherSchema({ version }: Header): Failure {
  const message = `The database to restore into is unused, but has other tables than the backup by version ${version}`
  return new Failure('unavailable', `${message}: name a new one, and nothing is lost`)
}

const MOST_LINES = 500
const MOST_CHARACTERS = 1_000_000

/** Fills the tables. The file only chooses among the tables of this schema; no text of it becomes SQL. */
async function fillTables(tx: Db, lines: AsyncIterable<Line>): Promise<Filled> {
  const expected = new Map((await listCopiedTables(tx)).map((table) => [table.name, table]))
  const sequences = new Set((await listCopiedSequences(tx)).map(({ name }) => name))
  let table: CopiedTable | null = null
  let batch: string[] = []
  let characters = 0
  const store = async () => {
    if (table && batch.length > 0) await insertRows(tx, table, batch)
    batch = []
    characters = 0
  }
  for await (const { text, before } of lines) {
    if (text.startsWith('[')) {
      batch.push(text)
      characters += text.length
      if (batch.length >= MOST_LINES || characters >= MOST_CHARACTERS) await store()
      continue
    }
    await store()
    if (text.startsWith('{"table":')) {
      const { table: name, columns, key } = parseBySchema(TABLE, text, changed)
      table = expected.get(name) ?? null
      expected.delete(name)
      if (!isDeepStrictEqual(table, { name, columns, key })) throw changed()
      continue
    }
    const end = parseBySchema(END, text, changed)
    if (end.sha256 !== before() || !end.sequences.every(({ name }) => sequences.has(name))) throw changed()
    await setSequences(tx, end.sequences)
    return end
  }
  throw truncated()
}

/** Inserts rows. All come from a database with this schema, so that one that does not fit means a damaged file. */
async function insertRows(tx: Db, table: CopiedTable, lines: readonly string[]): Promise<void> {
  try {
    await insertCopiedRows(tx, table, lines)
  } catch (error) {
    throw UNFIT.has(toDatabaseError(error)?.code.slice(0, 2) ?? '') ? changed(error) : error
  }
}

// Classes of SQLSTATE: values that are not of their type, rows that violate a constraint, too deeply nested values.
const UNFIT = new Set(['22', '23', '54'])

function parseBySchema<Schema extends z.ZodType>(
  schema: Schema,
  text: string,
  failure: (cause: unknown) => Failure,
): z.infer<Schema> {
  try {
    return schema.parse(JSON.parse(text))
  } catch (cause) {
    throw failure(cause)
  }
}
