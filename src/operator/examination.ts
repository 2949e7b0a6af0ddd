import { readdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { listJobResults, listQueues } from '../areas/server/index.ts'
import { type Db, row, rows } from '../database/sql.ts'
import { examineEncryptionKeys } from '../encryption/keys.ts'
import { listApplied } from '../postgresql/migrate.ts'
import { ROOT } from '../root.ts'
import { sql } from '../sql.ts'
import type { Finding } from './finding.ts'
import { examineIndexes } from './indexes.ts'
import type { Workplace } from './workplace.ts'

/** Examines the database: schema, clock, encryption keys, indexes, dead rows, queues and jobs. */
export async function examineDatabase({ database: { db, kind }, config }: Workplace): Promise<Finding[]> {
  const version = await row<{ version: string }>(db, sql`select current_setting('server_version') as version`)
  const message = `It answers: PostgreSQL ${version?.version}${kind === 'bundled' ? ', bundled' : ''}.`
  const schema = await examineSchema(db)
  const found: Finding[] = [{ about: 'Database', status: 'ok', message }, schema, await examineClock(db)]
  if (schema.status !== 'ok') return found
  found.push(await examineKeys(db, config), ...(await examineIndexes(db)))
  for (const examine of [examineRows, examineQueues, examineJobs]) found.push(await examine(db))
  return found
}

const MIGRATIONS = fileURLToPath(new URL('migrations', ROOT))

async function examineSchema(db: Db): Promise<Finding> {
  const files = (await readdir(MIGRATIONS)).filter((file) => file.endsWith('.sql'))
  const applied = await listApplied(db)
  const about = 'Schema'
  if (applied.length === files.length) return { about, status: 'ok', message: `It has all ${files.length} migrations.` }
  const isOlder = applied.length < files.length
  const by = applied.at(-1)?.version
  const last = isOlder || !by ? '' : ` The last one was applied by version ${by}.`
  const message = `It has ${applied.length} migrations, this program ${files.length}.${last}`
  if (isOlder)
    return {
      about,
      status: 'warning',
      message,
      advice: 'Start the service, or:',
      commands: [['millwright', 'migrate']],
    }
  const advice = `Run ${by ? `version ${by}` : 'the newer version'} of the program, or restore a backup that is older than that.`
  return { about, status: 'failed', message, advice }
}

async function examineKeys(db: Db, config: Workplace['config']): Promise<Finding> {
  const about = 'Encryption keys'
  const { file, problem, isOpenToOthers } = await examineEncryptionKeys(db, config)
  if (problem !== null) return { about, status: 'failed', message: `${problem}.`, advice: LOST_KEYS }
  if (file === null)
    return { about, status: 'ok', message: 'This database knows none yet: the first start makes them.' }
  if (!isOpenToOthers) return { about, status: 'ok', message: `Those in ${file} are the keys of this database.` }
  const message = `Others than its owner may read ${file}.`
  return { about, status: 'warning', message, commands: [['chmod', '600', file]] }
}

const LOST_KEYS = 'Where they are lost, a backup with keys has them: see docs/faults.md.'

const FURTHEST_SECONDS = 5

async function examineClock(db: Db): Promise<Finding> {
  const found = await row<{ now: number }>(db, sql`select extract(epoch from clock_timestamp())::float8 as now`)
  const apart = Math.abs((found?.now ?? 0) - Date.now() / 1000)
  const finding = { about: 'Clock', message: `It is ${apart.toFixed(1)} seconds apart from that of the database.` }
  if (apart < FURTHEST_SECONDS) return { ...finding, status: 'ok' }
  return { ...finding, status: 'warning', advice: 'Have both machines follow the same time server.' }
}

const MOST_DEAD = 10_000

async function examineRows(db: Db): Promise<Finding> {
  const bloated = await rows<{ name: string }>(
    db,
    sql`select relid::regclass::text as name from pg_stat_user_tables
      where n_dead_tup > greatest(n_live_tup, ${MOST_DEAD}) order by n_dead_tup desc limit 5`,
  )
  const about = 'Dead rows'
  if (bloated.length === 0) return { about, status: 'ok', message: 'No table has more dead rows than live ones.' }
  const names = bloated.map(({ name }) => name)
  const finding = { about, status: 'warning', message: `More dead rows than live ones: ${names.join(', ')}.` } as const
  const statements = names.map((name) => `vacuum (analyze) ${name};`)
  return { ...finding, advice: 'Find out why autovacuum does not take them away.', statements }
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
