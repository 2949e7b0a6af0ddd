import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/sql.ts'
import { allRuns, eventually, insertHosts } from '../runs/queue-world.ts'
import { openRunsWorld, type RunsWorld } from './configrun-world.ts'

let world: RunsWorld
beforeAll(async () => {
  world = await openRunsWorld()
})
afterEach(() => world.clear())
afterAll(() => world?.[Symbol.asyncDispose]())

const start = (body: Record<string, unknown>) => world.api.admin.post('/api/config_rollouts', { config_rollout: body })

/** Creates this many hosts with names that begin with the word. */
async function many(word: string, count: number): Promise<void> {
  const { database } = world.api
  const names = Array.from({ length: count }, (_, n) => `${word}-${n}.example.test`)
  await insertHosts(database.db, world.proxy, names)
  const { organization_id, location_id } = world.place
  await sql`update hosts set organization_id = ${organization_id}, location_id = ${location_id}`.execute(database.db)
}

async function ended(id: number) {
  const read = async () => (await world.api.admin.get(`/api/config_rollouts/${id}`)).body
  await eventually(async () => (await read()).finished_at).not.toBeNull()
  return read()
}

async function countsByStatus(): Promise<Record<string, number>> {
  const runs = await allRuns(world.api.database)
  return Object.fromEntries(
    [...Map.groupBy(runs, ({ status }) => status)].map(([status, some]) => [status, some.length]),
  )
}

test('a rollout runs every host that its search finds, and tells how far it is', async () => {
  await many('good', 5)
  await many('other', 2)
  const { status, body } = await start({ search: 'name ~ good-' })
  expect(status).toBe(201)
  expect(body).toMatchObject({
    parallel: 10,
    stop_after_failures: null,
    status: 'running',
    queued: 5,
    joined: 0,
    skipped: 0,
    requested_by: 'admin',
  })
  await using _workers = await world.workers()
  expect(await ended(body.id)).toMatchObject({
    status: 'finished',
    queued: 0,
    running: 0,
    succeeded: 5,
    failed: 0,
    cancelled: 0,
  })
  const { body: runs } = await world.api.admin.get(`/api/config_rollouts/${body.id}/config_runs`)
  expect(runs.total).toBe(5)
  expect((await world.api.admin.get(`/api/config_runs?search=rollout=${body.id}`)).body.subtotal).toBe(5)
  expect((await world.api.admin.get('/api/config_rollouts')).body.results).toMatchObject([
    { id: body.id, succeeded: 5 },
  ])
})

test('10,000 hosts are accepted in as many statements as ten', async () => {
  const { api } = world
  const accept = async (word: string, count: number) => {
    await many(word, count)
    const { result, count: statements } = await api.counting(() => start({ search: `name ~ ${word}-`, parallel: 7 }))
    expect(result).toMatchObject({ status: 201, body: { queued: count } })
    return { statements, id: result.body.id }
  }
  const [few, lots] = [await accept('few', 10), await accept('lots', 10_000)]
  expect(lots.statements).toBe(few.statements)
  const let_go = sql`select from config_runs where rollout_id = ${lots.id} and next_attempt_at is not null`
  expect((await let_go.execute(api.database.db)).rows).toHaveLength(7)
  const shown = await api.counting(() => api.admin.get('/api/config_rollouts'))
  expect(shown.result.body.results[0]).toMatchObject({ id: lots.id, queued: 10_000 })
  const cancelled = await api.admin.put(`/api/config_rollouts/${lots.id}/cancel`)
  expect(cancelled.body).toMatchObject({
    status: 'cancelled',
    cancelled: 10_000,
    queued: 0,
    message: 'cancelled by admin',
  })
  expect(cancelled.body.finished_at).not.toBeNull()
}, 120_000)

test('only `parallel` of them run at once, also when there is room for more', async () => {
  await many('wait', 6)
  const { body } = await start({ search: 'name ~ wait-', parallel: 2 })
  await using _workers = await world.workers()
  await eventually(countsByStatus).toEqual({ running: 2, queued: 4 })
  // A single run does not wait for the rollout.
  const single = await world.host('single.example.test')
  await world.api.admin.put(`/api/hosts/${single.id}/configrun`)
  await eventually(countsByStatus).toMatchObject({ running: 2, succeeded: 1 })
  world.program.letGo()
  expect(await ended(body.id)).toMatchObject({ succeeded: 6 })
})

test('after so many failures the rest is cancelled, with the reason', async () => {
  await many('fail', 8)
  const { body } = await start({ search: 'name ~ fail-', parallel: 1, stop_after_failures: 3 })
  await using _workers = await world.workers()
  expect(await ended(body.id)).toMatchObject({
    status: 'stopped',
    failed: 3,
    cancelled: 5,
    message: 'stopped after 3 failed runs',
  })
  const reasons = (await allRuns(world.api.database)).filter(({ status }) => status === 'cancelled')
  expect(new Set(reasons.map(({ message }) => message))).toEqual(
    new Set(['the rollout was stopped after 3 failed runs']),
  )
})

