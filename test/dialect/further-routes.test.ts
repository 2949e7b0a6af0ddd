import { afterAll, beforeAll, expect, test } from 'vitest'
import { basic, expectCreated } from '../support/api.ts'
import { given } from '../support/given.ts'
import { type BothListeners, openBothListeners } from './support.ts'

// Routes of clients beyond records: requests about machines and servers, and overviews.
let api: BothListeners
let host: { readonly id: number; readonly name: string }
let group: { readonly id: number }
beforeAll(async () => {
  api = await openBothListeners()
  group = await given(api.ours, 'hostgroup')
  host = await expectCreated(
    api.theirs.post('/api/hosts', {
      host: {
        ...{ name: 'one.example.test', managed: false, hostgroup_id: group.id },
        host_parameters_attributes: [{ name: 'own', value: '1' }],
      },
    }),
  )
})
afterAll(() => api?.[Symbol.asyncDispose]())

test('requests about machines and servers of a host are answered as for a host without any', async () => {
  const path = `/api/hosts/${host.id}`
  expect(await api.theirs.get(`${path}/vm_compute_attributes`)).toMatchObject({ status: 200, body: {} })
  await api.theirs.put(path, { host: { uuid: 'of-a-machine' } })
  const apart = await api.theirs.put(`${path}/disassociate`, {})
  expect(apart).toMatchObject({ status: 200, body: { id: host.id, uuid: null, compute_resource_id: null } })
  for (const [device, reason] of [
    ['pxe', `No BMC NIC available for host ${host.name}`],
    ['tape', 'Unknown device: available devices are disk, cdrom, pxe, bios'],
  ])
    expect(await api.theirs.put(`${path}/boot`, { device })).toMatchObject({
      status: 422,
      body: { error: { full_messages: [reason] } },
    })
  for (const action of ['vm_compute_attributes', 'inherited_parameters', 'templates', 'audits'])
    expect((await api.theirs.get(`/api/hosts/4711/${action}`)).status, action).toBe(404)
  for (const action of ['boot', 'disassociate', 'rebuild_config'])
    expect((await api.theirs.put(`/api/hosts/4711/${action}`, {})).status, action).toBe(404)
  const menu = await api.theirs.post('/api/config_templates/build_pxe_default', {})
  expect(menu).toMatchObject({ status: 422, body: { error: { full_messages: [expect.stringContaining('TFTP')] } } })
})

test("writing a host's records to servers only succeeds where there is nothing to write", async () => {
  const done = { status: 200, body: { message: 'Configuration successfully rebuilt.' } }
  expect(await api.theirs.put(`/api/hosts/${host.id}/rebuild_config`, {})).toMatchObject(done)
  expect(await api.theirs.put(`/api/hostgroups/${group.id}/rebuild_config`, { only: ['DNS'] })).toMatchObject(done)
  const tftp = await given(api.ours, 'smart_proxy')
  const subnet = await given(api.ours, 'subnet', { network: '192.0.2.0', mask: '255.255.255.0', tftp_id: tftp.id })
  await api.theirs.put(`/api/hosts/${host.id}`, { host: { managed: false, subnet_id: subnet.id } })
  expect(await api.theirs.put(`/api/hosts/${host.id}/rebuild_config`, {})).toMatchObject(done)
  const ready = { managed: true, mac: '00:53:00:00:00:01', ip: '192.0.2.7', root_pass: 'a long password' }
  const [architecture, os] = [await given(api.ours, 'architecture'), await given(api.ours, 'operatingsystem')]
  const links = { architecture_id: architecture.id, operatingsystem_id: os.id }
  await expectCreated(
    api.theirs.post('/api/hosts', {
      host: { name: 'two.example.test', subnet_id: subnet.id, hostgroup_id: group.id, ...ready, ...links },
    }),
  )
  const refused = (words: string) => ({
    status: 422,
    body: { error: { full_messages: [`Configuration rebuild failed for: ${words}.`] } },
  })
  expect(await api.theirs.put('/api/hosts/two.example.test/rebuild_config', {})).toMatchObject(refused('TFTP'))
  expect(await api.theirs.put('/api/hosts/two.example.test/rebuild_config', { only: ['DNS'] })).toMatchObject(done)
  for (const children_hosts of [false, true])
    expect(await api.theirs.put(`/api/hostgroups/${group.id}/rebuild_config`, { children_hosts })).toMatchObject(
      refused('two.example.test(TFTP)'),
    )
})

