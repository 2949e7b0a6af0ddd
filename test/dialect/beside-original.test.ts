import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectCreated } from '../support/api.ts'
import { given, type Shown } from '../support/given.ts'
import { startClassSource } from '../support/peers/class-source.ts'
import { startProxy } from '../support/peers/proxy.ts'
import { type BothListeners, openBothListeners } from './support.ts'

// What a second comparison with a running server found, by the row of its table; at the second port unless said otherwise.

let api: BothListeners
beforeAll(async () => {
  api = await openBothListeners()
})
afterAll(() => api?.[Symbol.asyncDispose]())

const PLACE = { organization_id: 1, location_id: 1 }
const PLACES = { organization_ids: [1], location_ids: [1] }
let counted = 0

const host = (more: object = {}, place: object = PLACE) =>
  expectCreated(
    api.theirs.post('/api/hosts', { host: { name: `h${++counted}.test`, managed: false, ...place, ...more } }),
  )
const subnet = (name: string, more: object = {}) =>
  given(api.ours, 'subnet', { name, network: '10.1.9.0', mask: '255.255.255.0', ...PLACES, ...more })

async function found(list: string, search: string, more: object = {}): Promise<Shown[]> {
  const query = new URLSearchParams({ search, per_page: 'all', ...more })
  const { status, body, text } = await api.theirs.get(`/api/${list}?${query}`)
  expect([list, search, status, text]).toEqual([list, search, 200, expect.any(String)])
  return body.results
}
const namesOf = (records: readonly Shown[]) => records.map(({ name, login }) => login ?? name).toSorted()

describe('addresses', () => {
  const ranged = (name: string, ipam: string, more: object = {}) =>
    subnet(name, { ipam, from: '10.1.9.1', to: '10.1.9.50', ...more })

  test('a new host without one gets the first free one of its subnet', async () => {
    const { id: subnet_id } = await ranged('in order', 'Internal DB', { gateway: '10.1.9.2' })
    expect((await host({ subnet_id })).ip).toBe('10.1.9.1')
    expect((await host({ subnet_id })).ip).toBe('10.1.9.3')
    expect((await host({ subnet_id, ip: '10.1.9.9' })).ip).toBe('10.1.9.9')
    expect((await host({ subnet_id, ip: '' })).ip).toBe('10.1.9.4')
  })

  test('also by its group, the group above that, and for each of its interfaces', async () => {
    const { id: subnet_id } = await ranged('of a group', 'Internal DB')
    const above = await given(api.ours, 'hostgroup', { name: 'above', subnet_id, ...PLACES })
    const group = await given(api.ours, 'hostgroup', { name: 'below', parent_id: above.id, ...PLACES })
    expect(await host({ hostgroup_id: group.id })).toMatchObject({ subnet_id, ip: '10.1.9.1' })
    const interfaces_attributes = [
      { identifier: 'eth0', primary: true, subnet_id },
      { identifier: 'eth1', subnet_id },
    ]
    const { interfaces } = await host({ interfaces_attributes })
    expect(interfaces.map(({ ip }: Shown) => ip)).toEqual(['10.1.9.2', '10.1.9.3'])
  })

  test('ten hosts at once get ten of them, and when none is left a managed host is refused', async () => {
    for (const [name, ipam] of [
      ['crowded', 'Internal DB'],
      ['crowded at random', 'Random DB'],
    ] as const) {
      const { id: subnet_id } = await ranged(name, ipam, { to: '10.1.9.10' })
      const made = await Promise.all(Array.from({ length: 10 }, () => host({ subnet_id })))
      const expected = Array.from({ length: 10 }, (_, index) => `10.1.9.${index + 1}`)
      expect(made.map(({ ip }) => ip).toSorted()).toEqual(expected.toSorted())
      expect((await host({ subnet_id })).ip).toBeNull()
      const sent = { name: 'managed.test', ...PLACE, subnet_id, mac: '52:54:00:00:00:11' }
      const managed = await api.theirs.post('/api/hosts', { host: sent })
      expect([managed.status, managed.body.error?.errors]).toEqual([
        422,
        { ip: [expect.stringMatching(/no free address/)] },
      ])
    }
  })

  test('a subnet of version 6 gives one of its own; other methods give none', async () => {
    const { id: subnet6_id } = await subnet('six', {
      ...{ network: '2001:db8::', mask: 'ffff:ffff:ffff:ffff::', network_type: 'IPv6', ipam: 'Internal DB' },
    })
    expect((await host({ subnet6_id })).ip6).toBe('2001:db8::1')
    for (const ipam of ['None', 'DHCP']) {
      const { id: subnet_id } = await ranged(`by ${ipam}`, ipam)
      expect((await host({ subnet_id })).ip).toBeNull()
    }
  })
})

