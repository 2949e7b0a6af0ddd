import { type Db, row, rows, type Sql } from '../../database/sql.ts'
import { sql } from '../../sql.ts'

/** How the rows of a table are written to a file and read from it: each value as the text that PostgreSQL prints. */
export interface CopiedTable {
  readonly name: string
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  /** The columns of its primary key, or all columns where it has none; rows are written in this order. */
  readonly key: readonly string[]
}

/** The state of a sequence: its last number, and whether that has been used. */
export interface CopiedSequence {
  readonly name: string
  readonly value: string
  readonly isUsed: boolean
}

/** Lists the tables to copy, without the table of migrations and without generated columns. */
export async function listCopiedTables(db: Db): Promise<CopiedTable[]> {
  return rows<CopiedTable>(
    db,
    sql`
      select c.relname as name,
        (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum)
         from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
        coalesce(
          (select json_agg(a.attname order by k.place)
           from pg_index i cross join unnest(i.indkey) with ordinality as k (attnum, place)
           join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
           where i.indrelid = c.oid and i.indisprimary),
          (select json_agg(a.attname order by a.attnum)
           from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '')) as key
      from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'schema_migrations'
      order by c.relname collate "C"`,
  )
}

/** Lists the sequences of the schema with their state. */
export async function listCopiedSequences(db: Db): Promise<CopiedSequence[]> {
  const names = await rows<{ name: string }>(
    db,
    sql`select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S' order by 1`,
  )
  if (names.length === 0) return []
  const each = names.map(
    ({ name }) =>
      sql`select ${name}::text as name, last_value::text as value, is_called as "isUsed" from ${sql.table(name)}`,
  )
  return rows<CopiedSequence>(db, sql.join(each, sql` union all `))
}

/** Sets sequences to a stored state. */
export async function setSequences(tx: Db, sequences: readonly CopiedSequence[]): Promise<void> {
  await sql`select setval(format('public.%I', name)::regclass, value, "isUsed")
    from jsonb_to_recordset(${JSON.stringify(sequences)}::jsonb) as s (name text, value bigint, "isUsed" boolean)`.execute(
    tx,
  )
}

/**
 * Passes the rows of a table to `take` in portions, each row as a JSON list of texts. Needs a transaction for the
 * cursor.
 */
export async function readCopiedRows(
  tx: Db,
  { name, columns, key }: CopiedTable,
  take: (lines: readonly string[]) => Promise<void>,
): Promise<void> {
  const values = columns.map((column) => sql`${sql.ref(column.name)}::text`)
  const order = key.map((column) => sql.ref(column))
  await sql`declare copied no scroll cursor for
    select json_build_array(${sql.join(values)})::text as line from ${sql.table(name)} order by ${sql.join(order)}`.execute(
    tx,
  )
  let count = FIRST_ROWS
  for (;;) {
    const found = await rows<{ line: string }>(tx, sql`fetch ${sql.raw(String(count))} from copied`)
    if (found.length > 0) await take(found.map(({ line }) => line))
    if (found.length < count) break
    const characters = found.reduce((sum, { line }) => sum + line.length, 0)
    count = Math.max(1, Math.min(ROWS_AT_ONCE, Math.floor((CHARACTERS_AT_ONCE * found.length) / characters)))
  }
  await sql`close copied`.execute(tx)
}

/**
 * Stores rows that `readCopiedRows` passed on. They are parsed as `jsonb`, because with `json` PostgreSQL would scan the text
 * of the row again for each value.
 */
export async function insertCopiedRows(
  tx: Db,
  { name, columns }: CopiedTable,
  lines: readonly string[],
): Promise<void> {
  const values = columns.map(({ type }, at) => sql`(line ->> ${sql.raw(String(at))})::${sql.raw(type)}`)
  const names = columns.map((column) => sql.ref(column.name))
  await sql`insert into ${sql.table(name)} (${sql.join(names)}) overriding system value
    select ${sql.join(values)} from jsonb_array_elements(${`[${lines.join(',')}]`}::jsonb) with ordinality as l (line, at)
    order by at`.execute(tx)
}

/**
 * Empties the tables and does work with triggers disabled and foreign keys dropped, which only the owner of the tables may
 * do, and adds and checks the foreign keys afterwards. All in one transaction, so that nobody else sees tables without them.
 */
export async function withoutConstraints(tx: Db, work: () => Promise<void>): Promise<void> {
  const keys = await rows<{ table: string; name: string; definition: string }>(
    tx,
    sql`select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as definition
      from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by oid`,
  )
  const tables = (await listCopiedTables(tx)).map(({ name }) => name)
  await executeEach(
    tx,
    keys.map(({ table, name }) => sql`alter table ${sql.raw(table)} drop constraint ${sql.id(name)}`),
  )
  await executeEach(
    tx,
    tables.map((name) => sql`alter table ${sql.table(name)} disable trigger user`),
  )
  await executeEach(
    tx,
    tables.map((name) => sql`delete from ${sql.table(name)}`),
  ) // the rows that migrations have inserted
  await withoutSearchIndexes(tx, work)
  await executeEach(
    tx,
    tables.map((name) => sql`alter table ${sql.table(name)} enable trigger user`),
  )
  await executeEach(
    tx,
    keys.map(
      ({ table, name, definition }) =>
        sql`alter table ${sql.raw(table)} add constraint ${sql.id(name)} ${sql.raw(definition)}`,
    ),
  )
}

/**
 * Does work without the indexes of searches: building them afterwards takes a tenth of the time of updating them row by row.
 */
async function withoutSearchIndexes(tx: Db, work: () => Promise<void>): Promise<void> {
  const indexes = await rows<{ name: string; definition: string }>(
    tx,
    sql`select i.oid::regclass::text as name, pg_get_indexdef(i.oid) as definition
      from pg_class i join pg_am on pg_am.oid = i.relam
      where i.relnamespace = 'public'::regnamespace and i.relkind = 'i' and amname = 'gin' order by i.oid`,
  )
  await executeEach(
    tx,
    indexes.map(({ name }) => sql`drop index ${sql.raw(name)}`),
  )
  await work()
  await executeEach(
    tx,
    indexes.map(({ definition }) => sql.raw(definition)),
  )
}

/**
 * Tells the state of a database: `empty` has no tables, `migrated` has the tables of the program but no user, all
 * others are `used`.
 */
export async function isUnused(db: Db): Promise<'empty' | 'migrated' | 'used'> {
  const found = await row<{ tables: number; users: boolean }>(
    db,
    sql`select count(*)::int as tables, to_regclass('public.users') is not null as users
      from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'p')`,
  )
  if (!found || found.tables === 0) return 'empty'
  if (!found.users) return 'used'
  return (await row(db, sql`select from users limit 1`)) ? 'used' : 'migrated'
}

async function executeEach(tx: Db, statements: readonly Sql[]): Promise<void> {
  for (const statement of statements) await statement.execute(tx)
}

/** At most about so much is read at once, so that rows of any length take little memory. */
const CHARACTERS_AT_ONCE = 4_000_000
const FIRST_ROWS = 8
const ROWS_AT_ONCE = 500
