import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { planTask } from '../../src/areas/tasks/task.ts'
import { sql } from '../../src/sql.ts'
import { type Caller, openTestApi, type TestApi } from '../support/api.ts'
import { given, type Shown } from '../support/given.ts'
import { ADMIN, counting, prepareDone, testKinds } from './kinds.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
  await prepareDone(api.database.db)
})
beforeEach(() => sql`delete from tasks`.execute(api.database.db))
afterAll(() => api?.[Symbol.asyncDispose]())

const planned = (user: { id: number; login: string }, organization: number | null = null, input = {}) =>
  planTask({ db: api.database.db, user }, { ...counting({ to: 2, ...input }), organization })

async function found(caller: Caller, query = ''): Promise<string[]> {
  const { body } = await caller.get(`/api/tasks${query}`)
  return body.results.map(({ uuid }: Shown) => uuid)
}

test('everybody sees their own tasks; with the permission those of their organizations and of none', async () => {
  const [mine, theirs] = [await given(api.admin, 'organization'), await given(api.admin, 'organization')]
  const ada = await api.can([], { organization_ids: [mine.id] })
  const bob = await api.can(['view_tasks'], { organization_ids: [mine.id] })
  const own = await planned(ada, theirs.id)
  const inMine = await planned(ADMIN, mine.id)
  const inTheirs = await planned(ADMIN, theirs.id)
  const nowhere = await planned(ADMIN)
  const path = ({ uuid }: { uuid: string }) => `/api/tasks/${uuid}`

  expect(await found(ada)).toEqual([own.uuid])
  expect((await ada.get(path(inMine))).status).toBe(404)
  expect((await ada.get(path(own))).status).toBe(200)
  expect(await found(bob)).toEqual([nowhere.uuid, inMine.uuid])
  expect((await bob.get(path(inTheirs))).status).toBe(404)
  expect((await bob.get(`/api/tasks/${inMine.id}`)).body.uuid).toBe(inMine.uuid)
  expect(await found(api.admin, `?organization_id=${theirs.id}`)).toEqual([inTheirs.uuid, own.uuid])
  expect(await found(api.admin, `?search=owner = ${ada.login} and state = planned and label = count`)).toEqual([
    own.uuid,
  ])
  expect(await found(api.admin, `?search=organization_id = ${mine.id} and result != success`)).toEqual([inMine.uuid])
  expect((await api.nobody.get(path(own))).status).toBe(401)
})

test('a summary counts what has not succeeded, among what the caller sees', async () => {
  const ada = await api.can([])
  const [mine] = [await planned(ada), await planned(ADMIN), await planned(ADMIN)]
  const ended = (result: string, { uuid }: { uuid: string }) =>
    sql`update tasks set state = 'stopped', result = ${result}, started_at = '2026-03-01 10:00:00Z', ended_at = now()
      where uuid = ${uuid}`.execute(api.database.db)
  await ended('error', mine)
  await ended('success', await planned(ada))
  const failed = { count: 1, state: 'stopped', result: 'error', started_at: '2026-03-01 10:00:00 UTC' }
  const waiting = { count: 2, state: 'planned', result: 'pending', started_at: null }
  expect((await api.admin.get('/api/tasks/summary')).body).toEqual([waiting, failed])
  expect((await ada.get('/api/tasks/summary')).body).toEqual([failed])
  expect((await api.nobody.get('/api/tasks/summary')).status).toBe(401)
})

test('requesters and those who may edit tasks cancel them: queued ones at once, running ones between two steps', async () => {
  const ada = await api.can([])
  const bob = await api.can(['view_tasks', 'edit_tasks'])
  const waiting = await planned(ada)
  const cancel = (caller: Caller, { uuid }: { uuid: string }) => caller.post(`/api/tasks/${uuid}/cancel`, {})
  const eve = await api.can(['view_tasks'])
  expect((await eve.get(`/api/tasks/${waiting.uuid}`)).status).toBe(200)
  expect((await cancel(eve, waiting)).status).toBe(403)
  expect(await cancel(ada, waiting)).toMatchObject({
    status: 200,
    body: { state: 'stopped', result: 'cancelled', humanized: { errors: [`cancelled by ${ada.login}`] } },
  })
  expect((await cancel(ada, waiting)).status).toBe(200)

  const running = await planned(ada)
  const begun = Promise.withResolvers<void>()
  const letGo = Promise.withResolvers<void>()
  await using _workers = await api.startTaskWorkers({
    kinds: {
      count: async (_ctx, { step }) => {
        await step(0.5, async () => undefined)
        begun.resolve()
        await letGo.promise
        await step(1, async () => undefined)
        return undefined
      },
    },
  })
  await begun.promise
  expect(await cancel(bob, running)).toMatchObject({
    status: 200,
    body: { state: 'running', result: 'pending', available_actions: { cancellable: false } },
  })
  letGo.resolve()
  const record = async () => (await ada.get(`/api/tasks/${running.uuid}`)).body
  await expect.poll(async () => (await record()).state).toBe('stopped')
  expect(await record()).toMatchObject({
    result: 'cancelled',
    progress: 0.5,
    humanized: { errors: [`cancelled by ${bob.login}`] },
  })
})