describe('hosts and groups', () => {
  test('the proxy of the CA is that of the configuration where none is named, if it signs certificates', async () => {
    await using peer = await startProxy()
    const running = { http_enabled: true, settings: {}, capabilities: [], state: 'running' }
    peer.offer({
      '/v2/features': (response) =>
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ puppetca: running, puppet: running })),
    })
    const signing = await expectCreated(
      api.theirs.post('/api/smart_proxies', { smart_proxy: { name: 'signing', url: peer.url, ...PLACES } }),
    )
    const other = await given(api.ours, 'smart_proxy', {
      ...{ name: 'other', url: 'https://other.example.test:8443', runner: 'ssh', ...PLACES },
    })
    const follows = { puppet_proxy_id: signing.id, puppet_ca_proxy_id: signing.id }
    expect(await host({ puppet_proxy_id: signing.id })).toMatchObject(follows)
    expect((await host({ puppet_proxy_id: other.id })).puppet_ca_proxy_id).toBeNull()
    const named = { puppet_proxy_id: signing.id, puppet_ca_proxy_id: other.id }
    expect(await host(named)).toMatchObject(named)
    const group = { name: 'signed', puppet_proxy_id: signing.id, ...PLACES }
    const made = await expectCreated(api.theirs.post('/api/hostgroups', { hostgroup: group }))
    expect(made).toMatchObject(follows)
    expect(await host({ hostgroup_id: made.id })).toMatchObject(follows)
    const bare = await host()
    const moved = await api.theirs.put(`/api/hosts/${bare.id}`, { host: { puppet_proxy_id: signing.id } })
    expect(moved.body).toMatchObject(follows)
  })

  test('an interface has the MTU of its subnet unless it has its own', async () => {
    const { id: subnet_id } = await subnet('jumbo', { mtu: 9000 })
    const made = await host({ subnet_id, ip: '10.1.9.200' })
    const { results } = (await api.theirs.get(`/api/hosts/${made.id}/interfaces`)).body
    expect([made.interfaces[0].mtu, results[0].mtu]).toEqual([9000, 9000])
    const own = await host({ subnet_id, ip: '10.1.9.201', interfaces_attributes: [{ primary: true, mtu: 1400 }] })
    expect(own.interfaces[0].mtu).toBe(1400)
    const template = '<%= @host.primary_interface.mtu %> <%= @host.interfaces.first.mtu %>'
    const { body } = await api.theirs.post(`/api/hosts/${made.id}/render`, { template })
    expect(body.template).toBe('9000 9000')
    expect((await host()).interfaces[0].mtu).toBeNull()
  })

  test('a comment is blank where nothing was said, and searches find it so', async () => {
    const made = await host({ comment: null })
    expect(made.comment).toBe('')
    expect(namesOf(await found('hosts', `comment !~ prod and id = ${made.id}`))).toEqual([made.name])
  })

  test('an id of null leaves a name beside it', async () => {
    const named = { organization_id: null, organization_name: 'Default Organization', location_id: 1 }
    expect((await host(named, {})).organization_id).toBe(1)
  })

  test('groups below a group show its boot loader as theirs', async () => {
    const above = await given(api.ours, 'hostgroup', { name: 'loading', pxe_loader: 'PXELinux BIOS' })
    const sent = { name: 'loaded', parent_id: above.id }
    const group = await expectCreated(api.theirs.post('/api/hostgroups', { hostgroup: sent }))
    expect(group).toMatchObject({ pxe_loader: 'PXELinux BIOS', inherited_pxe_loader: 'PXELinux BIOS' })
  })

  test('groups of classes are shown with their classes and times', async () => {
    const ntp = await given(api.ours, 'configclass', { name: 'ntp' })
    const group = await given(api.ours, 'config_group', { name: 'web', configclass_ids: [ntp.id] })
    const made = await host({ config_group_ids: [group.id] })
    const { body } = await api.theirs.get(`/api/hosts/${made.id}`)
    expect(body.config_groups).toEqual([
      expect.objectContaining({
        id: group.id,
        name: 'web',
        created_at: expect.any(String),
        updated_at: expect.any(String),
      }),
    ])
    expect(body.config_groups[0].puppetclasses).toMatchObject([{ name: 'ntp' }])
  })

  test('packages are installed without a question', async () => {
    const systems = [
      [{ name: 'Debian', major: '12', family: 'Debian', release_name: 'bookworm' }, 'Debian'],
      [{ name: 'RedHat', major: '9', family: 'Redhat' }, 'Redhat'],
      [{ name: 'RedHat', major: '7', family: 'Redhat' }, 'Redhat 7'],
    ] as const
    const written: Record<string, string> = {}
    for (const [system, as] of systems) {
      const { id: operatingsystem_id } = await given(api.ours, 'operatingsystem', system)
      const { id } = await host({ operatingsystem_id })
      const { body } = await api.theirs.post(`/api/hosts/${id}/render`, { template: "<%= install_packages('x') %>" })
      written[as] = body.template
    }
    expect(written.Debian).toContain('export DEBIAN_FRONTEND=noninteractive')
    expect(written.Debian).toContain('apt-get -y update')
    expect(written.Debian).toContain('-o Dpkg::Options::="--force-confdef" -o Dpkg::Options::="--force-confold"')
    expect(written.Redhat).toBe('dnf -y install x')
    expect(written['Redhat 7']).toBe('yum -y install x')
  })

  test('documents of nodes say the CA, and what a bridge consists of', async () => {
    const interfaces_attributes = [
      { identifier: 'eth0', primary: true },
      { identifier: 'br0', type: 'bridge', attached_devices: 'eth0,eth1' },
    ]
    const made = await host({ interfaces_attributes })
    const read = async () => (await api.theirs.get(`/api/hosts/${made.id}/enc`)).body.data.parameters
    expect(await read()).not.toHaveProperty('server_ca')
    const registered = await api.theirs.post('/rhsm/consumers?owner=Default_Organization&location_id=1', {
      ...{ type: 'system', name: 'consumer.test', facts: { 'network.hostname': 'consumer.test' } },
    })
    expect([registered.status, registered.text]).toEqual([200, expect.any(String)])
    const parameters = await read()
    expect(parameters.server_ca).toMatch(/^-----BEGIN CERTIFICATE-----/)
    expect(parameters.ssl_ca).toBe(parameters.server_ca)
    const bridge = parameters.foreman_interfaces.find(({ identifier }: Shown) => identifier === 'br0')
    expect(bridge).toMatchObject({ type: 'Bridge', attached_devices: 'eth0,eth1' })
  })
})

