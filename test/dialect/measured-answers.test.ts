import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectCreated } from '../support/api.ts'
import { given, type Shown } from '../support/given.ts'
import { startClassSource } from '../support/peers/class-source.ts'
import { type BothListeners, openBothListeners } from './support.ts'

// Words, bodies, networks and routes of a running server (measured.md) at the second port, beyond other tests here.

let api: BothListeners
let made: Readonly<Record<'host' | 'subnet' | 'domain' | 'realm' | 'architecture' | 'operatingsystem', Shown>>
beforeAll(async () => {
  api = await openBothListeners()
  const places = { organization_ids: [1], location_ids: [1] }
  const proxy = await given(api.ours, 'smart_proxy', { url: 'http://127.0.0.1:1', runner: 'ssh', ...places })
  const subnet = await given(api.ours, 'subnet', {
    ...{ name: 'lan', network: '192.0.2.0', mask: '255.255.255.0', ipam: 'Internal DB', ...places },
  })
  const domain = await given(api.ours, 'domain', { name: 'answers.test', ...places })
  const realm = await given(api.ours, 'realm', { realm_proxy_id: proxy.id, ...places })
  const architecture = await given(api.ours, 'architecture')
  const operatingsystem = await given(api.ours, 'operatingsystem')
  const host = await given(api.ours, 'host', {
    ...{ name: 'one.answers.test', managed: false, organization_id: 1, location_id: 1, ip: '192.0.2.9' },
    ...{ subnet_id: subnet.id, domain_id: domain.id, realm_id: realm.id, architecture_id: architecture.id },
  })
  made = { host, subnet, domain, realm, architecture, operatingsystem }
})
afterAll(() => api?.[Symbol.asyncDispose]())

describe('words', () => {
  const OURS = /directory_[a-c]|configclass|config_proxy|configmaster|owner_user/

  test('of ours are in no message about a type of directory', async () => {
    const sent = { name: 'people', host: 'ldap.example.test', server_type: 'nonsense' }
    const { status, text } = await api.theirs.post('/api/auth_source_ldaps', { auth_source_ldap: sent })
    expect([status, text]).toEqual([422, expect.stringContaining('is not included in the list')])
    expect(text).not.toMatch(OURS)
  })

  test('of ours are in no message of an import', async () => {
    await using peer = await startClassSource()
    const { id } = await expectCreated(api.theirs.post('/api/smart_proxies', { name: 'classes', url: peer.url }))
    const take = (more = '') => api.theirs.post(`/api/smart_proxies/${id}/import_puppetclasses${more}`, {})
    peer.hold({ production: { ntp: {} } })
    const answers = [await take('?dryrun=true'), await take(), await take()]
    peer.hold({ production: 500 })
    answers.push(await take())
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, expect.any(Number)])
    for (const { text } of answers) expect(text).not.toMatch(OURS)
    const done = 'Successfully updated environment and puppetclasses from the on-disk puppet installation'
    expect(answers[0]?.body.message).toBe(done)
    const { id: other } = await given(api.ours, 'smart_proxy', { url: 'http://127.0.0.1:1/none', runner: 'ssh' })
    const refused = await api.theirs.post(`/api/smart_proxies/${other}/import_puppetclasses`, {})
    expect(refused.text).toContain('ensure that the smart proxy has the Puppet feature enabled')
  })

  test('of ours are in no audit of who owns a host: an id and a type', async () => {
    const [user, group] = [await given(api.ours, 'user'), await given(api.ours, 'usergroup')]
    const place = { managed: false, organization_id: 1, location_id: 1 }
    const host = await given(api.ours, 'host', { owner_id: 1, owner_type: 'User', ...place })
    const owners = [
      { owner_id: user.id, owner_type: 'User' },
      { owner_id: group.id, owner_type: 'Usergroup' },
      { owner_id: null, owner_type: null },
    ]
    for (const owner of owners)
      expect((await api.theirs.put(`/api/hosts/${host.id}`, { host: owner })).status).toBe(200)
    const { results } = (await api.theirs.get(`/api/hosts/${host.id}/audits?order=id&per_page=all`)).body
    expect(JSON.stringify(results)).not.toMatch(OURS)
    const changes = results.map(({ audited_changes }: Shown) => audited_changes)
    expect(changes).toEqual([
      expect.objectContaining({ owner_id: 1, owner_type: 'User' }),
      { owner_id: [1, user.id] },
      { owner_id: [user.id, group.id], owner_type: ['User', 'Usergroup'] },
      { owner_id: [group.id, null], owner_type: ['Usergroup', null] },
    ])
    expect((await api.theirs.delete(`/api/hosts/${host.id}`)).status).toBe(200)
  })

  test('null in the place of a list of places empties it', async () => {
    for (const list of ['location_ids', 'organization_ids']) {
      const domain = await given(api.ours, 'domain', { organization_ids: [1], location_ids: [1] })
      const { body } = await api.theirs.put(`/api/domains/${domain.id}`, { domain: { [list]: null } })
      expect(body[list.replace('_ids', 's')]).toEqual([])
    }
  })

  test.each(['POST', 'PUT'] as const)('a body of application/vnd.api+json is 415 (%s)', async (method) => {
    const url = method === 'POST' ? '/api/domains' : `/api/domains/${made.domain.id}`
    const headers = { 'content-type': 'application/vnd.api+json' }
    const { status, text } = await api.theirs.send({ method, url, headers, payload: '{"domain":{"name":"x.test"}}' })
    expect([status, text]).toEqual([415, expect.stringContaining('application/vnd.api+json')])
  })

  test('domains and subnets show interfaces, models how many hosts there are', async () => {
    for (const path of [`domains/${made.domain.id}`, `subnets/${made.subnet.id}`])
      expect((await api.theirs.get(`/api/${path}`)).body.interfaces).toMatchObject([{ ip: '192.0.2.9' }])
    const model = await given(api.ours, 'model')
    await api.ours.put(`/api/hosts/${made.host.id}`, { host: { model_id: model.id } })
    for (const path of [`models/${model.id}`, `models?search=id%3D${model.id}`]) {
      const { body } = await api.theirs.get(`/api/${path}`)
      expect(body.results?.[0] ?? body).toMatchObject({ id: model.id, hosts_count: 1 })
    }
  })
})

