import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { row } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { expectCreated, openTestApi, type Reply, type TestApi } from '../support/api.ts'
import { freeNetwork, given, managedHost, unique } from '../support/given.ts'

let api: TestApi

beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.[Symbol.asyncDispose]())

let octets = 0

/** Yields a MAC address that nothing else has. */
function freeMac(): string {
  octets += 1
  return `52:54:00:00:${(octets >> 8).toString(16).padStart(2, '0')}:${(octets & 255).toString(16).padStart(2, '0')}`
}

const make = (more: object = {}) =>
  expectCreated(
    api.admin.post('/api/hosts', {
      host: { name: `${unique('host')}.test`, managed: false, organization_id: 1, location_id: 1, ...more },
    }),
  )
const put = (id: number, host: object) => api.admin.put(`/api/hosts/${id}`, { host })
const get = async (id: number) => (await api.admin.get(`/api/hosts/${id}`)).body
const add = (host: number, body: object) => api.admin.post(`/api/hosts/${host}/interfaces`, { interface: body })
const change = (host: number, id: number, body: object) =>
  api.admin.put(`/api/hosts/${host}/interfaces/${id}`, { interface: body })

describe('a host', () => {
  test('has one interface from the start, which carries its name', async () => {
    const host = await make()
    expect(host.interfaces).toMatchObject([{ name: host.name, primary: true, provision: true, type: 'interface' }])
  })

  test('writes its primary interface by keys of its own', async () => {
    const mac = freeMac()
    const host = await make({ mac: mac.toUpperCase().replaceAll(':', '-'), ip: '192.0.2.9', ip6: '2001:DB8:0:0::9' })
    expect(host).toMatchObject({ mac, ip: '192.0.2.9', ip6: '2001:db8::9' })
    await put(host.id, { ip: '192.0.2.10', ip6: null })
    expect(await get(host.id)).toMatchObject({ mac, ip: '192.0.2.10', ip6: null })
  })

  test('takes the first item for its primary interface, or the one that says so, or has its name', async () => {
    const [a, b] = [freeMac(), freeMac()]
    const first = await make({
      interfaces_attributes: [
        { mac: a, identifier: 'eth0' },
        { mac: b, identifier: 'eth1' },
      ],
    })
    expect(first.mac).toBe(a)
    expect(first.interfaces).toMatchObject([
      { identifier: 'eth0', name: first.name, primary: true, provision: true },
      { identifier: 'eth1', primary: false, provision: false },
    ])
    const [c, d] = [freeMac(), freeMac()]
    const told = await make({ interfaces_attributes: { 0: { mac: c, provision: true }, 1: { mac: d, primary: '1' } } })
    expect(told).toMatchObject({
      mac: d,
      interfaces: [
        { mac: d, provision: false },
        { mac: c, provision: true },
      ],
    })
    const [e, f] = [freeMac(), freeMac()]
    const named = await make({
      name: 'named.test',
      interfaces_attributes: [
        { mac: e, name: 'x' },
        { mac: f, name: 'named' },
      ],
    })
    expect(named).toMatchObject({ mac: f, interfaces: [{ name: 'named.test' }, { name: 'x' }] })
  })

  test('changes, makes and removes interfaces by items', async () => {
    const host = await make({ interfaces_attributes: [{ identifier: 'eth0' }, { identifier: 'eth1', name: 'second' }] })
    const [eth0, eth1] = host.interfaces
    await put(host.id, {
      interfaces_attributes: [{ id: eth0.id, mtu: 9000 }, { name: 'second', tag: '7' }, { identifier: 'eth2' }],
    })
    expect((await get(host.id)).interfaces).toMatchObject([
      { id: eth0.id, mtu: 9000, identifier: 'eth0' },
      { id: eth1.id, tag: '7', identifier: 'eth1' },
      { identifier: 'eth2' },
    ])
    await put(host.id, { interfaces_attributes: [{ id: eth1.id, _destroy: true }] })
    expect((await get(host.id)).interfaces).toHaveLength(2)
  })

  test('names the fields of a refused item', async () => {
    const host = await make()
    const items = [{ identifier: 'eth9' }, { id: host.interfaces[0].id, mac: 'x' }]
    const refused = await put(host.id, { interfaces_attributes: items })
    expect(refused.body.error).toMatchObject({
      id: host.id,
      errors: { 'interfaces.mac': ['is not a valid MAC address'] },
      item: { interfaces_attributes: 1 },
    })
    const sent = { name: 'refused.lab.test', interfaces_attributes: [{ identifier: 'eth9' }, { mac: 'x' }] }
    const made = await api.admin.post('/api/hosts', { host: sent })
    expect(made.body.error.item).toEqual({ interfaces_attributes: 1 })
    const typed = await put(host.id, { interfaces_attributes: [{ id: host.interfaces[0].id, type: 'bridge' }] })
    expect(typed.body.error.errors).toEqual({ 'interfaces.type': ["can't be changed once the interface is saved"] })
    expect((await put(host.id, { interfaces_attributes: [{ id: 987_654, mtu: 1500 }] })).status).toBe(404)
  })
})

