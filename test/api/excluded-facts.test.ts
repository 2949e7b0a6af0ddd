import { afterAll, beforeAll, expect, test } from 'vitest'
import { withoutExcluded } from '../../src/areas/inventory/fact/without-excluded.ts'
import { clientBody, newKey, newSite, register } from '../registration/clients.ts'
import { expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { unique } from '../support/given.ts'

// Core-api §11, smart-parameters §9.2: facts in the setting `excluded_facts` are not stored, whoever uploads them.

let api: TestApi

beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.[Symbol.asyncDispose]())

const newName = () => `${unique('n')}.example.test`
const exclude = async (value: unknown) => {
  const { status, body, text } = await api.admin.put('/api/settings/excluded_facts', { setting: { value } })
  expect(status, text).toBe(200)
  return body.value
}
const reset = async () => exclude((await api.admin.get('/api/settings/excluded_facts')).body.default)
const upload = (name: string, facts: object) => expectCreated(api.admin.post('/api/hosts/facts', { name, facts }))
const factsOf = async (name: string) => {
  const { body } = await api.admin.get(`/api/hosts/${name}/facts?per_page=all`)
  return body.results[name] ?? {}
}

const MEASURED = {
  load: '0.5',
  load_averages: { '1m': 0.5 },
  uptime_days: 3,
  memory: { system: { total: '8 GiB', used: '1 GiB', used_bytes: 1, available: '7 GiB' } },
  networking: { ip: '192.0.2.5', interfaces: { eth0: { mtu: 1500 }, lo: { mtu: 65_536 }, veth12: { mtu: 1 } } },
  mtu_lo: 65_536,
}

test('at first, devices of containers and measurements are left out of an upload; what they say of the host still counts', async () => {
  const name = newName()
  await upload(name, { ...MEASURED, environment: 'from_fact' })
  expect(await factsOf(name)).toEqual({
    load: '0.5',
    load_averages: null,
    memory: null,
    'memory::system': null,
    'memory::system::total': '8 GiB',
    networking: null,
    'networking::ip': '192.0.2.5',
    'networking::interfaces': null,
    'networking::interfaces::eth0': null,
    'networking::interfaces::eth0::mtu': '1500',
  })
  expect((await api.admin.get(`/api/hosts/${name}`)).body.environment_name).toBe('from_fact')
})

test('do not count, so that they push no other facts out of a large upload', async () => {
  const name = newName()
  const devices = Object.fromEntries(Array.from({ length: 5_100 }, (_, n) => [`veth${n}`, { mtu: 1 }]))
  const { status, headers } = await api.admin.post('/api/hosts/facts', {
    name,
    facts: { networking: { interfaces: devices }, zone: 'last' },
  })
  expect([status, headers['millwright-left-out']]).toEqual([201, undefined])
  expect(await factsOf(name)).toMatchObject({ zone: 'last' })
})

test('a change counts from the next upload on, and takes what was stored', async () => {
  const name = newName()
  await upload(name, { kept: 1, secret: 'x', site: { secret_key: 'y' } })
  expect(await factsOf(name)).toMatchObject({ secret: 'x' })
  expect(await exclude(['secret*'])).toEqual(['secret*'])
  await upload(name, { kept: 1, secret: 'x', site: { secret_key: 'y' }, uptime_days: 4 })
  expect(await factsOf(name)).toEqual({ kept: '1', site: null, uptime_days: '4' })
  await exclude([])
  await upload(name, { secret: 'x' })
  expect(await factsOf(name)).toEqual({ secret: 'x' })
  await reset()
})

test('facts of subscription clients are left out, too', async () => {
  const site = await newSite(api)
  await newKey(api, site, 'plain')
  const name = newName()
  const told = { 'net.interface.lo.ipv4_address': '127.0.0.1', 'cpu.cpu(s)': '4', 'net.interface.eth0.mac': 'x' }
  const { status, text } = await register(api, site, 'plain', clientBody(name, {}, told))
  expect(status, text).toBe(200)
  const facts = await factsOf(name)
  expect(facts).toMatchObject({ 'cpu::cpu(s)': '4', 'net::interface::eth0::mac': 'x' })
  expect(Object.keys(facts).filter((fact) => fact.includes('lo'))).toEqual([])
})

test('the list can be written as text, with a line for each, or as YAML and JSON have lists', async () => {
  expect(await exclude("['baz','foo']")).toEqual(['baz', 'foo'])
  expect(await exclude('["baz", "foo*"]')).toEqual(['baz', 'foo*'])
  expect(await exclude('[a, b::c]')).toEqual(['a', 'b::c'])
  expect(await exclude('one\n\ntwo')).toEqual(['one', 'two'])
  expect(await exclude('[]')).toEqual([])
  for (const value of ['[&a x, *a]', '[[a]]', '[{a: b}]', '[a, ]b]']) {
    const { status, body } = await api.admin.put('/api/settings/excluded_facts', { setting: { value } })
    expect([status, body.error.message], value).toEqual([422, 'expected a value of type array'])
  }
  await reset()
})

const NAMES = [
  ...['ignore', 'ignore1', 'ignore_b', 'designore', 'a_ignore'],
  ...['a::ignore', 'a::ignore1::b', 'ignore::b', 'a::ignore::b', 'e'.repeat(2000)],
]

test.each([
  ['ignore', ['ignore', 'a_ignore', 'a::ignore', 'ignore::b', 'a::ignore::b']],
  ['ignore*', NAMES.filter((name) => name.includes('ignore') && name !== 'designore')],
  ['*nore', ['ignore', 'designore', 'a_ignore', 'a::ignore', 'ignore::b', 'a::ignore::b']],
  ['a::ignore', ['a::ignore', 'a::ignore::b']],
  ['i.*', []],
  [`${'*e'.repeat(120)}*x`, []],
])('the pattern %s is true of %j', (pattern, excluded) => {
  const kept = withoutExcluded(new Map(NAMES.map((name) => [name, 'x'])), [pattern])
  expect(NAMES.filter((name) => !kept.has(name))).toEqual(excluded)
})
