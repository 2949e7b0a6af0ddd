import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { eventually } from '../runs/queue-world.ts'
import { given } from '../support/given.ts'
import { openRunsWorld, type RunsWorld } from './configrun-world.ts'

let world: RunsWorld
beforeAll(async () => {
  world = await openRunsWorld()
})
afterEach(() => world.clear())
afterAll(() => world?.[Symbol.asyncDispose]())

test('spec 4.3: organization_id and location_id say where the host is, in the query and in the body', async () => {
  const { api, host, place } = world
  const { id } = await host('web-1.example.test')
  const path = `/api/hosts/${id}/configrun`
  const organization_id = (await given(api.admin, 'organization')).id
  const location_id = (await given(api.admin, 'location')).id
  const message = `Resource host not found by id '${id}'`
  for (const elsewhere of [{ organization_id }, { location_id }, { ...place, location_id }]) {
    const query = Object.entries(elsewhere).map(([key, value]) => `${key}=${value}`)
    expect(await api.admin.put(`${path}?${query.join('&')}`)).toMatchObject({
      status: 404,
      body: { error: { message } },
    })
    expect(await api.admin.put(path, elsewhere)).toMatchObject({ status: 404, body: { error: { message } } })
  }
  expect((await api.admin.get('/api/config_runs')).body.total).toBe(0)
  const here = `organization_id=${place.organization_id}&location_id=${place.location_id}`
  expect(await api.admin.put(`${path}?${here}`)).toMatchObject({ status: 200, body: { id, ...place } })
  expect(await api.admin.put(path, place)).toMatchObject({ status: 200, body: { id, ...place } })
  expect((await api.admin.put(`${path}?organization_id=999999`)).status).toBe(404)
})

test('spec 2.4: secrets are a mask in the answer, what is set is there, times are in ISO form', async () => {
  const { api, host, setting } = world
  const said = {
    comment: 'rack 7',
    pxe_loader: 'PXELinux BIOS',
    uuid: 'f00d',
    build: true,
    certname: 'cert.example.test',
  }
  const { id, name } = await host('web-1.example.test', { ...said, root_pass: 'a secret password', otp: 'once only' })
  const { status, body, text } = await api.admin.put(`/api/hosts/${id}/configrun`)
  expect(status).toBe(200)
  expect(body).toMatchObject({ ...said, root_pass: '********', grub_pass: '********', otp: '********' })
  expect(text).not.toMatch(/a secret password|once only|\$6\$/)
  for (const key of ['created_at', 'updated_at', 'initiated_at']) {
    expect(body[key], key).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  }
  await api.admin.put(`/api/hosts/${id}`, { name: `renamed-${name}` })
  const renamed = (await api.admin.put(`/api/hosts/${id}/configrun`)).body
  expect(renamed).toMatchObject({ certname: 'cert.example.test', lookup_value_matcher: `fqdn=renamed-${name}` })

  const bare = (await host('web-2.example.test')).id
  const without = (await api.admin.put(`/api/hosts/${bare}/configrun`)).body
  expect(without).toMatchObject({ root_pass: null, grub_pass: '', otp: null, certname: 'web-2.example.test' })
  await setting('root_pass', 'for every host')
  expect((await api.admin.put(`/api/hosts/${bare}/configrun`)).body.root_pass).toBe('********')
  await setting('root_pass', '')
})

test('a request for one host does not wait for a rollout that has its run further back', async () => {
  const { api, host, program } = world
  for (const n of [1, 2, 3]) await host(`wait-${n}.example.test`)
  const rollout = { search: 'name ~ wait-', parallel: 1 }
  const { body } = await api.admin.post('/api/config_rollouts', { config_rollout: rollout })
  await using _workers = await world.workers()
  const standing = async () => {
    const runs = (await api.admin.get(`/api/config_rollouts/${body.id}/config_runs?order=id`)).body.results
    return runs.map(({ status }: { status: string }) => status)
  }
  await eventually(standing).toEqual(['running', 'queued', 'queued'])
  const last = (await api.admin.get('/api/config_runs?search=host+%3D+wait-3.example.test')).body.results[0]
  const { headers } = await api.admin.put('/api/hosts/wait-3.example.test/configrun')
  expect(headers.link).toBe(`</api/config_runs/${last.id}>; rel="monitor"`)
  await eventually(standing).toEqual(['running', 'queued', 'running'])
  program.letGo()
  await eventually(standing).toEqual(['succeeded', 'succeeded', 'succeeded'])
})