describe('exactly one', () => {
  const flags = async (id: number) =>
    (await get(id)).interfaces.map(({ identifier, primary, provision }: Record<string, unknown>) => [
      identifier,
      primary,
      provision,
    ])

  test('is primary, and exactly one provisions', async () => {
    const host = await make({ interfaces_attributes: [{ identifier: 'a' }, { identifier: 'b', name: 'other.test' }] })
    const [a, b] = host.interfaces
    expect((await change(host.id, a.id, { primary: false })).body.error.errors).toEqual({
      primary: ['is what exactly one interface of a host is: choose another one for it instead'],
    })
    expect((await change(host.id, b.id, { provision: true })).body.error.errors).toEqual({
      provision: ['host already has provision interface: say of that one, in the same request, that it no longer is'],
    })
    const swap = (flag: string) => [
      { id: a.id, [flag]: false },
      { id: b.id, [flag]: true },
    ]
    expect((await put(host.id, { interfaces_attributes: swap('provision') })).status).toBe(200)
    expect(await flags(host.id)).toEqual([
      ['a', true, false],
      ['b', false, true],
    ])
    expect((await put(host.id, { interfaces_attributes: swap('primary') })).status).toBe(200)
    expect(await flags(host.id)).toEqual([
      ['b', true, true],
      ['a', false, false],
    ])
    expect((await get(host.id)).name).toBe('other.test')
  })

  test('stays when items swap it in any order', async () => {
    const host = await make({ interfaces_attributes: [{ identifier: 'a' }, { identifier: 'b' }] })
    const [a, b] = host.interfaces
    const { status } = await put(host.id, {
      interfaces_attributes: [
        { id: a.id, identifier: 'was primary', primary: false, provision: false },
        { id: b.id, primary: true, provision: true },
      ],
    })
    expect(status).toBe(200)
    expect(await flags(host.id)).toEqual([
      ['b', true, true],
      ['was primary', false, false],
    ])
    expect((await get(host.id)).interfaces[0].name).toBe(host.name)
  })

  test('cannot be removed', async () => {
    const host = await make({ interfaces_attributes: [{ identifier: 'a' }, { identifier: 'b' }] })
    const [a, b] = host.interfaces
    const refused = await api.admin.delete(`/api/hosts/${host.id}/interfaces/${a.id}`)
    expect(Object.keys(refused.body.error.errors)).toEqual(['primary', 'provision'])
    expect((await api.admin.delete(`/api/hosts/${host.id}/interfaces/${b.id}`)).status).toBe(200)
  })
})

