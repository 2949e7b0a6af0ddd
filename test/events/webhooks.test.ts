import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { rows } from '../../src/database/sql.ts'
import type { Workers } from '../../src/queue/workers.ts'
import { sql } from '../../src/sql.ts'
import { expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { openReceiver, type Received } from './receiver.ts'

// Each event reaches its receivers at least once, in order for each record, whatever other receivers do.

let api: TestApi
let work: Workers
beforeAll(async () => {
  api = await openTestApi({ env: { MILLWRIGHT_WEBHOOK_ALLOW: '127.0.0.0/8' } })
  work = await api.startEvents({ pace: 0.0002, timeout: 700 })
})
afterAll(async () => {
  await work?.[Symbol.asyncDispose]()
  await api?.[Symbol.asyncDispose]()
})
beforeEach(async () => {
  for (const { id } of (await api.admin.get('/api/webhooks?per_page=all')).body.results)
    await api.admin.delete(`/api/webhooks/${id}`)
})

let made = 0
const unique = (word: string) => `${word}-${++made}`

function hook(target_url: string, more: object = {}) {
  const webhook = { name: unique('hook'), target_url, events: ['architecture.*'], ...more }
  return expectCreated(api.admin.post('/api/webhooks', { webhook }))
}

const create = (name: string) => expectCreated(api.admin.post('/api/architectures', { architecture: { name } }))

async function deliveriesOf(id: number) {
  const { status, body, text } = await api.admin.get(`/api/webhooks/${id}/deliveries?per_page=all`)
  expect(status, text).toBe(200)
  return body.results.toReversed()
}

/** The types and names of what was received, without pings. */
const summarize = (received: readonly Received[]) =>
  received.filter(({ body }) => body.type !== 'webhook.ping').map(({ body }) => `${body.type} ${body.data.record.name}`)

const soon = (check: () => unknown) => vi.waitFor(check, { timeout: 15_000, interval: 20 })

function isSigned({ headers, text }: Received, secret: string): boolean {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`
  const right = `v1,${createHmac('sha256', key).update(content).digest('base64')}`
  return String(headers['webhook-signature']).split(' ').includes(right)
}

test('a change is sent, signed, with a ping before it; the secret is shown once', async () => {
  await using receiver = await openReceiver()
  const { id, secret, ...shown } = await hook(receiver.url, { http_headers: '{"X-Key": "k-9"}' })
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(shown).toMatchObject({ enabled: true, events: ['architecture.*'] })
  const kept = await api.admin.get(`/api/webhooks/${id}`)
  expect(kept.text).not.toContain(secret)
  expect(kept.text).not.toContain('k-9')
  const name = unique('sent')
  const start = performance.now()
  const { id: record } = await create(name)
  await soon(() => expect(summarize(receiver.received)).toEqual([`architecture.created ${name}`]))
  expect(performance.now() - start).toBeLessThan(5000)
  const [ping, sent] = receiver.received
  expect(ping?.body.type).toBe('webhook.ping')
  expect(sent?.body).toMatchObject({ subject: `architectures/${record}`, data: { changes: { name: [null, name] } } })
  expect(sent?.headers).toMatchObject({ 'x-key': 'k-9', 'content-type': expect.stringContaining('cloudevents+json') })
  for (const one of receiver.received) expect(isSigned(one, secret)).toBe(true)
  const rotated = (await api.admin.post(`/api/webhooks/${id}/rotate_secret`)).body
  await api.admin.post(`/api/webhooks/${id}/ping`)
  await soon(() => expect(receiver.received).toHaveLength(3))
  const [, , last] = receiver.received
  for (const one of [secret, rotated.secret]) expect(last && isSigned(last, one)).toBe(true)
  const audits = await api.admin.get('/api/audits?search=type = webhook')
  for (const one of [secret, rotated.secret, 'k-9']) expect(audits.text).not.toContain(one)
  const { body: delivery } = await api.admin.get(`/api/webhooks/${id}/deliveries/${(await deliveriesOf(id))[1].id}`)
  expect(delivery).toMatchObject({ state: 'delivered', status: 204, attempt: 1 })
  expect(JSON.stringify(delivery)).not.toContain('k-9')
})

test('patterns and searches choose; wrong ones are refused with the field', async () => {
  await using receiver = await openReceiver()
  const name = unique('chosen')
  await hook(receiver.url, { events: ['architecture.deleted', 'model.*'], search: `auditable ~ ${name}` })
  const { id } = await create(name)
  await expectCreated(api.admin.post('/api/models', { model: { name: `${name}-model` } }))
  await expectCreated(api.admin.post('/api/models', { model: { name: unique('other') } }))
  await api.admin.delete(`/api/architectures/${id}`)
  const wanted = [`model.created ${name}-model`, `architecture.deleted ${name}`]
  await soon(() => expect(summarize(receiver.received).toSorted()).toEqual(wanted.toSorted()))
  for (const [field, value] of [
    ['events', ['nothing.*']],
    ['events', []],
    ['search', 'none = of them'],
    ['target_url', 'ftp://hooks.example.test'],
    ['target_url', 'http://user:word@hooks.example.test'],
    ['http_headers', '{"Host": "x"}'],
    ['http_headers', 'X: y'],
    ['ssl_ca_certs', 'none'],
    ['target_url', `http://hooks.example.test/${'a'.repeat(2048)}`],
    ['ssl_ca_certs', 'a'.repeat(65_536)],
    ['http_headers', JSON.stringify({ 'X-Key': 'a'.repeat(4096) })],
    ['verify_ssl', 'perhaps'],
  ] as const) {
    const webhook = { name: unique('bad'), target_url: receiver.url, events: ['*'], [field]: value }
    const { status, body } = await api.admin.post('/api/webhooks', { webhook })
    expect([field, status, Object.keys(body.error.errors)]).toEqual([field, 422, [field]])
  }
})

