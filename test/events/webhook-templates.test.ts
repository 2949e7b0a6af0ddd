import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Workers } from '../../src/queue/workers.ts'
import { expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { openReceiver, type Receiver } from './receiver.ts'

// Templates, methods and logins of webhooks, with real receivers.

let api: TestApi
let work: Workers
let receiver: Receiver
beforeAll(async () => {
  api = await openTestApi({ env: { MILLWRIGHT_WEBHOOK_ALLOW: '127.0.0.0/8' } })
  work = await api.startEvents({ pace: 0.0002, timeout: 700 })
  receiver = await openReceiver()
})
afterAll(async () => {
  await receiver?.[Symbol.asyncDispose]()
  await work?.[Symbol.asyncDispose]()
  await api?.[Symbol.asyncDispose]()
})

let made = 0
const unique = (word: string) => `${word}-${++made}`
const soon = (check: () => unknown) => vi.waitFor(check, { timeout: 15_000, interval: 20 })
/** What came to this path. */
const receivedAt = (path: string) => receiver.received.filter((one) => one.path.startsWith(path))

async function makeTemplate(template: string, more: object = {}) {
  const webhook_template = { name: unique('template'), template, ...more }
  return expectCreated(api.admin.post('/api/webhook_templates', { webhook_template }))
}

async function hook(path: string, more: object = {}) {
  const target_url = new URL(path, receiver.url).href
    .replaceAll('%3C', '<')
    .replaceAll('%3E', '>')
    .replaceAll('%20', ' ')
  const webhook = { name: unique('hook'), target_url, events: ['architecture.created'], ...more }
  return expectCreated(api.admin.post('/api/webhooks', { webhook }))
}

const architecture = (name = unique('arch')) =>
  expectCreated(api.admin.post('/api/architectures', { architecture: { name } }))

async function lastDeliveryOf(id: number) {
  const { body } = await api.admin.get(`/api/webhooks/${id}/deliveries`)
  return body.results[0]
}

test('every method sends what the template renders, with its type and login; the password is shown nowhere', async () => {
  await makeTemplate('sniped <%= @object.id %>', { name: 'a-snippet', snippet: true })
  const text = `<%= @object.name %> <%= @event_name %> <%= @context[:user_login] %> <%= @payload[:id] %> <%= @webhook_id %> <%= snippet 'a-snippet' %>`
  const { id: webhook_template_id } = await makeTemplate(text)
  const login = { http_user: 'receiver', http_password: 'w0rd-of-basic' }
  const hooks = new Map<string, number>()
  for (const http_method of ['POST', 'GET', 'PUT', 'DELETE', 'PATCH']) {
    const more = { http_method, webhook_template_id, http_content_type: 'text/x-note', ...login }
    const { id } = await hook(`/${http_method}/<%= @object.name %>?id=<%= @object.id %>`, {
      ...{ ...more, header_template: '{"X-Name": "<%= @object.name %>"}' },
    })
    hooks.set(http_method, id)
  }
  const { id, name } = await architecture()
  for (const [method, hookId] of hooks) {
    await soon(() => expect(receivedAt(`/${method}/`)).toHaveLength(1))
    const [got] = receivedAt(`/${method}/`)
    expect(got).toMatchObject({ method, path: `/${method}/${name}?id=${id}` })
    expect(got?.text).toBe(`${name} architecture.created admin ${id} ${hookId} sniped ${id}`)
    expect(got?.headers).toMatchObject({
      authorization: `Basic ${btoa('receiver:w0rd-of-basic')}`,
      'content-type': 'text/x-note; charset=utf-8',
      'x-name': name,
    })
    const shown = await api.admin.get(`/api/webhooks/${hookId}`)
    expect(shown.body).toMatchObject({ http_user: 'receiver', http_password_set: true })
    const delivery = await lastDeliveryOf(hookId)
    const { text: kept } = await api.admin.get(`/api/webhooks/${hookId}/deliveries/${delivery.id}`)
    const { text: audits } = await api.admin.get('/api/audits?search=type = webhook')
    for (const one of [shown.text, kept, audits]) expect(one).not.toMatch(/w0rd-of-basic|authorization/)
    await api.admin.delete(`/api/webhooks/${hookId}`)
  }
})

test('a fault of a template counts as a failed attempt, with its line and reason, and is repaired by the next one', async () => {
  const template = await makeTemplate('one\n<%= @object.no_such_thing %>')
  const { id } = await hook('/faults', { webhook_template_id: template.id })
  const { name } = await architecture()
  await soon(async () => {
    const { error, attempt, state } = await lastDeliveryOf(id)
    expect([state, error]).toEqual(['waiting', expect.stringMatching(/template-\d+: line 2: .*no_such_thing/)])
    expect(attempt).toBeGreaterThan(0)
  })
  expect(receivedAt('/faults')).toEqual([])
  await api.admin.put(`/api/webhook_templates/${template.id}`, {
    webhook_template: { template: '<%= @object.name %>' },
  })
  const { id: delivery } = await lastDeliveryOf(id)
  await api.admin.post(`/api/webhooks/${id}/deliveries/${delivery}/redeliver`)
  await soon(() => expect(receivedAt('/faults').map(({ text }) => text)).toEqual([name]))
  await api.admin.delete(`/api/webhooks/${id}`)
})

test('new values choose among the changes of a field; a deleted record renders as it was', async () => {
  const template = await makeTemplate('<%= @object.name %>')
  const sent = { webhook_template_id: template.id, events: ['model.updated', 'model.deleted'] }
  const { id } = await hook('/values', { ...sent, new_values: { info: 'wanted' } })
  const gone = await hook('/gone', { ...sent, events: ['model.deleted'] })
  const model = await expectCreated(api.admin.post('/api/models', { model: { name: unique('model') } }))
  for (const info of ['other', 'wanted', 'another']) await api.admin.put(`/api/models/${model.id}`, { model: { info } })
  await api.admin.delete(`/api/models/${model.id}`)
  await soon(() => expect(receivedAt('/gone').map(({ text }) => text)).toEqual([model.name]))
  // The receivers get their messages independently of each other.
  await soon(() => expect(receivedAt('/values')).toHaveLength(1))
  for (const one of [id, gone.id]) await api.admin.delete(`/api/webhooks/${one}`)
})

test('a test sends a text and says how that went', async () => {
  const { id } = await hook('/tested', { http_content_type: 'text/plain' })
  const tried = await api.admin.post(`/api/webhooks/${id}/test`, { payload: 'hello' })
  expect([tried.status, tried.body.id]).toEqual([200, id])
  expect(receivedAt('/tested').map(({ text }) => text)).toEqual(['hello'])
  await api.admin.put(`/api/webhooks/${id}`, { webhook: { target_url: 'http://nowhere.invalid/' } })
  for (const payload of ['\ud800', '\0', 7])
    expect((await api.admin.post(`/api/webhooks/${id}/test`, { payload })).status).toBe(422)
  const failed = await api.admin.post(`/api/webhooks/${id}/test`, {})
  expect([failed.status, failed.text]).toEqual([422, expect.stringContaining('cannot be resolved')])
  await api.admin.delete(`/api/webhooks/${id}`)
})

test('parts that could send secrets elsewhere, or mean nothing, are refused with the field', async () => {
  for (const [field, value] of [
    ['target_url', 'https://<%= @object.name %>/'],
    ['target_url', 'https://hooks.example.test<%= @object.name %>/'],
    ['target_url', 'https://hooks.example.test/<%= if %>'],
    ['http_method', 'HEAD'],
    ['http_content_type', 'json'],
    ['http_user', 'a:b'],
    ['header_template', '{"Host": "x"}'],
    ['header_template', '<% if %>'],
    ['new_values', { build: { a: 1 } }],
    ['new_values', [true]],
  ] as const) {
    const webhook = { name: unique('bad'), target_url: receiver.url, events: ['*'], [field]: value }
    const { status, body } = await api.admin.post('/api/webhooks', { webhook })
    expect([field, value, status, Object.keys(body.error?.errors ?? {})]).toEqual([field, value, 422, [field]])
  }
})