describe('searches', () => {
  beforeAll(async () => {
    const { id: operatingsystem_id } = await given(api.ours, 'operatingsystem', {
      ...{ name: 'Linuxes', major: '8', description: 'Linux Eight' },
    })
    const { id: hostgroup_id } = await given(api.ours, 'hostgroup', { name: 'searched', operatingsystem_id, ...PLACES })
    const made = await host({ name: 'searched.test', hostgroup_id, operatingsystem_id, mac: 'aa:bb:cc:00:00:01' })
    await api.theirs.post('/api/hosts/facts', { name: made.name, facts: { kernel: 'Linux', _type: 'puppet' } })
    await given(api.ours, 'usergroup', { name: 'Group 1' })
  })

  test.each<readonly [list: string, search: string]>([
    ['hostgroups', 'os_description ~ Linux'],
    ['hostgroups', 'has os_id'],
    ['audits', 'os_title = "Linux Eight"'],
    ['audits', 'authored_by_user.id = 1'],
    ['audits', 'hostgroup_title = searched'],
    ['fact_values', 'facts.kernel = Linux'],
    ['fact_values', 'type = puppet'],
    ['fact_values', 'origin = Puppet'],
    ['settings', 'value ~ a'],
    ['ptables', 'null? vendor'],
    ['ptables', 'default = false'],
    ['provisioning_templates', 'default_template = false'],
    ['common_parameters', 'type = string'],
    ['hosts', 'infrastructure_facet.foreman = false'],
    ['hosts', 'configuration_status.failed = 0'],
    ['roles', 'locked ~ true'],
    ['filters', 'unlimited ~ true'],
    ['filters', 'unlimited ^ (true, false)'],
  ])('of %s understand %s', async (list, search) => {
    await found(list, search)
  })

  test('name no inner field when they refuse a value', async () => {
    const { status, text } = await api.theirs.get('/api/filters?search=unlimited+%3D+x')
    expect([status, text]).toEqual([400, expect.stringContaining("'unlimited'")])
  })

  test('of users: who is administrator by the own flag, and the words of groups', async () => {
    const member = await given(api.ours, 'user', { login: 'by-group' })
    await given(api.ours, 'usergroup', { name: 'Zookeepers', admin: true, user_ids: [member.id] })
    expect(namesOf(await found('users', 'admin = false'))).toContain('by-group')
    expect(namesOf(await found('users', 'admin = true'))).toContain('by-group')
    expect(namesOf(await found('users', 'zookeep'))).toEqual(['by-group'])
  })

  test('of systems without a minor version', async () => {
    const group = await given(api.ours, 'hostgroup', { name: 'no minor' })
    const { id: operatingsystem_id } = await given(api.ours, 'operatingsystem', { name: 'Rolling', major: '1' })
    await api.ours.put(`/api/hostgroups/${group.id}`, { hostgroup: { operatingsystem_id } })
    const made = await host({ operatingsystem_id })
    expect(namesOf(await found('hostgroups', `os_minor <> 1 and id = ${group.id}`))).toEqual(['no minor'])
    expect(namesOf(await found('hosts', `os_minor != 2.1 and id = ${made.id}`))).toEqual([])
  })

  test('of the interfaces of a host, and their order', async () => {
    const search = new URLSearchParams({ search: 'mac = aa:bb:cc:00:00:01' })
    const one = await api.theirs.get(`/api/hosts/searched.test/interfaces?${search}`)
    expect(one.body).toMatchObject({ subtotal: 1, results: [{ mac: 'aa:bb:cc:00:00:01' }] })
    expect((await api.theirs.get('/api/hosts/searched.test/interfaces?order=name')).status).toBe(200)
  })
})

