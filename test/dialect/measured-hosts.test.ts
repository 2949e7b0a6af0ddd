import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { expectCreated } from '../support/api.ts'
import { given, type Shown } from '../support/given.ts'
import { startProxy } from '../support/peers/proxy.ts'
import { type BothListeners, openBothListeners } from './support.ts'

// Hosts, facts and node documents as a running server treats them (measured.md), beyond hosts.test.ts and nodes.test.ts; all
// at the second port.

let api: BothListeners
beforeAll(async () => {
  api = await openBothListeners()
})
afterAll(() => api?.[Symbol.asyncDispose]())

const create = (host: object) =>
  expectCreated(
    api.theirs.post('/api/hosts', { host: { managed: false, organization_id: 1, location_id: 1, ...host } }),
  )
const set = async (name: string, value: unknown) => {
  const { status, text } = await api.theirs.put(`/api/settings/${name}`, { setting: { value } })
  expect([status, text]).toEqual([200, expect.any(String)])
}

describe('hosts', () => {
  test('in a template a subnet is its name and network, an owner the login', async () => {
    const network = { network: '10.1.0.0', mask: '255.255.0.0', organization_ids: [1], location_ids: [1] }
    const subnet = await given(api.ours, 'subnet', { name: 'lan', ...network })
    const { id } = await create({ name: 'text.example.test', subnet_id: subnet.id, ip: '10.1.0.5' })
    const template = '<%= @host.subnet %>, <%= @host.owner %>'
    const { body } = await api.theirs.post(`/api/hosts/${id}/render`, { template })
    expect(body.template).toBe('lan (10.1.0.0/16), admin')
  })

  test('a bond has no size of packets and no comment where nothing is said', async () => {
    const host = await create({
      name: 'bonded.example.test',
      interfaces_attributes: [{ type: 'bond', identifier: 'bond0', attached_devices: 'eth0', primary: true }],
    })
    expect(host.interfaces).toMatchObject([{ mode: 'balance-rr', virtual: true, mtu: null }])
  })
})

describe('facts', () => {
  const upload = async (name: string, facts: object): Promise<Shown> => {
    const { status, body, text } = await api.theirs.post('/api/hosts/facts', { name, facts })
    expect([status, text]).toEqual([201, expect.any(String)])
    return (await api.theirs.get(`/api/hosts/${body.id}`)).body
  }

  test('settings keep systems and domains out of them', async () => {
    await set('ignore_facts_for_operatingsystem', true)
    await set('ignore_facts_for_domain', true)
    const facts = { operatingsystem: 'Ignored', operatingsystemrelease: '7.1', domain: 'ignored.test' }
    const ignored = await upload('one.ignored.test', facts)
    expect(ignored).toMatchObject({ operatingsystem_id: null, domain_id: null })
    await set('ignore_facts_for_operatingsystem', false)
    await set('ignore_facts_for_domain', false)
    expect(await upload('two.ignored.test', facts)).toMatchObject({
      ...{ operatingsystem_name: expect.stringContaining('Ignored'), domain_name: 'ignored.test' },
    })
  })

  test('every interface, bond and VLAN in them becomes an interface with its identifier', async () => {
    const { interfaces } = await upload('many.example.test', {
      interfaces: 'lo,eth0,eth1,bond0,eth0_7',
      ipaddress: '192.0.2.10',
      ipaddress_eth0: '192.0.2.10',
      macaddress_eth0: '52:54:00:00:20:01',
      macaddress_eth1: '52:54:00:00:20:02',
      macaddress_bond0: '52:54:00:00:20:03',
      ipaddress_eth0_7: '192.0.2.17',
    })
    const told = interfaces.map(({ identifier, type, virtual }: Shown) => [identifier, type, virtual])
    expect(told.sort()).toEqual([
      ['bond0', 'bond', true],
      ['eth0', 'interface', false],
      ['eth0.7', 'interface', true],
      ['eth1', 'interface', false],
    ])
  })

  test('new hosts go where the settings say, by name', async () => {
    const [organization, location, environment] = [
      await given(api.ours, 'organization', { name: 'of facts' }),
      await given(api.ours, 'location', { name: 'there' }),
      await given(api.ours, 'environment', { name: 'of_facts' }),
    ]
    const places = { organization_ids: [organization.id], location_ids: [location.id] }
    await api.ours.put(`/api/environments/${environment.id}`, { environment: places })
    await set('default_organization', 'of facts')
    await set('default_location', 'there')
    await set('default_puppet_environment', 'of_facts')
    expect(await upload('new.example.test', { kernel: 'Linux' })).toMatchObject({
      organization_id: organization.id,
      location_id: location.id,
      environment_id: environment.id,
    })
  })

  test('the system in them is linked to its architecture', async () => {
    const { operatingsystem_id, architecture_id } = await upload('system.example.test', {
      os: { name: 'Debian', family: 'Debian', release: { full: '12.5', major: '12', minor: '5' } },
      architecture: 'riscv64',
    })
    const { body } = await api.theirs.get(`/api/operatingsystems/${operatingsystem_id}`)
    expect(body.architectures).toMatchObject([{ id: architecture_id, name: 'riscv64' }])
  })

  test('blank ones are dropped', async () => {
    const { id } = await upload('blank.example.test', { kernel: 'Linux', blank: '', nothing: null })
    const { results } = (await api.theirs.get(`/api/hosts/${id}/facts?per_page=all`)).body
    expect(results['blank.example.test']).toEqual({ kernel: 'Linux' })
  })

  test('of no system make a host that has none', async () => {
    expect(await upload('none.example.test', { uptime: '1 day' })).toMatchObject({ operatingsystem_id: null })
  })

  test.each([
    ['ignore_puppet_facts_for_provisioning', true],
    ['ignored_interface_identifiers', ['lo', 'veth*']],
    ['update_hostgroup_from_facts', true],
    ['organization_fact', 'of_mine'],
    ['location_fact', 'of_mine'],
    ['host_owner', '1-Users'],
    ['outofsync_interval', 45],
  ])('the setting %s exists', async (name, value) => {
    await set(name, value)
    expect((await api.theirs.get(`/api/settings/${name}`)).body).toMatchObject({ name, value })
  })

  test.each(['organization', 'location'])('the fact that names the %s is called as clients call it', async (place) => {
    const [theirs, ours] = [`/api/settings/${place}_fact`, `millwright_${place}`]
    const shown = await api.theirs.put(theirs, { setting: { value: `foreman_${place}` } })
    expect(shown.body).toMatchObject({ value: `foreman_${place}`, default: `foreman_${place}` })
    expect((await api.ours.get(theirs)).body).toMatchObject({ value: ours, default: ours })
  })
})

