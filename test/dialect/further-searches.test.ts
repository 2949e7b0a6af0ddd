import { afterAll, beforeAll, expect, test } from 'vitest'
import { basic, expectCreated } from '../support/api.ts'
import { given } from '../support/given.ts'
import { type BothListeners, openBothListeners } from './support.ts'

// Searches of hosts by facts and related records, and of audits by their subjects; on both ports.

let api: BothListeners
beforeAll(async () => {
  api = await openBothListeners()
  const place = { organization_id: 1, location_id: 1, managed: false }
  const places = { organization_ids: [1], location_ids: [1] }
  const proxy = async (name: string) => (await given(api.ours, 'smart_proxy', { name, ...places })).id
  const host = (name: string, more: object) =>
    expectCreated(api.ours.post('/api/hosts', { host: { name: `${name}.test`, ...place, ...more } }))
  const subnet = { name: 'net', network: '192.0.2.0', mask: '255.255.255.0', ...places, tftp_id: await proxy('boots') }
  const { id: subnet_id } = await given(api.ours, 'subnet', subnet)
  const { id: domain_id } = await given(api.ours, 'domain', { name: 'd.test', ...places, dns_id: await proxy('names') })
  const first = { mac: '52:54:00:00:00:01', ip: '192.0.2.5', primary: true, subnet_id }
  const [made] = (await host('new', { interfaces_attributes: [first, { identifier: 'eth1', ip: '192.0.2.6' }] }))
    .interfaces as { id: number }[]
  await api.ours.put(`/api/hosts/new.test/interfaces/${made?.id}`, { interface: { ip: '192.0.2.9' } })
  await host('old', { config_proxy_id: await proxy('configures'), interfaces_attributes: [{ domain_id }] })
  await host('bare', {})
  const told = async (name: string, facts: object) =>
    expectCreated(api.ours.post('/api/hosts/facts', { name: `${name}.test`, facts }))
  await told('new', {
    system_uptime: { seconds: 3600 },
    is_virtual: true,
    memory: { system: { total_bytes: 2_147_483_648 } },
    processors: { count: 4, physicalcount: 2 },
    kernelrelease: '6.1.0',
    dmi: { bios: { vendor: 'SeaBIOS', version: '1.16', release_date: '04/01/2014' } },
  })
  await told('old', {
    system_uptime: { seconds: 864_000 },
    is_virtual: false,
    memorysize_mb: '1024.7',
    processorcount: 1,
  })
})
afterAll(() => api?.[Symbol.asyncDispose]())

test.each<readonly [string, string]>([
  ['boot_time > "2 hours ago"', 'new'],
  ['boot_time < "3 days ago"', 'old'],
  ['null? boot_time', 'bare'],
  ['reported.virtual', 'new'],
  ['reported.virtual = false', 'old'],
  ['reported.ram = 2048', 'new'],
  ['reported.ram = 1024', 'old'],
  ['reported.ram ^ (1024, 2048)', 'new old'],
  ['reported.sockets > 1', 'new'],
  ['has reported.sockets', 'new'],
  ['reported.cores != 4', 'old'],
  ['reported.kernel_version ~ 6.1', 'new'],
  ['reported.bios_vendor = SeaBIOS', 'new'],
  ['reported.bios_version = 1.16', 'new'],
  ['reported.bios_release_date ~ 2014', 'new'],
  ['smart_proxy = configures', 'old'],
  ['smart_proxy = boots', 'new'],
  ['smart_proxy = names', 'old'],
  ['smart_proxy ^ (boots, configures)', 'new old'],
  ['null? smart_proxy', 'bare'],
])('hosts by %s', async (search, wanted) => {
  for (const port of ['ours', 'theirs'] as const) {
    const { status, body } = await api[port].get(`/api/hosts?${new URLSearchParams({ search })}`)
    const names = body.results?.map(({ name }: { name: string }) => name.replace('.test', '')).join(' ')
    expect({ port, status, names }).toEqual({ port, status: 200, names: wanted })
  }
})

test.each<readonly [string, string]>([
  ['interface_ip = 192.0.2.9', 'update new.test'],
  ['interface_ip = 192.0.2.5', 'create new.test'],
  ['interface_mac = 52:54:00:00:00:01', 'create new.test'],
  ['interface_fqdn = new.test and action = update', 'update new.test'],
  ['authored_by_user = admin and interface_ip = 192.0.2.9', 'update new.test'],
  ['authored_by_user = nobody', ''],
  ['setting = none', ''],
  ['partition_table = none', ''],
])('audits by %s', async (search, wanted) => {
  for (const port of ['ours', 'theirs'] as const) {
    const { status, body } = await api[port].get(`/api/audits?${new URLSearchParams({ search })}`)
    const found = body.results?.map((audit: Record<string, string>) => `${audit.action} ${audit.auditable_name}`)
    expect({ port, status, found: found?.join() }).toEqual({ port, status: 200, found: wanted })
  }
})

test('unknown fields and unsupported comparisons are refused by name', async () => {
  const asked = [
    ['search', 'reported.disks_total > 1', /^Field 'reported.disks_total' not recognized/],
    ['search', 'reported.cores = many', /^Value 'many' is not valid for field 'reported.cores'/],
    ['order', 'smart_proxy', /^Field 'smart_proxy' can only be compared with a value/],
  ] as const
  for (const [parameter, text, message] of asked) {
    const { status, body } = await api.theirs.get(`/api/hosts?${new URLSearchParams({ [parameter]: text })}`)
    expect({ text, status, message: body.error.message }).toMatchObject({
      text,
      status: 400,
      message: expect.stringMatching(message),
    })
  }
})

test('facts and proxies find nothing for who may not view them', async () => {
  const role = await expectCreated(api.ours.post('/api/roles', { role: { name: 'hosts alone' } }))
  const { body } = await api.ours.get('/api/permissions?search=name+%3D+view_hosts')
  const filter = { role_id: role.id, permission_ids: [body.results[0].id] }
  await expectCreated(api.ours.post('/api/filters', { filter }))
  const user = { login: 'reader', password: 'changeme-1', auth_source_id: 1, role_ids: [role.id] }
  await expectCreated(api.ours.post('/api/users', { user: { ...user, organization_ids: [1], location_ids: [1] } }))
  const authorization = basic('reader', 'changeme-1')
  for (const [search, status] of [
    ['name = new.test', 200],
    ['reported.cores = 4', 400],
    ['smart_proxy = boots', 400],
  ] as const) {
    const answer = await api.stranger.get(`/api/hosts?${new URLSearchParams({ search })}`, { authorization })
    expect({ search, status: answer.status }).toEqual({ search, status })
  }
})
