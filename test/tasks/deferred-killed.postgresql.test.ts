import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { rows } from '../../src/database/sql.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { unique } from '../support/given.ts'
import { spawn } from '../support/processes.ts'

let api: TestApi
let url = ''
let directory = ''
beforeAll(async () => {
  // Both processes share the encryption keys.
  directory = await mkdtemp(join(tmpdir(), 'millwright-tasks-'))
  api = await openTestApi({ env: { MILLWRIGHT_DATA_DIR: directory } })
  const [place] = await rows<{ name: string }>(api.database.db, sql`select current_database() as name`)
  url = inject('postgresqlUrl')?.replace(/%DATABASE%|%25DATABASE%25/, place?.name ?? '') ?? ''
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await rm(directory, { recursive: true })
})

const HOSTS = 12
const STOP = 7

test.each([
  { atomic: true, meanwhile: 0 },
  { atomic: false, meanwhile: STOP },
])('kill -9 in the middle of a batch, atomic: $atomic: another process stores each host exactly once', async (way) => {
  const name = unique('killed')
  const operations = Array.from({ length: HOSTS }, (_, n) => ({
    method: 'POST',
    path: '/api/hosts',
    body: { host: { name: `${name}-${n}.test`, managed: false } },
  }))
  const stored = async () => (await rows(api.database.db, sql`select from hosts where name like ${`${name}-%`}`)).length
  const { body } = await api.admin.post('/api/batch', { operations, atomic: way.atomic }, { prefer: 'respond-async' })
  const child = spawn(resolve('node_modules/.bin/node'), [resolve('test/tasks/worker-process.ts'), 'own'], {
    env: { PATH: process.env.PATH, DATABASE_URL: url, MILLWRIGHT_DATA_DIR: directory },
    stdio: 'inherit',
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  // Another transaction has inserted a host of that name without committing, so that the task waits there.
  const [begun, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const other = api.database.db.transaction().execute(async (tx) => {
    await sql`insert into hosts (name) values (${`${name}-${STOP}.test`})`.execute(tx)
    begun.resolve()
    await letGo.promise
    throw new Error('undo')
  })
  await Promise.race([begun.promise, other])
  await expect.poll(() => rows(api.database.db, WAITING), { timeout: 60_000 }).toHaveLength(1)
  child.kill('SIGKILL')
  await once(child, 'exit')
  letGo.resolve()
  await expect(other).rejects.toThrow('undo')
  await expect.poll(() => rows(api.database.db, WAITING)).toHaveLength(0)
  expect(await stored()).toBe(way.meanwhile)

  await using _workers = await api.startTaskWorkers({ timing: { poll: 100 } })
  const path = `/api/tasks/${body.uuid}`
  await expect.poll(async () => (await api.admin.get(path)).body.state, { timeout: 60_000 }).toBe('stopped')
  expect(await stored()).toBe(HOSTS)
  const answer = (await api.admin.get(`${path}/answer`)).body
  expect(answer.body.results.map(({ status }: { status: number }) => status)).toEqual(Array(HOSTS).fill(201))
  const { body: audits } = await api.admin.get(
    `/api/audits?search=${encodeURIComponent(`type = host and host ~ ${name}`)}`,
  )
  expect(audits.subtotal).toBe(HOSTS)
})

const WAITING = sql`select from pg_stat_activity
  where wait_event_type = 'Lock' and wait_event = 'transactionid' and datname = current_database()`
