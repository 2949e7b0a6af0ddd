import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { computeClassification } from '../../src/areas/configuration/node/classify.ts'
import { loadNodes } from '../../src/areas/configuration/node/node.ts'
import { sql } from '../../src/sql.ts'
import { expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { importedParameter } from '../support/classification.ts'
import { UNKNOWN_KEYS } from '../support/encryption.ts'
import { given, type Shown, unique } from '../support/given.ts'
import { type NodeWorld, nodeWorld } from './node-world.ts'

// The documents of hosts (smart-parameters §4, §5.3, §5.4), through the API and as servers of the engine get them.

let api: TestApi
let world: NodeWorld
beforeAll(async () => {
  api = await openTestApi()
  world = await nodeWorld(api)
})
afterAll(() => api?.[Symbol.asyncDispose]())

const enc = async ({ id }: Shown) => (await api.admin.get(`/api/hosts/${id}/enc`)).body.data
const node = (host: Shown, format = 'yml') => api.admin.get(`/node/${host.name}?format=${format}`)

describe('classes', () => {
  test('without values are null, and a host without environment has none', async () => {
    const plain = await world.plain()
    const host = await world.host({ configclass_ids: [plain.id] })
    expect(await enc(host)).toMatchObject({ classes: { [plain.name]: null }, environment: world.environment.name })
    const bare = await world.host({ environment_id: null })
    const data = await enc(bare)
    expect(data.classes).toEqual([])
    expect(data).not.toHaveProperty('environment')
    expect(data.parameters).not.toHaveProperty('millwright_env')
  })

  test('come from the host, its groups and config groups, as far as they are in its environment', async () => {
    const [own, ofGroup, above, grouped, elsewhere] = [
      await world.plain(),
      await world.plain(),
      await world.plain(),
      await world.plain(),
      await given(api.admin, 'configclass', { environment_ids: [(await given(api.admin, 'environment')).id] }),
    ] as const
    const members = { configclass_ids: [grouped.id, elsewhere.id] }
    const configGroup = await given(api.admin, 'config_group', members)
    const parent = await given(api.admin, 'hostgroup', { configclass_ids: [above.id] })
    const group = await given(api.admin, 'hostgroup', {
      ...{ parent_id: parent.id, configclass_ids: [ofGroup.id], config_group_ids: [configGroup.id] },
    })
    const host = await world.host({ hostgroup_id: group.id, configclass_ids: [own.id] })
    const data = await enc(host)
    expect(Object.keys(data.classes).sort()).toEqual([own, ofGroup, above, grouped].map(({ name }) => name).sort())
    expect(data.parameters.millwright_config_groups).toEqual([configGroup.name])
    expect(data.parameters.hostgroup).toBe(group.title)
  })

  test('are a list of names where the settings say so', async () => {
    const { configclass_name, configclass_id } = await world.parameter({ value: '"x"' })
    const host = await world.host({ configclass_ids: [configclass_id] })
    await setting('Parametrized_Classes_in_ENC', false)
    expect((await enc(host)).classes).toEqual([configclass_name])
    await setting('Parametrized_Classes_in_ENC', true)
    expect((await enc(host)).classes).toEqual({ [configclass_name]: { [await nameOf(configclass_id)]: 'x' } })
  })
})

async function nameOf(configclass: number): Promise<string> {
  const { body } = await api.admin.get(`/api/configclasses/${configclass}/smart_class_parameters`)
  return body.results[0].parameter
}

const setting = async (name: string, value: unknown) => {
  const { status } = await api.admin.put(`/api/settings/${name}`, { value })
  expect(status).toBe(200)
}

describe('values', () => {
  const TYPED = {
    text: ['string', '"yes"', 'text: "yes"'],
    truth: ['boolean', 'false', 'truth: false'],
    whole: ['integer', '9007199254740993', 'whole: 9007199254740993'],
    real: ['real', '2.0', 'real: 2.0'],
    list: ['array', '["a", 1, 1.0, null]', 'list:\n      - a\n      - 1\n      - 1.0\n      - null'],
    map: ['hash', '{"a": {"b": 1.50}}', 'map:\n      a:\n        b: 1.5'],
    yaml: ['yaml', '[2.0]', 'yaml:\n      - 2.0'],
    json: ['json', '{"size": 1e2}', 'json:\n      size: 100'],
  } as const

  test('of all types keep their kind, in YAML and in JSON', async () => {
    const configclass = await world.plain()
    for (const [name, [type, value]] of Object.entries(TYPED)) await world.parameter({ configclass, name, type, value })
    const host = await world.host({ configclass_ids: [configclass.id] })
    const yaml = (await node(host)).text
    for (const [, , line] of Object.values(TYPED)) expect(yaml).toContain(`    ${line}\n`)
    const { text } = await node(host, 'json')
    expect(text).toContain('"whole":9007199254740993,')
    expect(text).toContain('"real":2.0,')
    expect((await api.admin.get(`/api/hosts/${host.id}/enc`)).text).toBe(`{"data":${text}}`)
    expect(parse(yaml, { version: '1.1' })).toMatchObject({
      classes: { [configclass.name]: { truth: false, text: 'yes' } },
    })
  })

  test('are chosen by matchers, merged, omitted and rendered, hidden ones too', async () => {
    const configclass = await world.plain()
    const group = await given(api.admin, 'hostgroup', {})
    const child = await given(api.admin, 'hostgroup', { parent_id: group.id })
    const host = await world.host({ configclass_ids: [configclass.id], hostgroup_id: child.id })
    const add = (name: string, type: string, value: string, columns = {}) =>
      world.parameter({ configclass, name, type, value, columns })
    const inherited = await add('inherited', 'string', '"default"')
    await world.override(inherited, `hostgroup=${group.title}`, 'group')
    const merged = await add('merged', 'array', '["d"]', { merge_overrides: true, merge_default: true })
    await world.override(merged, `hostgroup=${group.title}`, ['g'])
    await world.override(merged, `fqdn=${host.name}`, ['h'])
    const omitted = await add('omitted', 'string', '"default"')
    await world.override(omitted, `fqdn=${host.name}`, '', true)
    await add('hidden', 'string', '"secret"', { hidden_value: true })
    await add('rendered', 'integer', '"<%= 40 + 2 %>"')
    await add('within', 'array', '["<%= @host.name %>", "<%= host_param(\'tier\') %>"]')
    await api.admin.put(`/api/hosts/${host.id}`, {
      host_parameters_attributes: [{ name: 'tier', value: '<%= "go" + "ld" %>' }],
    })
    const byTier = await add('tiered', 'string', '"default"', { override_value_order: 'tier' })
    await world.override(byTier, 'tier=gold', 'by parameter')
    await api.admin.post('/api/hosts/facts', { name: host.name, facts: { networking: { zone: 'dmz' }, uptime: '1' } })
    const byFact = await add('zoned', 'string', '"default"', { override_value_order: 'networking::zone' })
    await world.override(byFact, 'networking::zone=dmz', 'by fact')
    await add('read', 'string', '"<%= @host.facts[\'uptime\'] %>"')
    expect((await enc(host)).classes[configclass.name]).toEqual({
      ...{ inherited: 'group', merged: ['d', 'h', 'g'], hidden: 'secret', rendered: 42 },
      ...{ within: [host.name, 'gold'], tiered: 'by parameter', zoned: 'by fact', read: '1' },
    })
  })

  test('that are required and missing, or cannot be rendered, are named, and other hosts are not concerned', async () => {
    const required = await world.parameter({ type: 'integer', columns: { required: true } })
    const broken = await world.parameter({ value: '"<%= @host.nothing %>"' })
    const looping = await world.parameter({ value: '"<% loop { } %>"' })
    const fine = await world.parameter({ value: '"fine"' })
    const bad = await world.host({
      configclass_ids: [required, broken, looping, fine].map((each) => each.configclass_id),
    })
    const good = await world.host({ configclass_ids: [fine.configclass_id] })
    const { status, body } = await api.admin.get(`/api/hosts/${bad.id}/enc`)
    expect(status).toBe(412)
    const { message } = body.error
    expect(message).toContain(`Parameter '${required.parameter}' of class '${required.configclass_name}' is required`)
    expect(message).toContain(
      `Parameter '${broken.parameter}' of class '${broken.configclass_name}' cannot be resolved`,
    )
    expect(message).toContain(
      `Parameter '${looping.parameter}' of class '${looping.configclass_name}' cannot be resolved`,
    )
    expect(message).not.toContain(fine.parameter)
    const yaml = await node(bad)
    expect(yaml).toMatchObject({ status: 412, text: `${message}\n` })
    expect(yaml.headers).not.toHaveProperty('etag')
    expect((await node(bad, 'json')).body).toEqual({ error: { message } })
    expect((await enc(good)).classes).toEqual({ [fine.configclass_name]: { [fine.parameter]: 'fine' } })
  })

  test('of parameters of the host that need each other are an error that names them', async () => {
    const host = await world.host({
      host_parameters_attributes: [
        { name: 'a', value: "<%= host_param('b') %>" },
        { name: 'b', value: "<%= host_param('a') %>" },
      ],
    })
    const { status, text } = await node(host)
    expect(status).toBe(412)
    expect(text).toContain("Parameter 'a' of the host cannot be rendered")
    expect(text).toContain('parameters need each other: a > b > a')
  })
})

describe('a host', () => {
  test('is found by its certificate name before its name, by name, and by id', async () => {
    const plain = await world.plain()
    const first = await world.host({ configclass_ids: [plain.id], certname: 'of-the-first.example.test' })
    const second = await world.host({ certname: first.name })
    const by = async (name: string | number) => (await api.admin.get(`/node/${name}?format=json`)).body.parameters
    expect((await by(first.name)).millwright_interfaces[0].name).toBe(second.name)
    expect((await by(second.name)).millwright_interfaces[0].name).toBe(second.name)
    expect((await by(first.id)).millwright_interfaces[0].name).toBe(first.name)
    const external = await api.admin.get(`/hosts/${first.id}/externalNodes?name=${second.name}&format=yml`)
    expect(external.text).toBe((await node(second)).text)
  })

  test('that there is not: an empty 404 for scripts, an error in JSON', async () => {
    const answer = await api.admin.get('/node/nobody.example.test?format=yml')
    expect(answer).toMatchObject({ status: 404, text: '' })
    expect((await api.admin.get('/node/nobody.example.test?format=json')).body).toEqual({
      error: { message: "Resource host not found by id 'nobody.example.test'" },
    })
    expect((await api.admin.get('/node/.hidden?format=yml')).status).toBe(404)
    // Names of all that ask at one moment are in one statement, which such a name must not spoil.
    const host = await world.host({})
    const asked = await Promise.all([api.admin.get('/node/%00a?format=yml'), node(host), api.nobody.get('/node/%00a')])
    expect(asked.map(({ status }) => status < 500)).toEqual([true, true, true])
    expect(asked[1]?.status).toBe(200)
  })

  test('is shown to people as a page, with everything escaped', async () => {
    const host = await world.host({ comment: '<script>alert(1)</script>' })
    const { headers, text } = await api.admin.get(`/node/${host.name}`)
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(text).toContain('comment: &#34;&#60;script&#62;')
    expect(text).not.toContain('<script')
  })

  test('gets to know its interfaces, subnets, owner and proxies', async () => {
    const subnet = await given(api.admin, 'subnet', { name: unique('net'), vlanid: 7 })
    const owner = await given(api.admin, 'user', { firstname: 'Ada', lastname: 'Byte' })
    const ca = await given(api.admin, 'smart_proxy', { url: `https://ca.example.test:8443/${unique('x')}` })
    const host = await world.host({
      ...{ owner_id: owner.id, owner_type: 'User', config_ca_proxy_id: ca.id },
      interfaces_attributes: [
        { primary: true, provision: true, mac: '52:54:00:00:00:07', subnet_id: subnet.id, identifier: 'eth0' },
        { type: 'bmc', provider: 'IPMI', username: 'root', password: 'knock knock', mac: '52:54:00:00:00:08' },
        { type: 'bond', identifier: 'bond0', mode: 'active-backup', attached_devices: ['eth0'] },
      ],
    })
    const { parameters } = await enc(host)
    const net = { name: subnet.name, network: subnet.network, vlanid: 7, boot_mode: 'DHCP', network_type: 'IPv4' }
    expect(parameters.millwright_subnets).toEqual([expect.objectContaining(net)])
    expect(parameters.millwright_interfaces).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          identifier: 'eth0',
          type: 'Interface',
          primary: true,
          subnet: expect.objectContaining(net),
        }),
        expect.objectContaining({ type: 'BMC', provider: 'IPMI', username: 'root', password: 'knock knock' }),
        expect.objectContaining({ type: 'Bond', mode: 'active-backup' }),
      ]),
    )
    expect(parameters).toMatchObject({ owner_name: 'Ada Byte', owner_email: owner.mail, config_ca: 'ca.example.test' })
    expect(parameters.millwright_users[owner.login]).toMatchObject({ firstname: 'Ada', mail: owner.mail })
    await setting('bmc_credentials_accessible', false)
    const processor = (await enc(host)).parameters.millwright_interfaces.find((each: Shown) => each.type === 'BMC')
    await setting('bmc_credentials_accessible', true)
    expect(processor.password).toBeNull()
  })

  test('owned by a group has the addresses of everybody in it, however deep', async () => {
    const [ann, bob] = [await given(api.admin, 'user'), await given(api.admin, 'user')]
    const inner = await given(api.admin, 'usergroup', { user_ids: [bob.id] })
    const outer = await given(api.admin, 'usergroup', { user_ids: [ann.id], usergroup_ids: [inner.id] })
    const { parameters } = await enc(await world.host({ owner_id: outer.id, owner_type: 'Usergroup' }))
    expect(parameters.owner_name).toBe(outer.name)
    expect([...parameters.owner_email].sort()).toEqual([ann.mail, bob.mail].sort())
    expect(Object.keys(parameters.millwright_users).sort()).toEqual([ann.login, bob.login].sort())
  })

  test('knows by which keys its owner may come in, as soon as there are some', async () => {
    const owner = await given(api.admin, 'user')
    const host = await world.host({ owner_id: owner.id, owner_type: 'User' })
    expect((await enc(host)).parameters.ssh_authorized_keys).toEqual([])
    const [one, other] = [1, 2].map((filling) => publicKey(filling))
    const added = (name: string, key: string) =>
      expectCreated(api.admin.post(`/api/users/${owner.id}/ssh_keys`, { ssh_key: { name, key } }))
    await added('laptop', `ssh-ed25519 ${one} ada@example.test`)
    await added('desk', `ssh-ed25519 ${other}`)
    const { parameters } = await enc(host)
    expect(parameters.ssh_authorized_keys).toEqual([`ssh-ed25519 ${one} ada@example.test`, `ssh-ed25519 ${other} desk`])
    expect(parameters.millwright_users[owner.login].ssh_authorized_keys).toEqual([
      { type: 'ssh-ed25519', key: one, comment: 'ada@example.test' },
      { type: 'ssh-ed25519', key: other, comment: 'desk' },
    ])
  })
})

