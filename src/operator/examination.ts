import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { listJobResults, listQueues } from '../areas/server/index.ts'
import type { Database } from '../database/database.ts'
import { listApplied } from '../database/migrate.ts'
import { type Db, row, rows } from '../database/sql.ts'
import { ROOT } from '../root.ts'

/** Something that was examined: its state, and what to do where it is not well. */
export interface Finding {
  readonly about: string
  readonly status: 'ok' | 'warning' | 'failed'
  readonly message: string
  readonly advice?: string
}

/** Examines the database and its queues. */
export async function examineDatabase({ db, kind }: Database): Promise<Finding[]> {
  const version = await row<{ version: string }>(db, sql`select current_setting('server_version') as version`)
  const message = `It answers: PostgreSQL ${version?.version}${kind === 'pglite' ? ', embedded' : ''}.`
  const schema = await examineSchema(db)
  const rest = schema.status === 'ok' ? [examineIndexes, examineRows, examineQueues, examineJobs] : []
  const found: Finding[] = [{ about: 'Database', status: 'ok', message }, schema, await examineClock(db)]
  for (const examine of rest) found.push(await examine(db))
  return found
}

const MIGRATIONS = fileURLToPath(new URL('migrations', ROOT))

async function examineSchema(db: Db): Promise<Finding> {
  const files = (await readdir(MIGRATIONS)).filter((file) => file.endsWith('.sql'))
  const applied = await listApplied(db)
  const about = 'Schema'
  if (applied.length === files.length) return { about, status: 'ok', message: `It has all ${files.length} migrations.` }
  const message = `It has ${applied.length} migrations, this program ${files.length}.`
  const isOlder = applied.length < files.length
  const advice = isOlder ? 'Run millwright migrate, or start the service.' : 'Run the newer version of the program.'
  return { about, status: isOlder ? 'warning' : 'failed', message, advice }
}

const FURTHEST_SECONDS = 5

async function examineClock(db: Db): Promise<Finding> {
  const found = await row<{ now: number }>(db, sql`select extract(epoch from clock_timestamp())::float8 as now`)
  const apart = Math.abs((found?.now ?? 0) - Date.now() / 1000)
  const finding = { about: 'Clock', message: `It is ${apart.toFixed(1)} seconds apart from that of the database.` }
  if (apart < FURTHEST_SECONDS) return { ...finding, status: 'ok' }
  return { ...finding, status: 'warning', advice: 'Have both machines follow the same time server.' }
}

async function examineIndexes(db: Db): Promise<Finding> {
  const broken = await rows<{ name: string }>(
    db,
    sql`select indexrelid::regclass::text as name from pg_index where not indisvalid order by 1`,
  )
  const about = 'Indexes'
  if (broken.length === 0) return { about, status: 'ok', message: 'All are valid.' }
  const names = broken.map(({ name }) => name)
  const advice = `Run: ${names.map((name) => `reindex index ${name};`).join(' ')}`
  return { about, status: 'failed', message: `These are not valid: ${names.join(', ')}.`, advice }
}

const MOST_DEAD = 10_000

async function examineRows(db: Db): Promise<Finding> {
  const bloated = await rows<{ name: string }>(
    db,
    sql`select relname as name from pg_stat_user_tables
      where n_dead_tup > greatest(n_live_tup, ${MOST_DEAD}) order by n_dead_tup desc limit 5`,
  )
  const about = 'Dead rows'
  if (bloated.length === 0) return { about, status: 'ok', message: 'No table has more dead rows than live ones.' }
  const names = bloated.map(({ name }) => name)
  const advice = `Run: ${names.map((name) => `vacuum (analyze) ${name};`).join(' ')} Find out why autovacuum does not.`
  return { about, status: 'warning', message: `More dead rows than live ones: ${names.join(', ')}.`, advice }
}

const LONGEST_WAIT_SECONDS = 900

async function examineQueues(db: Db): Promise<Finding> {
  const queues = await listQueues(db)
  const stuck = queues.some(({ oldest }) => oldest > LONGEST_WAIT_SECONDS)
  const message = queues
    .map(({ name, waiting, running }) => `${name}: ${waiting} waiting, ${running} running`)
    .join('; ')
  const finding = { about: 'Queues', message: `${message}.` }
  if (!stuck) return { ...finding, status: 'ok' }
  const advice =
    'Something has been waiting for a quarter of an hour: see whether the service runs, and raise run-workers.'
  return { ...finding, status: 'warning', advice }
}

async function examineJobs(db: Db): Promise<Finding> {
  const failed = (await listJobResults(db)).filter(({ failed }) => failed)
  const about = 'Jobs'
  if (failed.length === 0) return { about, status: 'ok', message: 'None failed the last time.' }
  const message = `These failed the last time: ${failed.map(({ name }) => name).join(', ')}.`
  return { about, status: 'warning', message, advice: 'The log of the service has the reason in a line `job failed`.' }
}
