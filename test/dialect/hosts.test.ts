import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, expectCreated, type Reply } from '../support/api.ts'
import { type BothListeners, openBothListeners } from './support.ts'

// Behaviour of hosts that existing servers share, on both ports.

let api: BothListeners
beforeAll(async () => {
  api = await openBothListeners()
})
afterAll(() => api?.[Symbol.asyncDispose]())

const PORTS = ['ours', 'theirs'] as const
let made = 0
const unique = (word: string) => `${word}${++made}`
const mac = () => `52:54:00:10:00:${(++made).toString(16).padStart(2, '0')}`
const post = (port: Caller, host: object) =>
  port.post('/api/hosts', { host: { managed: false, organization_id: 1, location_id: 1, ...host } })
const create = (port: Caller, host: object) => expectCreated(post(port, { name: unique('host'), ...host }))
const put = (port: Caller, id: number, host: object) => port.put(`/api/hosts/${id}`, { host })
const given = (path: string, word: string, body: object) =>
  expectCreated(api.ours.post(`/api/${path}`, { [word]: body }))
const domain = () => given('domains', 'domain', { name: `${unique('d')}.test` })
const group = (body: object) => given('hostgroups', 'hostgroup', { name: unique('group'), ...body })
const refusal = ({ status, body }: Reply) => [status, body.error?.errors]
const proxyKey = (port: string) => (port === 'ours' ? 'config_proxy_id' : 'puppet_proxy_id')