describe('networks', () => {
  const post = (subnet: object) => api.theirs.post('/api/subnets', { subnet })

  test.each([
    ['a gateway outside of it', { network: '10.1.0.0', gateway: '192.0.2.1' }],
    ['another of the same', { network: '10.1.0.0' }],
    ['bits of a host, kept as given', { network: '10.2.0.7' }],
  ])('have %s', async (what, sent) => {
    const { status, body } = await post({ name: what, mask: '255.255.0.0', ...sent })
    expect([status, body]).toEqual([201, expect.objectContaining(sent)])
  })

  test.each([
    ['mask', '255.255.255.255'],
    ...['ipam', 'boot_mode', 'mtu'].flatMap((key): [string, unknown][] => [
      [key, ''],
      [key, null],
    ]),
  ])('have another %s than %j', async (key, value) => {
    const { status, body } = await post({ name: 'refused', network: '10.3.0.0', mask: '255.255.0.0', [key]: value })
    expect([status, Object.keys(body.error.errors)]).toEqual([422, [key]])
    const changed = await api.theirs.put(`/api/subnets/${made.subnet.id}`, { subnet: { [key]: value } })
    expect([changed.status, Object.keys(changed.body.error.errors)]).toEqual([422, [key]])
  })

  test('are in the order of their addresses', async () => {
    for (const network of ['100.0.0.0', '9.0.0.0']) await post({ name: network, network, mask: '255.0.0.0' })
    const { results } = (await api.theirs.get('/api/subnets?order=network&per_page=all')).body
    const networks = results.map(({ network }: Shown) => network)
    const number = (network: string) => network.split('.').reduce((sum, byte) => sum * 256 + Number(byte), 0)
    expect(networks).toEqual(networks.toSorted((a: string, b: string) => number(a) - number(b)))
    expect(networks).toEqual(expect.arrayContaining(['9.0.0.0', '100.0.0.0']))
  })
})

