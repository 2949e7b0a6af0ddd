import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { printJson, readJson } from '../../src/classification/json.ts'
import { isList, isMap, type Value } from '../../src/classification/values.ts'
import { readYaml } from '../../src/classification/yaml.ts'
import { sql } from '../../src/sql.ts'
import { type NodeWorld, nodeWorld } from '../classification/node-world.ts'
import { ADMIN, openTestApi, type TestApi } from '../support/api.ts'
import { given, type Shown, unique } from '../support/given.ts'

// docs/decisions/0054-order-of-keys.md: wherever a structured value is stored, its keys keep the order that they were sent
// in, also keys like '10', which JavaScript moves to the front.

let api: TestApi
let world: NodeWorld
beforeAll(async () => {
  api = await openTestApi({ env: { MILLWRIGHT_VENDOR_PORT: '0' } })
  world = await nodeWorld(api)
})
afterAll(() => api?.[Symbol.asyncDispose]())

const RUNS = { numRuns: 4 }

/** Maps whose keys are in any order: of numbers, of all lengths and scripts, at every depth. */
const maps = fc.letrec<{ value: Value; map: ReadonlyMap<string, Value> }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<Value>('text', 1n, 2.5, true, null),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('map'),
  ),
  map: fc
    .uniqueArray(
      fc.tuple(
        fc.constantFrom('10', '9', '0', '007', 'b', 'a', 'Z', 'zz', 'éa', 'a b', 'length', '__proto__'),
        tie('value'),
      ),
      { selector: ([key]) => key, minLength: 2, maxLength: 6 },
    )
    .map((entries) => new Map(entries)),
})).map

type Path = readonly (string | number)[]

/** Yields the value at a path of an answer, in the order of the text. */
function pick(text: string, path: Path): Value | undefined {
  return path.reduce<Value | undefined>((at, key) => {
    if (at === undefined) return undefined
    if (isList(at)) return at[Number(key)]
    return isMap(at) ? at.get(String(key)) : undefined
  }, readJson(text))
}

type Method = 'POST' | 'PUT'

/** Sends a body as text, in which `printJson` keeps the order of maps. */
async function send(
  method: Method,
  url: string,
  body: ReadonlyMap<string, Value>,
  caller = api.admin,
): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  const { status, text } = await caller.send({ method, url, headers, payload: printJson(body) })
  expect(`${status} ${text}`).toMatch(/^20[01] /)
  return text
}

const object = (entries: Readonly<Record<string, Value>>) => new Map(Object.entries(entries))
const idIn = (text: string) => Number(pick(text, ['id']))

/** Expects the value at each of these paths of answers, and that the latest audit shows it, too. */
async function expectKept(value: Value, at: readonly (readonly [string, Path])[], caller = api.admin): Promise<void> {
  const wanted = printJson(value)
  for (const [url, path] of at) {
    const { text } = await caller.get(url)
    const found = pick(text, path)
    expect({ url, text: found === undefined ? text : printJson(found) }).toEqual({ url, text: wanted })
  }
}

async function expectAudited(search: string, key: string, value: Value): Promise<void> {
  const { text } = await api.admin.get(`/api/audits?per_page=1&search=${encodeURIComponent(search)}`)
  const found = pick(text, ['results', 0, 'audited_changes', key])
  const after = isList(found ?? null) ? (found as readonly Value[])[1] : found
  expect(after === undefined ? text : printJson(after)).toBe(printJson(value))
}

/** Writes values one after the other, the last in the reverse order of the first, and expects each to be shown. */
function everyValue(write: (value: Value, index: number) => Promise<void>): Promise<void> {
  let index = 0
  return fc.assert(
    fc.asyncProperty(maps, async (value) => {
      await write(value, index++)
      await write(new Map([...value].reverse()), index++)
    }),
    RUNS,
  )
}

const OWNERS = ['organization', 'location', 'domain', 'subnet', 'operatingsystem', 'hostgroup', 'host'] as const