describe('lists that nobody ordered', () => {
  test('have subnets by VLAN, users by first name and permissions by id', async () => {
    for (const [name, vlanid] of [
      ['vlan none', null],
      ['vlan 7', 7],
      ['vlan 30', 30],
    ] as const)
      await subnet(name, { vlanid, network: '10.2.0.0' })
    const subnets = await found('subnets', 'name ^ ("vlan none", "vlan 7", "vlan 30")')
    expect(subnets.map(({ name }) => name)).toEqual(['vlan 7', 'vlan 30', 'vlan none'])
    for (const [login, firstname] of [
      ['zz-a', 'Amy'],
      ['aa-z', 'Zoe'],
      ['mm', null],
    ] as const)
      await given(api.ours, 'user', { login, firstname })
    const users = await found('users', 'login ^ (zz-a, aa-z, mm)')
    expect(users.map(({ login }) => login)).toEqual(['zz-a', 'aa-z', 'mm'])
    const ids = (await found('permissions', '')).map(({ id }) => id)
    expect(ids).toEqual(ids.toSorted((one, other) => one - other))
  })
})

describe('classification', () => {
  const importParameter = async (name: string) => {
    await using peer = await startClassSource()
    peer.hold({ production: { [name]: { port: { type: 'Integer', literal: 80 } } } })
    const { id } = await expectCreated(api.theirs.post('/api/smart_proxies', { name, url: peer.url }))
    await api.theirs.post(`/api/smart_proxies/${id}/import_puppetclasses`, {})
    const { results } = (await api.theirs.get(`/api/smart_class_parameters?search=puppetclass+%3D+${name}`)).body
    return `/api/smart_class_parameters/${results[0].id}`
  }

  test('a matcher may name the id of any record that the host has', async () => {
    const url = await importParameter('matched')
    const group = await given(api.ours, 'hostgroup', { name: 'matched', ...PLACES })
    const [environment] = await found('environments', 'name = production')
    const { results } = (await api.theirs.get('/api/puppetclasses?search=name+%3D+matched')).body
    const matched = results.matched[0]
    const changed = await api.theirs.put(url, {
      smart_class_parameter: { override: true, override_value_order: 'hostgroup_id\nenvironment_id' },
    })
    expect([changed.status, changed.text]).toEqual([200, expect.any(String)])
    const value = { match: `hostgroup_id=${group.id}`, value: 7 }
    expect((await api.theirs.post(`${url}/override_values`, value)).status).toBe(201)
    const made = await host({
      ...{ hostgroup_id: group.id, environment_id: environment?.id, puppetclass_ids: [matched.id] },
    })
    const { classes } = (await api.theirs.get(`/api/hosts/${made.id}/enc`)).body.data
    expect(classes).toMatchObject({ matched: { port: 7 } })
  })

  test('null is a default that fits a rule for blank text', async () => {
    const url = await importParameter('blank')
    const rule = { parameter_type: 'string', default_value: null, validator_type: 'regexp', validator_rule: '.*' }
    const { status, text } = await api.theirs.put(url, { smart_class_parameter: { override: true, ...rule } })
    expect([status, text]).toEqual([200, expect.any(String)])
  })
})

