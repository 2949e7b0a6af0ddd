import { afterAll, beforeAll, expect, test } from 'vitest'
import { basic, expectCreated } from '../support/api.ts'
import { given } from '../support/given.ts'
import { type BothListeners, openBothListeners } from './support.ts'

// Requests about virtual machines: this service reaches no hypervisor, and answers accordingly.
let api: BothListeners
beforeAll(async () => {
  api = await openBothListeners()
})
afterAll(() => api?.[Symbol.asyncDispose]())

test('the power of a host is not known, and is not switched', async () => {
  const host = { name: 'one.example.test', managed: false }
  const { id } = await expectCreated(api.theirs.post('/api/hosts', { host }))
  const statusText = 'Power operations are not enabled on this host.'
  for (const path of [`/api/hosts/${id}/power`, '/api/v2/hosts/one.example.test/power'])
    expect(await api.theirs.get(path)).toMatchObject({
      status: 200,
      body: { id, state: 'na', title: 'N/A', statusText },
    })
  expect(await api.theirs.put(`/api/hosts/${id}/power`, { power_action: 'start' })).toMatchObject({
    status: 422,
    body: { error: { id, full_messages: [statusText] } },
  })
  expect((await api.theirs.get('/api/hosts/4711/power')).status).toBe(404)
  expect((await api.theirs.put('/api/hosts/4711/power', { power_action: 'start' })).status).toBe(404)
  expect((await api.stranger.get(`/api/hosts/${id}/power`)).status).toBe(401)
  const viewer = (await api.theirs.get('/api/roles?search=name+%3D+%22View+hosts%22')).body.results[0].id
  const user = { login: 'looks-on', password: 'only looking', auth_source_id: 1, role_ids: [viewer] }
  await expectCreated(api.theirs.post('/api/users', { user }))
  const headers = { authorization: basic(user.login, user.password), 'content-type': 'application/json' }
  const payload = JSON.stringify({ power_action: 'start' })
  const switching = { method: 'PUT', url: `/api/hosts/${id}/power`, headers, payload } as const
  expect((await api.theirs.send(switching)).status).toBe(403)
})

test('switching hosts does not require viewing them', async () => {
  const { id } = await expectCreated(
    api.theirs.post('/api/hosts', { host: { name: 'two.example.test', managed: false } }),
  )
  const permission = (await api.theirs.get('/api/permissions?search=name+%3D+power_hosts')).body.results[0].id
  const role = await given(api.theirs, 'role')
  await expectCreated(api.theirs.post('/api/filters', { filter: { role_id: role.id, permission_ids: [permission] } }))
  const user = { login: 'switches', password: 'only switching', auth_source_id: 1, role_ids: [role.id] }
  await expectCreated(api.theirs.post('/api/users', { user: { ...user, organization_ids: [1], location_ids: [1] } }))
  const headers = { authorization: basic(user.login, user.password) }
  expect((await api.theirs.get(`/api/hosts/${id}/power`, headers)).body).toMatchObject({ id, state: 'na' })
  expect((await api.theirs.get(`/api/hosts/${id}`, headers)).status).toBe(403)
})

test('images are searched by the ids of their links', async () => {
  const [resource, architecture, os] = [
    await given(api.ours, 'compute_resource'),
    await given(api.ours, 'architecture'),
    await given(api.ours, 'operatingsystem'),
  ]
  const body = { uuid: 'u', username: 'root', architecture_id: architecture.id, operatingsystem_id: os.id }
  const path = `/api/compute_resources/${resource.id}/images`
  const { id } = await expectCreated(api.theirs.post(path, { image: { ...body, name: 'disk' } }))
  const found = async (search: string) =>
    (await api.theirs.get(`${path}?search=${encodeURIComponent(search)}`)).body.results
  expect(await found(`name="disk",operatingsystem="${os.id}",architecture=${architecture.id}`)).toMatchObject([{ id }])
  expect(await found(`name="disk",operatingsystem="${os.id + 1}"`)).toEqual([])
  expect(await found(`operatingsystem_id = ${os.id} and compute_resource = "${resource.name}"`)).toMatchObject([{ id }])
})

