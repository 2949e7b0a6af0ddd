import { afterAll, expect, test } from 'vitest'
import { type Job, openJobs } from '../../src/areas/server/jobs/jobs.ts'
import { rows } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { openTestDatabase } from '../support/database.ts'
import { quiet } from '../support/settings.ts'

const database = await openTestDatabase()
afterAll(() => database[Symbol.asyncDispose]())

const job = (name: string, work: Job['work']): Job => ({
  name,
  schedule: { everyMinutes: 1_000_000, minutesLater: 0 },
  work,
})

test('a job that is asked for runs, in one process at a time, and not twice because it was asked for twice', async () => {
  const running = Promise.withResolvers<void>()
  const finish = Promise.withResolvers<void>()
  let runs = 0
  const counted = job('counted', async () => {
    runs++
    running.resolve()
    await finish.promise
  })
  await using one = openJobs(database, [counted], quiet)
  await using other = openJobs(database, [counted], quiet)
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
  await using jobs = openJobs(database, [failing], quiet)
  await jobs.run('failing')
  await failed.promise
  const state = () => rows(database.db, sql`select failed, running_until from timed_jobs where name = 'failing'`)
  await expect.poll(state).toEqual([{ failed: true, running_until: null }])
})

test('a job that is asked for runs each time', async () => {
  let runs = 0
  const repeated = job('repeated', async () => {
    runs++
  })
  await using jobs = openJobs(database, [repeated], quiet)
  const idle = () => rows(database.db, sql`select running_until from timed_jobs where name = 'repeated'`)
  for (let turn = 1; turn <= 20; turn++) {
    expect(await jobs.run('repeated')).toBe(true)
    expect(runs).toBe(turn)
    await expect.poll(idle).toEqual([{ running_until: null }])
  }
})

test('jobs are asked to stop, and not waited for for long, when the process ends', async () => {
  const started = Promise.withResolvers<void>()
  let stopped = false
  const endless = job('endless', async (signal) => {
    started.resolve()
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
    stopped = true
  })
  const jobs = openJobs(database, [endless], quiet)
  await jobs.run('endless')
  await started.promise
  await jobs[Symbol.asyncDispose]()
  expect(stopped).toBe(true)
})

test('jobs that are not due do not run, and none begins after the end', async () => {
  const jobs = openJobs(database, [job('never', () => Promise.reject(new Error('must not run')))], quiet)
  await jobs[Symbol.asyncDispose]()
  expect(await jobs.run('never')).toBe(false)
  expect(await rows(database.db, sql`select began_at from timed_jobs where name = 'never'`)).toEqual([
    { began_at: null },
  ])
})

test('a job that is due runs by itself, and again when its process died in the middle', async () => {
  const ran = Promise.withResolvers<void>()
  await rows(
    database.db,
    sql`insert into timed_jobs (name, due_at, began_at, running_until)
      values ('held', now() - interval '1 hour', now() - interval '1 hour', now() - interval '1 minute')`,
  )
  await using _ = openJobs(database, [job('held', async () => ran.resolve())], quiet)
  await ran.promise
  const left = () =>
    rows(database.db, sql`select due_at > now() as later, running_until from timed_jobs where name = 'held'`)
  await expect.poll(left).toEqual([{ later: true, running_until: null }])
})

test('a job that a wrong clock put off for a century, or holds for one, runs once the clock is right', async () => {
  const work = ['put off', 'held for ever'].map((name) => ({ name, ran: Promise.withResolvers<void>() }))
  await rows(
    database.db,
    sql`insert into timed_jobs (name, due_at, running_until)
      values ('put off', now() + interval '100 years', null),
             ('held for ever', now() - interval '1 hour', now() + interval '100 years')`,
  )
  await using _ = openJobs(
    database,
    work.map(({ name, ran }) => job(name, async () => ran.resolve())),
    quiet,
  )
  await Promise.all(work.map(({ ran }) => ran.promise))
  const left = () =>
    rows(
      database.db,
      sql`select due_at < now() + interval '10 years' as soon, running_until from timed_jobs
        where name in ('put off', 'held for ever')`,
    )
  await expect.poll(left).toEqual(work.map(() => ({ soon: true, running_until: null })))
})
