import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Workers } from '../../src/queue/workers.ts'
import { openReceiver } from '../events/receiver.ts'
import { basic, type Caller, expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { given, unique } from '../support/given.ts'

// Webhooks as existing clients know them (events 2a.1).

let api: TestApi
let vendor: Caller
let work: Workers
beforeAll(async () => {
  api = await openTestApi({ env: { MILLWRIGHT_VENDOR_PORT: '0', MILLWRIGHT_WEBHOOK_ALLOW: '127.0.0.0/8' } })
  vendor = api.asVendor({ authorization: basic('admin', 'admin-password') })
  work = await api.startEvents({ pace: 0.0002, timeout: 700 })
})
afterAll(async () => {
  await work?.[Symbol.asyncDispose]()
  await api?.[Symbol.asyncDispose]()
})

const soon = (check: () => unknown) => vi.waitFor(check, { timeout: 15_000, interval: 20 })
const TARGET = 'https://hooks.example.test/'

const make = (more: object = {}) => {
  const webhook = { name: unique('hook'), target_url: TARGET, event: 'host_created', ...more }
  return expectCreated(vendor.post('/api/v2/webhooks', { webhook }))
}

test('a webhook has the keys of clients; what is shown and sent back changes nothing', async () => {
  const created = await make({ user: 'u', password: 'the-word', http_headers: '{"X": "<%= @event_name %>"}' })
  expect(created).toMatchObject({
    event: 'host_created.event.foreman',
    ...{ enabled: true, verify_ssl: true, http_method: 'POST', http_content_type: 'application/json' },
    ...{ user: 'u', password_set: true, proxy_authorization: false, ssl_ca_certs: null },
    http_headers: '{"X": "<%= @event_name %>"}',
    webhook_template: { name: 'Webhook Template - Payload Default' },
  })
  expect(Object.keys(created)).not.toContain('secret')
  const { body: shown, text } = await vendor.get(`/api/webhooks/${created.id}`)
  expect(shown).toEqual(created)
  expect(text).not.toContain('the-word')
  const native = { name: unique('native'), target_url: TARGET, events: ['host.*', 'domain.created'], search: 'id > 1' }
  const several = await expectCreated(api.admin.post('/api/webhooks', { webhook: native }))
  for (const id of [created.id, several.id]) {
    const before = (await api.admin.get(`/api/webhooks/${id}`)).body
    const { body } = await vendor.get(`/api/webhooks/${id}`)
    expect((await vendor.put(`/api/webhooks/${id}`, { webhook: body })).status).toBe(200)
    expect((await api.admin.get(`/api/webhooks/${id}`)).body).toEqual(before)
  }
  expect((await vendor.get(`/api/webhooks/${several.id}`)).body.event).toBe('host.*,domain.created')
  const { results } = (await vendor.get(`/api/webhooks?search=name = ${created.name}`)).body
  expect(Object.keys(results[0])).toEqual(['id', 'name', 'target_url', 'enabled', 'created_at', 'updated_at'])
  expect((await vendor.delete(`/api/webhooks/${created.id}`)).status).toBe(200)
  expect((await vendor.get(`/api/webhooks/${created.id}`)).status).toBe(404)
})

test('every listed event can be chosen, in each of its spellings; an unknown one counts as none', async () => {
  const { body: events } = await vendor.get('/api/webhooks/events')
  expect(events).toEqual([...events].sort())
  expect(events).toEqual(expect.arrayContaining(['build_entered', 'domain_destroyed', 'host_updated', 'user_created']))
  const { id } = await make()
  for (const event of events as string[]) {
    const { body } = await vendor.put(`/api/webhooks/${id}`, { webhook: { event } })
    expect(body.event).toBe(`${event}.event.foreman`)
    expect((await vendor.put(`/api/webhooks/${id}`, { webhook: { event: body.event } })).body.event).toBe(body.event)
  }
  expect((await vendor.put(`/api/webhooks/${id}`, { webhook: { event: 'SubnetUpdated' } })).body.event).toMatch(
    /^subnet_u/,
  )
  const refused = await vendor.post('/api/webhooks', {
    webhook: { name: 'x', target_url: TARGET, event: 'host_vanished' },
  })
  expect([refused.status, refused.body.error.full_messages]).toEqual([422, ["Events can't be blank"]])
  for (const [key, value] of [
    ['http_headers', 'X: 1'],
    ['user', 'a:b'],
  ] as const) {
    const { status, body } = await vendor.put(`/api/webhooks/${id}`, { webhook: { [key]: value } })
    expect([status, Object.keys(body.error.errors)]).toEqual([422, [key]])
  }
  const authorized = await vendor.put(`/api/webhooks/${id}`, { webhook: { proxy_authorization: true } })
  expect([authorized.status, Object.keys(authorized.body.error.errors)]).toEqual([422, ['proxy_authorization']])
})

test('the default template sends the id, the event and its circumstances, without a ping before', async () => {
  await using receiver = await openReceiver()
  const created = await make({ event: 'build_entered', target_url: receiver.url })
  const host = await given(api.admin, 'host', { name: unique('built'), managed: false })
  await api.admin.put(`/api/hosts/${host.id}`, { host: { comment: 'no build' } })
  await api.admin.put(`/api/hosts/${host.id}`, { host: { build: true } })
  await soon(() => expect(receiver.received).toHaveLength(1))
  expect(receiver.received[0]?.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(receiver.received[0]?.body).toEqual({
    ...{ id: host.id, event_name: 'build_entered.event.foreman', webhook_id: created.id },
    context: expect.objectContaining({ user_login: 'admin', user_admin: true, org_id: null, session: null }),
  })
  const tried = await vendor.post(`/api/webhooks/${created.id}/test`, { payload: '{"a": 1}' })
  expect([tried.status, tried.body.name, receiver.received.at(-1)?.text]).toEqual([200, created.name, '{"a": 1}'])
  await vendor.put(`/api/webhooks/${created.id}`, { webhook: { target_url: 'http://nowhere.invalid/' } })
  const failed = await vendor.post(`/api/webhooks/${created.id}/test`, {})
  expect([failed.status, failed.body]).toEqual([
    422,
    { error: { message: expect.stringContaining('cannot be resolved') } },
  ])
})

test('templates are listed, shown, created, changed, copied, exported and imported', async () => {
  const template = '<%= payload({ name: @object.name }, with_defaults: false) -%>'
  const created = await expectCreated(
    vendor.post('/api/webhook_templates', { webhook_template: { name: unique('own'), template } }),
  )
  const copy = await expectCreated(
    vendor.post(`/api/webhook_templates/${created.id}/clone`, { webhook_template: { name: unique('copy') } }),
  )
  expect(copy.template).toBe(template)
  const file = await vendor.get(`/api/webhook_templates/${copy.id}/export`)
  expect(file.text).toContain('model: WebhookTemplate')
  const changed = { name: copy.name, template: file.text.replace('@object.name', '@object.id') }
  const imported = await vendor.post('/api/webhook_templates/import', { webhook_template: changed })
  expect([imported.status, imported.body.id]).toEqual([201, copy.id])
  expect((await vendor.get(`/api/webhook_templates/${copy.id}`)).body.template).toContain('@object.id')
  const locked = await vendor.delete(`/api/webhook_templates/${encodeURIComponent('Empty Payload')}`)
  expect(locked.status).toBe(422)
  const { results } = (await vendor.get('/api/webhook_templates?search=default = true')).body
  expect(results.map(({ name }: { name: string }) => name).toSorted()).toEqual([
    'Empty Payload',
    'Webhook Template - Payload Default',
  ])
  const roles = (await vendor.get('/api/roles?search=name ~ Webhooks')).body.results
  expect(roles.map(({ name }: { name: string }) => name).toSorted()).toEqual(['Webhooks Manager', 'Webhooks Reader'])
})

test('nailgun reads the events, creates, reads, searches, updates and deletes', async () => {
  // It sends attributes without the word around them, and searches in the body of a GET.
  const { body: events } = await vendor.get('/api/webhooks/events')
  expect(events).toContain('host_created')
  const name = unique('nailgun')
  const sent = {
    name,
    target_url: 'http://hooks.example.test/',
    event: 'host_created',
    http_method: 'PUT',
    enabled: true,
  }
  const { id } = await expectCreated(vendor.post('/api/webhooks', sent))
  const { body: read } = await vendor.get(`/api/webhooks/${id}`)
  expect(read).toMatchObject({ ...sent, event: 'host_created.event.foreman' })
  const fields = ['http_content_type', 'verify_ssl', 'ssl_ca_certs', 'user', 'http_headers']
  expect(Object.keys(read)).toEqual(expect.arrayContaining(fields))
  const payload = JSON.stringify({ search: `name="${name}"`, per_page: 1000 })
  const headers = { 'content-type': 'application/json' }
  const found = await vendor.send({ method: 'GET', url: '/api/webhooks', headers, payload })
  expect(found.body.results.map((one: { id: number }) => one.id)).toEqual([id])
  expect((await vendor.put(`/api/webhooks/${id}`, { event: 'subnet_updated', enabled: false })).status).toBe(200)
  expect((await vendor.get(`/api/webhooks/${id}`)).body).toMatchObject({
    ...{ event: 'subnet_updated.event.foreman', enabled: false },
  })
  expect((await vendor.delete(`/api/webhooks/${id}`)).status).toBe(200)
})
