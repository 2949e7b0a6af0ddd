import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/sql.ts'
import { type NodeWorld, nodeWorld } from '../classification/node-world.ts'
import { type Caller, openTestApi, type TestApi } from '../support/api.ts'
import { given, type Shown } from '../support/given.ts'

// Hidden values and password hashes are only shown to those who may reveal them, on every route: node documents,
// explanations, previews, hypothetical hosts, lists.

let api: TestApi
let world: NodeWorld
let host: Shown
let parameter: Shown
let secrets: Readonly<Record<string, string>>

const PLACES = { organization_ids: [1], location_ids: [1] }
const hidden = (name: string, value: string) => ({ name, value, hidden_value: true })

beforeAll(async () => {
  api = await openTestApi()
  world = await nodeWorld(api)
  await api.admin.put('/api/settings/interpolate_erb_in_parameters', { setting: { value: true } })
  await given(api.admin, 'common_parameter', hidden('global', 'secret-global'))
  const group = await given(api.admin, 'hostgroup', { group_parameters_attributes: [hidden('group', 'secret-group')] })
  const rendering = (name: string) =>
    `<%= host_param('${name}') %> <%= @host.root_pass %> <%= @host.params['${name}'] %>`
  const configclass = await world.plain()
  parameter = await world.parameter({ configclass, value: '"secret-default"', columns: { hidden_value: true } })
  const matched = await world.parameter({ configclass, columns: { hidden_value: true } })
  const templated = await world.parameter({ configclass, value: JSON.stringify(rendering('group')) })
  host = await world.host({
    hostgroup_id: group.id,
    root_pass: 'a long password',
    configclass_ids: [configclass.id],
    host_parameters_attributes: [
      hidden('own', 'secret-own'),
      { name: 'templated', value: rendering('own') },
      { name: 'open', value: 'seen by all' },
    ],
    interfaces_attributes: [
      { type: 'bmc', mac: '52:54:00:00:00:79', provider: 'IPMI', username: 'root', password: 'secret-bmc' },
    ],
  })
  await world.override(matched, `fqdn=${host.name}`, 'secret-override')
  const { body: document } = await api.admin.get(`/api/hosts/${host.id}/enc`)
  secrets = {
    ...{ global: 'secret-global', group: 'secret-group', own: 'secret-own', bmc: 'secret-bmc' },
    ...{ default: 'secret-default', override: 'secret-override', root: document.data.parameters.root_pw },
  }
  expect(secrets.root).toMatch(/^\$/)
  expect(templated.id).toBeGreaterThan(0)
})
afterAll(() => api?.[Symbol.asyncDispose]())

/** Lists the names of the secrets in a text. */
const told = (text: string) => Object.keys(secrets).filter((name) => text.includes(secrets[name] ?? ''))

/** Lists all permissions to view. */
async function viewing(): Promise<readonly string[]> {
  const { body } = await api.admin.get('/api/permissions?per_page=all')
  const names = body.results.map(({ name }: Shown) => String(name)).filter((name: string) => name.startsWith('view_'))
  return [...new Set<string>(names)]
}

/** Lists every address that shows something of the host, its class or its parameters. */
function addresses(): readonly string[] {
  const ids: Readonly<Record<string, unknown>> = {
    ...{ host_id: host.id, smart_class_parameter_id: parameter.id, hostgroup_id: host.hostgroup_id },
    ...{ configclass_id: parameter.configclass_id, environment_id: world.environment.id },
  }
  const own: Readonly<Record<string, unknown>> = {
    ...{ hosts: host.id, smart_class_parameters: parameter.id, hostgroups: host.hostgroup_id },
    ...{ configclasses: parameter.configclass_id, environments: world.environment.id },
  }
  const reads = api.routes.filter(
    ({ method, path }) => method === 'GET' && /host|param|class|override|audit/.test(path),
  )
  const paths = reads.map(({ path, group }) =>
    path.replace(/:(\w+)/g, (_, name: string) => String(name === 'id' ? (own[group] ?? 1) : (ids[name] ?? 1))),
  )
  const asking = 'show_hidden=true&show_hidden_parameters=true&include=all_parameters'
  const documents = ['yml', 'json', 'page'].map((format) => `/node/${host.name}?format=${format}`)
  return [...new Set([...paths.flatMap((path) => [path, `${path}?${asking}`]), ...documents])]
}

test('a caller who may view everything and edit nothing sees no secret', async () => {
  const viewer = await api.can(await viewing(), PLACES)
  const found: unknown[] = []
  for (const path of addresses()) {
    const { status, text } = await viewer.get(path)
    if (told(text).length > 0) found.push({ path, status, told: told(text) })
  }
  const supposed = [{ name: host.name }, { name: host.name, parameters: { more: "<%= host_param('own') %>" } }]
  for (const body of supposed) {
    const { text } = await viewer.post('/api/hosts/what_if?show_hidden=true', body)
    if (told(text).length > 0) found.push({ path: 'what_if', told: told(text) })
  }
  expect(found).toEqual([])
  const { body } = await viewer.get(`/api/hosts/${host.id}/enc`)
  expect(body.data.parameters).toMatchObject({
    open: 'seen by all',
    own: '*****',
    root_pw: '*****',
    templated: '***** ***** *****',
  })
  expect(
    Object.values(
      body.data.classes[parameter.configclass_name ?? ''] ?? Object.values(body.data.classes)[0] ?? {},
    ).sort(),
  ).toEqual(['*****', '*****', '***** ***** *****'])
})

test.each([
  ['reveal_params', ['global', 'group', 'own']],
  ['reveal_external_parameters', ['default', 'override']],
  ['reveal_hosts', ['bmc', 'root']],
] as const)('who holds %s is told %j', async (permission, expected) => {
  const caller: Caller = await api.can(['view_hosts', 'view_params', 'view_external_parameters', permission], PLACES)
  for (const path of [`/api/hosts/${host.id}/enc`, `/node/${host.name}?format=yml`]) {
    const { status, text } = await caller.get(path)
    expect([status, told(text).sort()]).toEqual([200, [...expected].sort()])
  }
})

test('administrators are told all of them, and each sight has an ETag of its own', async () => {
  const path = `/api/hosts/${host.id}/enc`
  const whole = await api.admin.get(path)
  expect(told(whole.text).sort()).toEqual(Object.keys(secrets).sort())
  const viewer = await api.can(['view_hosts', 'view_params'], PLACES)
  const editor = await api.can(['view_hosts', 'view_params', 'reveal_params'], PLACES)
  const tags = [whole, await viewer.get(path), await editor.get(path)].map(({ headers }) => headers.etag)
  expect(new Set(tags).size).toBe(3)
})

test('a secret that was stored for something else is not decrypted, on either address', async () => {
  const { db } = api.database
  const path = `/api/hosts/${host.id}`
  expect((await api.admin.put(path, { host: { otp: 'secret-otp' } })).status).toBe(200)
  await sql`update interfaces set password = (select otp from hosts where id = host_id)
    where host_id = ${host.id} and type = 'bmc'`.execute(db)
  for (const address of [`${path}/enc`, `/node/${host.name}?format=yml`]) {
    const { status, text } = await api.admin.get(address)
    expect([status, told(text), text.includes('secret-otp')]).toEqual([412, [], false])
  }
})