test('a request that an earlier version was to perform by a task is shown, and ends with a sentence', async () => {
  const { db } = api.database
  const ada = await api.can([])
  const input = { method: 'POST', path: '/api/batch' }
  const planning = { kind: 'request', action: 'POST /api/batch', input, organization: null }
  const { id, uuid } = await planTask({ db, user: ada }, planning)
  await sql`insert into deferred_requests (task_id, request) values (${id}, 'sealed')`.execute(db)
  await sql`insert into deferred_parts (task_id, position, outcome) values (${id}, 0, 'sealed')`.execute(db)
  expect((await ada.get('/api/tasks')).body.results).toMatchObject([{ uuid, state: 'planned', label: 'request' }])
  await api.finishTasks()
  const sentence = 'requests are no longer performed by tasks: what this one had not done by now is not done'
  expect((await ada.get(`/api/tasks/${uuid}`)).body).toMatchObject({
    state: 'stopped',
    result: 'error',
    humanized: { errors: [sentence] },
  })
  expect((await sql`select from deferred_requests`.execute(db)).rows).toEqual([])
  // The preference is ignored, as all that a service does not know (RFC 7240).
  const operations = [{ method: 'DELETE', path: '/api/models/987654' }]
  const { status } = await api.admin.post('/api/batch', { operations }, { prefer: 'respond-async' })
  expect({ status, tasks: await found(api.admin) }).toEqual({ status: 422, tasks: [uuid] })
})

test('a task that has ended cannot be cancelled', async () => {
  const { uuid } = await planned(ADMIN)
  await using _workers = await api.startTaskWorkers({ kinds: testKinds })
  const path = `/api/tasks/${uuid}`
  await expect.poll(async () => (await api.admin.get(path)).body.state).toBe('stopped')
  const { status, body } = await api.admin.post(`${path}/cancel`, {})
  expect(status).toBe(422)
  expect(body.error.full_messages).toEqual(['the task has ended already: its result is success'])
  expect(
    await sql`select from tasks where cancel_requested and result = 'success'`.execute(api.database.db),
  ).toMatchObject({
    rows: [],
  })
})

test('a task that is done before the wish to cancel it is heard was not cancelled', async () => {
  const running = await planned(ADMIN)
  const begun = Promise.withResolvers<void>()
  const letGo = Promise.withResolvers<void>()
  await using _workers = await api.startTaskWorkers({
    kinds: {
      count: async (_ctx, { step }) => {
        await step(1, async () => undefined)
        begun.resolve()
        await letGo.promise
        return { output: { done: 2 } }
      },
    },
  })
  await begun.promise
  const path = `/api/tasks/${running.uuid}`
  expect((await api.admin.post(`${path}/cancel`, {})).body.state).toBe('running')
  letGo.resolve()
  await expect.poll(async () => (await api.admin.get(path)).body.state).toBe('stopped')
  expect((await api.admin.get(path)).body).toMatchObject({
    result: 'success',
    output: { done: 2 },
    humanized: { errors: [] },
  })
  expect((await api.admin.post(`${path}/cancel`, {})).status).toBe(422)
})

test('others read of a task what they may see: names where they may view all of it, numbers, and no sentences', async () => {
  const organization = await given(api.admin, 'organization')
  const inside = { organization_id: organization.id }
  const [open, secret] = [
    await given(api.admin, 'activation_key', { ...inside, name: 'open key' }),
    await given(api.admin, 'activation_key', { ...inside, name: 'secret key' }),
  ]
  const there = { organization_ids: [organization.id] }
  const ada = await api.can([], there)
  const bob = await api.can(['view_activation_keys'], { ...there, search: 'name = "open key"', also: ['view_tasks'] })
  const about = async ({ id, name }: Shown) => {
    const input = {
      activation_key: { id, name },
      organization: { id: organization.id, name: organization.name },
      ...{ host_ids: [7], search: `name = ${name}`, force: true },
    }
    const task = { kind: 'fail', action: 'Re-apply', input, organization: organization.id }
    return { input, task: await planTask({ db: api.database.db, user: ada }, task) }
  }
  const [known, hidden] = [await about(open), await about(secret)]
  await using _workers = await api.startTaskWorkers({
    kinds: {
      fail: async () => ({
        result: 'warning',
        output: { changed: 1, failed: [{ host: { id: 9, name: 'host.secret' }, message: 'secret' }], label: 'secret' },
        errors: ['host.secret: secret'],
      }),
    },
  })
  const seenBy = async (caller: Caller, { task }: typeof known): Promise<Shown> =>
    (await caller.get(`/api/tasks/${task.uuid}`)).body
  await expect.poll(async () => (await seenBy(ada, hidden)).pending || (await seenBy(ada, known)).pending).toBe(false)

  const place = `organization '${organization.name}'`
  const whole = { input: hidden.input, output: { label: 'secret' }, humanized: { errors: ['host.secret: secret'] } }
  for (const caller of [ada, api.admin])
    expect(await seenBy(caller, hidden)).toMatchObject({
      ...{ ...whole, action: `Re-apply activation key 'secret key'; ${place}` },
    })
  const told = { errors: ['Only the user who requested it sees the errors.'], action: 'Re-apply' }
  const numbers = { changed: 1, failed: [{ host: { id: 9 } }] }
  expect(await seenBy(bob, known)).toMatchObject({
    ...{ input: known.input, action: `Re-apply activation key 'open key'; ${place}`, humanized: told },
  })
  const other = await seenBy(bob, hidden)
  expect(other).toMatchObject({ action: `Re-apply ${place}`, humanized: told, result: 'warning', username: ada.login })
  const { organization: named } = hidden.input
  expect([other.input, other.output]).toEqual([
    { activation_key: { id: secret.id }, host_ids: [7], force: true, organization: named },
    numbers,
  ])
  expect(other.humanized.input.map(([word]: [string]) => word)).toEqual(['organization'])
  for (const path of ['/api/tasks', '/api/tasks?search=secret', '/api/tasks/auto_complete_search?search=action+%3D+'])
    expect((await bob.get(path)).text).not.toContain('secret key')
  expect(await found(bob, '?search=action ~ secret')).toEqual([])
})
