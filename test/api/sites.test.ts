import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectCreated, openTestApi, type Reply, type TestApi } from '../support/api.ts'
import { given, leastBody, managedHost, unique } from '../support/given.ts'

// Core-api §11: environments, domains, subnets, realms, models, compute resources, media, partition tables, images.

const ASSIGNING = ['assign_organizations', 'assign_locations']

let api: TestApi
/** The organization and location of limited callers. */
let there: { organization_ids: number[]; location_ids: number[] }

beforeAll(async () => {
  api = await openTestApi()
  there = {
    organization_ids: [(await given(api.admin, 'organization')).id],
    location_ids: [(await given(api.admin, 'location')).id],
  }
})
afterAll(() => api?.[Symbol.asyncDispose]())

const creating = (plural: string, name: string) => (body: object) => api.admin.post(`/api/${plural}`, { [name]: body })
const errorsOf = async (sent: Promise<Reply>) => (await sent).body.error?.errors
const idsAt = async (path: string) => (await api.admin.get(path)).body.results.map(({ id }: { id: number }) => id)

describe('environments', () => {
  const post = creating('environments', 'environment')

  test('show their keys in order', async () => {
    const made = await expectCreated(post({ name: 'production_2' }))
    expect(Object.keys(made).slice(0, 4)).toEqual(['created_at', 'updated_at', 'name', 'id'])
    expect(Object.keys(made).slice(-2)).toEqual(['locations', 'organizations'])
    const { body } = await api.admin.get('/api/environments/production_2')
    expect(body).toEqual(made)
  })

  test.each(['a b', 'a-b', 'ä', 'a.b', 'a\tb'])('are not called %j', async (name) => {
    expect(await errorsOf(post({ name }))).toEqual({ name: ['is alphanumeric and cannot contain spaces'] })
  })

  test('have unique names', async () => {
    await post({ name: 'twice' })
    expect(await errorsOf(post({ name: 'twice' }))).toEqual({ name: ['has already been taken'] })
    expect((await post({ name: 'Twice' })).status).toBe(201)
  })
})

describe('domains', () => {
  const post = creating('domains', 'domain')

  test('are stored in lower case, and found by their name with its dots', async () => {
    const made = await expectCreated(post({ name: ' Site-1.Example.TEST ', fullname: 'The Site' }))
    expect(made).toMatchObject({ name: 'site-1.example.test', fullname: 'The Site', dns_id: null, dns: null })
    expect(Object.keys(made).slice(0, 8)).toEqual([
      ...['fullname', 'created_at', 'updated_at', 'id', 'name', 'dns_id', 'dns', 'subnets'],
    ])
    expect((await api.admin.get('/api/domains/site-1.example.test')).body.id).toBe(made.id)
    expect(await errorsOf(post({ name: 'SITE-1.example.test' }))).toEqual({ name: ['has already been taken'] })
  })

  test.each(['a b', '-a', 'a-', 'a..b', '.a', 'a.', 'ä.test', `${'x'.repeat(64)}.test`, 'a/b', 'a;b'])(
    'are not called %j',
    async (name) => {
      expect((await errorsOf(post({ name }))).name[0]).toMatch(/^is not a domain name/)
    },
  )

  test('show the proxy of their DNS', async () => {
    const { id, name, url } = await given(api.admin, 'smart_proxy')
    const made = await expectCreated(post({ name: 'dns.example.test', dns_id: id }))
    expect(made).toMatchObject({ dns_id: id, dns: { id, name, url } })
    expect((await post({ name: 'no.example.test', dns_id: 999_999 })).body.error.message).toBe(
      "Couldn't find SmartProxy with 'id'=999999",
    )
  })

  test('stay while subnets have them', async () => {
    const domain = await expectCreated(post({ name: 'used.example.test', ...there }))
    const subnet = await given(api.admin, 'subnet', { domain_ids: [domain.id] })
    const path = `/api/domains/${domain.id}`
    expect((await api.admin.get(path)).body.subnets).toEqual([
      { id: subnet.id, name: subnet.name, network_address: subnet.network_address },
    ])
    expect(await errorsOf(api.admin.delete(path))).toEqual({ base: [`used.example.test is used by ${subnet.name}`] })
    const other = await api.can(['view_domains', 'destroy_domains'], there)
    expect(await errorsOf(other.delete(path))).toEqual({
      base: ['used.example.test is being used by a hidden Subnet resource'],
    })
    expect((await api.admin.delete(`/api/subnets/${subnet.id}`)).status).toBe(200)
    expect((await api.admin.delete(path)).status).toBe(200)
  })
})