describe('routes', () => {
  test('hosts of a location of an organization, and groups of a user', async () => {
    const [{ id: location }] = (await api.theirs.get('/api/locations')).body.results
    const made = await host()
    const { body } = await api.theirs.get(`/api/organizations/1/locations/${location}/hosts?search=id%3D${made.id}`)
    expect(body).toMatchObject({ subtotal: 1, results: [{ id: made.id }] })
    const user = await given(api.ours, 'user', { login: 'grouped' })
    const group = await given(api.ours, 'usergroup', { user_ids: [user.id] })
    const groups = await api.theirs.get(`/api/users/${user.id}/usergroups`)
    expect(groups.body).toMatchObject({ subtotal: 1, results: [{ id: group.id }] })
  })

  test('the default organization and location of a new installation are in each other', async () => {
    expect((await api.theirs.get('/api/organizations/1')).body.locations).toMatchObject([{ name: 'Default Location' }])
    const [{ id }] = (await api.theirs.get('/api/locations')).body.results
    expect((await api.theirs.get(`/api/locations/${id}`)).body.organizations).toMatchObject([
      { name: 'Default Organization' },
    ])
  })

  test('a free address has errors beside it', async () => {
    const { id } = await subnet('free', { ipam: 'Internal DB' })
    expect((await api.theirs.get(`/api/subnets/${id}/freeip`)).body).toMatchObject({ freeip: '10.1.9.1', errors: {} })
  })
})

describe('errors', () => {
  test.each([
    ['owner_id', { owner_id: 999_999, owner_type: 'User' }],
    ['environment_id', { environment_id: 999_999 }],
  ])('an unknown %s of a host is one of the record', async (_key, more) => {
    const sent = { name: 'unknown.test', managed: false, ...PLACE, ...more }
    const { status, body } = await api.theirs.post('/api/hosts', { host: sent })
    expect([status, body]).toEqual([
      422,
      { error: { id: null, errors: expect.any(Object), full_messages: [expect.any(String)] } },
    ])
  })

  test('of starting and switching a host are on top, too', async () => {
    const { id } = await host()
    const boot = await api.theirs.put(`/api/hosts/${id}/boot`, { device: 'pxe' })
    const power = await api.theirs.put(`/api/hosts/${id}/power`, { power_action: 'start' })
    for (const { status, body } of [boot, power])
      expect([status, body]).toEqual([
        422,
        { error: expect.any(Object), message: expect.any(String), errors: expect.any(Object) },
      ])
  })

  test('an unknown group of a host is not found', async () => {
    const sent = { name: 'unknown.test', managed: false, ...PLACE, hostgroup_id: 999_999 }
    expect((await api.theirs.post('/api/hosts', { host: sent })).status).toBe(404)
  })
})