describe('routes', () => {
  const host = () => `/api/hosts/${made.host.id}`

  test.each([
    ['inherited_parameters'],
    ['status/global'],
    ['status/build'],
    ['status/configuration'],
    ['templates'],
    ['audits'],
    ['config_reports'],
    ['vm_compute_attributes'],
  ])('hosts have %s', async (path) => {
    expect((await api.theirs.get(`${host()}/${path}`)).status).toBe(200)
    expect((await api.theirs.get(`/api/hosts/999999/${path}`)).status).toBe(404)
  })

  test.each([
    ['build', {}, 'Built 1 host'],
    ['reassign_hostgroup', { hostgroup_id: null }, 'Removed assignment of host group from 1 host'],
  ])('many hosts have %s', async (path, more, message) => {
    const sent = { included: { ids: [made.host.id] }, organization_id: 1, ...more }
    expect(await api.theirs.put(`/api/hosts/bulk/${path}`, sent)).toMatchObject({ status: 200, body: { message } })
  })

  test('subnets have a free address', async () => {
    const { status, body } = await api.theirs.get(`/api/subnets/${made.subnet.id}/freeip`)
    expect([status, body.freeip]).toEqual([200, '192.0.2.1'])
  })

  test('systems have the files that they start from, by medium and architecture', async () => {
    const path = `/api/operatingsystems/${made.operatingsystem.id}/bootfiles`
    expect((await api.theirs.get(path)).text).toContain('medium')
  })

  test.each(['domain', 'architecture', 'realm'] as const)('a %s has its hosts', async (kind) => {
    const { body } = await api.theirs.get(`/api/${kind}s/${made[kind].id}/hosts`)
    expect(body).toMatchObject({ subtotal: 1, results: [{ id: made.host.id }] })
  })

  test.each(['domain', 'architecture'] as const)('a %s has its groups of hosts', async (kind) => {
    const group = await given(api.ours, 'hostgroup', { [`${kind}_id`]: made[kind].id, organization_ids: [1] })
    const { body } = await api.theirs.get(`/api/${kind}s/${made[kind].id}/hostgroups`)
    expect(body).toMatchObject({ subtotal: 1, results: [{ id: group.id }] })
  })

  test.each(['domain', 'subnet'] as const)('a %s has its interfaces', async (kind) => {
    const { body } = await api.theirs.get(`/api/${kind}s/${made[kind].id}/interfaces`)
    expect(body).toMatchObject({ subtotal: 1, results: [{ ip: '192.0.2.9' }] })
  })

  test.each([
    ...['auth_source_ldap', 'domain', 'hostgroup', 'medium', 'environment', 'ptable'],
    ...['provisioning_template', 'realm', 'smart_proxy', 'subnet', 'user', 'compute_resource'],
  ])('a %s has a list of its places', async (kind) => {
    const more = kind === 'smart_proxy' ? { url: 'http://127.0.0.1:1/places', runner: 'ssh' } : {}
    const { id } = await given(api.ours, kind, { organization_ids: [1], location_ids: [1], ...more })
    const plural = kind === 'medium' ? 'media' : kind === 'smart_proxy' ? 'smart_proxies' : `${kind}s`
    for (const places of ['organizations', 'locations']) {
      const { status, body } = await api.theirs.get(`/api/${plural}/${id}/${places}`)
      expect([status, body]).toEqual([200, expect.objectContaining({ results: [expect.objectContaining({ id: 1 })] })])
    }
  })

  test.each([
    '/api/organizations/1/filters',
    '/api/permissions/resource_types',
    '/api/permissions/current_permissions',
    '/api/users/extlogin',
    '/api/bookmarks',
    '/api/mail_notifications',
    '/api/http_proxies',
    '/api/config_reports',
    '/api/compute_attributes',
    '/api/instance_hosts',
    '/api/host_statuses',
    '/api/dashboard',
    '/api/plugins',
    '/api/report_templates',
  ])('there is %s', async (path) => {
    expect((await api.theirs.get(path)).status).toBe(200)
  })

  test.each(['hosts', 'domains', 'puppetclasses', 'hostgroups', 'users'])(
    '/%s/auto_complete_search is there without /api',
    async (list) => {
      const { status, body } = await api.theirs.get(`/${list}/auto_complete_search?search=`)
      expect([status, body.length > 0]).toEqual([200, true])
    },
  )
})