describe('the name', () => {
  test('of the primary interface is the host’s, whichever of them is changed', async () => {
    const host = await make()
    await put(host.id, { name: `${unique('renamed')}.test` })
    const renamed = await get(host.id)
    expect(renamed.interfaces).toMatchObject([{ name: renamed.name }])
    const name = `${unique('again')}.test`
    await change(host.id, renamed.interfaces[0].id, { name })
    expect(await get(host.id)).toMatchObject({ name, certname: name, interfaces: [{ name }] })
    expect((await change(host.id, renamed.interfaces[0].id, { name: 'no name' })).status).toBe(422)
  })

  test('of a host that is taken cannot be given by an interface', async () => {
    const [one, other] = [await make(), await make()]
    const { status, body } = await change(one.id, one.interfaces[0].id, { name: other.name })
    expect(status).toBe(422)
    expect(body.error.errors).toEqual({ name: ['has already been taken'] })
  })
})

describe('addresses', () => {
  test('lie in their subnet', async () => {
    const network = freeNetwork()
    const subnet = await given(api.admin, 'subnet', { network })
    const inside = network.replace(/\.0$/, '.20')
    const host = await make({ subnet_id: subnet.id, ip: inside })
    expect(host).toMatchObject({ ip: inside, subnet_name: subnet.name })
    expect((await put(host.id, { ip: '203.0.113.1' })).body.error.errors).toEqual({
      ip: ['does not match selected subnet'],
    })
    expect((await put(host.id, { subnet6_id: subnet.id })).body.error.errors).toEqual({
      subnet6_id: ['must be a subnet of IPv6 addresses'],
    })
  })

  test('are of one interface of the host each', async () => {
    const [ip, other, ip6] = ['192.0.2.60', '192.0.2.61', '2001:db8::60']
    const taken = (field: string) => [422, { [field]: ['has already been taken'] }]
    const told = ({ status, body }: Reply) => [status, body.error?.errors]
    const items = [
      { identifier: 'a', primary: true, ip },
      { identifier: 'b', ip },
    ]
    const name = `${unique('host')}.test`
    const both = await api.admin.post('/api/hosts', { host: { name, managed: false, interfaces_attributes: items } })
    expect(told(both)).toEqual(taken('interfaces.ip'))
    const host = await make({ ip, ip6 })
    expect(told(await add(host.id, { identifier: 'b', ip }))).toEqual(taken('ip'))
    expect(told(await add(host.id, { identifier: 'b', ip6: '2001:DB8:0::60' }))).toEqual(taken('ip6'))
    const second = await expectCreated(add(host.id, { identifier: 'b', ip: other }))
    expect(told(await change(host.id, second.id, { ip }))).toEqual(taken('ip'))
    expect(told(await put(host.id, { ip: other }))).toEqual(taken('ip'))
    // Facts may tell of an address twice; who writes back what was shown changes nothing.
    await sql`update interfaces set ip = ${ip}::inet where id = ${second.id}`.execute(api.database.db)
    expect((await change(host.id, second.id, { ip, identifier: 'c' })).status).toBe(200)
    expect((await make({ ip })).ip).toBe(ip)
  })

  test('are in networks of the host’s organization', async () => {
    const elsewhere = await given(api.admin, 'organization')
    const subnet = await given(api.admin, 'subnet', { organization_ids: [elsewhere.id] })
    const host = await make({ organization_id: 1, location_id: 1 })
    const { status, body } = await change(host.id, host.interfaces[0].id, { subnet_id: subnet.id })
    expect(status).toBe(422)
    expect(body.error.errors).toEqual({ subnet_id: ['does not belong to the organization of the host'] })
  })

  test('of six bytes or twenty are MAC addresses, in any notation', async () => {
    const host = await make()
    const [{ id }] = host.interfaces
    for (const [sent, mac] of [
      ['5254.0012.3456', '52:54:00:12:34:56'],
      ['525400123457', '52:54:00:12:34:57'],
      ['52-54-00-12-34-58', '52:54:00:12:34:58'],
      [Array(20).fill('AB').join(':'), Array(20).fill('ab').join(':')],
      ['', null],
    ])
      expect((await change(host.id, id, { mac: sent })).body.mac).toBe(mac)
    for (const mac of ['52:54:00:12:34', '52:54:00:12:34:56:78:9a', 'x'.repeat(17)])
      expect((await change(host.id, id, { mac })).status, mac).toBe(422)
  })

  test('are the only ones of their kind among managed interfaces of managed hosts', async () => {
    const ready = await managedHost(api.admin)
    const host = await make(ready)
    const { mac } = ready
    const { body } = await api.admin.post('/api/hosts', {
      host: { name: 'twin.test', organization_id: 1, location_id: 1, ...ready },
    })
    expect(body.error.errors).toEqual({ mac: ['has already been taken'] })
    const virtual = await add(host.id, { mac, virtual: true, attached_to: 'eth0', identifier: 'eth0.7' })
    expect(virtual.status).toBe(201)
  })
})