test('lists of what belongs to a record are there below it, and a search does not lead out of them', async () => {
  await given(api.ours, 'common_parameter', { name: 'inherited', value: 'x' })
  const inherited = await api.theirs.get(`/api/hosts/${host.id}/inherited_parameters`)
  expect(inherited.body).toMatchObject({ total: 1, results: [{ name: 'inherited', associated_type: 'global' }] })
  const audits = await api.theirs.get(`/api/hosts/${host.name}/audits?per_page=all`)
  expect(audits.body.results.length).toBeGreaterThan(0)
  for (const audit of audits.body.results)
    expect(audit).toMatchObject({ auditable_id: host.id, auditable_type: 'Host' })
  const created = await api.theirs.get(`/api/hosts/${host.id}/audits?search=action%3Dcreate`)
  expect(created.body).toMatchObject({ total: 1, subtotal: 1, search: 'action=create' })
  const outside = `/api/hosts/${host.id}/audits?search=${encodeURIComponent('id > 0) or (id > 0')}`
  expect((await api.theirs.get(outside)).status).toBe(400)
  const role = await given(api.ours, 'role')
  const [permission] = (await api.theirs.get('/api/permissions?search=name%3Dview_hosts')).body.results
  const { id } = await expectCreated(
    api.theirs.post('/api/filters', {
      filter: {
        role_id: role.id,
        permission_ids: [permission.id],
        override: true,
        organization_ids: [1],
        location_ids: [1],
      },
    }),
  )
  for (const place of ['organizations', 'locations'])
    expect((await api.theirs.get(`/api/${place}/1/filters`)).body, place).toMatchObject({ total: 1, results: [{ id }] })
  const { id: used } = await given(api.ours, 'configclass')
  const taking = await given(api.ours, 'hostgroup', { configclass_ids: [used] })
  expect((await api.theirs.get(`/api/puppetclasses/${used}/hostgroups`)).body).toMatchObject({
    total: 1,
    results: [{ id: taking.id }],
  })
})

test('hosts are counted by their states', async () => {
  const now = new Date().toISOString()
  const status = { applied: 1, restarted: 0, failed: 1, failed_restarts: 0, skipped: 0, pending: 0 }
  const report = { host: host.name, reported_at: now, status, metrics: {}, logs: [] }
  await expectCreated(api.theirs.post('/api/config_reports', { config_report: report }))
  const { body } = await api.theirs.get(`/api/dashboard?search=name%3D${host.name}`)
  expect(body).toMatchObject({ total_hosts: 1, bad_hosts: 1, active_hosts: 1, active_hosts_ok: 0, good_hosts: 0 })
  expect(body).toMatchObject({ reports_missing: 0, percentage: 0, out_of_sync_hosts: 0 })
  const { glossary, percentage, ...counts } = body
  expect(Object.keys(glossary).sort()).toEqual([...Object.keys(counts), 'percentage'].sort())
  expect((await api.theirs.get('/api/dashboard?search=nothing%3D1')).status).toBe(400)
  const built = (await api.theirs.get('/api/host_statuses')).body.results
  const all = (await api.theirs.get('/api/hosts?per_page=1')).body.total
  expect(built).toMatchObject([
    { name: 'Build', details: [{ label: 'Installed', total: all, owned: all }, {}, {}, {}] },
  ])
})

