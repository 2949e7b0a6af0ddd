import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { rows } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { openTestDatabase } from '../support/database.ts'

let database: Database
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.[Symbol.asyncDispose]())

// The kernel turns a violated constraint into an error of the field between the name of the table and the ending, so
// that part has to be a column of the table, and one that the constraint is about.
test('constraints are named <table>_<column>_<key|fkey|check>', async () => {
  const misnamed = await rows(
    database.db,
    sql`with named as (
      select c.conrelid as owner, c.conname::text as name, c.conkey as columns,
        case c.contype when 'f' then 'fkey' when 'c' then 'check' when 'u' then 'key' end as ending
        from pg_constraint c
        where c.connamespace = 'public'::regnamespace and c.contype in ('f', 'c', 'u')
      union all
      -- unique indexes over expressions, which cannot be constraints
      select i.indrelid, i.indexrelid::regclass::text, null, 'key'
        from pg_index i join pg_class t on t.oid = i.indrelid
        where i.indisunique and t.relnamespace = 'public'::regnamespace
          and not exists (select from pg_constraint c where c.conindid = i.indexrelid)
    )
    select owner::regclass::text as "table", name, ending from named
    where not exists (
      select from pg_attribute a
      where a.attrelid = owner and (columns is null or a.attnum = any (columns))
        and name = owner::regclass::text || '_' || a.attname || '_' || ending)
      -- what two columns say together has no name of one of them
      and not (cardinality(columns) > 1 and name = owner::regclass::text || '_pair_' || ending)
    order by 1, 2`,
  )
  expect(misnamed).toEqual([])
})

test('text columns sort by code point', async () => {
  const others = await rows(
    database.db,
    sql`select table_name, column_name from information_schema.columns
      where table_schema = 'public' and data_type = 'text' and collation_name is distinct from 'C'
        and table_name in (select tablename from pg_tables) -- views keep nothing
        and table_name <> 'schema_migrations' and column_name <> 'password'`,
  )
  expect(others).toEqual([])
})