describe('interfaces by themselves', () => {
  test('are listed, shown, made and deleted below their host', async () => {
    const host = await make()
    const bond = await expectCreated(
      add(host.id, {
        type: 'bond',
        identifier: 'bond0',
        mode: '802.3ad',
        attached_devices: ['eth0', 'eth1'],
        bond_options: 'miimon=100',
        name: 'bond.test',
      }),
    )
    expect(bond).toMatchObject({ mode: '802.3ad', attached_devices: 'eth0,eth1', primary: false })
    const list = await api.admin.get(`/api/hosts/${host.name}/interfaces`)
    expect(list.body).toMatchObject({ total: 2, results: [{ primary: true }, { id: bond.id }] })
    expect((await api.admin.get(`/api/hosts/${host.id}/interfaces/bond.test`)).body.id).toBe(bond.id)
    const other = await make()
    expect((await api.admin.get(`/api/hosts/${other.id}/interfaces/${bond.id}`)).status).toBe(404)
    const gone = await api.admin.delete(`/api/hosts/${host.id}/interfaces/${bond.id}`)
    expect(gone.body).toMatchObject({ id: bond.id, identifier: 'bond0' })
    expect((await api.admin.get('/api/interfaces')).status).toBe(404)
  })

  test('are seen and changed by whoever may see and edit the host', async () => {
    const [host, other] = [await make(), await make()]
    const there = { organization_ids: [1], location_ids: [1] }
    const viewer = await api.can(['view_hosts'], { ...there, search: `name = ${host.name}` })
    expect((await viewer.get(`/api/hosts/${host.id}/interfaces`)).body.total).toBe(1)
    expect((await viewer.get(`/api/hosts/${other.id}/interfaces`)).status).toBe(404)
    expect((await viewer.post(`/api/hosts/${host.id}/interfaces`, { interface: {} })).status).toBe(403)
    const editor = await api.can(['view_hosts', 'edit_hosts'], { ...there, search: `name = ${host.name}` })
    expect((await editor.post(`/api/hosts/${host.id}/interfaces`, { interface: { identifier: 'x' } })).status).toBe(201)
    expect((await editor.post(`/api/hosts/${other.id}/interfaces`, { interface: { identifier: 'x' } })).status).toBe(
      404,
    )
  })

  test('keep passwords of service processors encrypted and to themselves', async () => {
    const host = await make()
    const sent = { type: 'bmc', provider: 'IPMI', username: 'root', password: 'correct horse', ip: '192.0.2.99' }
    const bmc = await expectCreated(add(host.id, sent))
    expect(JSON.stringify(bmc)).not.toMatch(/password|horse/)
    const stored = await row<{ password: string }>(
      api.database.db,
      sql`select password from interfaces where id = ${bmc.id}`,
    )
    expect(stored?.password).not.toContain('horse')
    expect(await get(host.id)).toMatchObject({ bmc_available: true, sp_ip: '192.0.2.99' })
    expect((await api.admin.get('/api/audits?per_page=all')).text).not.toContain('horse')
  })

  test('are audited as the parts that they are', async () => {
    const host = await make({ mac: freeMac() })
    await put(host.id, { mac: freeMac() })
    const { body } = await api.admin.get(
      `/api/audits?search=${encodeURIComponent('type = interface and action = update')}`,
    )
    expect(body.results[0]).toMatchObject({ auditable_type: 'Interface', auditable_name: host.name })
    expect(Object.keys(body.results[0].audited_changes)).toEqual(['mac'])
  })
})
