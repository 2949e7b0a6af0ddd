import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { selectInputs } from '../../src/areas/configuration/node/inputs.ts'
import { loadNodes } from '../../src/areas/configuration/node/node.ts'
import { HOST_TABLES, SHARED_TABLES } from '../../src/areas/configuration/node/signature.ts'
import { rows } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { BEHIND_PROXY } from '../registration/clients.ts'
import { type Caller, openTestApi, type TestApi } from '../support/api.ts'
import { UNKNOWN_KEYS } from '../support/encryption.ts'
import { given, type Shown, unique } from '../support/given.ts'
import { type NodeWorld, nodeWorld } from './node-world.ts'

// Equal ETags have equal documents, whatever changed; and what does not concern a host leaves its ETag alone.

let api: TestApi
let world: NodeWorld
let host: Shown
let other: Shown
let at: Readonly<
  Record<'class' | 'group' | 'parent' | 'configGroup' | 'domain' | 'subnet' | 'os' | 'owner' | 'proxy', Shown>
>
let fields: Readonly<Record<'plain' | 'byFact' | 'templated' | 'elsewhere', Shown>>

beforeAll(async () => {
  api = await openTestApi({ env: BEHIND_PROXY })
  world = await nodeWorld(api)
  const { admin } = api
  const parent = await given(admin, 'hostgroup', {})
  const configclass = await world.plain()
  at = {
    class: configclass,
    parent,
    group: await given(admin, 'hostgroup', { parent_id: parent.id }),
    configGroup: await given(admin, 'config_group', {}),
    domain: await given(admin, 'domain', { fullname: 'The lab' }),
    subnet: await given(admin, 'subnet', {}),
    os: await given(admin, 'operatingsystem', { name: 'Debian' }),
    owner: await given(admin, 'user', { firstname: 'Ada' }),
    proxy: await given(admin, 'smart_proxy', { url: `https://ca.example.test/${unique('x')}` }),
  }
  const managed = (name: string, value: string, columns = {}) => world.parameter({ configclass, name, value, columns })
  fields = {
    plain: await managed('plain', '"default"'),
    byFact: await managed('by_fact', '"default"', { override_value_order: 'zone\nfqdn' }),
    templated: await managed('templated', '"<%= @host.model %> <%= host_param(\'tier\') %>"'),
    elsewhere: await world.parameter({ value: '"x"' }),
  }
  await world.override(fields.byFact, 'zone=dmz', 'dmz')
  const belongs = { hostgroup_id: at.group.id, configclass_ids: [configclass.id], operatingsystem_id: at.os.id }
  host = await world.host({
    ...{ ...belongs, domain_id: at.domain.id, subnet_id: at.subnet.id, config_ca_proxy_id: at.proxy.id },
    ...{ owner_id: at.owner.id, owner_type: 'User', mac: '52:54:00:00:00:01' },
  })
  other = await world.host(belongs)
  await facts(host, { zone: 'lan', uptime: '1' })
  await put('settings/trusted_hosts', { value: ['engine.example.test'] })
})
afterAll(() => api?.[Symbol.asyncDispose]())

const put = (path: string, body: object) => api.admin.put(`/api/${path}`, body)
const change = (kind: string, { id }: Shown, body: object) => put(`${kind}/${id}`, body)
const facts = (of: Shown, values: object) => api.admin.post('/api/hosts/facts', { name: of.name, facts: values })
const parameter = (path: string, name: string, value: string) =>
  api.admin.post(`/api/${path}/parameters`, { parameter: { name, value } })
const scp = (of: Shown, body: object) => put(`smart_class_parameters/${of.id}`, body)

type Ask = (known?: string) => ReturnType<Caller['get']>

/** What users are answered is worked out each time; of what machines are answered the process keeps what it can. */
const ASKING: Readonly<Record<string, Ask>> = {
  'a user': (known) => askAs(api.admin, known),
  'a machine': (known) => askAs(machine(), known),
}

const askAs = (caller: Caller, known?: string) =>
  caller.get(`/node/${host.name}?format=yml`, known === undefined ? {} : { 'if-none-match': known })
const machine = () => api.as({ SSL_CLIENT_VERIFY: 'SUCCESS', SSL_CLIENT_S_DN: 'CN=engine.example.test' })

type Change = () => Promise<{ readonly status: number }>