test('attributes of machines are kept for each size and compute resource, on every path that clients know', async () => {
  const resource = await given(api.ours, 'compute_resource', { provider: 'Ovirt', display_type: 'SPICE' })
  const known = { compute_resource_id: resource.id, provider_friendly_name: 'oVirt' }
  const attributes = { vm_attrs: { cpus: '2', nics: { 0: { bridge: 'br0' } } } }
  const bodies: readonly ((size: number) => readonly [string, object])[] = [
    (size) => ['/api/compute_attributes', { compute_profile_id: size, compute_resource_id: resource.id }],
    (size) => [`/api/compute_profiles/${size}/compute_resources/${resource.id}/compute_attributes`, {}],
    (size) => [`/api/compute_resources/${resource.id}/compute_profiles/${size}/compute_attributes`, {}],
    (size) => [`/api/compute_profiles/${size}/compute_attributes`, { compute_resource_id: resource.id }],
  ]
  for (const bodyOf of bodies) {
    const { id: size } = await given(api.ours, 'compute_profile')
    const [path, beside] = bodyOf(size)
    const made = await expectCreated(api.theirs.post(path, { ...beside, compute_attribute: attributes }))
    expect(made).toMatchObject({ ...known, ...attributes, compute_profile_id: size })
    expect((await api.theirs.post(path, { ...beside, compute_attribute: attributes })).status).toBe(422)
    const other = { compute_attribute: { vm_attrs: { cpus: '4' } } }
    expect((await api.theirs.put(`${path}/${made.id}`, other)).body.vm_attrs).toEqual({ cpus: '4' })
    const shown = await api.theirs.get(`/api/compute_profiles/${size}`)
    expect(shown.body.compute_attributes).toMatchObject([{ ...known, id: made.id, vm_attrs: { cpus: '4' } }])
    expect((await api.theirs.put(`${path}/${made.id}`, { compute_attribute: { vm_attrs: [] } })).status).toBe(422)
  }
  const shown = await api.theirs.get(`/api/compute_resources/${resource.id}`)
  expect(shown.body).toMatchObject({
    provider_friendly_name: 'oVirt',
    display_type: 'SPICE',
    set_console_password: null,
  })
  expect(shown.body.compute_attributes).toHaveLength(bodies.length)
})

test('fields of the kinds of compute resources are stored and shown, except passwords, which are refused', async () => {
  const told = {
    ...{ user: 'admin@internal', server: 'vcenter.example.test', datacenter: 'one', region: 'eu', zone: 'eu-1' },
    ...{ tenant: 'shop', project: 'web', domain: 'Default', project_domain_name: 'Default', project_domain_id: 'd1' },
    ...{ email: 'robot@example.test', key_path: '/etc/robot.json', ovirt_quota: 'q1', public_key: 'CERTIFICATE' },
    ...{ keyboard_layout: 'en-us', caching_enabled: true, display_type: 'VNC', set_console_password: true },
  }
  const compute_resource = { name: 'told', provider: 'Vmware', ...told }
  const made = await expectCreated(api.theirs.post('/api/compute_resources', { compute_resource }))
  expect(made).toMatchObject(told)
  const path = `/api/compute_resources/${made.id}`
  const changed = { region: 'us', caching_enabled: false, password: '' }
  expect((await api.theirs.put(path, { compute_resource: changed })).status).toBe(200)
  expect((await api.theirs.get(path)).body).toMatchObject({ ...told, region: 'us', caching_enabled: false })
  const secret = await api.theirs.put(path, { compute_resource: { region: 'as', password: 'of the hypervisor' } })
  expect([secret.status, Object.keys(secret.body.error.errors)]).toEqual([422, ['password']])
  expect(secret.text).not.toContain('of the hypervisor')
  expect((await api.theirs.get(path)).body.region).toBe('us')
})
