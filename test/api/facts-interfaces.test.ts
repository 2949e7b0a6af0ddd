import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { GROUP_FACT, PLACE_FACTS } from '../../src/words/protocols.ts'
import { type Caller, expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { given, managedHost, type Shown, unique } from '../support/given.ts'

// Interfaces from facts, and the settings about facts (docs/contract.md, parameters and facts).

let api: TestApi

beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.[Symbol.asyncDispose]())

let count = 0
const newName = () => `f${++count}.example.test`
const upload = (name: string, facts: unknown, further: object = {}, caller: Caller = api.admin) =>
  caller.post('/api/hosts/facts', { name, facts, ...further })
const show = async (id: number) => (await api.admin.get(`/api/hosts/${id}`)).body
const set = async (name: string, value: unknown) => {
  expect((await api.admin.put(`/api/settings/${name}`, { setting: { value } })).status).toBe(200)
}

const KEYS = ['identifier', 'type', 'primary', 'mac', 'ip', 'ip6', 'virtual', 'tag', 'attached_to', 'attached_devices']

/** Yields the interfaces of a host by identifier, without blank values. */
const interfacesOf = async (id: number) => {
  const { interfaces } = await show(id)
  const told = (one: Record<string, unknown>) =>
    KEYS.map((key) => [key, one[key]]).filter(([, value]) => value !== null && value !== false && value !== '')
  return interfaces.map((one: Record<string, unknown>) => Object.fromEntries(told(one)))
}

const mac = (last: number) => `52:54:00:00:10:0${last}`

const STRUCTURED = {
  networking: {
    primary: 'ens3',
    ip: '192.0.2.1',
    mac: mac(1).toUpperCase(),
    interfaces: {
      lo: { ip: '127.0.0.1' },
      docker0: { ip: '172.17.0.1', mac: '02:42:00:00:00:01' },
      ens3: { ip: '192.0.2.1', ip6: '2001:db8::1', mac: mac(1).toUpperCase() },
      ens4: { mac: mac(2), ip6: 'fe80::2' },
      'ens4.120': { ip: '198.51.100.1', mac: mac(2) },
      'ens3:0': { ip: '192.0.2.101', mac: mac(1) },
      bond0: { mac: mac(3) },
      br0: { mac: mac(4) },
    },
  },
}

const FOUND = [
  { identifier: 'ens3', type: 'interface', primary: true, mac: mac(1), ip: '192.0.2.1', ip6: '2001:db8::1' },
  { identifier: 'ens4', type: 'interface', mac: mac(2) },
  {
    identifier: 'ens4.120',
    type: 'interface',
    mac: mac(2),
    ip: '198.51.100.1',
    virtual: true,
    tag: '120',
    attached_to: 'ens4',
  },
  { identifier: 'ens3:0', type: 'interface', mac: mac(1), ip: '192.0.2.101', virtual: true, attached_to: 'ens3' },
  { identifier: 'bond0', type: 'bond', mac: mac(3), virtual: true },
  { identifier: 'br0', type: 'bridge', mac: mac(4), virtual: true },
]

const FLAT = {
  interfaces: 'lo,eth0,eth0_5,eth1',
  ipaddress: '192.0.2.2',
  ipaddress_lo: '127.0.0.1',
  ipaddress_eth0: '192.0.2.2',
  macaddress_eth0: mac(1),
  ipaddress_eth0_5: '192.0.2.5',
  macaddress_eth1: mac(2),
}

const PLAYBOOK = {
  _type: 'ansible',
  ansible_facts: {
    ansible_interfaces: ['lo', 'bond0', 'eth0', 'eth1', 'br-ex', 'bond0.7'],
    ansible_default_ipv4: { interface: 'bond0', address: '192.0.2.3', macaddress: mac(1) },
    ansible_lo: { type: 'loopback' },
    ansible_eth0: { macaddress: mac(1), type: 'ether' },
    ansible_eth1: { macaddress: mac(1), type: 'ether' },
    ansible_bond0: {
      macaddress: mac(1),
      type: 'bonding',
      mode: '802.3ad',
      slaves: ['eth0', 'eth1'],
      ipv4: { address: '192.0.2.3' },
      ipv6: [
        { address: 'fe80::1', scope: 'link' },
        { address: '2001:DB8:0::3', scope: 'global' },
      ],
    },
    'ansible_bond0.7': { macaddress: mac(1), ipv4: { address: '198.51.100.7' } },
    ansible_br_ex: { macaddress: mac(4), type: 'bridge', interfaces: ['eth9'] },
    odd: '[not a list',
  },
}