const ALTERING: Readonly<Record<string, Change>> = {
  'a default value': () => scp(fields.plain, { default_value: 'other' }),
  'an order, a matcher of which now counts': () =>
    scp(fields.byFact, { override_value_order: 'fqdn\nzone' }).then(() => facts(host, { zone: 'dmz', uptime: '1' })),
  'an override for the host': async () => ({
    ...(await world.override(fields.plain, `fqdn=${host.name}`, 'own')),
    status: 201,
  }),
  'an override that omits': () =>
    put(`smart_class_parameters/${fields.plain.id}/override_values/fqdn=${host.name}`, { omit: true }),
  'an override that goes': () =>
    api.admin.delete(`/api/smart_class_parameters/${fields.plain.id}/override_values/fqdn=${host.name}`),
  'a fact that an order asks for': () => facts(host, { zone: 'lan', uptime: '1' }),
  'a parameter that nobody manages any more': () => scp(fields.byFact, { override: false }),
  'a parameter of the host': () => parameter(`hosts/${host.id}`, 'tier', 'gold'),
  'a parameter of a group above': () => parameter(`hostgroups/${at.parent.id}`, 'from_group', 'x'),
  'a parameter of the domain': () => parameter(`domains/${at.domain.id}`, 'from_domain', 'x'),
  'a parameter of the subnet': () => parameter(`subnets/${at.subnet.id}`, 'from_subnet', 'x'),
  'a parameter of the operating system': () => parameter(`operatingsystems/${at.os.id}`, 'from_os', 'x'),
  'a parameter of the organization': () => parameter('organizations/1', 'from_organization', 'x'),
  'a parameter of the location': () => parameter('locations/1', 'from_location', 'x'),
  'a global parameter': () =>
    api.admin.post('/api/common_parameters', { common_parameter: { name: 'everywhere', value: 'x' } }),
  'a class of the group': async () => change('hostgroups', at.group, { configclass_ids: [(await world.plain()).id] }),
  'a config group of the group above': () => change('hostgroups', at.parent, { config_group_ids: [at.configGroup.id] }),
  'a class of a config group': async () =>
    change('config_groups', at.configGroup, { configclass_ids: [(await world.plain()).id] }),
  'the name of a config group': () => change('config_groups', at.configGroup, { name: unique('renamed') }),
  'the name of a class': () => change('configclasses', at.class, { name: unique('renamed') }),
  'the comment': () => change('hosts', host, { comment: 'canary' }),
  'the model, which a template reads': async () =>
    change('hosts', host, { model_id: (await given(api.admin, 'model')).id }),
  'an address': () => change('hosts', host, { mac: '52:54:00:00:00:02' }),
  'the title of the group': () => change('hostgroups', at.parent, { name: unique('renamed') }),
  'the name of the organization': () => put('organizations/1', { name: unique('renamed') }),
  'the full name of the domain': () => change('domains', at.domain, { fullname: 'Another' }),
  'the gateway of the subnet': () => change('subnets', at.subnet, { dns_primary: '9.9.9.9' }),
  'the name of the owner': () => change('users', at.owner, { lastname: 'Byte' }),
  'the URL of the proxy that signs': () =>
    change('smart_proxies', at.proxy, { url: `https://ca2.example.test/${unique('x')}` }),
  'the name of the environment': () => change('environments', world.environment, { name: unique('renamed') }),
  'the root password of the settings': () => put('settings/root_pass', { value: 'another password' }),
  'whether the environment is sent': () => put('settings/enc_environment', { value: false }),
  'whether values are sent': () => put('settings/Parametrized_Classes_in_ENC', { value: false }),
}

const KEEPING: Readonly<Record<string, Change>> = {
  'facts of another host': () => facts(other, { zone: 'dmz', uptime: '99' }),
  'a parameter of another host': () => parameter(`hosts/${other.id}`, unique('tier'), 'silver'),
  'facts that nothing asks for': () => facts(host, { zone: 'lan', uptime: '2' }),
  'a value of a class that it does not have': () => scp(fields.elsewhere, { default_value: 'y' }),
  'an override for another host': async () =>
    world.override(fields.elsewhere, `fqdn=${(await world.host()).name}`, 'z').then(() => ({ status: 201 })),
  'an override for another host of a class that it has': async () =>
    world.override(fields.plain, `fqdn=${(await world.host()).name}`, 'theirs').then(() => ({ status: 201 })),
  'an override for another group of a class that it has': async () =>
    world
      .override(fields.plain, `hostgroup=${(await given(api.admin, 'hostgroup')).title}`, 'theirs')
      .then(() => ({ status: 201 })),
  'a login of the owner': () =>
    sql`update users set last_login_on = now() where id = ${at.owner.id}`
      .execute(api.database.db)
      .then(() => ({ status: 200 })),
  'a setting that has nothing to do with it': () => put('settings/idle_timeout', { value: 30 }),
}

describe.each(Object.entries(ASKING))('the ETag for %s', (_, ask) => {
  test('stays while nothing that concerns the host changes', async () => {
    for (const [name, alter] of Object.entries(KEEPING)) {
      const before = await ask()
      expect((await alter()).status, name).toBeLessThan(300)
      const after = await ask(String(before.headers.etag))
      expect({ name, status: after.status, text: after.text }).toEqual({ name, status: 304, text: '' })
      expect((await ask()).text, name).toBe(before.text)
    }
  })
})