test('hosts with a run join it, hosts without a proxy are skipped', async () => {
  await many('good', 3)
  await world.host('good-without.example.test', { config_proxy_id: null })
  await world.api.admin.put('/api/hosts/good-0.example.test/configrun')
  const { body } = await start({ search: 'name ~ good' })
  expect(body).toMatchObject({ queued: 2, joined: 1, skipped: 1 })
  const again = await start({ search: 'name ~ good' })
  expect(again.body).toMatchObject({ status: 'finished', queued: 0, joined: 3, skipped: 1 })
})

test('a rollout reaches only hosts that its author may run, and is theirs to see and cancel', async () => {
  await many('good', 3)
  const { organization_id, location_id } = world.place
  const there = { organization_ids: [organization_id], location_ids: [location_id] }
  const some = await world.api.can(['configrun_hosts', 'view_config_runs', 'view_hosts'], { ...there, search: null })
  const elsewhere = await world.api.can(['configrun_hosts', 'view_config_runs', 'view_hosts'])
  const everything = { config_rollout: { search: 'has name' } }
  expect(await elsewhere.post('/api/config_rollouts', everything)).toMatchObject({
    status: 422,
    body: { error: { errors: { search: ['finds no host whose configuration you may run'] } } },
  })
  const viewer = await world.api.can(['view_config_runs', 'view_hosts'], there)
  expect((await viewer.post('/api/config_rollouts', everything)).status).toBe(403)
  const { body } = await some.post('/api/config_rollouts', everything)
  expect(body).toMatchObject({ queued: 3, requested_by: some.login })
  expect((await some.get(`/api/config_rollouts/${body.id}`)).status).toBe(200)
  expect((await viewer.get(`/api/config_rollouts/${body.id}`)).status).toBe(404)
  expect((await viewer.get('/api/config_rollouts')).body.total).toBe(0)
  expect((await elsewhere.put(`/api/config_rollouts/${body.id}/cancel`)).status).toBe(404)
  expect((await some.put(`/api/config_rollouts/${body.id}/cancel`)).body).toMatchObject({ cancelled: 3 })
})

test('cancelling stops what runs, too, and is refused once all is over', async () => {
  await many('wait', 3)
  const { body } = await start({ search: 'name ~ wait-', parallel: 2 })
  await using _workers = await world.workers()
  await eventually(countsByStatus).toEqual({ running: 2, queued: 1 })
  const path = `/api/config_rollouts/${body.id}/cancel`
  expect((await world.api.admin.put(path)).body).toMatchObject({ status: 'cancelled', cancelled: 1 })
  expect(await ended(body.id)).toMatchObject({ status: 'cancelled', cancelled: 3 })
  expect((await world.api.admin.put(path)).status).toBe(200)
  await many('good', 1)
  const done = (await start({ search: 'name ~ good-' })).body
  await ended(done.id)
  expect(await world.api.admin.put(`/api/config_rollouts/${done.id}/cancel`)).toMatchObject({
    status: 422,
    body: { error: { errors: { base: ['the rollout has ended already: it finished'] } } },
  })
})

test('errors are reported by field, and nothing is created', async () => {
  await many('good', 1)
  const errorsOf = async (body: Record<string, unknown>) => {
    const answer = await start(body)
    expect(answer.status).toBe(422)
    return answer.body.error.errors
  }
  expect(await errorsOf({})).toEqual({ search: ["can't be blank"] })
  expect(await errorsOf({ search: ' ' })).toEqual({ search: ["can't be blank"] })
  expect(await errorsOf({ search: 'nonsense = (' })).toEqual({ search: [expect.any(String)] })
  expect(await errorsOf({ search: 'has name', parallel: 0 })).toEqual({
    parallel: ['must be greater than or equal to 1'],
  })
  expect(await errorsOf({ search: 'has name', parallel: 1001 })).toEqual({
    parallel: ['must be less than or equal to 1000'],
  })
  expect(await errorsOf({ search: 'has name', stop_after_failures: 0 })).toEqual({
    stop_after_failures: ['must be greater than or equal to 1'],
  })
  await sql`update hosts set config_proxy_id = null`.execute(world.api.database.db)
  expect(await errorsOf({ search: 'has name' })).toEqual({ search: ['finds only hosts without a config proxy'] })
  await world.setting('configrun', false)
  expect((await start({ search: 'has name' })).status).toBe(403)
  await world.setting('configrun', true)
  expect((await world.api.admin.get('/api/config_rollouts')).body.total).toBe(0)
})
