import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { proxy } from '../runs/queue-world.ts'
import { given } from '../support/given.ts'
import { BEHAVIOURS, startProxy } from '../support/peers/proxy.ts'
import { openRunsWorld, type RunsWorld } from './configrun-world.ts'

let world: RunsWorld
beforeAll(async () => {
  world = await openRunsWorld()
})
afterEach(() => world.clear())
afterAll(() => world?.[Symbol.asyncDispose]())

const NO_PROXY = 'no config proxy defined - cant continue'

test('spec 4.3: 200 with the host record of spec 2.4, and a durable run that the Link names', async () => {
  const { api, host } = world
  const { id, name } = await host('web-1.example.test')
  const { status, body, headers } = await api.admin.put(`/api/hosts/${name}/configrun`, { host: {} })
  expect(status).toBe(200)
  expect(Object.keys(body).sort()).toEqual(SPEC_KEYS)
  expect(body).toMatchObject({
    id,
    name,
    config_proxy_id: world.proxy,
    lookup_value_matcher: `fqdn=${name}`,
    ...world.place,
  })
  expect(body.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  const [, path = ''] = /^<(\/api\/config_runs\/\d+)>; rel="monitor"$/.exec(String(headers.link)) ?? []
  const run = await api.admin.get(path)
  expect(run.body).toMatchObject({ host_id: id, host_name: name, status: 'queued', requested_by: 'admin', attempt: 0 })
})

const SPEC_KEYS = [
  ...['architecture_id', 'build', 'build_errors', 'certname', 'comment', 'compute_profile_id', 'compute_resource_id'],
  ...['config_ca_proxy_id', 'config_proxy_id', 'created_at', 'disk', 'enabled', 'environment_id', 'global_status'],
  ...['grub_pass', 'hostgroup_id', 'id', 'image_file', 'image_id', 'initiated_at', 'installed_at', 'last_compile'],
  ...['last_report', 'location_id', 'lookup_value_matcher', 'managed', 'medium_id', 'model_id', 'name'],
  ...['operatingsystem_id', 'organization_id', 'otp', 'owner_id', 'owner_type', 'provision_method', 'ptable_id'],
  ...['pxe_loader', 'realm_id', 'root_pass', 'updated_at', 'use_image', 'uuid'],
]

test('a second request joins the first', async () => {
  const { api, host } = world
  const { id } = await host('web-1.example.test')
  const links = []
  for (const _ of [1, 2]) links.push((await api.admin.put(`/api/hosts/${id}/configrun`)).headers.link)
  expect(links[1]).toBe(links[0])
  expect((await api.admin.get('/api/config_runs')).body).toMatchObject({ total: 1 })
})

test('refusals come in this order: permission, host, setting, proxy', async () => {
  const { api, host, place, setting } = world
  const { id } = await host('web-1.example.test', { config_proxy_id: null })
  const there = { organization_ids: [place.organization_id], location_ids: [place.location_id] }
  const viewer = await api.can(['view_hosts'], there)
  const elsewhere = await api.can(['configrun_hosts'])
  const others = await api.can(['configrun_hosts'], { ...there, search: 'name = another.example.test' })
  const runner = await api.can(['configrun_hosts'], there)
  const path = `/api/hosts/${id}/configrun`

  await setting('configrun', false)
  const missing = { missing_permissions: ['configrun_hosts'] }
  for (const wanted of [path, '/api/hosts/unknown.example.test/configrun']) {
    expect(await viewer.put(wanted)).toMatchObject({ status: 403, body: { error: missing } })
  }
  for (const caller of [elsewhere, others]) {
    const message = `Resource host not found by id '${id}'`
    expect(await caller.put(path)).toMatchObject({ status: 404, body: { error: { message } } })
  }
  for (const caller of [runner, api.admin]) {
    expect(await caller.put(path)).toMatchObject({
      status: 403,
      body: { error: { message: 'Access denied', ...missing } },
    })
  }
  await setting('configrun', true)
  expect(await runner.put(path)).toMatchObject({
    status: 422,
    body: { error: { id, errors: { base: [NO_PROXY] }, full_messages: [NO_PROXY] } },
  })
  expect(await runner.send({ method: 'PUT', url: path })).toMatchObject({ status: 415 })
  expect((await api.admin.get('/api/config_runs')).body.total).toBe(0)
})

test('hosts are named as everywhere: by name first, then by id, within a place they are at', async () => {
  const { api, host, place } = world
  const named = await host('17')
  expect((await api.admin.put('/api/hosts/17/configrun')).body.id).toBe(named.id)
  const inside = `/api/hosts/${named.id}/configrun?organization_id=${place.organization_id}`
  expect((await api.admin.put(inside)).status).toBe(200)
  const other = (await given(api.admin, 'organization')).id
  expect((await api.admin.put(`/api/hosts/${named.id}/configrun?organization_id=${other}`)).status).toBe(404)
})

test('nothing is audited, and nothing of a secret is told', async () => {
  const { api, host } = world
  const { id } = await host('web-1.example.test', { root_pass: 'a secret password' })
  const before = (await api.admin.get('/api/audits')).body.total
  const { text } = await api.admin.put(`/api/hosts/${id}/configrun`)
  expect(text).not.toMatch(/a secret password|\$6\$/)
  expect((await api.admin.get('/api/audits')).body.total).toBe(before)
})

test('with configrun_wait the answer waits for the outcome', async () => {
  const { api, host, setting, workers } = world
  await using peer = await startProxy()
  const { id } = await host('web-1.example.test', { config_proxy_id: await proxy(api.database.db, { url: peer.url }) })
  const run = () => api.admin.put(`/api/hosts/${id}/configrun`)
  await setting('configrun_wait', 20)
  await using _workers = await workers()

  expect(await run()).toMatchObject({ status: 200, body: { id } })
  expect(peer.asked.at(-1)).toMatchObject({ method: 'POST', body: 'nodes=web-1.example.test' })
  const failures = [
    ['fails with text', '[http_status]: 500 Internal Server Error: Failed config run: Check Log files'],
    ['says text', '[not_json]'],
    ['says false', '[no_success]'],
    ['resets at once', '[connection_lost]'],
  ] as const
  for (const [behaviour, reason] of failures) {
    peer.behave(BEHAVIOURS[behaviour])
    const failed = await run()
    expect(failed).toMatchObject({ status: 422, body: { error: { id } } })
    const [message, ...more] = failed.body.error.errors.base
    expect(message).toContain(`failed to execute configrun: Unable to execute config run (${reason}`)
    expect(message).toContain(`for proxy ${peer.url}`)
    expect(more).toEqual([])
  }
  expect(peer.asked).toHaveLength(5)
  await peer[Symbol.asyncDispose]()
  expect((await run()).body.error.errors.base).toEqual([expect.stringContaining('[refused]')])
  await setting('configrun_wait', 0)
})

test('a wait that is over says that the run goes on', async () => {
  const { api, host, setting } = world
  const { id } = await host('web-1.example.test')
  await setting('configrun_wait', 1)
  const { status, body } = await api.admin.put(`/api/hosts/${id}/configrun`)
  await setting('configrun_wait', 0)
  expect(status).toBe(422)
  expect(body.error.errors.base).toEqual([
    expect.stringMatching(/^failed to execute configrun: no outcome after 1 s; it goes on as config run \d+$/),
  ])
})
