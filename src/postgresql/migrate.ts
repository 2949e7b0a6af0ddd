import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from '../database/database.ts'
import { toDatabaseError } from '../database/failures.ts'
import { type Db, row, rows } from '../database/sql.ts'
import { tallyStatements } from '../database/statements.ts'
import { Failure } from '../errors.ts'
import { sql } from '../sql.ts'
import { readVersion } from '../version.ts'

/** Why the database cannot be migrated; the message is a sentence that names the file. */
class MigrationError extends Error {
  override readonly name = 'MigrationError'
}

interface Migration {
  readonly number: number
  readonly file: string
  readonly text: string
  readonly checksum: string
}

/**
 * Applies the numbered files of `folder` that the database does not have yet in order, each in its own transaction;
 * processes that start together take turns. {@throws MigrationError} when an applied file has changed or is missing, numbers
 * have a gap, the database is newer than the program, or a file fails
 */
export async function migrate(database: Database, folder: string): Promise<{ applied: number[] }> {
  const migrations = await readMigrations(folder)
  const known = await loadAppliedIfAny(database.db)
  check(migrations, known)
  if (migrations.length > known.length) await refuseMissingGrants(database.db)
  const applied: number[] = []
  await tallyStatements({ count: 0, milliseconds: 0, mayBeSlow: true, unlimited: true }, async () => {
    for (const migration of migrations.slice(known.length)) {
      if (await apply(database.db, migrations, migration)) applied.push(migration.number)
    }
  })
  return { applied }
}

/** A migration as it is recorded in a database or in a backup. */
export interface AppliedMigration {
  readonly number: number
  readonly name: string
  readonly checksum: string
  /** The version of the program that applied it; absent in backups and where it was not recorded. */
  readonly version?: string | null
}

/**
 * Creates the schema of a backup in an empty database, has it filled, and migrates it to the schema of this program, all in
 * the given transaction. {@throws MigrationError} when the schema of the backup is newer, or of other migrations
 */
export async function migrateAround(
  tx: Db,
  folder: string,
  known: readonly AppliedMigration[],
  options: { readonly forward: boolean; readonly fill: () => Promise<void> },
): Promise<void> {
  const migrations = await readMigrations(folder)
  await refuseMissingGrants(tx)
  await sql.raw(TABLE).execute(tx)
  for (const migration of migrations.slice(0, known.length)) await applyWithin(tx, migration)
  await options.fill()
  for (const migration of options.forward ? migrations.slice(known.length) : []) await applyWithin(tx, migration)
}

/** {@throws MigrationError} when migrations that `what` has applied are not the first ones of a folder */
export async function refuseUnknownMigrations(
  folder: string,
  known: readonly AppliedMigration[],
  what: string,
): Promise<void> {
  check(await readMigrations(folder), known, what)
}

/** Computes a digest of all migrations in a folder. {@throws MigrationError} when they are not numbered in order */
export async function digestMigrations(folder: string): Promise<string> {
  const checksums = (await readMigrations(folder)).map(({ file, checksum }) => `${file} ${checksum}`)
  return createHash('sha256').update(checksums.join('\n')).digest('hex')
}

/** Lists the applied migrations in order; none where the table of migrations does not exist. */
export async function listApplied(db: Db): Promise<AppliedMigration[]> {
  return loadAppliedIfAny(db)
}

/** {@throws MigrationError} with the statements that an administrator of the server has to run first */
async function refuseMissingGrants(db: Db): Promise<void> {
  const found = await row<{ database: string; login: string; extension: string; schema: boolean }>(
    db,
    sql`
      select quote_ident(current_database()) as database, quote_ident(current_user) as login,
        has_schema_privilege('public', 'create') as schema,
        case when exists (select from pg_extension where extname = 'pg_trgm') then 'there'
             when not exists (select from pg_available_extensions where name = 'pg_trgm') then 'not installed'
             when has_database_privilege(current_database(), 'create') then 'there' else 'not granted' end as extension`,
  )
  if (!found) return
  const { database, login, extension, schema } = found
  if (extension === 'not installed')
    throw new MigrationError(
      'The extension pg_trgm is not installed on the server: it comes with PostgreSQL (postgresql-contrib)',
    )
  const statements = [
    ...(extension === 'not granted' ? [`grant create on database ${database} to ${login};`] : []),
    ...(schema ? [] : [`grant create on schema public to ${login};`]),
  ]
  if (statements.length === 0) return
  const lacking = `The login ${login} may not create what is needed in the database ${database}`
  throw new MigrationError(`${lacking}: as its owner or as a superuser run: ${statements.join(' ')}`)
}