describe('the ETag', () => {
  test('is another one as soon as the document is, at once and in every way there is', async () => {
    const asking = Object.entries(ASKING)
    for (const [change, alter] of Object.entries(ALTERING)) {
      const before = await Promise.all(asking.map(async ([, ask]) => ask()))
      expect((await alter()).status, change).toBeLessThan(300)
      for (const [index, [caller, ask]] of asking.entries()) {
        const name = `${change}, for ${caller}`
        const { status, text, headers } = before[index] ?? (await ask())
        expect(status, name).toBe(200)
        const after = await ask(String(headers.etag))
        expect({ name, status: after.status }).toEqual({ name, status: 200 })
        expect(after.text, name).not.toBe(text)
        expect(after.headers.etag, name).not.toBe(headers.etag)
        expect((await ask(String(after.headers.etag))).status, name).toBe(304)
      }
    }
  })

  test('is not the same in another format, and not there where a template throws dice', async () => {
    const of = async (path: string) => (await api.admin.get(path)).headers
    const etags = [
      `/node/${host.name}?format=yml`,
      `/node/${host.name}?format=json`,
      `/node/${host.name}`,
      `/api/hosts/${host.id}/enc`,
    ]
    expect(new Set(await Promise.all(etags.map(async (path) => (await of(path)).etag))).size).toBe(4)
    const dice = await world.parameter({ value: '"<%= rand_hex(8) %>"' })
    const gambler = await world.host({ configclass_ids: [dice.configclass_id] })
    const headers = await of(`/node/${gambler.name}?format=yml`)
    expect(headers).not.toHaveProperty('etag')
    expect(headers['cache-control']).toBe('no-store')
  })
})

test('writes of others take effect at once, however they were made, also for concurrent requests', async () => {
  const id = fields.plain.id
  await put('settings/Parametrized_Classes_in_ENC', { value: true })
  for (let turn = 0; turn < 20; turn++) {
    await sql`insert into override_values (smart_class_parameter_id, match, value) values (${id}, ${`fqdn=${host.name}`}, to_jsonb(${`turn ${turn}`}::text))
      on conflict (smart_class_parameter_id, match) do update set value = excluded.value`.execute(api.database.db)
    const answers = await Promise.all(Object.values(ASKING).flatMap((ask) => [ask(), ask(), ask()]))
    for (const { text } of answers) expect(text).toContain(`turn ${turn}\n`)
  }
})

test('a document takes one statement, a changed one another, and a batch of hosts takes one', async () => {
  const ask = () => machine().get(`/node/${host.name}?format=yml`)
  const { headers, text } = await ask()
  const again = await api.counting(ask)
  expect({ text: again.result.text, count: again.count }).toEqual({ text, count: 1 })
  const known = await api.counting(() => askAs(machine(), String(headers.etag)))
  expect({ status: known.result.status, count: known.count }).toEqual({ status: 304, count: 1 })
  await change('hosts', host, { comment: unique('seen') })
  const changed = await api.counting(ask)
  expect({ isNew: changed.result.text !== text, count: changed.count }).toEqual({ isNew: true, count: 2 })
  const ids = [host.id, other.id]
  const batch = await api.counting(() => loadNodes({ db: api.database.db, encryption: UNKNOWN_KEYS }, ids))
  expect({ ids: batch.result.map(({ inputs }) => inputs.id), count: batch.count }).toEqual({ ids, count: 1 })
})

test('machines that ask together are answered by one statement, which began when all of them had asked', async () => {
  const ask = (name: string) => machine().get(`/node/${name}?format=yml`)
  await Promise.all([ask(host.name), ask(other.name)])
  const { count } = await api.counting(() =>
    Promise.all(Array.from({ length: 20 }, (_, index) => ask(index % 2 === 0 ? host.name : other.name))),
  )
  expect(count).toBeLessThanOrEqual(2) // those that came while the first one ran have the second
})

test('every table that a document is made from stands in its signature, and is tracked', async () => {
  const { db } = api.database
  const plan = await sql<{
    'QUERY PLAN': unknown
  }>`explain (format json) ${selectInputs('all')} where h.id = 1`.execute(db)
  const read = new Set([...JSON.stringify(plan.rows).matchAll(/"Relation Name":"(\w+)"/g)].map(([, name]) => name))
  expect(read.size).toBeGreaterThan(30)
  read.delete('table_changes')
  read.delete('parameters_order') // changes with rows of `parameters` only
  for (const table of HOST_TABLES) read.delete(table)
  expect([...read].filter((name) => !SHARED_TABLES.some((table) => table === name))).toEqual([])
  const tracked = await rows<{ name: string }>(
    db,
    sql`select tgrelid::regclass::text as name from pg_trigger where tgname = 'record_update'`,
  )
  expect(SHARED_TABLES.filter((table) => !tracked.some(({ name }) => name === table))).toEqual([])
})
