import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { eventually } from '../runs/queue-world.ts'
import { ADMIN, basic } from '../support/api.ts'
import { given } from '../support/given.ts'
import { openRunsWorld, type RunsWorld } from './configrun-world.ts'
import { eventsOf, type SentEvent } from './server-sent.ts'

let world: RunsWorld
let address: string
beforeAll(async () => {
  world = await openRunsWorld()
  address = await world.api.listen()
})
afterEach(() => world.clear())
afterAll(() => world?.[Symbol.asyncDispose]())

/** Starts a run of a new host and yields its id. */
async function asked(name: string): Promise<number> {
  const { id } = await world.host(name)
  const { headers } = await world.api.admin.put(`/api/hosts/${id}/configrun`)
  return Number(/\d+/.exec(String(headers.link))?.[0])
}

async function run(id: number) {
  return (await world.api.admin.get(`/api/config_runs/${id}`)).body
}

async function ended(id: number) {
  await eventually(async () => (await run(id)).finished_at).not.toBeNull()
  return run(id)
}

test('a run that has ended tells everything about itself', async () => {
  const [good, bad] = [await asked('good.example.test'), await asked('fail-1.example.test')]
  await using _workers = await world.workers()
  expect(await ended(good)).toMatchObject({
    host_name: 'good.example.test',
    status: 'succeeded',
    runner: 'command',
    attempt: 1,
    attempts: 3,
    exit_status: 0,
    message: null,
    reason: null,
    worker: null,
    requested_by: 'admin',
    rollout_id: null,
    output_size: 'configuring good.example.test\ndone\n'.length,
    output_left_out: 0,
  })
  expect(await ended(bad)).toMatchObject({ status: 'failed', exit_status: 3, reason: 'exited' })
  const output = await world.api.admin.get(`/api/config_runs/${good}/output`)
  expect(output).toMatchObject({ status: 200, text: 'configuring good.example.test\ndone\n' })
  expect(output.headers['content-type']).toBe('text/plain; charset=utf-8')
})

test('lists: newest first, searched, below a host', async () => {
  const ids = [await asked('a.example.test'), await asked('b.example.test')]
  const { admin } = world.api
  const idsOf = async (path: string) => (await admin.get(path)).body.results.map((one: { id: number }) => one.id)
  expect(await idsOf('/api/config_runs')).toEqual(ids.toReversed())
  const search = async (text: string) => idsOf(`/api/config_runs?search=${encodeURIComponent(text)}`)
  expect(await search('host = a.example.test')).toEqual([ids[0]])
  expect(await search('b.exam')).toEqual([ids[1]])
  expect(await search('status = queued and user = current_user')).toHaveLength(2)
  expect(await search('status = running')).toEqual([])
  expect(await search('created_at > "1 hour ago"')).toHaveLength(2)
  expect(await search('has rollout')).toEqual([])
  const [host] = (await admin.get('/api/config_runs?search=host=a.example.test')).body.results
  expect(await idsOf(`/api/hosts/a.example.test/config_runs`)).toEqual([ids[0]])
  expect(await idsOf(`/api/config_runs?host_id=${host.host_id}`)).toEqual([ids[0]])
})

test('runs are seen with view_config_runs, where their hosts are seen', async () => {
  const { api, place, host } = world
  const id = await asked('inside.example.test')
  const other = {
    organization_id: (await given(api.admin, 'organization')).id,
    location_id: (await given(api.admin, 'location')).id,
  }
  const outside = await host('outside.example.test', { ...other, config_proxy_id: world.proxy }).catch(() => null)
  expect(outside).toBeNull() // a smart proxy outside the caller's location
  const there = { organization_ids: [place.organization_id], location_ids: [place.location_id] }
  const nobody = await api.can(['view_hosts'], there)
  const elsewhere = await api.can(['view_config_runs', 'view_hosts'])
  const blind = await api.can(['view_config_runs'], there)
  const viewer = await api.can(['view_config_runs', 'view_hosts'], there)
  for (const path of ['', '/output', '/events']) {
    expect(await nobody.get(`/api/config_runs/${id}${path}`)).toMatchObject({ status: 403 })
    for (const caller of [elsewhere, blind]) {
      expect(await caller.get(`/api/config_runs/${id}${path}`)).toMatchObject({ status: 404 })
    }
  }
  expect((await elsewhere.get('/api/config_runs')).body).toMatchObject({ total: 0, results: [] })
  expect((await viewer.get('/api/config_runs')).body).toMatchObject({ total: 1 })
  expect((await viewer.get(`/api/config_runs/${id}`)).status).toBe(200)
  expect(await viewer.put(`/api/config_runs/${id}/cancel`)).toMatchObject({ status: 403 })
  const canceller = await api.can(['configrun_hosts'], there)
  expect(await canceller.put(`/api/config_runs/${id}/cancel`)).toMatchObject({ status: 200 })
})

test('a run outlives its host, for those who see everything', async () => {
  const id = await asked('gone.example.test')
  await world.api.admin.delete('/api/hosts/gone.example.test')
  expect(await run(id)).toMatchObject({ host_id: null, host_name: 'gone.example.test' })
  const { organization_id, location_id } = world.place
  const member = await world.api.can(['view_config_runs', 'view_hosts'], {
    organization_ids: [organization_id],
    location_ids: [location_id],
  })
  expect((await member.get(`/api/config_runs/${id}`)).status).toBe(404)
})