describe.each(PORTS)('on %s', (port) => {
  describe('names', () => {
    test('a dot keeps them as they are, whichever the domain', async () => {
      const [one, two] = [await domain(), await domain()]
      const inOne = await group({ domain_id: one.id })
      const full = `${unique('n')}.${two.name}`
      const table: [object, string, number][] = [
        [{ name: full, domain_id: one.id }, full, one.id],
        [{ name: `a${full}`, hostgroup_id: inOne.id }, `a${full}`, one.id],
        [{ name: `b.sub.${one.name}`, domain_id: one.id }, `b.sub.${one.name}`, one.id],
        [{ name: 'short', hostgroup_id: inOne.id }, `short.${one.name}`, one.id],
        [{ name: 'other', domain_id: two.id, hostgroup_id: inOne.id }, `other.${two.name}`, two.id],
      ]
      for (const [sent, name, domain_id] of table) {
        const host = await create(api[port], sent)
        expect(host, name).toMatchObject({ name, domain_id, interfaces: [{ name, domain_id }] })
        const uploaded = await api[port].post('/api/hosts/facts', { name, facts: { kernel: 'Linux' } })
        expect(uploaded.body.id, 'the same host by its name').toBe(host.id)
        await api.ours.delete(`/api/hosts/${host.id}`)
      }
    })

    test('another group renames nobody', async () => {
      const [one, two] = [await domain(), await domain()]
      const host = await create(api[port], { name: `stays.${one.name}` })
      const { id } = await group({ domain_id: two.id })
      const moved = await put(api[port], host.id, { hostgroup_id: id })
      expect(moved.body).toMatchObject({ name: host.name, domain_id: one.id, hostgroup_id: id })
      await api.ours.delete(`/api/hosts/${host.id}`)
    })

    test('of managed hosts are one word and their domain', async () => {
      const [one, two] = [await domain(), await domain()]
      const { id } = await group({ domain_id: one.id })
      const expected = [422, { name: [expect.stringContaining('must not include periods')] }]
      for (const sent of [
        { name: `x.${two.name}`, domain_id: one.id },
        { name: `x.${two.name}`, hostgroup_id: id },
        { name: `x.y.${one.name}`, domain_id: one.id },
      ])
        expect(refusal(await post(api[port], { ...sent, managed: true, mac: mac() }))).toEqual(expected)
      const unmanaged = await create(api[port], { name: `x.${two.name}`, domain_id: one.id })
      expect(refusal(await put(api[port], unmanaged.id, { managed: true }))).toEqual(expected)
      await api.ours.delete(`/api/hosts/${unmanaged.id}`)
    })
  })

  describe('groups', () => {
    test('hand down what is empty; who configures the host goes with the group', async () => {
      const [old, other] = [
        await given('operatingsystems', 'operatingsystem', { name: unique('Old'), major: '1' }),
        await given('operatingsystems', 'operatingsystem', { name: unique('New'), major: '2' }),
      ]
      const environment = await given('environments', 'environment', { name: unique('env') })
      const proxy = await given('smart_proxies', 'smart_proxy', {
        ...{ name: unique('proxy'), url: `http://127.0.0.1:1/${unique('p')}`, runner: 'ssh' },
      })
      const plain = await group({ operatingsystem_id: other.id })
      const configured = await group({ environment_id: environment.id })
      const host = await create(api[port], { operatingsystem_id: old.id, [proxyKey(port)]: proxy.id })
      const moved = await put(api[port], host.id, { hostgroup_id: plain.id })
      expect(moved.body).toMatchObject({ operatingsystem_id: old.id, [proxyKey(port)]: null })
      const inherits = await create(api[port], { hostgroup_id: configured.id, environment_id: null })
      expect(inherits.environment_id).toBe(environment.id)
      const filled = await create(api[port], {})
      expect((await put(api[port], filled.id, { hostgroup_id: plain.id })).body.operatingsystem_id).toBe(other.id)
    })
  })

  describe('owners', () => {
    test('administrators own hosts anywhere; a type has an owner', async () => {
      const organization = await given('organizations', 'organization', { name: unique('org') })
      const sent = {
        name: unique('owned'),
        managed: false,
        owner_id: 1,
        organization_id: organization.id,
        location_id: 1,
      }
      const owned = await api[port].post('/api/hosts', { organization_id: organization.id, host: sent })
      expect([owned.status, owned.body.owner_id, owned.body.owner_type]).toEqual([201, 1, 'User'])
      const expected = [422, { owner: ['If owner type is specified, owner must be specified too.'] }]
      for (const owner of [{ owner_type: 'User' }, { owner_type: 'User', owner_id: null }, { owner_type: 'Usergroup' }])
        expect(refusal(await post(api[port], { name: unique('nobody'), ...owner })), JSON.stringify(owner)).toEqual(
          expected,
        )
    })
  })

  describe('managed hosts', () => {
    const BLANK = ["can't be blank"]
    test('have what their installation takes, each named', async () => {
      const architecture_id = 1
      const { id: operatingsystem_id } = await given('operatingsystems', 'operatingsystem', {
        name: unique('System'),
        major: '1',
      })
      const lacking = await post(api[port], { name: unique('m'), managed: true })
      expect([...refusal(lacking), lacking.body.error.id]).toEqual([
        422,
        { architecture_id: BLANK, operatingsystem_id: BLANK, mac: BLANK },
        null,
      ])
      const whole = { managed: true, architecture_id, operatingsystem_id, mac: mac() }
      const password = { root_pass: [expect.stringContaining('should not be blank')] }
      expect(refusal(await post(api[port], { name: unique('m'), ...whole, build: true }))).toEqual([422, password])
      const host = await create(api[port], whole)
      expect(refusal(await put(api[port], host.id, { build: true }))).toEqual([422, password])
      expect(refusal(await put(api[port], host.id, { architecture_id: null, mac: null }))).toEqual([
        422,
        { architecture_id: BLANK, mac: BLANK },
      ])
      const built = await put(api[port], host.id, { build: true, root_pass: 'correct horse' })
      expect(built).toMatchObject({ status: 200, body: { build: true } })
      const secured = await group({ root_pass: 'correct horse' })
      const inGroup = { ...whole, mac: mac(), build: true, hostgroup_id: secured.id }
      expect(await create(api[port], inGroup)).toMatchObject({ build: true })
      const unmanaged = await create(api[port], {})
      expect(Object.keys((await put(api[port], unmanaged.id, { managed: true })).body.error.errors)).toEqual([
        ...['architecture_id', 'operatingsystem_id', 'mac'],
      ])
    })
  })

  describe('interfaces', () => {
    const errors = async (host: object) => refusal(await post(api[port], { name: unique('i'), ...host }))

    test('keys of the host itself take precedence over those of its primary interface', async () => {
      const [sent, other] = [mac(), mac()]
      const attributes = { identifier: 'eth0', ip: '192.0.2.1', mac: other, primary: true }
      const host = await create(api[port], { ip: '192.0.2.2', mac: sent, interfaces_attributes: [attributes] })
      expect(host).toMatchObject({ ip: '192.0.2.2', mac: sent, interfaces: [{ identifier: 'eth0', ip: '192.0.2.2' }] })
      const [{ id }] = host.interfaces
      const changed = await put(api[port], host.id, {
        ip: '192.0.2.3',
        interfaces_attributes: [{ id, ip: '192.0.2.4', mac: other }],
      })
      expect(changed.body).toMatchObject({ ip: '192.0.2.3', mac: other })
    })

    test('exactly one is primary, unless the other one lets go', async () => {
      const host = await create(api[port], { ip: '192.0.2.9', interfaces_attributes: [{ identifier: 'a' }] })
      const [{ id }] = host.interfaces
      const message = expect.stringContaining('host already has primary interface')
      const second = await api[port].post(`/api/hosts/${host.id}/interfaces`, {
        interface: { identifier: 'b', primary: true, ip: '192.0.2.10' },
      })
      expect(refusal(second)).toEqual([422, { primary: [message] }])
      const claimed = { identifier: 'b', primary: true }
      expect(refusal(await put(api[port], host.id, { interfaces_attributes: [claimed] }))).toEqual([
        422,
        { 'interfaces.primary': [message] },
      ])
      expect(await errors({ interfaces_attributes: [claimed, { ...claimed, identifier: 'c' }] })).toEqual([
        422,
        { 'interfaces.primary': [message] },
      ])
      expect((await api[port].get(`/api/hosts/${host.id}`)).body).toMatchObject({ ip: '192.0.2.9' })
      const swapped = await put(api[port], host.id, { interfaces_attributes: [{ id, primary: false }, claimed] })
      expect(swapped.body.interfaces).toMatchObject([
        { identifier: 'b', primary: true, name: host.name },
        { identifier: 'a' },
      ])
    })

    test('have what they need, and what they are by default', async () => {
      const host = await create(api[port], { interfaces_attributes: [{ identifier: 'eth0' }] })
      const add = (sent: object) => api[port].post(`/api/hosts/${host.id}/interfaces`, { interface: sent })
      const table: [object, object][] = [
        [{ identifier: 'eth0' }, { identifier: ['has already been taken'] }],
        [{ type: 'bmc', identifier: 'ipmi' }, { provider: ["can't be blank"] }],
        [{ virtual: true, identifier: 'eth0.7' }, { attached_to: ["can't be blank"] }],
      ]
      for (const [sent, expected] of table)
        expect(refusal(await add(sent)), JSON.stringify(sent)).toEqual([422, expected])
      const twice = [{ identifier: 'x' }, { identifier: 'x' }]
      const taken = [422, { 'interfaces.identifier': ['has already been taken'] }]
      expect(await errors({ interfaces_attributes: twice })).toEqual(taken)
      const bond = await expectCreated(add({ type: 'bond', identifier: 'bond0', attached_devices: ['eth0'] }))
      expect(bond).toMatchObject({ mode: 'balance-rr', virtual: true, mtu: null })
      expect((await expectCreated(add({ type: 'bond', identifier: 'bond1', mode: '802.3ad' }))).mode).toBe('802.3ad')
    })

    test('of hosts that are not managed may share an address', async () => {
      const shared = mac()
      const [one, other] = [await create(api[port], { mac: shared }), await create(api[port], { mac: shared })]
      expect([one.mac, other.mac]).toEqual([shared, shared])
      const { id: operatingsystem_id } = await given('operatingsystems', 'operatingsystem', {
        name: unique('System'),
        major: '1',
      })
      const managed = { managed: true, architecture_id: 1, operatingsystem_id }
      expect((await put(api[port], one.id, managed)).status).toBe(200)
      const taken = { mac: ['has already been taken'] }
      expect(refusal(await put(api[port], other.id, managed))).toEqual([422, taken])
      expect(refusal(await post(api[port], { name: unique('m'), ...managed, mac: shared }))).toEqual([422, taken])
    })

    test('refused late, no record has the id that they had for a moment', async () => {
      const refused = await post(api[port], {
        name: unique('late'),
        interfaces_attributes: [{ identifier: 'a' }, { identifier: 'b', ip: 'nonsense' }],
      })
      expect([refused.status, refused.body.error.id]).toEqual([422, null])
    })
  })
})
