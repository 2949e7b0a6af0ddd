import { afterAll, beforeAll, expect, test } from 'vitest'
import { basic, type Caller, expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { given, type Shown } from '../support/given.ts'

// What clients of newer versions send and read (newer-clients §2h), beside what those of older ones do.

let api: TestApi
let vendor: Caller
let host: Shown
let group: Shown

const HERE = { organization_ids: [1], location_ids: [1] }

beforeAll(async () => {
  api = await openTestApi({ env: { MILLWRIGHT_VENDOR_PORT: '0' } })
  vendor = api.asVendor({ authorization: basic('admin', 'admin-password') })
  host = await given(api.admin, 'host', { name: 'h.lab.test', organization_id: 1, location_id: 1, managed: false })
  group = await given(api.admin, 'hostgroup', HERE)
})
afterAll(() => api?.[Symbol.asyncDispose]())

test('the version of newer clients is announced', async () => {
  const { body, headers } = await vendor.get('/api/status')
  expect([body.version, headers.foreman_version]).toEqual(['3.12.0', '3.12.0'])
  expect((await vendor.get('/katello/api/status')).body.version).toBe('4.14.0')
})

test('a publication is answered once it has ended, because clients look again after seconds', async () => {
  const path = '/katello/api/content_views'
  const { id } = await expectCreated(vendor.post(path, { organization_id: 1, name: 'published' }))
  const answer = vendor.post(`${path}/${id}/publish`, {})
  const planned = async () => (await api.admin.get('/api/tasks?search=state+=+planned')).body.subtotal
  await expect.poll(planned, { interval: 5 }).toBe(1)
  await api.finishTasks()
  const ended = { state: 'stopped', result: 'success', label: 'Actions::Katello::ContentView::Publish' }
  expect(await answer).toMatchObject({ status: 202, body: ended })
})

const PAIR = {
  label: 'dev/web',
  content_view: {
    ...{ id: expect.any(Number), name: 'web', label: 'web', composite: false, rolling: false },
    ...{ content_view_version: '1.0', content_view_version_id: expect.any(Number), content_view_version_latest: true },
    ...{ content_view_default: false, content_view_environment_id: expect.any(Number) },
  },
  lifecycle_environment: { id: expect.any(Number), name: 'dev', label: 'dev', lifecycle_environment_library: false },
}

test('a view in an environment is named by the pair, by its label and by its id, of keys, hosts and groups', async () => {
  const library = (await vendor.get('/katello/api/organizations/1/environments')).body.results[0]
  const dev = await expectCreated(
    vendor.post('/katello/api/organizations/1/environments', { name: 'dev', prior_id: library.id }),
  )
  const view = await expectCreated(vendor.post('/katello/api/content_views', { organization_id: 1, name: 'web' }))
  await vendor.post(`/katello/api/content_views/${view.id}/publish`, {})
  await api.finishTasks()
  const [version] = (await vendor.get(`/katello/api/content_view_versions?content_view_id=${view.id}`)).body.results
  await vendor.post(`/katello/api/content_view_versions/${version.id}/promote`, { environment_ids: [dev.id] })
  await api.finishTasks()
  const pairs = await vendor.get(`/katello/api/content_view_environments?organization_id=1&content_view_id=${view.id}`)
  expect(pairs).toMatchObject({
    status: 200,
    body: { total: 2, results: expect.arrayContaining([expect.objectContaining(PAIR)]) },
  })
  const { id } = pairs.body.results.find(({ label }: { label: string }) => label === 'dev/web')
  expect((await vendor.get(`/katello/api/content_view_environments/${id}`)).body).toMatchObject({ id, ...PAIR })

  const ways = [
    { content_view_environments: 'dev/web' },
    { content_view_environments: ['dev/web'] },
    { content_view_environment_ids: [id] },
    { content_view_environment_ids: [String(id)] },
  ]
  const ofKey = { content_view_id: view.id, environment_id: dev.id }
  const ofHost = { content_view_id: view.id, lifecycle_environment_id: dev.id }
  const key = await expectCreated(vendor.post('/katello/api/activation_keys', { organization_id: 1, name: 'k' }))
  for (const way of [...ways, ofKey]) {
    const { status, body } = await vendor.put(`/katello/api/activation_keys/${key.id}`, way)
    expect([way, status, body]).toEqual([way, 200, expect.objectContaining(ofKey)])
    expect(body.content_view_environments).toMatchObject([PAIR])
    expect((await vendor.put(`/katello/api/activation_keys/${key.id}`, { content_view_environments: [] })).status).toBe(
      200,
    )
  }
  for (const way of [...ways, ofHost]) {
    const { status, body } = await vendor.put(`/api/hosts/${host.id}`, { host: { content_facet_attributes: way } })
    expect([way, status, body.content_facet_attributes]).toEqual([way, 200, expect.objectContaining(ofHost)])
    expect(body.content_facet_attributes.content_view_environments).toMatchObject([PAIR])
    await vendor.put(`/api/hosts/${host.id}`, { host: { content_facet_attributes: { content_view_environments: [] } } })
  }
  for (const way of [{ content_view_environment_id: id }, { content_view_environment_id: String(id) }, ofHost]) {
    const { status, body } = await vendor.put(`/api/hostgroups/${group.id}`, { hostgroup: way })
    expect([way, status, body]).toEqual([
      way,
      200,
      expect.objectContaining({ ...ofHost, content_view_environment_id: id }),
    ])
    expect(body.content_view_environments).toMatchObject([PAIR])
    await vendor.put(`/api/hostgroups/${group.id}`, { hostgroup: { content_view_environment_id: null } })
  }
  const child = await given(api.admin, 'hostgroup', { ...HERE, parent_id: group.id })
  await vendor.put(`/api/hostgroups/${group.id}`, { hostgroup: ofHost })
  expect((await vendor.get(`/api/hostgroups/${child.id}`)).body.content_view_environment_id).toBe(id)

  const bulk = { organization_id: 1, included: { ids: [host.id] } }
  const assigned = await vendor.put('/api/hosts/bulk/assign_content_view_environments', { ...bulk, ...ways[2] })
  expect(assigned.status).toBe(202)
  expect((await vendor.get(`/api/hosts/${host.id}`)).body.content_facet_attributes).toMatchObject(ofHost)
  const message = '999999 are not ids of content view environments'
  const unknown = await vendor.put(`/katello/api/activation_keys/${key.id}`, { content_view_environment_ids: [999999] })
  expect(unknown).toMatchObject({ status: 422, body: { errors: { content_view_environment_ids: [message] } } })
  const sentToGroup = await vendor.put(`/api/hostgroups/${group.id}`, {
    hostgroup: { content_view_environment_id: 999999 },
  })
  expect(sentToGroup).toMatchObject({
    status: 422,
    body: { error: { errors: { content_view_environment_id: [message] } } },
  })
})

test.each([
  ['GET', '/katello/api/activation_keys/999999', 404],
  ['POST', '/katello/api/activation_keys', 422],
])('errors of %s %s say their message by both keys', async (method, url, status) => {
  const payload = method === 'POST' ? { payload: { organization_id: 1, name: '' } } : {}
  const { body, ...answer } = await vendor.send({ method: method as 'GET', url, ...payload }) // inject wants a literal
  expect(answer.status).toBe(status)
  expect(body).toMatchObject({
    displayMessage: expect.any(String),
    message: body.displayMessage,
    errors: expect.anything(),
  })
})

test.each([
  ['PUT', '/api/hosts/bulk/build', {}],
  ['PUT', '/api/hosts/bulk/reassign_hostgroup', {}],
  ['PUT', '/api/hosts/bulk/reassign_hostgroups', {}],
  ['PUT', '/api/hosts/bulk/manage_notifications', { enabled: false }],
  ['DELETE', '/api/hosts/bulk', {}],
])('%s %s takes the hosts that are included', async (method, url, more) => {
  const payload = { organization_id: 1, included: { search: 'name = nothing' }, ...more }
  const answer = await vendor.send({ method: method as 'PUT', url, payload }) // inject wants a literal
  expect(answer).toMatchObject({ status: 200, body: { message: expect.any(String) } })
  const none = await vendor.send({ method: method as 'PUT', url, payload: { organization_id: 1, ...more } })
  expect(none.status).toBe(400)
})

test('clients learn what is not known here of what they send, and not what is translated', async () => {
  const header = 'millwright-ignored'
  const group = await given(api.admin, 'hostgroup')
  const sent: readonly [string, object, string | undefined][] = [
    ['', { hostgroup: { puppetclass_ids: [], of_the_future: 1 } }, 'hostgroup.of_the_future'],
    ['', { hostgroup: { puppet_proxy_id: null } }, undefined],
    ['?later=1', { hostgroup: { name: group.name } }, 'later'],
  ]
  for (const [query, body, ignored] of sent) {
    const { status, headers } = await vendor.put(`/api/hostgroups/${group.id}${query}`, body)
    expect({ body, status, ignored: headers[header] }).toEqual({ body, status: 200, ignored })
  }
  expect((await vendor.get('/api/puppetclasses?search=name+%3D+x&per_page=1')).headers[header]).toBeUndefined()
})

test('notifications of hosts are turned off and on', async () => {
  const included = { ids: [host.id] }
  const answer = await vendor.put('/api/hosts/bulk/manage_notifications', {
    organization_id: 1,
    included,
    enabled: false,
  })
  expect(answer.body).toEqual({ message: 'Disabled notifications of 1 host' })
  expect((await vendor.get(`/api/hosts/${host.id}`)).body.enabled).toBe(false)
})

test('registration tokens of users that a search finds are revoked', async () => {
  const command = { organization_id: 1, activation_keys: ['k'] }
  const made = await vendor.post('/api/registration_commands', { registration_command: command })
  const tokens = async () => (await vendor.get('/api/registration_tokens')).body.total
  expect([made.status, await tokens()]).toEqual([200, 1])
  expect((await vendor.delete('/api/registration_tokens')).status).toBe(400)
  expect((await vendor.delete('/api/registration_tokens?search=login=nobody')).body.results).toEqual([])
  const other = api.asVendor(await api.can(['view_users'], HERE))
  expect((await other.delete('/api/registration_tokens?search=login=admin')).body.results).toEqual([])
  expect((await vendor.delete('/api/registration_tokens?search=login=admin')).body.results).toHaveLength(1)
  expect(await tokens()).toBe(0)
})

test.each(['templates', 'inherited_parameters'])('hosts tell their %s', async (part) => {
  expect(await vendor.get(`/api/hosts/${host.id}/${part}`)).toMatchObject({ status: 200, body: { results: [] } })
})