test.each(['hash', 'json', 'yaml'])('parameters of type %s keep the order of keys', async (type) => {
  const owner = await given(api.admin, type === 'json' ? 'hostgroup' : type === 'yaml' ? 'subnet' : 'host')
  const plural = type === 'json' ? 'hostgroups' : type === 'yaml' ? 'subnets' : 'hosts'
  const places = ['/api/common_parameters', `/api/${plural}/${owner.id}/parameters`]
  const paths: string[] = []
  for (const [at, place] of places.entries())
    paths.push(
      `${place}/${idIn(await send('POST', place, object({ name: `order${at}-${type}`, parameter_type: type, value: type === 'hash' ? new Map() : '{}' })))}`,
    )
  await everyValue(async (value, index) => {
    const path = paths[index % 2] ?? ''
    const sent = index % 3 === 0 ? printJson(value) : value
    const said = await send('PUT', path, object({ value: sent }))
    expect(printJson(pick(said, ['value']) ?? null)).toBe(printJson(value))
    await expectKept(value, [[path, ['value']]])
    if (index % 2 === 1) await expectKept(value, [[`/api/${plural}/${owner.id}`, ['parameters', 0, 'value']]])
    await expectAudited(`type = parameter and auditable_id = ${path.split('/').at(-1)}`, 'value', value)
    await send('PUT', path, object({ hidden_value: true }))
    await expectKept(value, [[`${path}?show_hidden=true`, ['value']]])
    await send('PUT', path, object({ hidden_value: false }))
  })
})

test.each(OWNERS)('parameters that are sent with their %s keep the order of keys', async (kind) => {
  const owner = await given(api.admin, kind)
  const key = { operatingsystem: 'os', hostgroup: 'group' }[kind as string] ?? kind
  const path = `/api/${kind === 'host' ? 'hosts' : `${kind}s`}/${owner.id}`
  const value = readJson('{"b":{"10":1,"9":2,"a":{"zz":1,"0":2}},"a":1,"10":2,"9":[{"2":1,"1":2}]}')
  const item = object({ name: 'order', parameter_type: 'hash', value })
  await send('PUT', path, object({ [`${key}_parameters_attributes`]: [item] }))
  await expectKept(value, [
    [path, ['parameters', 0, 'value']],
    [`${path}/parameters`, ['results', 0, 'value']],
  ])
})

test('defaults and overrides keep the order of keys, and so do documents and audits', async () => {
  const configclass = await world.plain()
  const host = await world.host({ configclass_ids: [configclass.id] })
  const parameter = await world.parameter({ configclass, name: 'tree', type: 'hash', value: '{}' })
  const path = `/api/smart_class_parameters/${parameter.id}`
  const override = await world.override(parameter, `fqdn=${host.name}`, { a: 1 })
  await everyValue(async (value, index) => {
    const ofHost = index % 4 < 2
    const place = ofHost ? `${path}/override_values/${override.id}` : path
    const key = ofHost ? 'value' : 'default_value'
    const sent = index % 3 === 0 ? printJson(value) : value
    await send(
      'PUT',
      place,
      ofHost ? object({ value: sent, match: `fqdn=${host.name}` }) : object({ default_value: sent }),
    )
    await expectKept(value, [[place, [key]]])
    if (ofHost) await expectKept(value, [[path, ['override_values', 0, 'value']]])
    if (!ofHost) return
    await expectKept(value, [
      [`/api/hosts/${host.id}/enc`, ['data', 'classes', configclass.name, 'tree']],
      [`/node/${host.name}?format=json`, ['classes', configclass.name, 'tree']],
    ])
    const { text } = await api.admin.get(`/node/${host.name}?format=yml`)
    expect(printJson(pick(printJson(readYaml(text)), ['classes', configclass.name, 'tree']) ?? text)).toBe(
      printJson(value),
    )
    await expectKept(
      value,
      [[`/api/hosts/${host.id}/enc`, ['data', 'classes', configclass.name, 'tree']]],
      api.asVendor({ authorization: `Basic ${btoa(`${ADMIN.login}:${ADMIN.password}`)}` }),
    )
    await expectAudited(`type = override_value and auditable_id = ${override.id}`, 'value', value)
  })
})