test('a failing receiver is tried again, and gets the events of each record in their order', async () => {
  await using receiver = await openReceiver((_received, count) => (count % 2 === 1 ? 503 : 204))
  const hooked = await hook(receiver.url)
  const [one, other] = [unique('ordered'), unique('ordered')]
  for (const name of [one, other]) {
    const { id } = await create(name)
    await api.admin.put(`/api/architectures/${id}`, { architecture: { name: `${name}-b` } })
    await api.admin.delete(`/api/architectures/${id}`)
  }
  await soon(async () => {
    const states = (await deliveriesOf(hooked.id)).map(({ state }: { state: string }) => state)
    expect(states).toEqual(Array(7).fill('delivered'))
  })
  for (const name of [one, other]) {
    const got = summarize(receiver.received).filter((text) => text.includes(name))
    // A message that was answered with 503 comes again.
    expect(got.filter((text, at) => text !== got[at - 1])).toEqual([
      `architecture.created ${name}`,
      `architecture.updated ${name}-b`,
      `architecture.deleted ${name}-b`,
    ])
  }
})

test('receivers that hang, redirect, answer endlessly or break off hold up nobody, and say why', async () => {
  await using elsewhere = await openReceiver()
  await using hanging = await openReceiver(() => new Promise<number>(() => undefined))
  await using redirecting = await openReceiver(() => (_request, response) => {
    response.writeHead(302, { location: elsewhere.url }).end()
  })
  await using endless = await openReceiver(() => (_request, response) => {
    response.writeHead(200)
    const timer = setInterval(() => response.write(Buffer.alloc(65_536, 'x')), 1)
    response.on('close', () => clearInterval(timer))
  })
  await using broken = await openReceiver(() => (request) => request.socket.destroy())
  await using well = await openReceiver()
  const bad = {
    hanging: await hook(hanging.url),
    redirecting: await hook(redirecting.url),
    broken: await hook(broken.url),
    plain: await hook(well.url.replace('http:', 'https:'), { events: ['model.*'] }),
    unresolved: await hook('http://nowhere.invalid/', { events: ['model.*'] }),
  }
  const big = await hook(endless.url)
  await hook(well.url)
  const names = Array.from({ length: 12 }, () => unique('held'))
  for (const name of names) await create(name)
  await soon(() =>
    expect(summarize(well.received).toSorted()).toEqual(names.map((name) => `architecture.created ${name}`).toSorted()),
  )
  const errorsOf = async (id: number) =>
    JSON.stringify((await deliveriesOf(id)).map(({ error }: { error: string }) => error))
  await soon(async () => expect(await errorsOf(bad.hanging.id)).toContain('no answer within 0.7 seconds'))
  await soon(async () => expect(await errorsOf(bad.redirecting.id)).toContain('redirects are not followed'))
  await soon(async () => expect(await errorsOf(bad.broken.id)).toContain('connection was lost'))
  await soon(async () => expect(await errorsOf(bad.plain.id)).toMatch(/TLS|https|closed/))
  await soon(async () => expect(await errorsOf(bad.unresolved.id)).toContain('cannot be resolved'))
  await soon(async () => expect((await deliveriesOf(big.id))[1]).toMatchObject({ state: 'delivered' }))
  const { body } = await api.admin.get(`/api/webhooks/${big.id}/deliveries/${(await deliveriesOf(big.id))[1].id}`)
  expect(body.answer).toHaveLength(4096)
  expect(elsewhere.received).toEqual([])
})