/** Reads the migration files in order. {@throws MigrationError} when their numbers are not 1, 2, 3 and so on */
async function readMigrations(folder: string): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
  const migrations = await Promise.all(files.map((file) => readMigration(folder, file)))
  for (const [index, { number, file }] of migrations.entries()) {
    if (number === index + 1) continue
    const expected = String(index + 1).padStart(4, '0')
    const problem =
      number <= index ? `has the number of the file before it` : `comes where number ${expected} is missing`
    throw new MigrationError(`Migration ${file} ${problem}: files are numbered 0001, 0002, and so on without gaps`)
  }
  return migrations
}

async function readMigration(folder: string, file: string): Promise<Migration> {
  const number = /^(\d{4})-[a-z0-9-]+\.sql$/.exec(file)?.[1]
  if (!number) throw new MigrationError(`Migration ${file} is not named like 0001-what-it-does.sql`)
  // Line ends differ between checkouts of a file.
  const text = (await readFile(join(folder, file), 'utf8')).replaceAll('\r\n', '\n')
  return { number: Number(number), file, text, checksum: createHash('sha256').update(text).digest('hex') }
}

async function loadAppliedIfAny(db: Db): Promise<AppliedMigration[]> {
  const found = await row<{ found: boolean }>(db, sql`select to_regclass('schema_migrations') is not null as found`)
  return found?.found ? loadApplied(db) : []
}

function loadApplied(db: Db): Promise<AppliedMigration[]> {
  return rows<AppliedMigration>(
    db,
    sql`
    select number, name, checksum, to_jsonb(schema_migrations) ->> 'version' as version
    from schema_migrations order by number`,
  )
}

function check(migrations: readonly Migration[], known: readonly AppliedMigration[], what = 'database'): void {
  for (const [index, { number, name, checksum, version: by }] of known.entries()) {
    if (number !== index + 1) {
      const missing = migrations[index]?.file ?? `number ${index + 1}`
      throw new MigrationError(`The ${what} has applied ${name} but not ${missing}: restore it from a backup`)
    }
    const migration = migrations[index]
    if (!migration) {
      throw new MigrationError(
        `The ${what} is newer than this program: ${by ? `version ${by} has` : 'it has'} applied ${name}, which is not known here`,
      )
    }
    if (migration.checksum !== checksum) {
      const advice = 'restore the file, and put the change into a new migration'
      throw new MigrationError(`Migration ${migration.file} has changed since the ${what} applied it: ${advice}`)
    }
  }
}

/** Applies one migration; false when another process has applied it already. */
async function apply(db: Db, migrations: readonly Migration[], migration: Migration): Promise<boolean> {
  return db.transaction(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx)
    await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK}::bigint)`.execute(tx)
    await sql.raw(TABLE).execute(tx)
    const known = await loadApplied(tx)
    check(migrations, known)
    if (known.length >= migration.number) return false
    await applyWithin(tx, migration)
    return true
  })
}

async function applyWithin(tx: Db, migration: Migration): Promise<void> {
  await run(tx, migration)
  await sql`insert into schema_migrations (number, name, checksum, version)
    values (${migration.number}, ${migration.file}, ${migration.checksum}, ${readVersion()})`.execute(tx)
}

async function run(tx: Db, { file, text }: Migration): Promise<void> {
  try {
    await sql.raw(text).execute(tx)
  } catch (error) {
    if (error instanceof Failure) throw error
    const { message, position } = toDatabaseError(error) ?? { message: String(error), position: undefined }
    const line = position ? `, line ${text.slice(0, Number(position)).split('\n').length}` : ''
    throw new MigrationError(`Migration ${file}${line} failed: ${message}`, { cause: error })
  }
}

// The key of the advisory lock: the letters "mill", which nothing else uses.
const MIGRATION_LOCK = 0x6d696c6c

const TABLE = `create table if not exists schema_migrations (
  number     integer primary key,
  name       text not null,
  checksum   text not null,
  applied_at timestamptz not null default now()
);
alter table schema_migrations add column if not exists version text`
