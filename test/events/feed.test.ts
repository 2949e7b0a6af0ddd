import { afterAll, beforeAll, expect, test } from 'vitest'
import { rows } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { eventsOf } from '../api/server-sent.ts'
import { ADMIN, basic, expectCreated, openTestApi, type Reply, type TestApi } from '../support/api.ts'

// Every committed change is one event, in one order without gaps, and readers see those that they may see now.

let api: TestApi
let address: string
beforeAll(async () => {
  api = await openTestApi()
  address = await api.listen()
})
afterAll(() => api?.[Symbol.asyncDispose]())

const authorization = basic(ADMIN.login, ADMIN.password)

async function lastNumber(): Promise<number> {
  const { status, body, text } = await api.admin.get('/api/events?after=last')
  expect(status, text).toBe(200)
  return body.last
}

const create = (name: string) => expectCreated(api.admin.post('/api/architectures', { architecture: { name } }))

interface Event {
  readonly id: string
  readonly type: string
  readonly subject: string
}

/** Reads everything after a number, as a program does. */
async function readAll(after: number, query = '', caller: Pick<TestApi['admin'], 'get'> = api.admin): Promise<Event[]> {
  const events: Event[] = []
  for (let position = after; ; ) {
    const { status, body, text }: Reply = await caller.get(`/api/events?after=${position}&limit=7${query}`)
    expect(status, text).toBe(200)
    events.push(...body.results)
    if (body.last === position) return events
    position = body.last
  }
}

test('a change is a CloudEvent with its record, changes and author', async () => {
  const after = await lastNumber()
  const { id } = await create('eventful')
  await api.admin.put(`/api/architectures/${id}`, { architecture: { name: 'more-eventful' } })
  await api.admin.delete(`/api/architectures/${id}`)
  const { body } = await api.admin.get(`/api/events?after=${after}&resource=architecture`)
  const record = { resource: 'architecture', id }
  const subject = `architectures/${id}`
  expect(body.last).toBe(after + 3)
  expect(body.results).toMatchObject([
    { type: 'architecture.created', subject, data: { record, changes: { name: [null, 'eventful'] }, version: 1 } },
    { type: 'architecture.updated', subject, data: { changes: { name: ['eventful', 'more-eventful'] }, version: 2 } },
    { type: 'architecture.deleted', subject, data: { changes: { name: ['more-eventful', null] }, version: 3 } },
  ])
  expect(body.results[0]).toMatchObject({
    specversion: '1.0',
    id: String(after + 1),
    sequence: String(after + 1).padStart(20, '0'),
    data: { user: { login: 'admin' } },
  })
})

test('eight writers, three readers: each committed event once, for all in the same order, without gaps', async () => {
  await using _numbering = await api.startEvents()
  const after = await lastNumber()
  const created: string[] = []
  let isOver = false
  const write = async (writer: number) => {
    for (let n = 0; n < 12; n++) {
      const { id } = await create(`written-${writer}-${n}`)
      created.push(`architectures/${id}`)
      if (n % 3 === 0) await api.admin.post('/api/architectures', { architecture: { name: `written-${writer}-${n}` } })
    }
  }
  const read = async () => {
    const seen: string[] = []
    for (let position = after, last = false; ; ) {
      const isLast: boolean = isOver
      const { body }: Reply = await api.admin.get(`/api/events?after=${position}&type=architecture.created`)
      seen.push(...body.results.map(({ id, subject }: Event) => `${id} ${subject}`))
      if (last && body.last === position) return seen
      last = isLast
      position = body.last
    }
  }
  const reading = [1, 2, 3].map(read)
  await Promise.all(Array.from({ length: 8 }, (_, writer) => write(writer)))
  // Events get their numbers a moment after the commit.
  const numbered = async () => (await readAll(after, '&type=architecture.created')).length
  await expect.poll(numbered, { timeout: 20_000 }).toBeGreaterThanOrEqual(created.length)
  isOver = true
  const [first = [], ...others] = await Promise.all(reading)
  for (const other of others) expect(other).toEqual(first)
  expect(first.map((one) => one.split(' ')[1]).toSorted()).toEqual(created.toSorted())
  const { body } = await api.admin.get(`/api/events?after=${after}&limit=1000`)
  const numbers = body.results.map(({ id }: Event) => Number(id))
  expect(numbers).toEqual(Array.from({ length: body.last - after }, (_, n) => after + n + 1))
})

