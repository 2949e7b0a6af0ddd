import { readFile } from 'node:fs/promises'
import { type Db, rows } from '../database/sql.ts'
import { ROOT } from '../root.ts'
import { sql } from '../sql.ts'
import type { Finding } from './finding.ts'

const about = 'Indexes'
const LEAST_WASTED_BYTES = 8 * 1024 * 1024
const MOST_TIMES = 3

/** Examines whether each index of the schema is there and valid, and is not much larger than its rows need. */
export async function examineIndexes(db: Db): Promise<Finding[]> {
  const broken = await rows<{ name: string }>(
    db,
    sql`select indexrelid::regclass::text as name from pg_index where not indisvalid order by 1`,
  )
  const missing = await listMissing(db)
  const bloated = await listBloated(db)
  if (broken.length + missing.length + bloated.length === 0) {
    return [{ about, status: 'ok', message: 'All are there and valid, and none is much larger than its rows need.' }]
  }
  const found: Finding[] = []
  if (missing.length > 0) {
    const names = missing.map(({ name }) => name).join(', ')
    const statements = missing.map(({ statement }) => `${statement};`)
    found.push({ about, status: 'failed', message: `These are missing: ${names}.`, statements })
  }
  if (broken.length > 0) {
    const names = broken.map(({ name }) => name)
    const statements = names.map((name) => `reindex index ${name};`)
    found.push({
      about,
      status: 'failed',
      message: `These are not valid: ${names.join(', ')}.`,
      statements,
    })
  }
  if (bloated.length > 0) {
    const sizes = bloated.map(
      ({ name, bytes, needed }) => `${name} (${toMebibytes(bytes)} MiB for ${toMebibytes(needed)})`,
    )
    const statements = bloated.map(({ name }) => `reindex index concurrently ${name};`)
    const message = `Much larger than their rows need: ${sizes.join(', ')}.`
    found.push({ about, status: 'warning', message, statements })
  }
  return found
}

/** What the migrations make, each index by its name with the statement that makes it: `npm run docs` writes it. */
const INDEXES = new URL('migrations/indexes.json', ROOT)

async function listMissing(db: Db): Promise<{ name: string; statement: string }[]> {
  const expected = JSON.parse(await readFile(INDEXES, 'utf8')) as Record<string, string> // as `npm run docs` writes it
  const there = await rows<{ name: string }>(
    db,
    sql`select relname as name from pg_class where relkind = 'i' and relnamespace = 'public'::regnamespace`,
  )
  const names = new Set(there.map(({ name }) => name))
  return Object.entries(expected).flatMap(([name, statement]) => (names.has(name) ? [] : [{ name, statement }]))
}

function toMebibytes(bytes: number): number {
  return Math.round(bytes / 1024 / 1024)
}

/**
 * Lists the five B-tree indexes that waste most, among those that waste much. What their rows need is estimated from the
 * statistics of their columns.
 */
async function listBloated(db: Db): Promise<{ name: string; bytes: number; needed: number }[]> {
  return rows(
    db,
    sql`
      with estimated as (
        select i.indexrelid::regclass::text as name, pg_relation_size(i.indexrelid)::float8 as bytes,
          -- Each row: pointer and header, and the values, in pages that are filled to nine tenths.
          (x.reltuples * (12 + sum(s.avg_width) + 8) / 0.9)::float8 as needed
        from pg_index i
        join pg_class x on x.oid = i.indexrelid
        join pg_class t on t.oid = i.indrelid
        join pg_am on pg_am.oid = x.relam and pg_am.amname = 'btree'
        join pg_attribute a on a.attrelid = i.indexrelid
        left join pg_attribute c on c.attrelid = i.indrelid and c.attnum = i.indkey[a.attnum - 1] and c.attnum > 0
        join pg_stats s on s.schemaname = t.relnamespace::regnamespace::text
          and s.tablename = case when c.attnum is null then x.relname else t.relname end
          and s.attname = coalesce(c.attname, a.attname)
        where t.relnamespace = 'public'::regnamespace and x.reltuples >= 0
        group by i.indexrelid, x.reltuples
      )
      select name, bytes, needed from estimated
      where bytes - needed > ${LEAST_WASTED_BYTES} and bytes > ${MOST_TIMES} * needed
      order by bytes - needed desc limit 5`,
  )
}
