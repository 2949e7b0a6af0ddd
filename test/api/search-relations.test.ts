import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { type Body, given } from '../support/given.ts'

// Searches by related records: operating systems, groups, classes, parameters and interfaces.

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
  const make = (name: string, body: Body) => given(api.admin, name, body)
  const debian = await make('operatingsystem', {
    name: 'Debian',
    major: '12',
    minor: '4',
    os_parameters_attributes: [{ name: 'mirror', value: 'near' }],
  })
  const alma = await make('operatingsystem', { name: 'Alma', major: '9', minor: '' })
  const environment = await make('environment', { name: 'production' })
  const apache = await make('configclass', { name: 'apache', environment_ids: [environment.id] })
  const tuned = await make('configclass', { name: 'tuned', environment_ids: [environment.id] })
  const web = await make('config_group', { name: 'Web', configclass_ids: [apache.id] })
  const base = await make('hostgroup', {
    name: 'base',
    environment_id: environment.id,
    config_group_ids: [web.id],
    operatingsystem_id: debian.id,
    group_parameters_attributes: [
      { name: 'tier', value: 'one' },
      { name: 'key', value: 'deep', hidden_value: true },
    ],
  })
  const child = await make('hostgroup', { name: 'child', parent_id: base.id })
  await make('hostgroup', { name: 'other', operatingsystem_id: alma.id })
  const subnet6 = await make('subnet', {
    name: 'six',
    network_type: 'IPv6',
    network: '2001:db8::',
    mask: 'ffff:ffff:ffff:ffff::',
    subnet_parameters_attributes: [{ name: 'vlan', value: 'blue' }],
  })
  await make('domain', { name: 'lab.test', domain_parameters_attributes: [{ name: 'zone', value: 'inner' }] })
  await make('host', {
    name: 'web1',
    hostgroup_id: child.id,
    environment_id: environment.id,
    operatingsystem_id: debian.id,
    ip6: '2001:db8::1',
    subnet6_id: subnet6.id,
    host_parameters_attributes: [{ name: 'own', value: 'x' }],
  })
  await make('host', {
    name: 'db1',
    environment_id: environment.id,
    operatingsystem_id: alma.id,
    configclass_ids: [tuned.id],
  })
  await make('host', { name: 'bare' })
  const { id: provisioning_template_id } = await make('provisioning_template', { name: 'Kickstart' })
  await expectCreated(
    api.admin.post(`/api/hostgroups/${base.id}/template_combinations`, {
      template_combination: { provisioning_template_id, environment_id: null },
    }),
  )
})
afterAll(() => api?.[Symbol.asyncDispose]())

const CASES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  hosts: {
    'hostgroup_name = child': ['web1'],
    'parent_hostgroup ~ bas': ['web1'],
    'parent_hostgroup != other': ['web1'],
    'class = apache': ['web1'],
    'class ~ tun': ['db1'],
    'configclass ^ (apache, tuned)': ['db1', 'web1'],
    'has class': ['db1', 'web1'],
    'null? class': ['bare'],
    'config_group = Web': ['web1'],
    'os_major > 9': ['web1'],
    'os_major >= 9': ['db1', 'web1'],
    'os_minor = 4': ['web1'],
    'has os_minor': ['web1'],
    'subnet6 = six': ['web1'],
    'has_ip6 = 2001:db8::1': ['web1'],
    'null? has_ip6': ['bare', 'db1'],
    'params_name = own': ['web1'],
    'created_at > "2 days ago"': ['bare', 'db1', 'web1'],
    'created_at < "2 days ago"': [],
  },
  hostgroups: {
    'os = Debian': ['base'],
    'os_title = "Debian 12.4"': ['base'],
    'os_major < 10': ['other'],
    'label = base/child': ['child'],
    'host = web1': ['child'],
    'template = Kickstart': ['base'],
    'class = apache': ['base', 'child'],
    'config_group = Web': ['base', 'child'],
    'params.tier = one': ['base'],
    'has params.tier': ['base'],
    'params.key = deep': [],
  },
  domains: { 'params.zone = inner': ['lab.test'], 'params.zone = outer': [] },
  subnets: { 'params.vlan ~ blu': ['six'] },
  operatingsystems: { 'params.mirror = near': ['Debian'], 'template = none': [] },
  roles: {
    'permission = view_config_report_none': [],
    'locked = true and name = Viewer': ['Viewer'],
    'locked = false and name = Viewer': [],
    'permission = view_hosts and name = Viewer': ['Viewer'],
  },
}

test.each(
  Object.entries(CASES).flatMap(([list, searches]) =>
    Object.entries(searches).map(([search, names]) => [list, search, names] as const),
  ),
)('%s: %s', async (list, search, names) => {
  const { status, body } = await api.admin.get(`/api/${list}?per_page=all&search=${encodeURIComponent(search)}`)
  expect({ status, error: body.error }).toMatchObject({ status: 200 })
  expect(body.results.map(({ name }: { name: string }) => name).sort()).toEqual(names)
})

test('filters are found by the type of records, and by whether they are limited', async () => {
  const find = async (search: string): Promise<number[]> => {
    const { status, body } = await api.admin.get(`/api/filters?per_page=all&search=${encodeURIComponent(search)}`)
    expect(status, search).toBe(200)
    return body.results.map(({ id }: { id: number }) => id)
  }
  const role = await given(api.admin, 'role', { name: 'Searchers' })
  const { results } = (await api.admin.get('/api/permissions?search=name=view_hosts')).body
  const permission_ids = results.map(({ id }: { id: number }) => id)
  const all = await given(api.admin, 'filter', { role_id: role.id, permission_ids })
  const some = await given(api.admin, 'filter', { role_id: role.id, permission_ids, search: 'name ~ web' })
  expect(await find('role = Searchers and resource = Host')).toEqual([all.id, some.id])
  expect(await find('role = Searchers and unlimited = true')).toEqual([all.id])
  expect(await find('role = Searchers and limited = true')).toEqual([some.id])
})

test('audits are found by the name of what they are about', async () => {
  const find = async (search: string) =>
    (await api.admin.get(`/api/audits?search=${encodeURIComponent(search)}`)).body.results.map(
      ({ auditable_type, auditable_name }: Body) => `${auditable_type} ${auditable_name}`,
    )
  expect(await find('host = web1')).toEqual(['Host web1'])
  expect(await find('os ~ Debian')).toEqual(['Operatingsystem Debian 12.4'])
  expect(await find('hostgroup = base')).toEqual(['Hostgroup base'])
})
