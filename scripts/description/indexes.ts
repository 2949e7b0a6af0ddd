import { type Db, rows } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'

/** Formats the indexes that migrations make, each by its name with the statement that makes it, for `millwright doctor`. */
export async function formatIndexes(db: Db): Promise<string> {
  const found = await rows<{ name: string; statement: string }>(
    db,
    sql`select x.relname as name, case
        when c.oid is null then regexp_replace(pg_get_indexdef(x.oid),
          '^CREATE (UNIQUE )?INDEX (\\S+) ON public\\.', 'create \\1index concurrently \\2 on ')
        else format('alter table %I add constraint %I %s', t.relname, c.conname, pg_get_constraintdef(c.oid))
      end as statement
      from pg_index i
      join pg_class x on x.oid = i.indexrelid
      join pg_class t on t.oid = i.indrelid
      left join pg_constraint c on c.conindid = x.oid and c.contype in ('p', 'u', 'x')
      where x.relnamespace = 'public'::regnamespace order by x.relname`,
  )
  const lines = found.map(({ name, statement }) => `  ${JSON.stringify(name)}: ${JSON.stringify(statement)}`)
  return `{\n${lines.join(',\n')}\n}\n`
}