test('parameters of other environments do not count', async () => {
  const configclass = await world.plain()
  const other = await given(api.admin, 'environment')
  const here = await world.parameter({ configclass, name: 'here', value: '"here"' })
  await importedParameter(api, {
    configclass: await given(api.admin, 'configclass', { environment_ids: [other.id] }),
    ...{ parameter: 'there', default_value: '"there"', columns: { override: true } },
  })
  const host = await world.host({ configclass_ids: [configclass.id] })
  expect((await enc(host)).classes).toEqual({ [configclass.name]: { [here.parameter]: 'here' } })
})

test('a value that the database writes longer than any that is taken is read all the same', async () => {
  const long = await world.parameter({ type: 'array', value: `[${Array(5000).fill('1.5e299').join()}]` })
  const host = await world.host({ configclass_ids: [long.configclass_id] })
  expect((await enc(host)).classes[long.configclass_name][long.parameter]).toHaveLength(5000)
})

test('a value that cannot be decrypted is an error of that host only', async () => {
  const host = await world.host({
    interfaces_attributes: [
      { type: 'bmc', provider: 'IPMI', username: 'root', password: 'knock', mac: '52:54:00:00:00:0a' },
    ],
  })
  await sql`update interfaces set password = 'of another key' where host_id = ${host.id} and type = 'bmc'`.execute(
    api.database.db,
  )
  const { status, body } = await api.admin.get(`/api/hosts/${host.id}/enc`)
  expect(status).toBe(412)
  expect(body.error.message).toContain('What is known of the host cannot be said')
  const nodes = await loadNodes({ db: api.database.db, encryption: UNKNOWN_KEYS }, [host.id, (await world.host()).id])
  const found = nodes.map((node) => computeClassification(node, UNKNOWN_KEY.decrypt).document)
  expect(found).toEqual([null, expect.objectContaining({ environment: world.environment.name })])
})

const UNKNOWN_KEY = {
  decrypt: () => {
    throw new Error('no key')
  },
}

/** A public key as OpenSSH writes it (RFC 8709 §4). */
function publicKey(filling: number): string {
  const part = (bytes: Buffer) => Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), bytes])
  return Buffer.concat([part(Buffer.from('ssh-ed25519')), part(Buffer.alloc(32, filling))]).toString('base64')
}
