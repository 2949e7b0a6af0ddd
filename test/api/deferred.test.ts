import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { rows } from '../../src/database/sql.ts'
import { ADMIN, basic, type Caller, openTestApi, type TestApi } from '../support/api.ts'
import { given, unique } from '../support/given.ts'

let api: TestApi

beforeAll(async () => {
  api = await openTestApi({ env: { MILLWRIGHT_REQUEST_TIMEOUT: '1s' } })
})
afterAll(() => api[Symbol.asyncDispose]())

const ASYNC = { prefer: 'respond-async' }
const creating = (name: string, more: object = {}) => ({
  method: 'POST',
  path: '/api/hosts',
  body: { host: { name, managed: false, ...more } },
})
const subtotal = async (search: string) =>
  (await api.admin.get(`/api/hosts?search=${encodeURIComponent(search)}`)).body.subtotal
const answerTo = async (caller: Caller, uuid: string) => caller.get(`/api/tasks/${uuid}/answer`)
const tasks = async () => (await rows(api.database.db, sql`select from tasks`)).length

/** Removes from an answer what differs by time or sequence. */
const without = (answer: unknown, name: string) =>
  JSON.parse(JSON.stringify(answer).replaceAll(name, 'NAME').replace(/\d+/g, '0'))

describe('a request that prefers to be answered with a task', () => {
  test('is answered with 202 before anything is done, and comes to what it would have been answered with', async () => {
    const [one, other] = [`${unique('later')}.test`, `${unique('later')}.test`]
    const sent = await api.admin.post('/api/batch', { operations: [creating(one), creating('-')] }, ASYNC)
    const { status, headers, body } = await api.admin.post('/api/batch', { operations: [creating(other)] }, ASYNC)
    expect({ status, location: headers.location, applied: headers['preference-applied'] }).toEqual({
      status: 202,
      location: `/api/tasks/${body.uuid}`,
      applied: 'respond-async',
    })
    expect(body).toMatchObject({ state: 'planned', pending: true, label: 'request', action: 'POST /api/batch' })
    expect((await answerTo(api.admin, body.uuid)).body).toEqual({ status: null, body: null })
    expect(await subtotal(`name = ${other}`)).toBe(0)

    await api.finishTasks()
    expect([await subtotal(`name = ${one}`), await subtotal(`name = ${other}`)]).toEqual([0, 1])
    const name = `${unique('now')}.test`
    const now = await api.admin.post('/api/batch', { operations: [creating(name)] })
    const later = (await answerTo(api.admin, body.uuid)).body
    expect(later.status).toBe(now.status)
    expect(later.body.results[0].body.name).toBe(other)
    expect(without(later.body, other)).toEqual(without(now.body, name))
    const refused = await api.admin.post('/api/batch', {
      operations: [creating(`${unique('now')}.test`), creating('-')],
    })
    const refusedLater = (await answerTo(api.admin, sent.body.uuid)).body
    expect({ ...refusedLater.body.error, status: refusedLater.status }).toEqual({ ...refused.body.error, status: 422 })
    expect(refusedLater.body.results[1]).toEqual(refused.body.results[1])
    expect((await api.admin.get(`/api/tasks/${body.uuid}`)).body).toMatchObject({
      result: 'success',
      output: { status: 200, answer: `/api/tasks/${body.uuid}/answer` },
    })
    expect((await api.admin.get(`/api/tasks/${sent.body.uuid}`)).body).toMatchObject({
      result: 'error',
      output: { status: 422 },
      humanized: { errors: ['Nothing was stored: 1 of 2 operations failed'] },
    })
  })

  test('says what came of each operation where they are stored or refused by themselves', async () => {
    const [one, other] = [`${unique('each')}.test`, `${unique('each')}.test`]
    const operations = [
      creating(one),
      creating('-'),
      creating(one),
      { method: 'DELETE', path: '/api/hosts/987654' },
      { method: 'PUT', path: '/api/settings/entries_per_page', body: { setting: { value: 7 } } },
      creating(other),
    ]
    const { body } = await api.admin.post(
      '/api/batch',
      { operations, atomic: false },
      { prefer: 'return=minimal, respond-async' },
    )
    await api.finishTasks()
    const answer = (await answerTo(api.admin, body.uuid)).body
    expect(answer).toMatchObject({
      status: 200,
      body: {
        results: [
          { status: 201 },
          { status: 422, body: { error: { errors: { name: [expect.stringMatching(/^is not a host name/)] } } } },
          { status: 422, body: { error: { errors: { name: ['has already been taken'] } } } },
          { status: 404, body: { error: { message: "Resource host not found by id '987654'" } } },
          { status: 200 },
          { status: 201 },
        ],
      },
    })
    expect(answer.body.results[0]).toEqual({ status: 201 })
    expect([await subtotal(`name = ${one}`), await subtotal(`name = ${other}`)]).toEqual([1, 1])
    expect((await api.admin.get('/api/hosts')).body.per_page).toBe(7)
    expect((await api.admin.get(`/api/tasks/${body.uuid}`)).body).toMatchObject({
      result: 'warning',
      progress: 1,
      output: { operations: 6, refused: 3 },
    })
  })

  test('may delete what a search finds', async () => {
    const name = unique('gone')
    await api.admin.post('/api/batch', { operations: [creating(`${name}-1.test`), creating(`${name}-2.test`)] })
    const search = `name ~ ${name}`
    const path = `/api/hosts/bulk?search=${encodeURIComponent(search)}`
    const { status, body } = await api.admin.delete(path, undefined, ASYNC)
    expect({ status, found: await subtotal(search) }).toEqual({ status: 202, found: 2 })
    const wrong = await api.admin.delete('/api/hosts/bulk?search=nothing+%3D+1', undefined, ASYNC)
    await api.finishTasks()
    expect((await answerTo(api.admin, body.uuid)).body).toEqual({ status: 200, body: { message: 'Deleted 2 hosts' } })
    expect((await answerTo(api.admin, wrong.body.uuid)).body).toEqual({
      status: 400,
      body: (await api.admin.delete('/api/hosts/bulk?search=nothing+%3D+1')).body,
    })
    expect(await subtotal(search)).toBe(0)
  })

  test('may import classes, which is no part of a batch', async () => {
    const [proxy] = await rows<{ id: number }>(
      api.database.db,
      sql`insert into smart_proxies (name, url) values ('silent', 'http://127.0.0.1:9') returning id`,
    )
    const path = `/api/smart_proxies/${proxy?.id}/import_configclasses`
    const now = await api.admin.post(path, {})
    const { status, body } = await api.admin.post(path, {}, ASYNC)
    expect(status).toBe(202)
    await api.finishTasks()
    expect((await answerTo(api.admin, body.uuid)).body).toEqual({ status: now.status, body: now.body })
    expect(now.text).toContain('No proxy found')
  })

  test('is refused at once where it cannot be read or is not allowed, and not made a task elsewhere', async () => {
    const before = await tasks()
    const caller = await api.can(['view_hosts'])
    expect((await api.admin.post('/api/batch', { operations: [] }, ASYNC)).status).toBe(400)
    expect((await api.admin.post('/api/batch', { operations: [{ method: 'GET', path: '/' }] }, ASYNC)).status).toBe(400)
    expect((await api.nobody.post('/api/batch', { operations: [creating('x')] }, ASYNC)).status).toBe(401)
    expect((await caller.delete('/api/hosts/bulk?all=true', undefined, ASYNC)).status).toBe(403)
    const created = await api.admin.post('/api/models', { model: { name: unique('at once') } }, ASYNC)
    expect(created.status).toBe(201)
    expect(created.headers['preference-applied']).toBeUndefined()
    expect(await tasks()).toBe(before)
  })

  test('is done with the rights that its sender has by then, in the place that it named', async () => {
    const organization = await given(api.admin, 'organization')
    const ada = await api.can(['view_hosts', 'create_hosts'], {
      organization_ids: [organization.id],
      location_ids: [1],
    })
    const [allowed, denied] = [`${unique('rights')}.test`, `${unique('rights')}.test`]
    const send = (name: string) =>
      ada.post(
        `/api/batch?organization_id=${organization.id}`,
        { operations: [creating(name, { location_id: 1 })], atomic: false },
        { ...ASYNC, 'x-request-id': name },
      )
    const first = await send(allowed)
    await api.finishTasks()
    const second = await send(denied)
    await api.admin.put(`/api/users/${ada.id}`, { user: { role_ids: [] } })
    await api.finishTasks()
    expect((await answerTo(ada, first.body.uuid)).body.body.results).toMatchObject([
      { status: 201, body: { name: allowed, organization_id: organization.id } },
    ])
    expect((await answerTo(ada, second.body.uuid)).body.body.results).toMatchObject([
      { status: 403, body: { error: { missing_permissions: ['create_hosts'] } } },
    ])
    const { body } = await api.admin.get(`/api/audits?search=${encodeURIComponent('type = host')}&per_page=all`)
    const audit = body.results.find((one: { auditable_name: string }) => one.auditable_name === allowed)
    expect(audit).toMatchObject({ user_name: ada.login, request_uuid: allowed })
  })

  test('is known to its sender alone, and stored encrypted', async () => {
    const ada = await api.can(['view_hosts', 'create_hosts'], { organization_ids: [1], location_ids: [1] })
    const bob = await api.can(['view_tasks'])
    const name = `${unique('secret')}.test`
    const place = { organization_id: 1, location_id: 1 }
    const { body } = await ada.post('/api/batch', { operations: [creating(name, place)] }, ASYNC)
    const stored = async () =>
      JSON.stringify(
        await rows(
          api.database.db,
          sql`select t.input, t.output, t.steps, d.* from tasks t join deferred_requests d on d.task_id = t.id where t.uuid = ${body.uuid}`,
        ),
      )
    expect(await stored()).not.toContain(name)
    await api.finishTasks()
    expect(await stored()).not.toContain(name)
    expect(await stored()).toContain('"request":null')
    expect((await answerTo(ada, body.uuid)).body.body.results[0].body.name).toBe(name)
    expect((await bob.get(`/api/tasks/${body.uuid}`)).status).toBe(200)
    for (const other of [bob, api.admin]) expect((await answerTo(other, body.uuid)).status).toBe(404)
    expect((await answerTo(api.nobody, body.uuid)).status).toBe(401)
  })

  test('does nothing once it is cancelled', async () => {
    const name = `${unique('cancelled')}.test`
    const { body } = await api.admin.post('/api/batch', { operations: [creating(name)] }, ASYNC)
    expect((await api.admin.post(`/api/tasks/${body.uuid}/cancel`, {})).status).toBe(200)
    await api.finishTasks()
    expect(await subtotal(`name = ${name}`)).toBe(0)
    expect((await answerTo(api.admin, body.uuid)).body).toEqual({ status: null, body: null })
  })
})

test('a connection is not cut off while any of its requests is worked on', async () => {
  const { hostname, port } = new URL(await api.listen())
  const name = `${unique('piped')}.test`
  const head = (line: string, more = '') =>
    `${line} HTTP/1.1\r\nhost: x\r\nauthorization: ${basic(ADMIN.login, ADMIN.password)}\r\n${more}\r\n`
  const text = JSON.stringify({ operations: [creating(name)] })
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  let received = ''
  socket.setEncoding('utf8').on('data', (data: string) => {
    received += data
  })
  await api.database.db.transaction().execute(async (tx) => {
    await sql`lock table hosts in exclusive mode`.execute(tx)
    const length = `content-type: application/json\r\ncontent-length: ${text.length}\r\n`
    // The second request is handled meanwhile, but its answer has to wait for that of the first.
    socket.write(head('POST /api/batch', length) + text + head('GET /livez'))
    await setTimeout(2500)
    expect({ received, isOpen: socket.readyState }).toEqual({ received: '', isOpen: 'open' })
  })
  await expect.poll(() => received.match(/HTTP\/1\.1 200/g)).toHaveLength(2)
  expect(await subtotal(`name = ${name}`)).toBe(1)
})