describe('subnets', () => {
  const post = (body: object) => api.admin.post('/api/subnets', { subnet: { name: unique('net'), ...body } })
  const put = (id: number, body: object) => api.admin.put(`/api/subnets/${id}`, { subnet: body })

  test('of IPv4 show everything about their addresses', async () => {
    const made = await expectCreated(
      post({
        network: '192.0.2.0',
        mask: '255.255.255.128',
        gateway: '192.0.2.1',
        dns_primary: '198.51.100.1',
        from: '192.0.2.10',
        to: '192.0.2.100',
        vlanid: '7',
      }),
    )
    expect(made).toMatchObject({
      network: '192.0.2.0',
      network_type: 'IPv4',
      cidr: 25,
      mask: '255.255.255.128',
      network_address: '192.0.2.0/25',
      gateway: '192.0.2.1',
      dns_primary: '198.51.100.1',
      dns_secondary: null,
      from: '192.0.2.10',
      to: '192.0.2.100',
      vlanid: 7,
      mtu: 1500,
      ipam: 'None',
      boot_mode: 'DHCP',
      dhcp_id: null,
      dhcp: null,
      domains: [],
    })
    expect(Object.keys(made).slice(0, 4)).toEqual(['network', 'network_type', 'cidr', 'mask'])
  })

  test('of IPv6 are known by their network, in one form', async () => {
    const made = await expectCreated(
      post({ network: '2001:DB8:0:0::', cidr: 64, gateway: '2001:db8::0001', ipam: 'EUI-64' }),
    )
    expect(made).toMatchObject({
      network: '2001:db8::',
      network_type: 'IPv6',
      cidr: 64,
      mask: 'ffff:ffff:ffff:ffff::',
      network_address: '2001:db8::/64',
      gateway: '2001:db8::1',
    })
    for (const [network, cidr, mask] of [
      ['2001:db8:1::', 128, 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
      ['2001:db8:2::', 60, 'ffff:ffff:ffff:fff0::'],
      ['::', 0, '::'],
    ] as const) {
      expect((await post({ network, cidr })).body).toMatchObject({
        network,
        cidr,
        mask,
        network_address: `${network}/${cidr}`,
      })
    }
  })

  test('are masked by a mask, a length, or both when they agree', async () => {
    expect((await post({ network: '10.200.0.0', cidr: 20 })).body).toMatchObject({ cidr: 20, mask: '255.255.240.0' })
    const both = { network: '10.201.0.0', cidr: '16', mask: '255.255.0.0' }
    const { id } = await expectCreated(post(both))
    expect(await errorsOf(post({ ...both, cidr: 17 }))).toEqual({ cidr: ['is not the length of the mask'] })
    expect(await errorsOf(post({ network: '10.202.0.0' }))).toEqual({ mask: ["can't be blank"] })
    expect(await errorsOf(post({ network: '10.202.0.0', cidr: 33 }))).toEqual({
      cidr: ['must be less than or equal to 32'],
    })
    expect((await put(id, { cidr: 24 })).body).toMatchObject({ cidr: 24, mask: '255.255.255.0' })
    expect((await put(id, { mask: '255.255.255.128' })).body).toMatchObject({ cidr: 25 })
    expect(await errorsOf(put(id, { mask: null }))).toEqual({ mask: ["can't be blank"] })
  })

  test.each<[object, object]>([
    [{ network: '192.0.2' }, { network: ['is not an IP address'] }],
    [{ network: 'fe80::1%eth0' }, { network: ['is not an IP address'] }],
    [{ network: '192.0.2.0/24' }, { network: ['is not an IP address'] }],
    [{ mask: '255.0.255.0' }, { mask: ['is invalid'] }],
    [{ mask: '255.255.255.255' }, { mask: ['is invalid'] }],
    [{ mask: 'ffff::' }, { mask: ['is invalid'] }],
    [{ network_type: 'IPv6' }, { network: ['is invalid'], mask: ['is invalid'] }],
    [{ gateway: '2001:db8::1' }, { gateway: ['is invalid'] }],
    [
      { dns_primary: '2001:db8::1', dns_secondary: 'x' },
      { dns_primary: ['is invalid'], dns_secondary: ['is not an IP address'] },
    ],
    [{ from: '203.0.113.5' }, { to: ['must be specified if from is defined'] }],
    [{ to: '203.0.113.5' }, { from: ['must be specified if to is defined'] }],
    [{ from: '203.0.113.9', to: '203.0.113.5' }, { from: ["can't be bigger than to range"] }],
    [{ from: '203.0.112.9', to: '203.0.113.5' }, { from: ['does not belong to subnet'] }],
    [{ from: '203.0.113.9', to: '203.0.114.5' }, { to: ['does not belong to subnet'] }],
    [{ vlanid: 4096 }, { vlanid: ['must be less than or equal to 4095'] }],
    [{ mtu: 67 }, { mtu: ['must be greater than or equal to 68'] }],
    [{ ipam: 'EUI-64' }, { ipam: ['not supported by this protocol'] }],
    [
      { mtu: '', ipam: null, boot_mode: ' ' },
      { mtu: ["can't be blank"], ipam: ["can't be blank"], boot_mode: ["can't be blank"] },
    ],
    [{ boot_mode: 'Wish' }, { boot_mode: ['is not included in the list (Static, DHCP)'] }],
  ])('%j is refused', async (body, errors) => {
    const found = await errorsOf(post({ network: '203.0.113.0', mask: '255.255.255.0', ...body }))
    expect(found).toMatchObject(errors)
    for (const field of Object.keys(errors)) expect(found[field]).toEqual((errors as Record<string, unknown>)[field])
  })

  test('are judged as a whole when a part changes', async () => {
    const { id } = await expectCreated(
      post({ network: '10.210.0.0', cidr: 16, gateway: '10.210.1.1', from: '10.210.2.1', to: '10.210.2.9' }),
    )
    expect(await errorsOf(put(id, { cidr: 24 }))).toEqual({
      from: ['does not belong to subnet'],
      to: ['does not belong to subnet'],
    })
    expect(await errorsOf(put(id, { network_type: 'IPv6' }))).toEqual({
      network_type: ["can't be updated after subnet is saved"],
    })
    expect((await put(id, { network: '10.211.0.0', gateway: null, from: '', to: null })).body).toMatchObject({
      network: '10.211.0.0',
      gateway: null,
      from: null,
      to: null,
    })
  })

  test('may have a gateway elsewhere and bits of hosts, and be the same as others', async () => {
    const body = { network: '10.230.7.9', cidr: 16, gateway: '198.51.100.1' }
    for (const _again of [1, 2])
      expect((await post(body)).body).toMatchObject({ ...body, network_address: '10.230.7.9/16' })
    const sorted = await api.admin.get(`/api/subnets?per_page=all&order=network`)
    const networks = sorted.body.results.map(({ network }: { network: string }) => network)
    expect(networks.indexOf('10.230.7.9')).toBeGreaterThan(networks.indexOf('10.200.0.0'))
    await expectCreated(post({ network: '9.0.0.0', cidr: 8 }))
    expect((await api.admin.get('/api/subnets?per_page=1&order=network')).body.results).toMatchObject([
      { network: expect.stringMatching(/^(?:9|::)/) },
    ])
  })

  // Addresses of interfaces, the parameters of the request, and the suggested address.
  test.each<[object, readonly string[], string, string | null]>([
    [{ ipam: 'Internal DB', gateway: '10.240.0.1' }, ['10.240.0.2'], '?excluded_ips[]=10.240.0.3', '10.240.0.4'],
    [{ ipam: 'Internal DB', from: '10.240.0.9', to: '10.240.0.10' }, ['10.240.0.9'], '', '10.240.0.10'],
    [{ ipam: 'Internal DB', from: '10.240.0.9', to: '10.240.0.9' }, ['10.240.0.9'], '', null],
    [{ ipam: 'Random DB', from: '10.240.0.9', to: '10.240.0.10' }, ['10.240.0.10'], '', '10.240.0.9'],
    [{ ipam: 'DHCP' }, [], '', null],
    [{}, [], '', null],
  ])('%j with %j suggest for %j %j', async (body, taken, query, freeip) => {
    const { id } = await expectCreated(post({ network: '10.240.0.0', cidr: 24, ...body }))
    for (const ip of taken)
      await given(api.admin, 'host', { ip, subnet_id: id, organization_id: 1, location_id: 1, managed: false })
    expect((await api.admin.get(`/api/subnets/${id}/freeip${query}`)).body).toEqual({ freeip, errors: {} })
    const { interfaces } = (await api.admin.get(`/api/subnets/${id}`)).body
    expect(interfaces).toMatchObject(taken.map((ip) => ({ ip, primary: true })))
    expect((await api.admin.get(`/api/subnets/${id}/interfaces`)).body.results).toMatchObject(
      taken.map((ip) => ({ ip })),
    )
  })

  test('suggest addresses of IPv6 by the address of the card', async () => {
    const { id } = await expectCreated(post({ network: '2001:db8:77::', cidr: 64, ipam: 'EUI-64' }))
    expect((await api.admin.get(`/api/subnets/${id}/freeip?mac=52:54:00:12:34:56`)).body).toEqual({
      freeip: '2001:db8:77:0:5054:ff:fe12:3456',
      errors: {},
    })
    for (const query of ['', '?mac=x'])
      expect((await api.admin.get(`/api/subnets/${id}/freeip${query}`)).status).toBe(400)
  })

  test('warn about addresses that several managed hosts have, to those who may see these hosts', async () => {
    const subnet = await expectCreated(post({ network: '10.241.0.0', cidr: 24 }))
    const place = { organization_id: 1, location_id: 1, subnet_id: subnet.id, ip: '10.241.0.9' }
    const twins = []
    for (const name of ['new.test', 'old.test'])
      twins.push(await given(api.admin, 'host', { ...(await managedHost(api.admin)), ...place, name }))
    await given(api.admin, 'host', { ...place, managed: false }) // nobody installs it here
    await given(api.admin, 'host', { ...(await managedHost(api.admin)), ...place, ip: '10.241.0.10' })
    const hosts = twins.map(({ id, name }) => ({ id, name }))
    const shared = { address: '10.241.0.9', subnet_id: subnet.id, subnet_name: subnet.name, hosts }
    expect((await api.admin.get('/api/subnets/lint')).body).toMatchObject({ total: 1, page: 1, results: [shared] })
    expect((await api.admin.get('/api/subnets/lint?page=2')).body.results).toEqual([])
    const there = { organization_ids: [1], location_ids: [1] }
    for (const search of ['name = new.test', 'name = none']) {
      const limited = await api.can(['view_hosts'], { ...there, search, also: ['view_subnets'] })
      expect((await limited.get('/api/subnets/lint')).body).toMatchObject({ total: 0, results: [] })
    }
    expect((await (await api.can(['view_hosts'], there)).get('/api/subnets/lint')).status).toBe(403)
  })

  test('are listed below their domains and the other way round, and found by their addresses', async () => {
    const domain = await given(api.admin, 'domain')
    const subnet = await given(api.admin, 'subnet', {
      domain_ids: [domain.id],
      network: '10.220.0.0',
      dns_primary: '10.220.0.53',
    })
    expect(await idsAt(`/api/domains/${domain.id}/subnets`)).toEqual([subnet.id])
    expect(await idsAt(`/api/subnets/${subnet.id}/domains`)).toEqual([domain.id])
    for (const search of [
      'network = 10.220.0.0',
      'network ~ 10.220',
      'dns_primary = 10.220.0.53',
      `domain = ${domain.name} and type = IPv4`,
      '10.220.0.53',
    ])
      expect(await idsAt(`/api/subnets?search=${encodeURIComponent(search)}`)).toEqual([subnet.id])
  })

  test('show the proxies that serve them', async () => {
    const { id, name, url } = await given(api.admin, 'smart_proxy')
    const ids = Object.fromEntries(
      ['dhcp', 'tftp', 'httpboot', 'dns', 'template', 'bmc'].map((role) => [`${role}_id`, id]),
    )
    const subnet = await given(api.admin, 'subnet', ids)
    expect(subnet).toMatchObject({
      ...ids,
      dhcp_name: name,
      bmc_name: name,
      dhcp: { id, name, url },
      dns: { id, name, url },
    })
  })
})

describe('media', () => {
  const post = creating('media', 'medium')

  test('have a unique path that is a URL', async () => {
    const made = await expectCreated(
      post({ name: 'Mirror', path: 'http://mirror.example.test/$arch', os_family: 'Debian' }),
    )
    expect(Object.keys(made).slice(0, 6)).toEqual(['path', 'os_family', 'created_at', 'updated_at', 'id', 'name'])
    expect(await errorsOf(post({ name: 'M2', path: made.path }))).toEqual({ path: ['has already been taken'] })
    for (const path of ['mirror', 'file:///etc/passwd', 'http://', 'http://a b'])
      expect(await errorsOf(post({ name: 'M3', path }))).toEqual({
        path: ['URL must be valid and schema must be one of http, https, ftp, and nfs'],
      })
    expect(Object.keys(await errorsOf(post({ name: 'M4', path: 'nfs://a/b', os_family: 'Plan9' })))).toEqual([
      'os_family',
    ])
  })

  test('belong to operating systems, from both sides', async () => {
    const os = await given(api.admin, 'operatingsystem')
    const medium = await given(api.admin, 'medium', { operatingsystem_ids: [os.id] })
    expect(medium.operatingsystems).toEqual([{ id: os.id, name: os.name, title: os.title }])
    const path = `/api/operatingsystems/${os.id}`
    expect((await api.admin.get(path)).body.media).toEqual([{ id: medium.id, name: medium.name }])
    expect(await idsAt(`${path}/media`)).toEqual([medium.id])
    expect(await idsAt(`/api/media/${medium.id}/operatingsystems`)).toEqual([os.id])
    expect(await idsAt(`/api/operatingsystems?search=${encodeURIComponent(`medium = ${medium.name}`)}`)).toEqual([
      os.id,
    ])
    expect((await api.admin.put(path, { operatingsystem: { medium_ids: [] } })).body.media).toEqual([])
    expect(await idsAt(`${path}/media`)).toEqual([])
  })

  test('ask for permissions of their own word', async () => {
    const caller = await api.can(['view_media', 'create_media', ...ASSIGNING], there)
    expect((await caller.post('/api/media', { name: 'own', path: 'ftp://own.example.test', ...there })).status).toBe(
      201,
    )
    expect((await caller.delete('/api/media/own')).body.error.missing_permissions).toEqual(['destroy_media'])
  })
})

describe('partition tables', () => {
  const post = creating('ptables', 'ptable')
  const LOCKED = { base: ['This template is locked. Please clone it to a new template to customize.'] }

  test('hold a layout and belong to operating systems', async () => {
    const os = await given(api.admin, 'operatingsystem')
    const made = await expectCreated(post({ name: 'Disk', layout: 'zerombr\n', operatingsystem_ids: [os.id] }))
    expect(Object.keys(made)).toEqual([
      ...['description', 'os_family', 'created_at', 'updated_at', 'name', 'id'],
      ...['layout', 'snippet', 'locked', 'cloned_from_id', 'operatingsystems', 'locations', 'organizations'],
    ])
    expect((await api.admin.get(`/api/operatingsystems/${os.id}`)).body.ptables).toEqual([
      { id: made.id, name: 'Disk' },
    ])
    expect(await idsAt(`/api/operatingsystems/${os.id}/ptables`)).toEqual([made.id])
    expect(await idsAt(`/api/ptables/${made.id}/operatingsystems`)).toEqual([os.id])
    expect(await errorsOf(post({ name: 'Empty' }))).toEqual({ layout: ["can't be blank"] })
  })

  test('keep what they say while they are locked, until they are unlocked', async () => {
    const { id, name, layout } = await given(api.admin, 'ptable', { locked: true })
    const put = (body: object) => api.admin.put(`/api/ptables/${id}`, { ptable: body })
    for (const body of [{ name: 'x' }, { layout: 'x' }, { snippet: true }, { os_family: 'Suse' }, { description: 'x' }])
      expect(await errorsOf(put(body))).toEqual(LOCKED)
    expect((await put({ name, layout, locked: true })).status).toBe(200)
    const os = await given(api.admin, 'operatingsystem')
    expect((await put({ operatingsystem_ids: [os.id] })).body.operatingsystems).toHaveLength(1)
    expect(await errorsOf(api.admin.delete(`/api/ptables/${id}`))).toEqual({
      base: ['This template is locked and may not be removed.'],
    })
    expect((await put({ locked: false, layout: 'new' })).body).toMatchObject({ locked: false, layout: 'new' })
    expect((await api.admin.delete(`/api/ptables/${id}`)).status).toBe(200)
  })

  test('are locked and unlocked by those only who may', async () => {
    const caller = await api.can(['view_ptables', 'create_ptables', 'edit_ptables', ...ASSIGNING], there)
    const refused = { locked: ['cannot be changed without the permission lock_ptables'] }
    expect(await errorsOf(caller.post('/api/ptables', { name: 'l', layout: 'x', locked: true, ...there }))).toEqual(
      refused,
    )
    const { id } = await given(api.admin, 'ptable', { locked: true, ...there })
    expect(await errorsOf(caller.put(`/api/ptables/${id}`, { locked: false }))).toEqual(refused)
    const locker = await api.can(['edit_ptables', 'lock_ptables'], there)
    expect((await locker.put(`/api/ptables/${id}`, { locked: false })).body.locked).toBe(false)
  })
})

describe('realms, models, compute resources and profiles', () => {
  test('are plain records', async () => {
    const { id, name, url } = await given(api.admin, 'smart_proxy')
    expect(await given(api.admin, 'realm', { realm_proxy_id: id, realm_type: 'Kerberos' })).toMatchObject({
      realm_type: 'Kerberos',
      realm_proxy_name: name,
      realm_proxy: { id, name, url },
    })
    expect(Object.keys(await given(api.admin, 'model', { vendor_class: 'v' }))).toEqual([
      ...['info', 'created_at', 'updated_at', 'vendor_class', 'hardware_model', 'id', 'name', 'hosts_count'],
    ])
    expect(await given(api.admin, 'compute_resource', { provider: 'Anything' })).toMatchObject({ provider: 'Anything' })
    expect(Object.keys(await given(api.admin, 'compute_profile'))).toEqual([
      ...['created_at', 'updated_at', 'id', 'name', 'compute_attributes'],
    ])
  })

  test('are found by their types', async () => {
    const realm = await given(api.admin, 'realm', { realm_type: 'Kerberos V' })
    const resource = await given(api.admin, 'compute_resource', { provider: 'Hyper V' })
    expect(await idsAt('/api/realms?search=type%20%3D%20%22Kerberos%20V%22')).toEqual([realm.id])
    expect(await idsAt('/api/compute_resources?search=type%20%3D%20%22Hyper%20V%22')).toEqual([resource.id])
  })
})

test('images are made, listed and gone with their compute resource', async () => {
  const resource = await given(api.admin, 'compute_resource')
  const [architecture, os] = [await given(api.admin, 'architecture'), await given(api.admin, 'operatingsystem')]
  const body = {
    name: 'disk',
    uuid: 'u',
    username: 'root',
    architecture_id: architecture.id,
    operatingsystem_id: os.id,
  }
  const image = await expectCreated(api.admin.post(`/api/compute_resources/${resource.id}/images`, { image: body }))
  expect(image).toMatchObject({ compute_resource_id: resource.id, compute_resource_name: resource.name })
  expect(await idsAt(`/api/compute_resources/${resource.name}/images`)).toEqual([image.id])
  expect((await api.admin.get(`/api/compute_resources/${resource.id}`)).body.images).toEqual([
    { id: image.id, name: 'disk' },
  ])
  expect((await api.admin.get(`/api/compute_resources/${resource.id}/images/disk`)).body).toEqual(image)
  const other = await given(api.admin, 'compute_resource')
  expect((await api.admin.get(`/api/compute_resources/${other.id}/images/${image.id}`)).status).toBe(404)
  expect((await api.admin.delete(`/api/compute_resources/${resource.id}`)).status).toBe(200)
  expect((await api.admin.get(`/api/images/${image.id}`)).status).toBe(404)
})

test.each([
  ['https://admin:secret@cloud.example.test/v3', 422],
  ['qemu+ssh://root:secret@kvm.example.test/system', 422],
  ['https:admin:secret@cloud.example.test', 422],
  ['//admin:secret@cloud.example.test', 422],
  ['admin:secret@cloud.example.test', 422],
  ['https://admin:@cloud.example.test', 422],
  ['https://admin:*****@cloud.example.test', 201],
  ['qemu+ssh://root@kvm.example.test/system', 201],
  ['https://cloud.example.test:5000/v3/a@b', 201],
  ['qemu:///system', 201],
  ['', 201],
])('the URL of a compute resource carries no password: %s is %i', async (url, status) => {
  const body = { ...(await leastBody(api.admin, 'compute_resource')), url }
  const made = await api.admin.post('/api/compute_resources', { compute_resource: body })
  expect(made.status, made.text).toBe(status)
  if (status === 422) {
    expect(Object.keys(made.body.error.errors)).toEqual(['url'])
    expect(made.text).not.toContain('secret')
    const { id } = await given(api.admin, 'compute_resource')
    expect((await api.admin.put(`/api/compute_resources/${id}`, { url })).status).toBe(422)
  }
})
