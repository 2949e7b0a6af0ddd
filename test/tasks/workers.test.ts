import { type Logger, pino } from 'pino'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { deleteOldTasks } from '../../src/areas/tasks/old-tasks.ts'
import { type ClaimedTask, concludeTask, queueOfTasks, storeStep } from '../../src/areas/tasks/queue.ts'
import { type NewTask, planTask, storeFinishedTask, type TaskHandler } from '../../src/areas/tasks/task.ts'
import { rows } from '../../src/database/sql.ts'
import { Failure } from '../../src/errors.ts'
import { claim } from '../../src/queue/queue.ts'
import { sql } from '../../src/sql.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { type Body, given } from '../support/given.ts'
import { ADMIN, counting, doneSteps, prepareDone, testKinds } from './kinds.ts'

const lines: { level: number; msg: string; err?: { message: string } }[] = []
const log: Logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) })

let api: TestApi
beforeAll(async () => {
  api = await openTestApi({ log })
  await prepareDone(api.database.db)
})
beforeEach(async () => {
  await sql`delete from tasks`.execute(api.database.db)
  lines.length = 0
})
afterAll(() => api?.[Symbol.asyncDispose]())

const planned = (task: NewTask, user: { id: number; login: string } = ADMIN) =>
  planTask({ db: api.database.db, user }, task)

/** Waits until the task has ended, and yields it. */
async function ended({ uuid }: { readonly uuid: string }): Promise<Body> {
  const ask = async () => (await api.admin.get(`/api/tasks/${uuid}`)).body
  await expect.poll(async () => (await ask()).pending, { timeout: 15_000 }).toBe(false)
  return ask()
}

const working = (kinds: Readonly<Record<string, TaskHandler>> = testKinds) => api.startTaskWorkers({ kinds })

test('a task begins at once, acts for who asked within its organization, and shows how far it came', async () => {
  const organization = await given(api.admin, 'organization')
  const ada = await api.can(['view_tasks'], { organization_ids: [organization.id] })
  const seen: unknown[] = []
  await using _workers = await working({
    look: async (ctx, { step, uuid }) => {
      await step(0.25, async (tx) => void seen.push([tx.user.login, tx.scope.organization, tx.origin.requestId]))
      seen.push((await api.admin.get(`/api/tasks/${uuid}`)).body)
      return { result: 'warning', output: { of: ctx.user.login }, errors: ['not all of it'] }
    },
  })
  const input = { content_view: { id: 3, name: 'Web' }, environment_ids: [1] }
  const task = await planned({ kind: 'look', action: 'Look at it', input, organization: organization.id }, ada)
  const record = await ended(task)
  expect(seen).toEqual([
    [ada.login, organization.id, task.uuid],
    expect.objectContaining({ state: 'running', result: 'pending', pending: true, progress: 0.25, ended_at: null }),
  ])
  expect(record).toEqual({
    id: task.id,
    uuid: task.uuid,
    label: 'look',
    pending: false,
    action: "Look at it content view 'Web'",
    username: ada.login,
    started_at: expect.stringMatching(/ UTC$/),
    ended_at: expect.stringMatching(/ UTC$/),
    duration: expect.any(Number),
    state: 'stopped',
    result: 'warning',
    progress: 1,
    input,
    output: { of: ada.login },
    humanized: {
      action: 'Look at it',
      input: [['content_view', { text: "content view 'Web'", link: null }]],
      output: '',
      errors: ['not all of it'],
    },
    cli_example: null,
    start_at: expect.stringMatching(/ UTC$/),
    available_actions: { cancellable: false, resumable: false },
    organization: { id: organization.id, name: organization.name },
  })
})

test('what dead processes left is done by this one, without the steps that were done', async () => {
  const { db } = api.database
  const [task, other, poison] = [
    await planned(counting({ to: 3 })),
    await planned(counting({ to: 2 })),
    await planned(counting({ to: 1 })),
  ]
  const claimed = await claim<ClaimedTask>(db, queueOfTasks(['count']), 'dead', 3, 60_000)
  expect(claimed.map(({ id }) => id)).toEqual([task.id, other.id, poison.id])
  expect(await storeStep(db, task.id, 'dead', 0.3, '10')).toBe(true)
  await sql`update tasks set lease_expires_at = now() - interval '1 second', attempt = case id when ${poison.id} then 5 else 1 end`.execute(
    db,
  )
  await sql`update tasks set cancel_requested = true where id = ${other.id}`.execute(db)
  await using _workers = await working()
  expect(await ended(task)).toMatchObject({ result: 'success', output: { seen: [10, 20, 30] } })
  expect(await doneSteps(db, task.id)).toEqual([2, 3])
  expect(await ended(other)).toMatchObject({ result: 'cancelled' })
  expect((await ended(poison)).humanized).toMatchObject({ errors: [expect.stringContaining('5 times')] })
  expect(await doneSteps(db, poison.id)).toEqual([])

  // A worker whose lease has expired can no longer store anything.
  expect(await storeStep(db, task.id, 'dead', 1, '0')).toBe(false)
  expect(await concludeTask(db, task.id, 'dead', { result: 'error' })).toBe(false)
  expect(await ended(task)).toMatchObject({ result: 'success' })
})

