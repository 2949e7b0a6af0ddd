import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { basic, expectCreated } from '../support/api.ts'
import { type BothListeners, openBothListeners } from './support.ts'

let api: BothListeners
let here: { readonly organization_id: number; readonly location_id: number }
beforeAll(async () => {
  api = await openBothListeners()
  const idOf = async (list: string): Promise<number> => (await api.theirs.get(`/api/${list}`)).body.results[0].id
  here = { organization_id: await idOf('organizations'), location_id: await idOf('locations') }
})
afterAll(() => api?.[Symbol.asyncDispose]())

async function found(list: string, search: string, port: 'ours' | 'theirs' = 'theirs'): Promise<string[]> {
  const { status, body } = await api[port].get(`/api/${list}?${new URLSearchParams({ search })}`)
  expect({ list, search, status, error: body.error }).toEqual({ list, search, status: 200, error: undefined })
  return body.results.map(({ name, login }: { name?: string; login?: string }) => login ?? name)
}

describe('searches', () => {
  beforeAll(async () => {
    const make = async (path: string, kind: string, sent: object): Promise<number> =>
      (await expectCreated(api.theirs.post(`/api/${path}`, { [kind]: sent }))).id
    const acme = await make('organizations', 'organization', { name: 'Acme' })
    const sales = await make('organizations', 'organization', { name: 'Sales', parent_id: acme })
    const place = await make('locations', 'location', { name: 'North' })
    const within = { organization_ids: [acme], location_ids: [place] }
    const person = (login: string, more: object = {}) =>
      make('users', 'user', { login, password: 'changeme-1', auth_source_id: 1, ...within, ...more })
    const mia = await person('mia', { firstname: 'Zoe' })
    await person('ann', { firstname: 'Amy' })
    const inner = await make('usergroups', 'usergroup', { name: 'inner', user_ids: [mia] })
    const outer = await make('usergroups', 'usergroup', { name: 'outer', usergroup_ids: [inner], admin: true })
    const owned = { managed: false, owner_type: 'Usergroup', organization_id: acme, location_id: place }
    await make('hosts', 'host', { name: 'inner.example.test', owner_id: inner, ...owned })
    await make('hosts', 'host', { name: 'outer.example.test', owner_id: outer, ...owned })
    await make('domains', 'domain', { name: 'sales.example.test', organization_ids: [sales] })
    const network = { network_type: 'IPv4', mask: '255.255.0.0', ...within }
    await make('subnets', 'subnet', { name: 'ten', network: '10.1.0.0', vlanid: 100, mtu: 9000, ...network })
    await make('subnets', 'subnet', { name: 'nine', network: '9.1.0.0', vlanid: 7, ...network })
    await make('provisioning_templates', 'provisioning_template', { name: 'text', template: 'x', snippet: true })
  })

  const HOSTS = ['inner.example.test', 'outer.example.test']
  test.each<readonly [string, string, readonly string[]]>([
    ['domains', 'organization = Sales', ['sales.example.test']],
    ['domains', 'organization ^ (Sales, Other)', ['sales.example.test']],
    ['domains', 'organization ~ Acme', []],
    ['users', 'organization = Acme', ['ann', 'mia']],
    ['users', 'role = "Default role"', ['admin', 'ann', 'mia']],
    ['users', 'role ~ anager', []],
    ['users', 'admin = true', ['admin', 'mia']],
    ['users', 'admin', ['admin', 'mia']],
    ['users', 'admin ~ tru', ['admin', 'mia']],
    ['users', 'admin ^ (false)', ['ann']],
    ['hosts', 'owner = mia', HOSTS],
    ['hosts', 'owner = ann', []],
    ['hosts', 'user.firstname = Zoe', HOSTS],
    ['hosts', 'owner = current_user', []],
    ['hosts', 'owner_type = Usergroup', HOSTS],
    ['hosts', 'owner_type ~ group', HOSTS],
    ['hosts', 'owner_type ^ (User, Usergroup)', HOSTS],
    ['subnets', 'vlanid = 100', ['ten']],
    ['subnets', 'vlanid ^ (100, 7)', ['nine', 'ten']],
    ['subnets', '9000', ['ten']],
    ['provisioning_templates', 'name = text and null? vendor', ['text']],
    ['provisioning_templates', 'vendor ~ x', []],
    ['roles', 'permission = power_hosts and name = Manager', ['Manager']],
  ])('of %s: %s', async (list, search, wanted) => {
    for (const port of ['theirs', 'ours'] as const) {
      const names = await found(list, search, port)
      expect({ port, names: names.toSorted() }).toEqual({ port, names: wanted })
    }
  })

  test.each<readonly [string, string, readonly string[] | RegExp]>([
    ['users', 'firstname', ['ann', 'mia']],
    ['users', 'name', /^the field 'name' in the order statement is not valid/],
    ['subnets', 'vlanid', ['nine', 'ten']],
    ['subnets', 'network', ['nine', 'ten']],
    ['hosts', 'facts', /^the field 'facts' in the order statement is not valid.* a value for each key$/],
  ])('of %s in the order of %s', async (list, order, wanted) => {
    const search = list === 'users' ? 'login != admin' : ''
    const { body } = await api.theirs.get(`/api/${list}?${new URLSearchParams({ order, search })}`)
    if (wanted instanceof RegExp) expect(body.error.message).toMatch(wanted)
    else expect(body.results.map(({ name, login }: Record<string, string>) => login ?? name)).toEqual(wanted)
  })

  test('of subnets know their types by the words of existing clients', async () => {
    expect((await found('subnets', 'type = Subnet::Ipv4')).toSorted()).toEqual(['nine', 'ten'])
    expect(await found('subnets', 'type = Subnet::Ipv6')).toEqual([])
  })

  test('that no owner suits say the field as it was written', async () => {
    for (const search of ['owner_type = Nobody', 'owner_id = x', 'owner_type > User']) {
      const { status, text } = await api.theirs.get(`/api/hosts?${new URLSearchParams({ search })}`)
      expect({ search, status }).toEqual({ search, status: 400 })
      expect(text).toMatch(/owner_(type|id)/)
      expect(text).not.toContain('owner_user_id')
    }
  })
})