test('filters leave the kinds, records and changes that are asked for', async () => {
  const after = await lastNumber()
  const [one, other] = [await create('filtered-1'), await create('filtered-2')]
  await expectCreated(api.admin.post('/api/models', { model: { name: 'filtered' } }))
  const typesOf = async (query: string) =>
    (await readAll(after, query)).map(({ type, subject }) => `${type} ${subject}`)
  expect(await typesOf(`&record=architectures/${other.id}`)).toEqual([`architecture.created architectures/${other.id}`])
  expect(await typesOf('&type=model.*')).toEqual([expect.stringMatching(/^model\.created models\//)])
  expect(await typesOf('&type=*.deleted')).toEqual([])
  expect(await typesOf(`&search=${encodeURIComponent('auditable = filtered-1')}`)).toEqual([
    `architecture.created architectures/${one.id}`,
  ])
  for (const [query, message] of [
    ['type=nothing.*', 'type'],
    ['record=12', 'record'],
    ['after=-1', 'after'],
    ['after=99999999', 'after'],
    ['limit=0', 'limit'],
    ['search=%28', ''],
  ] as const) {
    const { status, text } = await api.admin.get(`/api/events?${query}`)
    expect([query, status]).toEqual([query, 400])
    expect(text).toContain(message)
  }
})

test('readers see the events of records that they may see now', async () => {
  const after = await lastNumber()
  await create('seen')
  await expectCreated(api.admin.post('/api/models', { model: { name: 'unseen' } }))
  const reader = await api.can(['view_audit_logs', 'view_architectures'])
  // Everybody sees their own account.
  expect((await readAll(after, '', reader)).map(({ type }) => type)).toEqual([
    'architecture.created',
    'user.created',
    'personal_access_token.created',
    'user.logged_in',
  ])
  expect((await readAll(after)).map(({ type }) => type)).toContain('model.created')
  expect((await api.nobody.get('/api/events')).status).toBe(401)
  const other = await api.can(['view_architectures'])
  expect((await other.get('/api/events')).status).toBe(403)
})

test('a stream goes on after Last-Event-ID', async () => {
  await using _numbering = await api.startEvents()
  const after = await lastNumber()
  const { id } = await create('streamed-1')
  const headers = { accept: 'text/event-stream', authorization, 'last-event-id': String(after) }
  const stop = new AbortController()
  const events = eventsOf(fetch(`${address}/api/events`, { headers, signal: stop.signal }))
  expect((await events.next()).value).toMatchObject({
    id: String(after + 1),
    event: 'architecture.created',
    data: { subject: `architectures/${id}` },
  })
  const coming = events.next()
  const later = await create('streamed-2')
  expect((await coming).value).toMatchObject({ id: String(after + 2), data: { subject: `architectures/${later.id}` } })
  stop.abort()
  await events.return().catch(() => undefined)
})

test('logins, and begins and ends of tasks, are events', async () => {
  const after = await lastNumber()
  const { db } = api.database
  await rows(db, sql`update users set last_login_on = now() where login = 'admin'`)
  await rows(db, sql`insert into tasks (kind, action) values ('unknown', 'Try')`)
  await using _workers = await api.startTaskWorkers({ kinds: { unknown: async () => ({}) } })
  await expect
    .poll(async () => (await readAll(after)).map(({ type }) => type))
    .toEqual(['user.logged_in', 'task.started', 'task.finished'])
})

test('all kinds have a schema', async () => {
  const { body } = await api.admin.get('/api/events/kinds')
  const types = body.results.map(({ type }: Event) => type)
  expect(types).toEqual(expect.arrayContaining(['host.created', 'host.updated', 'host.deleted', 'config_run.finished']))
  expect(new Set(types).size).toBe(types.length)
  for (const { type, schema } of body.results) expect(schema.properties.type).toEqual({ const: type })
})

test('numbers before the retention answer 410 with the oldest one', async () => {
  const { db } = api.database
  await create('old')
  const last = await lastNumber()
  await rows(db, sql`delete from audits`)
  await rows(db, sql`delete from event_notes`)
  const gone = await api.admin.get('/api/events?after=0')
  expect([gone.status, gone.body.error.oldest]).toEqual([410, last + 1])
  await create('new')
  expect((await readAll(last)).map(({ id }) => id)).toEqual([String(last + 1)])
  expect(await readAll(last, '')).toHaveLength(1)
})
