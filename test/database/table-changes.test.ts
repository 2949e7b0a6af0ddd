import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { foldChanges, vacuumChanges } from '../../src/database/fold-changes.ts'
import { type Db, row, rows } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { openTestDatabase, truncateAll } from '../support/database.ts'

let database: Database
let db: Db
beforeAll(async () => {
  database = await openTestDatabase()
  db = database.db
})
beforeEach(() => truncateAll(database))
afterAll(() => database?.[Symbol.asyncDispose]())

interface Change {
  count: number
  writes: number
}

async function changes(table: string): Promise<Change | undefined> {
  return row<Change>(
    db,
    sql`select coalesce(sum(row_count), 0)::int as count, coalesce(sum(writes), 0)::int as writes
      from table_changes where table_name = ${table}`,
  )
}

const insert = (handle: Db, ...names: string[]) =>
  sql`insert into architectures (name) select unnest(${names}::text[])`.execute(handle)

test('each statement counts its rows once and is one write', async () => {
  await insert(db, 'a', 'b', 'c')
  expect(await changes('architectures')).toEqual({ count: 3, writes: 1 })
  await sql`update architectures set updated_at = now() where name <> ${'c'}`.execute(db)
  expect(await changes('architectures')).toEqual({ count: 3, writes: 2 })
  await sql`delete from architectures where name in (${'a'}, ${'b'})`.execute(db)
  expect(await changes('architectures')).toEqual({ count: 1, writes: 3 })
})

test('an upsert counts what it inserted', async () => {
  await insert(db, 'a')
  await sql`insert into architectures (name) values (${'a'}), (${'b'})
    on conflict (name) do update set updated_at = now()`.execute(db)
  await sql`insert into architectures (name) values (${'a'}) on conflict do nothing`.execute(db)
  expect((await changes('architectures'))?.count).toBe(2)
})

test('a statement that inserts or deletes nothing is no write', async () => {
  await insert(db, 'a')
  await insert(db)
  await sql`insert into architectures (name) values (${'a'}) on conflict do nothing`.execute(db)
  await sql`delete from architectures where name = ${'b'}`.execute(db)
  expect(await changes('architectures')).toEqual({ count: 1, writes: 1 })
})

test('the place of lines that were folded is used again', async () => {
  await insert(db, 'a')
  const writeAndFold = async () => {
    for (let times = 0; times < 300; times++) await sql`update architectures set updated_at = now()`.execute(db)
    await foldChanges(db)
    await vacuumChanges(db)
    return row(db, sql`select pg_relation_size('table_changes') as bytes`)
  }
  const once = await writeAndFold()
  await writeAndFold()
  expect(await writeAndFold()).toEqual(once)
  expect(await changes('architectures')).toEqual({ count: 1, writes: 901 })
})

test('truncating leaves nothing', async () => {
  await insert(db, 'a', 'b')
  await sql`truncate architectures cascade`.execute(db)
  expect((await changes('architectures'))?.count).toBe(0)
  await insert(db, 'c')
  expect((await changes('architectures'))?.count).toBe(1)
})

test('rolled back writes are not counted', async () => {
  const work = db.transaction(async (tx) => {
    await insert(tx, 'a')
    throw new Error('undo')
  })
  await expect(work).rejects.toThrow('undo')
  await expect(insert(db, 'b', 'b')).rejects.toMatchObject({ code: '23505' })
  expect(await changes('architectures')).toEqual({ count: 0, writes: 0 })
})

test('rows that go with the row they belong to are counted', async () => {
  await insert(db, 'a')
  await sql`insert into operatingsystems (name, major) values ('Debian', '12'), ('Debian', '13')`.execute(db)
  await sql`insert into architecture_operatingsystems
    select a.id, o.id from architectures a, operatingsystems o`.execute(db)
  expect((await changes('architecture_operatingsystems'))?.count).toBe(2)
  await sql`delete from architectures where name = ${'a'}`.execute(db)
  expect((await changes('architecture_operatingsystems'))?.count).toBe(0)
})

test('a transaction sees its own count, nobody else does before it commits', async () => {
  const inside = await db.transaction(async (tx) => {
    await insert(tx, 'a')
    return row(tx, sql`select sum(row_count)::int as count from table_changes where table_name = 'architectures'`)
  })
  expect(inside).toEqual({ count: 1 })
})

test('parallel writers, some of which fail, leave exact counts', async () => {
  const writers = Array.from({ length: 30 }, async (_, index) => {
    const work = db.transaction(async (tx) => {
      await insert(tx, `x${index}`, `y${index}`)
      await sql`delete from architectures where name = ${`y${index}`}`.execute(tx)
      if (index % 3 === 0) throw new Error('undo')
    })
    await work.catch(() => undefined)
  })
  await Promise.all(writers)
  expect((await changes('architectures'))?.count).toBe(20)
  expect(await row(db, sql`select count(*) from architectures`)).toEqual({ count: 20 })
})

// Sessions and scheduled reports are read by themselves: no cache depends on them. The order of keys changes with its record.
test('every table with an id of its own is tracked', async () => {
  const untracked = await rows<{ name: string }>(
    db,
    sql`select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'id'
      where c.relkind = 'r' and c.relname not in ('event_notes', 'event_queue', 'report_jobs', 'session_identities', 'sessions', 'spent_values') and c.relname !~ '_order$' and c.relnamespace = 'public'::regnamespace
        and (select count(*) from pg_trigger t where t.tgrelid = c.oid and t.tgname like 'record\\_%') <> 4`,
  )
  expect(untracked).toEqual([])
})