describe('refusals', () => {
  test.each<readonly [string, string, object, string]>([
    ['hosts', 'host', { owner_type: 'User' }, 'If owner type is specified, owner must be specified too.'],
    ['hosts', 'host', { owner_type: 'User', owner_id: 999_999 }, 'there is no User with the id 999999'],
    ['subnets', 'subnet', { network: '10.9.0.0', mask: '255.255.255.255' }, 'Mask is invalid'],
    ['subnets', 'subnet', { network: '10.9.0.0', mask: '255.255.0.0', ipam: '' }, "Ipam can't be blank"],
    ['subnets', 'subnet', { network: '10.9.0.0', mask: '255.255.0.0', boot_mode: '' }, "Boot mode can't be blank"],
    ['subnets', 'subnet', { network: '10.9.0.0', mask: '255.255.0.0', mtu: '' }, "Mtu can't be blank"],
    [
      'auth_source_ldaps',
      'auth_source_ldap',
      { host: 'ldap.example.test', account: 'uid=$login,dc=test', onthefly_register: true },
      "Account password can't be blank",
    ],
  ])('of %s', async (path, kind, sent, message) => {
    const place = kind === 'host' ? { ...here, managed: false } : {}
    const body = { [kind]: { name: 'refused.example.test', ...place, ...sent } }
    const { status, text } = await api.theirs.post(`/api/${path}`, body)
    expect({ status, text }).toEqual({ status: 422, text: expect.stringContaining(message) })
  })

  test('are none for what is accepted there', async () => {
    const accepted = [
      ['subnets', 'subnet', { network: '10.9.0.1', mask: '255.255.0.0', gateway: '192.0.2.1' }],
      ['auth_source_ldaps', 'auth_source_ldap', { host: 'ldap.example.test', account: 'uid=$login,dc=test' }],
    ] as const
    for (const [path, kind, sent] of accepted) {
      await expectCreated(api.theirs.post(`/api/${path}`, { [kind]: { name: `accepted ${kind}`, ...sent } }))
    }
    const host = { name: 'owned.example.test', managed: false, owner_type: 'User', owner_id: await idOfAdmin() }
    const created = await expectCreated(api.theirs.post('/api/hosts', { ...here, host }))
    expect(created).toMatchObject({ owner_type: 'User', organization_id: here.organization_id })
  })

  test('are told by the permission that is missing; who views users sees administrators', async () => {
    const places = { organization_ids: [here.organization_id], location_ids: [here.location_id] }
    const roles = { role_ids: [await idOfRole('Viewer')] }
    const sent = { login: 'viewer', password: 'changeme-1', auth_source_id: 1, ...places, ...roles }
    await expectCreated(api.theirs.post('/api/users', { user: sent }))
    const authorization = basic('viewer', 'changeme-1')
    const { body } = await api.stranger.get('/api/users?search=login+%3D+viewer', { authorization })
    expect(body.results).toMatchObject([{ login: 'viewer', admin: false }])
    expect((await api.stranger.get('/api/permissions', { authorization })).status).toBe(200)
  })
})

async function idOfAdmin(): Promise<number> {
  return (await api.theirs.get('/api/users/admin')).body.id
}

async function idOfRole(name: string): Promise<number> {
  const { body } = await api.theirs.get(`/api/roles?${new URLSearchParams({ search: `name = ${name}` })}`)
  return body.results[0].id
}

describe('hidden parameters', () => {
  test('are found as having a value, globally and in what hands them down, on both ports', async () => {
    const hidden = { name: 'kept', value: 'secret', hidden_value: true }
    await expectCreated(api.theirs.post('/api/common_parameters', { common_parameter: hidden }))
    const domain = { name: 'kept.example.test', domain_parameters_attributes: [hidden] }
    await expectCreated(api.theirs.post('/api/domains', { domain }))
    for (const port of ['ours', 'theirs'] as const) {
      expect(await found('common_parameters', 'has value', port)).toContain('kept')
      expect(await found('common_parameters', 'null? value', port)).not.toContain('kept')
      expect(await found('domains', 'has params.kept', port)).toEqual(['kept.example.test'])
      expect(await found('domains', 'null? params.kept', port)).toEqual([])
    }
  })
})
