import { randomBytes } from 'node:crypto'
import { inject } from 'vitest'
import type { Database, DatabaseConfig } from '../../src/database/database.ts'
import { type Db, rows } from '../../src/database/sql.ts'
import { connect } from '../../src/postgresql/connect.ts'
import { sql } from '../../src/sql.ts'
import { quiet, testConfig } from './settings.ts'

/**
 * Opens a migrated, empty database on the test server; close it after the tests of the file (`await using`, or
 * `afterAll(() => database[Symbol.asyncDispose]())`).
 */
export async function openTestDatabase(overrides: Partial<DatabaseConfig> = {}): Promise<Database> {
  const place = await testDatabaseUrl()
  const database = await connect(testConfig({ url: place.url, ...overrides }), quiet)
  const close = async () => {
    await database[Symbol.asyncDispose]()
    await place.drop()
  }
  return { ...database, [Symbol.asyncDispose]: close }
}

/** Creates a migrated, empty database on the test server and yields its URL, for code that connects by itself. */
export async function testDatabaseUrl(
  template: 'template_millwright' | 'template0' = 'template_millwright',
): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `test_${randomBytes(6).toString('hex')}`
  await administer(urlOf('postgres'), `create database ${name} template ${template} strategy file_copy`)
  return { url: urlOf(name), drop: () => administer(urlOf('postgres'), `drop database ${name} with (force)`) }
}

function urlOf(database: string): string {
  return inject('postgresqlUrl').replace(/%DATABASE%|%25DATABASE%25/, database)
}

/** Yields the URL of an open database on the test server, for another process. */
export async function urlOfServerDatabase(db: Db): Promise<string> {
  const [found] = await rows<{ name: string }>(db, sql`select current_database() as name`)
  return urlOf(found?.name ?? '')
}

/** Creates a database without a schema on the test server and yields its URL. */
export async function emptyDatabaseUrl(): Promise<{ readonly url: string } & AsyncDisposable> {
  const place = await testDatabaseUrl('template0')
  return { url: place.url, [Symbol.asyncDispose]: place.drop }
}

/**
 * Empties all tables except those named, and restarts their ids at 1; `schema_migrations` always stays. Deletes only where
 * there are rows, which is much faster than truncating every table.
 */
export async function truncateAll(database: { readonly db: Db }, keep: readonly string[] = []): Promise<void> {
  await database.db.transaction(async (tx) => {
    await sql`select set_config('test.keep', ${JSON.stringify(['schema_migrations', ...keep])}, true)`.execute(tx)
    await sql.raw(EMPTY_TABLES).execute(tx)
  })
}

// In the role of a replica no triggers run, neither foreign keys nor change counting, so that the counts are written here.
const EMPTY_TABLES = `do $$
declare
  keep text[] := array(select jsonb_array_elements_text(current_setting('test.keep')::jsonb));
  name text;
  found boolean;
begin
  set local session_replication_role = replica;
  delete from table_changes where not 'table_changes' = any (keep);
  for name in select tablename from pg_tables where schemaname = 'public' and tablename <> 'table_changes' loop
    execute format('select exists (select from %I)', name) into found;
    continue when not found;
    if name = any (keep) then
      execute format('insert into table_changes select %L, count(*), 1 from %I', name, name);
    else
      execute format('delete from %I', name);
    end if;
  end loop;
  perform setval(format('%I.%I', schemaname, sequencename), start_value, false)
    from pg_sequences
    where schemaname = 'public' and last_value is not null and not exists (
      select from unnest(keep) kept where sequencename = kept || '_id_seq');
end $$`

async function administer(url: string, statement: string): Promise<void> {
  await using administration = await connect(testConfig({ url, poolSize: 1 }), quiet)
  await sql.raw(statement).execute(administration.db)
}
