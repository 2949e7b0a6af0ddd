import { openAsBlob } from 'node:fs'
import { type KyselyPlugin, sql } from 'kysely'
import { connect } from '../../src/database/connect.ts'
import type { Database } from '../../src/database/database.ts'
import { type Db, row, rows } from '../../src/database/sql.ts'
import { quiet, testConfig } from './settings.ts'

/** An embedded database of this process that test files borrow one after another. */
interface Kept {
  readonly database: Database
  readonly beginning: Beginning
  /** The listeners of the present borrower, by channel. */
  readonly listeners: Map<string, Listener[]>
}

interface Listener {
  readonly onMessage: (payload: string) => void
  readonly onLost: () => void
}

/** The state of an unused, migrated database. */
interface Beginning {
  readonly catalog: string
  /** The rows that migrations created, by table, as JSON. */
  readonly rows: Readonly<Record<string, string>>
  readonly sequences: Readonly<Record<string, number>>
}

const free: Kept[] = []

/** Deleted rows stay in the files of a database, so that a large one is not lent again. */
const LARGEST_BYTES = 150_000_000

/**
 * Yields a migrated, empty database in memory, made from the image or returned by an earlier file: starting one takes
 * seconds, emptying one a tenth of a second. One with a changed schema or configuration is closed instead.
 */
export async function borrowPglite(image: string): Promise<Database> {
  const kept = free.pop() ?? (await openKept(image))
  const { database, listeners } = kept
  let isOver = false
  const refusedLater: KyselyPlugin = {
    transformQuery({ node }) {
      if (isOver) throw new Error('The database of this test file has been closed')
      return node
    },
    transformResult: async ({ result }) => result,
  }
  return {
    ...database,
    db: database.db.withPlugin(refusedLater),
    async listen(channel, onMessage, onLost = () => undefined) {
      const known = listeners.get(channel)
      if (known) return void known.push({ onMessage, onLost })
      const heard = [{ onMessage, onLost }]
      listeners.set(channel, heard)
      const onEach = (payload: string) => heard.forEach((each) => void each.onMessage(payload))
      await database.listen(channel, onEach, () => heard.forEach((each) => void each.onLost()))
    },
    async [Symbol.asyncDispose]() {
      if (isOver) return
      isOver = true
      for (const heard of listeners.values()) heard.length = 0
      const isAsBefore = await restore(kept).catch(() => false)
      if (isAsBefore) free.push(kept)
      else await database[Symbol.asyncDispose]()
    },
  }
}

async function openKept(image: string): Promise<Kept> {
  const database = await connect(testConfig({ image: await openAsBlob(image) }), quiet)
  return { database, beginning: await readBeginning(database.db), listeners: new Map() }
}

async function readBeginning(db: Db): Promise<Beginning> {
  const tables = await rows<{ name: string }>(
    db,
    sql`select tablename as name from pg_tables where schemaname = 'public'`,
  )
  const filled: Record<string, string> = {}
  for (const { name } of tables) {
    const found = await row<{ all: string | null }>(db, sql`select json_agg(t)::text as all from ${sql.table(name)} t`)
    if (found?.all) filled[name] = found.all
  }
  const sequences = await rows<{ name: string; last: number }>(
    db,
    sql`select sequencename as name, last_value::float8 as last from pg_sequences where last_value is not null`,
  )
  return {
    catalog: await readCatalog(db),
    rows: filled,
    sequences: Object.fromEntries(sequences.map(({ name, last }) => [name, last])),
  }
}

/** Restores a database; false when it cannot be restored to its initial state. */
async function restore({ database: { db }, beginning }: Kept): Promise<boolean> {
  await db.transaction().execute(async (tx) => {
    await sql`reset all; set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres'; set hash_mem_multiplier = 8`.execute(
      tx,
    )
    await sql`select set_config('test.beginning', ${JSON.stringify(beginning)}, true)`.execute(tx)
    await sql.raw(RESTORE).execute(tx)
  })
  return (await readCatalog(db)) === beginning.catalog
}

async function readCatalog(db: Db): Promise<string> {
  const found = await row<{ catalog: string; bytes: number }>(
    db,
    sql`select pg_database_size(current_database())::float8 as bytes, concat_ws(' ',
      (select concat(count(*), ' ', sum(oid::bigint)) from pg_class),
      (select concat(count(*), ' ', sum(oid::bigint)) from pg_proc),
      (select concat(count(*), ' ', sum(oid::bigint), ' ', count(*) filter (where tgenabled = 'O')) from pg_trigger),
      (select concat(count(*), ' ', sum(oid::bigint)) from pg_constraint),
      (select concat(count(*), ' ', sum(oid::bigint)) from pg_attrdef),
      (select count(*) from pg_attribute), (select count(*) from pg_type), (select count(*) from pg_authid),
      (select count(*) from pg_db_role_setting)) as catalog`,
  )
  if (!found || found.bytes > LARGEST_BYTES) throw new Error('The database has become too large to be lent again')
  return found.catalog
}

// In the role of a replica no triggers run, neither foreign keys nor change counting. Statistics are deleted with the rows,
// so that plans do not depend on earlier tests.
const RESTORE = `do $$
declare
  beginning jsonb := current_setting('test.beginning')::jsonb;
  name text;
  found boolean;
begin
  set local session_replication_role = replica;
  for name in select tablename from pg_tables where schemaname = 'public' loop
    execute format('select exists (select from %I)', name) into found;
    if found then execute format('delete from %I', name); end if;
    if beginning -> 'rows' ? name then
      execute format(
        'insert into %1$I overriding system value select * from jsonb_populate_recordset(null::%1$I, $1::jsonb)', name
      ) using beginning -> 'rows' ->> name;
    end if;
  end loop;
  perform setval(format('%I.%I', schemaname, sequencename), coalesce((beginning -> 'sequences' ->> sequencename)::bigint, start_value),
      beginning -> 'sequences' ? sequencename)
    from pg_sequences where schemaname = 'public' and last_value is not null;
  delete from pg_statistic where starelid in (select oid from pg_class where relnamespace = 'public'::regnamespace);
  update pg_class set reltuples = -1, relpages = 0, relallvisible = 0
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'i') and reltuples >= 0;
end $$`