describe('interfaces', () => {
  test.each([
    ['structured facts', STRUCTURED, FOUND],
    [
      'flat facts',
      FLAT,
      [
        { identifier: 'eth0', type: 'interface', primary: true, mac: mac(1), ip: '192.0.2.2' },
        {
          ...{ identifier: 'eth0.5', type: 'interface', ip: '192.0.2.5', virtual: true, tag: '5' },
          attached_to: 'eth0',
        },
        { identifier: 'eth1', type: 'interface', mac: mac(2) },
      ],
    ],
    [
      'facts of playbooks',
      PLAYBOOK,
      [
        {
          ...{ identifier: 'bond0', type: 'bond', primary: true, mac: mac(1), ip: '192.0.2.3', ip6: '2001:db8::3' },
          ...{ virtual: true, attached_devices: 'eth0,eth1' },
        },
        { identifier: 'eth0', type: 'interface', mac: mac(1) },
        { identifier: 'eth1', type: 'interface', mac: mac(1) },
        { identifier: 'br-ex', type: 'bridge', mac: mac(4), virtual: true, attached_devices: 'eth9' },
        {
          ...{ identifier: 'bond0.7', type: 'interface', mac: mac(1), ip: '198.51.100.7' },
          ...{ virtual: true, tag: '7', attached_to: 'bond0' },
        },
      ],
    ],
  ])('are read from %s, and the same facts again change nothing', async (_form, facts, found) => {
    const { id, name } = await expectCreated(upload(newName(), facts))
    expect(await interfacesOf(id)).toEqual(found)
    const before = await show(id)
    await expectCreated(upload(name, facts))
    const after = await show(id)
    expect(after.interfaces).toEqual(before.interfaces)
    const { body } = await api.admin.get(`/api/audits?search=${encodeURIComponent(`host = ${name}`)}&per_page=all`)
    const actions = body.results.map(({ action }: { action: string }) => action)
    expect([actions.includes('create'), actions.includes('update')]).toEqual([true, false])
  })

  test('may take an address from another, or swap theirs', async () => {
    const told = (a: string, b: string) => ({ networking: { interfaces: { eth0: { ip: a }, eth1: { ip: b } } } })
    const { id, name } = await expectCreated(upload(newName(), told('192.0.2.31', '192.0.2.32')))
    const ips = async () => (await show(id)).interfaces.map(({ ip }: { ip: string }) => ip)
    await expectCreated(upload(name, told('192.0.2.32', '192.0.2.31')))
    expect(await ips()).toEqual(['192.0.2.32', '192.0.2.31'])
    await expectCreated(upload(name, { networking: { interfaces: { eth0: {}, eth1: { ip: '192.0.2.32' } } } }))
    expect(await ips()).toEqual([null, '192.0.2.32'])
  })

  test('share no address: it stays with the primary one, a physical one or that of a managed host', async () => {
    const name = `${unique('shared')}.example.test`
    const eth = { ip: '192.0.2.77', ip6: '2001:db8::77' }
    const { id } = await expectCreated(
      upload(name, { networking: { interfaces: { 'eth0.7': eth, eth0: eth, eth1: { ip6: '2001:db8::77' } } } }),
    )
    const addresses = async () =>
      (await show(id)).interfaces.map(({ identifier, ip, ip6 }: Shown) => [identifier, ip, ip6 || null])
    expect((await addresses()).toSorted()).toEqual([
      ['eth0', '192.0.2.77', '2001:db8::77'],
      ['eth0.7', null, null],
      ['eth1', null, null],
    ])
    // A new interface takes the address of one that is no longer reported.
    const { networking } = { networking: { primary: 'eth0', interfaces: { eth0: eth, eth8: { ip: '192.0.2.78' } } } }
    await expectCreated(upload(name, { networking }))
    const { eth0, eth8 } = networking.interfaces
    await expectCreated(upload(name, { networking: { ...networking, interfaces: { eth0, eth9: eth8 } } }))
    expect((await addresses()).filter(([, ip]: string[]) => ip === '192.0.2.78')).toEqual([
      ['eth9', '192.0.2.78', null],
    ])
  })

  test('are known by their identifier, or by their address; what is not told of stays', async () => {
    const { id, name } = await expectCreated(upload(newName(), STRUCTURED))
    const ids = async () => (await show(id)).interfaces.map((one: { id: number }) => one.id)
    const before = await ids()
    const interfaces = { enp0s3: { mac: mac(1), ip: '192.0.2.9' }, ens4: { mac: mac(5), ip: '192.0.2.4' } }
    await expectCreated(upload(name, { networking: { primary: 'enp0s3', interfaces } }))
    expect(await ids()).toEqual(before)
    const [first, second, ...others] = await interfacesOf(id)
    expect(first).toEqual({ ...FOUND[0], identifier: 'enp0s3', ip: '192.0.2.9' })
    expect(second).toEqual({ identifier: 'ens4', type: 'interface', mac: mac(5), ip: '192.0.2.4' })
    expect(others).toEqual(FOUND.slice(2))
    await expectCreated(upload(name, { networking: { interfaces: { ens9: { mac: mac(9) } } } }))
    expect(await interfacesOf(id)).toContainEqual(expect.objectContaining({ mac: mac(9), identifier: 'ens9' }))
  })

  test('of a managed host keep their addresses, and are given the identifiers that they lack', async () => {
    const host = { ...(await managedHost(api.admin)), name: newName(), organization_id: 1, location_id: 1 }
    const { id, name } = await expectCreated(
      api.admin.post('/api/hosts', { host: { ...host, mac: mac(1), ip: '192.0.2.77' } }),
    )
    await expectCreated(upload(name, STRUCTURED))
    const [first, ...others] = await interfacesOf(id)
    expect(first).toEqual({ identifier: 'ens3', type: 'interface', primary: true, mac: mac(1), ip: '192.0.2.77' })
    expect(others).toEqual(FOUND.slice(1))
  })

  test('do not cost statements when there are more of them, unless they are new', async () => {
    const facts = (size: number) => ({
      networking: {
        primary: 'eth0',
        interfaces: Object.fromEntries(
          Array.from({ length: size }, (_, n) => [
            `eth${n}`,
            { ip: `198.51.100.${n}`, mac: `52:54:00:00:20:${10 + n}` },
          ]),
        ),
      },
    })
    const [few, many] = [newName(), newName()]
    const first = await api.counting(() => upload(few, facts(2)))
    expect((await api.counting(() => upload(many, facts(80)))).count).toBe(first.count)
    const again = await api.counting(() => upload(few, facts(2)))
    expect((await api.counting(() => upload(many, facts(80)))).count).toBe(again.count)
  })

  test('are left alone where settings say so', async () => {
    await set('ignored_interface_identifiers', ['ens4*', 'bond0', 'lo', 'docker*'])
    const one = await expectCreated(upload(newName(), STRUCTURED))
    expect((await interfacesOf(one.id)).map((own: { identifier: string }) => own.identifier)).toEqual([
      'ens3',
      'ens3:0',
      'br0',
    ])
    await set('ignore_config_facts_for_provisioning', true)
    const other = await expectCreated(upload(newName(), STRUCTURED))
    expect(await interfacesOf(other.id)).toEqual([{ type: 'interface', primary: true }])
    await set('ignore_config_facts_for_provisioning', false)
  })
})