test('private addresses are refused where they are connected to, whatever names them', async () => {
  await using receiver = await openReceiver()
  const port = new URL(receiver.url).port
  const hosts = [
    '[::1]',
    '10.0.0.1',
    '169.254.169.254',
    '[::ffff:10.0.0.1]',
    '[64:ff9b::a00:1]',
    '0.0.0.0',
    '3232235777',
  ]
  const hooks = await Promise.all(hosts.map((host) => hook(`http://${host}:${port}/`)))
  for (const [at, { id }] of hooks.entries())
    await soon(async () => {
      const [ping] = await deliveriesOf(id)
      expect([hosts[at], ping.error]).toEqual([hosts[at], expect.stringContaining('MILLWRIGHT_WEBHOOK_ALLOW')])
    })
  const mapped = await hook(`http://[::ffff:127.0.0.1]:${port}/`)
  await soon(async () =>
    expect((await deliveriesOf(mapped.id))[0].error ?? '').not.toContain('MILLWRIGHT_WEBHOOK_ALLOW'),
  )
})

test('410 disables; what failed for good is dead and can be sent again, one or a range', async () => {
  let status = 410
  await using receiver = await openReceiver(() => status)
  const { id } = await hook(receiver.url)
  await soon(async () => {
    const { body } = await api.admin.get(`/api/webhooks/${id}`)
    expect(body).toMatchObject({ enabled: false, disabled_reason: 'the receiver answered 410' })
  })
  status = 500
  await api.admin.put(`/api/webhooks/${id}`, { webhook: { enabled: true } })
  expect((await api.admin.get(`/api/webhooks/${id}`)).body).toMatchObject({ enabled: true, disabled_reason: null })
  const name = unique('dead')
  await create(name)
  await soon(async () => expect((await deliveriesOf(id)).length).toBe(2))
  // The last attempts are hours apart, even at the pace of tests.
  await vi.waitFor(
    async () => {
      await rows(api.database.db, sql`update webhook_deliveries set next_attempt_at = now() where state = 'waiting'`)
      await rows(api.database.db, sql`select pg_notify('webhook_deliveries_due', '')`)
      expect((await deliveriesOf(id)).map(({ state }: { state: string }) => state)).toEqual(['dead', 'dead'])
    },
    { timeout: 10_000, interval: 50 },
  )
  status = 204
  const before = receiver.received.length
  const [, dead] = await deliveriesOf(id)
  expect(dead).toMatchObject({ attempt: 10, status: 500 })
  const one = await api.admin.post(`/api/webhooks/${id}/deliveries/${dead.id}/redeliver`)
  expect(one.status).toBe(200)
  await soon(() => expect(receiver.received.length).toBe(before + 1))
  expect(receiver.received.at(-1)?.headers['webhook-id']).toBe(receiver.received.at(-2)?.headers['webhook-id'])
  expect((await api.admin.post(`/api/webhooks/${id}/redeliver`, {})).body.results).toEqual([])
  expect((await api.admin.post(`/api/webhooks/${id}/redeliver`, { all: true })).body.results).toHaveLength(1)
  await soon(() => expect(receiver.received.length).toBe(before + 2))
  expect((await api.admin.post(`/api/webhooks/${id}/redeliver`, { after: -1 })).status).toBe(422)
})

test('only owners and administrators see a webhook, and it sends what its owner may see', async () => {
  await using receiver = await openReceiver()
  const rights = ['view_webhooks', 'create_webhooks', 'edit_webhooks', 'view_audit_logs', 'view_models']
  const owner = await api.can(rights)
  const webhook = { name: unique('owned'), target_url: receiver.url, events: ['architecture.*', 'model.*'] }
  const { id } = await expectCreated(owner.post('/api/webhooks', { webhook }))
  const other = await api.can(rights)
  expect((await other.get(`/api/webhooks/${id}`)).status).toBe(404)
  expect((await other.get(`/api/webhooks/${id}/deliveries`)).status).toBe(404)
  expect((await api.admin.get(`/api/webhooks/${id}`)).status).toBe(200)
  await create(unique('hidden'))
  const name = unique('visible')
  await expectCreated(api.admin.post('/api/models', { model: { name } }))
  await soon(() => expect(summarize(receiver.received)).toEqual([`model.created ${name}`]))
})