test('cancelling: at once while queued, once only, and never what has ended', async () => {
  const { admin } = world.api
  const id = await asked('good.example.test')
  const path = `/api/config_runs/${id}/cancel`
  expect(await admin.put(path)).toMatchObject({
    status: 200,
    body: { status: 'cancelled', cancelled_by: 'admin', message: 'cancelled by admin' },
  })
  expect(await admin.put(path)).toMatchObject({ status: 200, body: { status: 'cancelled' } })
  // Under a condition, and in a batch, it is done in the transaction of the request.
  const held = `/api/config_runs/${await asked('held.example.test')}/cancel`
  expect((await admin.put(held, {}, { 'if-match': '*' })).body).toMatchObject({ status: 'cancelled' })
  const operations = [{ method: 'PUT', path: `/api/config_runs/${await asked('batch.example.test')}/cancel` }]
  const { body } = await admin.post('/api/batch', { operations })
  expect(body.results).toMatchObject([{ status: 200, body: { status: 'cancelled' } }])
  const done = await asked('better.example.test')
  await using _workers = await world.workers()
  await ended(done)
  expect(await admin.put(`/api/config_runs/${done}/cancel`)).toMatchObject({
    status: 422,
    body: { error: { id: done, errors: { base: ['the run has ended already: it succeeded'] } } },
  })
  expect((await admin.put('/api/config_runs/999/cancel')).status).toBe(404)
})

test('a running run is stopped by the process that has it', async () => {
  const id = await asked('wait-1.example.test')
  await using _workers = await world.workers()
  await eventually(async () => (await run(id)).status).toBe('running')
  expect(await world.api.admin.put(`/api/config_runs/${id}/cancel`)).toMatchObject({
    status: 200,
    body: { cancelled_by: 'admin' },
  })
  expect(await ended(id)).toMatchObject({ status: 'cancelled' })
})

test('followers see states and output while they happen, and the end last of all', async () => {
  const id = await asked('wait-2.example.test')
  const following = follow(id)
  expect(await following.next('state')).toMatchObject({ data: { status: 'queued', id } })
  await using _workers = await world.workers()
  expect(await following.next('output')).toMatchObject({
    id: '1',
    data: { number: 1, stream: 'stdout', text: 'configuring wait-2.example.test\n' },
  })
  world.program.letGo()
  const rest = await following.all()
  expect(rest.at(-1)).toMatchObject({ event: 'end', id: 'end', data: { status: 'succeeded', exit_status: 0 } })
  expect(
    rest
      .slice(0, -1)
      .filter(({ event }) => event === 'output')
      .map(({ data }) => data.text),
  ).toEqual(['done\n'])
})

test('Last-Event-ID goes on where the connection broke, and after the end there is nothing', async () => {
  const id = await asked('good.example.test')
  await using _workers = await world.workers()
  await ended(id)
  const everything = await follow(id).all()
  const first = everything.findIndex(({ event }) => event === 'output')
  expect(everything.length).toBeGreaterThan(first + 1)
  const rest = await follow(id, { 'last-event-id': everything[first]?.id ?? '' }).all()
  expect(rest).toEqual(everything.slice(first + 1))
  expect(await world.api.admin.get(`/api/config_runs/${id}/events`, { 'last-event-id': 'end' })).toMatchObject({
    status: 204,
  })
  for (const wrong of ['-1', 'x', '1.5', '99999999999']) {
    expect(await world.api.admin.get(`/api/config_runs/${id}/events`, { 'last-event-id': wrong })).toMatchObject({
      status: 400,
    })
  }
})

test('a follower who leaves costs nothing any more, also while nothing happens', async () => {
  const id = await asked('queued.example.test')
  const gone = new AbortController()
  const following = follow(id, {}, gone.signal)
  await following.next('state')
  gone.abort()
  // The service closes without waiting for readers.
  const head = await fetch(`${address}/api/config_runs/${id}/events`, { method: 'HEAD', headers: AUTHORIZED })
  expect(head.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
})

test('many followers share one listening connection and all see the end', async () => {
  const id = await asked('good.example.test')
  const followers = Array.from({ length: 30 }, () => follow(id))
  for (const follower of followers) await follower.next('state')
  await using _workers = await world.workers()
  for (const follower of followers) expect((await follower.all()).at(-1)).toMatchObject({ event: 'end' })
})

const AUTHORIZED = { authorization: basic(ADMIN.login, ADMIN.password) }

interface Following {
  /** Yields the next event of this name and skips others. */
  next(event: string): Promise<SentEvent>
  /** Yields all remaining events. */
  all(): Promise<SentEvent[]>
}

function follow(id: number, headers: Record<string, string> = {}, signal?: AbortSignal): Following {
  const events = eventsOf(
    fetch(`${address}/api/config_runs/${id}/events`, {
      headers: { ...AUTHORIZED, ...headers },
      ...(signal && { signal }),
    }),
  )
  return {
    async next(event) {
      for (;;) {
        const { value, done } = await events.next()
        if (done) throw new Error(`the events ended before ${event}`)
        if (value.event === event) return value
      }
    },
    async all() {
      const left: SentEvent[] = []
      for await (const event of events) left.push(event)
      return left
    },
  }
}