test('unsupported lists are empty, and writes to them are refused', async () => {
  for (const path of ['/api/plugins', '/api/v2/instance_hosts'])
    expect(await api.theirs.get(path)).toMatchObject({ status: 200, body: { total: 0, results: [] } })
  for (const ask of [api.theirs.put, api.theirs.delete])
    expect((await ask(`/api/instance_hosts/${host.id}`, {})).status).toBe(422)
})

test('callers are told who they are and what they may do, and no more than that', async () => {
  const role = await given(api.ours, 'role')
  const [permission] = (await api.theirs.get('/api/permissions?search=name%3Dedit_puppetclasses')).body.results
  await expectCreated(
    api.theirs.post('/api/filters', { filter: { role_id: role.id, permission_ids: [permission.id] } }),
  )
  const user = { login: 'edits-classes', password: 'a long password', auth_source_id: 1, role_ids: [role.id] }
  await expectCreated(api.theirs.post('/api/users', { user }))
  const headers = { authorization: basic(user.login, user.password) }
  const { body } = await api.theirs.get('/api/permissions/current_permissions', headers)
  const names = body.results.map(({ name }: { name: string }) => name)
  expect(names).toContain('edit_puppetclasses')
  expect(names).not.toContain('edit_hosts')
  expect((await api.theirs.get('/api/users/extlogin', headers)).body).toMatchObject({ login: user.login })
  expect((await api.stranger.get('/api/users/extlogin')).status).toBe(401)
  for (const path of ['/api/dashboard', `/api/hosts/${host.id}/inherited_parameters`])
    expect((await api.theirs.get(path, headers)).status, path).toBe(403)
  expect((await api.theirs.put(`/api/hosts/${host.id}/boot`, { device: 'pxe' }, headers)).status).toBe(403)
})

test('files of an installation and the templates of a host are named on both ports', async () => {
  const [medium, architecture] = [
    await given(api.ours, 'medium', { path: 'http://mirror.example.test/debian' }),
    await (await api.ours.get('/api/architectures/x86_64')).body,
  ]
  const debian = { name: 'Debian', major: '12', family: 'Debian', release_name: 'bookworm' }
  const os = await given(api.ours, 'operatingsystem', debian)
  const path = `/api/operatingsystems/${os.id}/bootfiles`
  for (const port of [api.ours, api.theirs]) {
    const { status, body } = await port.get(`${path}?medium=${medium.id}&architecture=x86_64`)
    expect(status).toBe(200)
    expect(body.map((file: object) => Object.values(file)[0])).toEqual(
      ['linux', 'initrd.gz'].map(
        (file) =>
          `http://mirror.example.test/debian/dists/bookworm/main/installer-amd64/current/images/netboot/debian-installer/amd64/${file}`,
      ),
    )
    expect((await port.get(`${path}?medium=${medium.id}`)).status).toBe(400)
    expect((await port.get(`${path}?medium=nowhere&architecture=${architecture.id}`)).status).toBe(404)
  }
  const kind = (await api.ours.get('/api/template_kinds?per_page=all')).body.results.find(
    ({ name }: { name: string }) => name === 'finish',
  )
  const template = await given(api.ours, 'provisioning_template', {
    ...{ template: 'echo', template_kind_id: kind.id, operatingsystem_ids: [os.id] },
    ...{ organization_ids: [1], location_ids: [1] },
  })
  await expectCreated(
    api.ours.post(`/api/operatingsystems/${os.id}/os_default_templates`, {
      os_default_template: { provisioning_template_id: template.id, template_kind_id: kind.id },
    }),
  )
  await api.ours.put(`/api/hosts/${host.id}`, { host: { operatingsystem_id: os.id } })
  const taken = { id: template.id, name: template.name, template_kind_id: kind.id, template_kind_name: 'finish' }
  for (const port of [api.ours, api.theirs])
    expect((await port.get(`/api/hosts/${host.id}/templates`)).body).toEqual({ results: [taken] })
})