describe('settings', () => {
  test('name the facts that place a host, which only move it to known places where the sender may act', async () => {
    const [home, next, foreign] = [
      await given(api.admin, 'organization'),
      await given(api.admin, 'organization'),
      await given(api.admin, 'organization'),
    ]
    const agent = await api.can(['upload_facts'], { organization_ids: [home.id, next.id], location_ids: [1] })
    const place = { organization_id: home.id, location_id: 1 }
    const { id, name } = await expectCreated(upload(newName(), { a: 1 }, place, agent))
    const told = async (facts: object) => {
      await expectCreated(upload(name, facts, {}, agent))
      return (await show(id)).organization_id
    }
    expect(await told({ millwright_organization: foreign.title })).toBe(home.id)
    expect(await told({ millwright_organization: 'Nowhere' })).toBe(home.id)
    expect(await told({ [PLACE_FACTS.organization]: next.title })).toBe(next.id)
    await set('organization_fact', 'team')
    expect(await told({ [PLACE_FACTS.organization]: home.title })).toBe(next.id)
    expect(await told({ team: home.title })).toBe(home.id)
    const lost = await given(api.admin, 'compute_resource', { organization_ids: [home.id], location_ids: [1] })
    expect((await api.admin.put(`/api/hosts/${id}`, { host: { compute_resource_id: lost.id } })).status).toBe(200)
    expect(await told({ team: next.title, kept: 'x' })).toBe(home.id)
    expect((await api.admin.get(`/api/hosts/${id}/facts`)).body.results[name]).toMatchObject({ kept: 'x' })
    await set('organization_fact', 'millwright_organization')
  })

  test('give new hosts an environment and an owner', async () => {
    const environment = await given(api.admin, 'environment', { organization_ids: [1], location_ids: [1] })
    const user = await given(api.admin, 'user')
    await set('default_config_environment', environment.name)
    await set('host_owner', `${user.id}-Users`)
    const { id } = await expectCreated(upload(newName(), { a: 1 }, { organization_id: 1, location_id: 1 }))
    expect(await show(id)).toMatchObject({ environment_id: environment.id, owner_id: user.id, owner_type: 'User' })
    const made = await given(api.admin, 'host')
    expect(made).toMatchObject({ owner_id: user.id, owner_type: 'User' })
    const elsewhere = await given(api.admin, 'location')
    const other = await expectCreated(upload(newName(), { a: 1 }, { organization_id: 1, location_id: elsewhere.id }))
    expect((await show(other.id)).environment_id).toBe(null)
    await set('host_owner', '999999-Users')
    expect(await show((await expectCreated(upload(newName(), { a: 1 }))).id)).toMatchObject({ owner_id: null })
    const { status, body } = await api.admin.put('/api/settings/host_owner', { setting: { value: 'somebody' } })
    expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining('1-Users or 2-Usergroups')])
    await set('host_owner', '')
  })

  test('let facts choose the group, or not', async () => {
    const group = await given(api.admin, 'hostgroup', { organization_ids: [1], location_ids: [1] })
    const place = { organization_id: 1, location_id: 1 }
    const { id, name } = await expectCreated(upload(newName(), { millwright_hostgroup: group.title }, place))
    expect((await show(id)).hostgroup_id).toBe(null)
    await set('update_hostgroup_from_facts', true)
    await expectCreated(upload(name, { [GROUP_FACT]: group.title }))
    expect((await show(id)).hostgroup_id).toBe(group.id)
    const foreign = await given(api.admin, 'hostgroup', {
      organization_ids: [(await given(api.admin, 'organization')).id],
    })
    await expectCreated(upload(name, { [GROUP_FACT]: foreign.title, kept: 'x' }))
    expect((await show(id)).hostgroup_id).toBe(group.id)
    await set('update_hostgroup_from_facts', false)
  })
})

test('the system that facts tell of is one for the architecture that they tell of, and blank facts are none', async () => {
  const system = (architecture: string) => ({
    os: { name: 'Debian', release: { full: '13.1', major: '13', minor: '1' }, architecture },
    ...{ blank: ' ', none: '', list: [], kept: false },
  })
  const { id, name } = await expectCreated(upload(newName(), system('riscv64')))
  await expectCreated(upload(newName(), system('ppc64le')))
  const { body } = await api.admin.get(`/api/operatingsystems/${(await show(id)).operatingsystem_id}`)
  expect(body.architectures.map((one: { name: string }) => one.name).sort()).toEqual(['ppc64le', 'riscv64'])
  const { results } = (await api.admin.get(`/api/hosts/${id}/facts?per_page=all`)).body
  expect(results[name]).toMatchObject({ kept: 'false' })
  for (const absent of ['blank', 'none', 'list']) expect(results[name]).not.toHaveProperty(absent)
})
