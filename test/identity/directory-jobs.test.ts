import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { rows } from '../../src/database/sql.ts'
import { type Job, openJobs } from '../../src/jobs/jobs.ts'
import { openTestDatabase } from '../support/database.ts'
import { quiet } from '../support/settings.ts'

const database = await openTestDatabase()
afterAll(() => database[Symbol.asyncDispose]())

const job = (name: string, work: Job['work']): Job => ({ name, schedule: '0 0 1 1 *', work })

test('a job that is asked for runs, in one process at a time, and not twice because it was asked for twice', async () => {
  const running = Promise.withResolvers<void>()
  const finish = Promise.withResolvers<void>()
  let runs = 0
  const counted = job('counted', async () => {
    runs++
    running.resolve()
    await finish.promise
  })
  await using one = openJobs(database, [counted], quiet, 0)
  await using other = openJobs(database, [counted], quiet, 0)
  expect(await one.run('counted')).toBe(true)
  await running.promise
  expect([await one.run('counted'), await other.run('counted')]).toEqual([false, false])
  finish.resolve()
  expect(runs).toBe(1)
})

test('a job that fails is noted as failed, and its database connection is as good as before', async () => {
  const failed = Promise.withResolvers<void>()
  const failing = job('failing', async () => {
    setImmediate(failed.resolve)
    throw new Error('on purpose')
  })
  await using jobs = openJobs(database, [failing], quiet, 0)
  await jobs.run('failing')
  await failed.promise
  const state = () =>
    rows<{ state: string }>(database.db, sql`select state::text as state from jobs.job where name = 'failing'`)
  await expect.poll(state).toEqual([{ state: 'failed' }])
})

test('jobs are asked to stop, and not waited for for long, when the process ends', async () => {
  const started = Promise.withResolvers<void>()
  let stopped = false
  const endless = job('endless', async (signal) => {
    started.resolve()
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
    stopped = true
  })
  const jobs = openJobs(database, [endless], quiet, 0)
  await jobs.run('endless')
  await started.promise
  await jobs[Symbol.asyncDispose]()
  expect(stopped).toBe(true)
})

test('jobs that were never needed end before they began', async () => {
  const jobs = openJobs(database, [job('never', () => Promise.reject(new Error('must not run')))], quiet, 60_000)
  await jobs[Symbol.asyncDispose]()
  expect(await jobs.run('never')).toBe(false)
  expect(await rows(database.db, sql`select from jobs.queue where name = 'never'`)).toEqual([])
})