test('a lease that a clock stored which was a century ahead holds no task', async () => {
  const { db } = api.database
  const task = await planned(counting({ to: 1 }))
  await claim<ClaimedTask>(db, queueOfTasks(['count']), 'dead', 1, 60_000)
  await sql`update tasks set lease_expires_at = now() + interval '100 years' where id = ${task.id}`.execute(db)
  await using _workers = await working()
  expect(await ended(task)).toMatchObject({ result: 'success' })
})

test('a task that was taken back goes at once to a process that can do it, although another one took it back', async () => {
  const { db } = api.database
  const task = await planned(counting({ to: 1 }))
  await claim<ClaimedTask>(db, queueOfTasks(['count']), 'dead', 1, 60_000)
  await using _able = await api.startTaskWorkers({ kinds: testKinds, timing: { poll: 60_000 } })
  await ended(await planned(counting({ to: 1 })))
  await sql`update tasks set lease_expires_at = now() - interval '1 second' where id = ${task.id}`.execute(db)
  await using _other = await api.startTaskWorkers({ kinds: {} })
  expect(await ended(task)).toMatchObject({ result: 'success' })
})

test('a process does not begin a task again that it is still at, although another process gave it back', async () => {
  const { db } = api.database
  const [reached, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const task = await planned(counting({}, 'slow'))
  let begun = 0
  await using _workers = await working({
    ...testKinds,
    slow: async (_ctx, { id, step }) => {
      begun++
      await step(1, async (tx) => {
        reached.resolve()
        await letGo.promise
        await sql`insert into done values (${id}, 1)`.execute(tx.db)
      })
      return undefined
    },
  })
  await reached.promise
  await sql`update tasks set state = 'planned', worker = null, lease_expires_at = null where id = ${task.id}`.execute(
    db,
  )
  const other = await planned(counting({ to: 1 }))
  const isThere = sql`select from tasks where id = ${other.id} and state = 'stopped'`
  await expect.poll(async () => begun > 1 || (await rows(db, isThere)).length === 1).toBe(true)
  const before = begun
  letGo.resolve()
  expect(before).toBe(1)
  expect(await ended(task)).toMatchObject({ result: 'success' })
  expect(await doneSteps(db, task.id)).toEqual([1])
})

test('a step is undone when the task went over to another process meanwhile', async () => {
  const { db } = api.database
  const task = await planned(counting({}, 'late'))
  await using workers = await working({
    late: async (_ctx, { id, step }) => {
      await step(0.5, async (tx) => {
        await sql`insert into done values (${id}, 1)`.execute(tx.db)
        await sql`update tasks set steps = '[]' where id = ${id}`.execute(tx.db)
      })
      await sql`update tasks set worker = 'another', lease_expires_at = now() + interval '1 hour' where id = ${id}`.execute(
        db,
      )
      await step(1, async (tx) => void (await sql`insert into done values (${id}, 2)`.execute(tx.db)))
      return undefined
    },
  })
  await expect.poll(() => lines.map(({ msg }) => msg)).toContain('another process went on with a task')
  expect(workers.running()).toBe(0)
  expect(await doneSteps(db, task.id)).toEqual([1])
  expect(await rows(db, sql`select state, worker from tasks`)).toEqual([{ state: 'running', worker: 'another' }])
})

test('a service that stops hands its tasks back after the step they are at; the attempt does not count', async () => {
  const { db } = api.database
  const reached = Promise.withResolvers<void>()
  const letGo = Promise.withResolvers<void>()
  const task = await planned(counting({ to: 3 }))
  const workers = await working({
    count: async (ctx, work) => {
      const step: typeof work.step = async (progress, part) => {
        const result = await work.step(progress, part)
        reached.resolve()
        await letGo.promise
        return result
      }
      return testKinds.count?.(ctx, { ...work, step })
    },
  })
  await reached.promise
  const stopped = workers[Symbol.asyncDispose]()
  letGo.resolve()
  await stopped
  expect(await rows(db, sql`select state, attempt, steps from tasks`)).toEqual([
    { state: 'planned', attempt: 0, steps: [10] },
  ])
  await using _workers = await working()
  expect(await ended(task)).toMatchObject({ result: 'success', output: { seen: [10, 20, 30] } })
  expect(await doneSteps(db, task.id)).toEqual([1, 2, 3])
})

test('failures end a task with their sentences, faults say nothing of themselves but in the log', async () => {
  await using _workers = await working()
  const [refused, broken, denied] = [
    await ended(await planned(counting({ to: 3, fails: 2 }))),
    await ended(await planned(counting({ to: 3, breaks: 1 }))),
    await ended(await planned(counting({}, 'denied'))),
  ]
  expect(refused).toMatchObject({ result: 'error', humanized: { errors: ["Name can't be blank", 'Nothing works'] } })
  expect(Number(refused.progress)).toBeCloseTo(1 / 3)
  expect(await doneSteps(api.database.db, Number(refused.id))).toEqual([1])
  expect(denied).toMatchObject({ result: 'error', humanized: { errors: ['Somebody else was quicker'] } })
  expect(JSON.stringify(broken)).not.toContain('secret')
  expect(broken).toMatchObject({ result: 'error', humanized: { errors: [expect.stringMatching(/^internal error/)] } })
  expect(lines).toMatchObject([{ level: 50, msg: 'task failed', err: { message: 'secret details' } }])
})

test('a step that the database ended because of a deadlock is done again', async () => {
  let tries = 0
  await using _workers = await working({
    again: async (_ctx, { step }) => {
      const done = await step(1, async (tx) => {
        if (++tries < 3)
          await sql`do $$ begin raise exception 'deadlock detected' using errcode = '40P01'; end $$`.execute(tx.db)
        return tries
      })
      return { output: { done } }
    },
  })
  expect(await ended(await planned(counting({}, 'again')))).toMatchObject({ result: 'success', output: { done: 3 } })
})

test('a task has the present permissions of its requester: nothing is done for one who is disabled or deleted', async () => {
  const [ada, bob] = [await api.can([]), await api.can([])]
  await using _workers = await working({
    slow: async (ctx, work) => {
      await work.step(0.5, async () => undefined)
      const account = `/api/users/${ada.id}`
      if (ctx.user.id === ada.id) await api.admin.put(account, { user: { disabled: true } })
      await work.step(1, async () => undefined)
      return undefined
    },
  })
  const left = await planned(counting({}, 'later'), bob)
  expect(await ended(await planned(counting({}, 'slow'), ada))).toMatchObject({
    result: 'error',
    progress: 0.5,
    humanized: { errors: ['the account of the user who requested it is disabled'] },
  })
  expect((await api.admin.delete(`/api/users/${bob.id}`)).status).toBe(200)
  await using _later = await working({ later: async () => undefined })
  expect(await ended(left)).toMatchObject({
    result: 'error',
    username: bob.login,
    humanized: { errors: ['the user who requested it no longer exists'] },
  })
})

test('while the database is away a task stays as it is, and goes on afterwards', async () => {
  const { db } = api.database
  let away = true
  const kinds = {
    ...testKinds,
    away: async () => {
      if (away) throw new Failure('unavailable', 'The database cannot be reached')
      return undefined
    },
  }
  const task = await planned(counting({}, 'away'))
  await using _workers = await api.startTaskWorkers({ kinds, timing: { poll: 50 } })
  await expect.poll(() => lines.map(({ msg }) => msg)).toContain('claimed work failed')
  expect(await rows(db, sql`select state from tasks`)).toEqual([{ state: 'running' }])
  away = false
  await sql`update tasks set lease_expires_at = now()`.execute(db)
  expect(await ended(task)).toMatchObject({ result: 'success' })
})

test('an operation that was done at once leaves a task that has ended; old ones are deleted after the days of the setting', async () => {
  const { db } = api.database
  const done = await storeFinishedTask({ db, user: ADMIN }, counting({ to: 1 }), { gone: true })
  const waiting = await planned(counting({ to: 1 }))
  expect(await ended(done)).toMatchObject({ result: 'success', progress: 1, output: { gone: true } })
  await sql`update tasks set ended_at = now() - interval '20 days' where id = ${done.id}`.execute(db)
  const job = api.jobs.find(({ name }) => name === 'delete_old_tasks')
  await job?.work(new AbortController().signal)
  expect((await api.admin.get('/api/tasks')).body.total).toBe(2)
  await api.admin.put('/api/settings/tasks_keep', { setting: { value: 19 } })
  await job?.work(new AbortController().signal)
  expect((await api.admin.get('/api/tasks')).body.results).toMatchObject([{ uuid: waiting.uuid }])
  expect(await deleteOldTasks(db, 1, AbortSignal.abort())).toBe(0)
})