describe('node documents', () => {
  const document = async (name: string) => {
    const { status, text } = await api.theirs.get(`/node/${name}?format=yml`)
    expect([status, text]).toEqual([200, expect.any(String)])
    return parse(text).parameters
  }

  test('name the group, the password, the owner and who signs certificates', async () => {
    const group = await given(api.ours, 'hostgroup', { name: 'of nodes' })
    const url = 'https://ca.example.test:8443'
    const ca = await given(api.ours, 'smart_proxy', { name: 'ca', url, runner: 'ssh' })
    await create({
      ...{ name: 'whole.example.test', hostgroup_id: group.id, puppet_ca_proxy_id: ca.id },
      root_pass: 'correct horse battery',
    })
    expect(await document('whole.example.test')).toMatchObject({
      ...{ hostgroup: 'of nodes', puppet_ca: 'ca.example.test', owner_name: 'Admin User' },
      root_pw: expect.stringMatching(/^\$/),
    })
  })

  test('the server is called as in the URL of its proxy', async () => {
    const url = 'https://engine.example.test:8443'
    const proxy = await given(api.ours, 'smart_proxy', { name: 'engine', url, runner: 'ssh' })
    await create({ name: 'served.example.test', puppet_proxy_id: proxy.id })
    expect(await document('served.example.test')).toMatchObject({ puppetmaster: 'engine.example.test' })
  })

  test('the certificate authority defaults to a proxy that has one, and a server has the name of its proxy', async () => {
    await using peer = await startProxy()
    const running = { http_enabled: true, settings: {}, capabilities: [], state: 'running' }
    const engine = { ...running, settings: { puppet_url: 'https://told.example.test:8140' } }
    peer.offer({
      '/v2/features': (response) =>
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ puppetca: running, puppet: engine })),
    })
    const proxy = await expectCreated(api.theirs.post('/api/smart_proxies', { name: 'signing', url: peer.url }))
    await create({ name: 'signed.example.test', puppet_proxy_id: proxy.id })
    expect(await document('signed.example.test')).toMatchObject({
      puppet_ca: '127.0.0.1',
      puppetmaster: 'told.example.test',
    })
  })
})