test('copies and templates keep the order of keys', async () => {
  await api.admin.put('/api/settings/interpolate_erb_in_parameters', { setting: { value: true } })
  const value = readJson('{"b":{"10":1,"9":2,"a":3},"a":1,"10":2,"9":[{"2":1,"1":2}]}')
  const group = await given(api.admin, 'hostgroup')
  await send(
    'PUT',
    `/api/hostgroups/${group.id}`,
    object({
      group_parameters_attributes: [object({ name: 'copied', parameter_type: 'hash', value })],
    }),
  )
  const copy = object({ hostgroup: object({ name: unique('clone') }) })
  const clone = idIn(await send('POST', `/api/hostgroups/${group.id}/clone`, copy))
  await expectKept(value, [[`/api/hostgroups/${clone}/parameters`, ['results', 0, 'value']]])
  const configclass = await world.plain()
  const rendered = '"<%= @host.params[\'copied\'].to_json %>"'
  await world.parameter({ configclass, name: 'rendered', type: 'hash', value: rendered })
  const host = await world.host({ configclass_ids: [configclass.id], hostgroup_id: clone })
  await expectKept(value, [
    [`/node/${host.name}?format=json`, ['classes', configclass.name, 'rendered']],
    [`/node/${host.name}?format=json`, ['parameters', 'copied']],
    [`/api/hosts/${host.id}`, ['all_parameters', 0, 'value']],
  ])
})

test('a value that the version before writes counts, which knows nothing of the order', async () => {
  const value = readJson('{"zz":1,"a":2}')
  const sent = object({ name: unique('older'), parameter_type: 'hash', value })
  const path = `/api/common_parameters/${idIn(await send('POST', '/api/common_parameters', sent))}`
  await expectKept(value, [[path, ['value']]])
  await sql`update parameters set value = '{"zz": 1, "a": 2.0}' where id = ${Number(path.split('/').at(-1))}`.execute(
    api.database.db,
  )
  await expectKept(readJson('{"a":2.0,"zz":1}'), [[path, ['value']]])
})

test('attributes of machines keep the order of keys', async () => {
  const made = await given(api.admin, 'compute_attribute')
  await everyValue(async (value) => {
    if (printJson(value).includes('__proto__')) return // no record of strings has such a key
    const path = `/api/compute_profiles/${made.compute_profile_id}/compute_resources/${made.compute_resource_id}/compute_attributes/${made.id}`
    await send('PUT', path, object({ vm_attrs: value }))
    await expectKept(value, [[path, ['vm_attrs']]])
    await expectAudited(`type = compute_attribute and auditable_id = ${made.id}`, 'vm_attrs', value)
  })
})

test('maps that are merged keep the order in which their keys came first', async () => {
  const configclass = await world.plain()
  const host = await world.host({ configclass_ids: [configclass.id] })
  const parameter: Shown = await world.parameter({
    configclass,
    name: unique('merged'),
    type: 'hash',
    columns: { merge_overrides: true, merge_default: true },
  })
  const path = `/api/smart_class_parameters/${parameter.id}`
  await send('PUT', path, object({ default_value: readJson('{"z":1,"b":{"10":1,"9":2}}') }))
  const value = readJson('{"10":1,"b":{"a":1,"9":3},"9":2,"z":2}')
  await send('POST', `${path}/override_values`, object({ match: `fqdn=${host.name}`, value }))
  await expectKept(readJson('{"z":2,"b":{"10":1,"9":3,"a":1},"10":1,"9":2}'), [
    [`/node/${host.name}?format=json`, ['classes', configclass.name, parameter.parameter as string]],
  ])
})
