import { afterAll, beforeAll, expect, test } from 'vitest'
import { rows } from '../../src/database/sql.ts'
import { sql } from '../../src/sql.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { importedParameter } from '../support/classification.ts'
import { given, type Shown, unique } from '../support/given.ts'

// docs/classification.md: what a host would get that there is not, or that is otherwise than now.

let api: TestApi
let environment: Shown
let configclass: Shown
let web: Shown
let host: Shown
let parameter: Shown
let places: { readonly organization_ids: readonly number[]; readonly location_ids: readonly number[] }
let place: { readonly organization_id: number; readonly location_id: number }

beforeAll(async () => {
  api = await openTestApi()
  place = {
    organization_id: (await given(api.admin, 'organization')).id,
    location_id: (await given(api.admin, 'location')).id,
  }
  places = { organization_ids: [place.organization_id], location_ids: [place.location_id] }
  environment = await given(api.admin, 'environment', places)
  configclass = await given(api.admin, 'configclass', { environment_ids: [environment.id] })
  web = await given(api.admin, 'hostgroup', {
    name: unique('Web'),
    environment_id: environment.id,
    configclass_ids: [configclass.id],
    group_parameters_attributes: [{ name: 'key', value: 'very secret', hidden_value: true }],
    ...places,
  })
  host = await given(api.admin, 'host', { name: 'n1.lab.test', environment_id: environment.id, ...place })
  parameter = await importedParameter(api, {
    configclass,
    columns: { override: true, parameter_type: 'string', override_value_order: 'tier\nkernel\nhostgroup' },
    default_value: '"d"',
  })
  for (const [match, value] of [
    ['tier=gold', 'by parameter'],
    ['kernel=Linux', 'by fact'],
    [`hostgroup=${web.title}`, '<%= @host.shortname %> in group'],
  ])
    await api.admin.post(`/api/smart_class_parameters/${parameter.id}/override_values`, { match, value })
})
afterAll(() => api?.[Symbol.asyncDispose]())

const suppose = (body: unknown, caller = api.admin) => caller.post('/api/hosts/what_if', body)
const valueIn = ({ document }: Shown) => document.classes[configclass.name][parameter.parameter]
const stored = () =>
  rows(api.database.db, sql`select table_name, sum(writes) as writes from table_changes group by table_name order by 1`)

test('a host that there is not gets what its group, its facts and its parameters give', async () => {
  const before = await stored()
  const attributes = { hostgroup: web.title }
  const plain = await suppose({ name: 'new.lab.test', attributes })
  expect(plain.status, plain.text).toBe(200)
  expect(plain.body).toMatchObject({ failures: [], document: { environment: environment.name } })
  expect(valueIn(plain.body)).toBe('new in group')
  const [explanation] = plain.body.parameters
  expect(explanation).toMatchObject({ id: parameter.id, applies: true, value: 'new in group', source: 'override' })
  expect(explanation.tried).toContainEqual(expect.objectContaining({ match: `hostgroup=${web.title}`, position: 1 }))
  const fact = await suppose({ attributes, facts: { kernel: 'Linux' } })
  expect(valueIn(fact.body)).toBe('by fact')
  const own = await suppose({
    attributes: { hostgroup_id: web.id },
    facts: { kernel: 'Linux' },
    parameters: { tier: 'gold', size: 2.5 },
  })
  expect(valueIn(own.body)).toBe('by parameter')
  expect(own.body.document.parameters).toMatchObject({ tier: 'gold', size: 2.5, hostgroup: web.title })
  expect(await stored()).toEqual(before)
})

test('a known host is supposed to be otherwise, and stays as it is', async () => {
  const before = await stored()
  const { body } = await suppose({
    name: host.name,
    attributes: { hostgroup: web.title },
    parameters: { x: [1, { a: true }] },
  })
  expect(valueIn(body)).toBe('n1 in group')
  expect(body.document.parameters.x).toEqual([1, { a: true }])
  expect(await stored()).toEqual(before)
  expect((await api.admin.get(`/api/hosts/${host.id}`)).body.hostgroup_id).toBe(null)
})

test('viewing hosts and parameters is enough; hidden values stay hidden', async () => {
  const viewer = await api.can(['view_hosts', 'view_external_parameters', 'view_shared_override_values'], places)
  const attributes = { hostgroup: web.title }
  const { status, text, body } = await suppose({ attributes, parameters: { tier: 'gold' } }, viewer)
  expect(status, text).toBe(200)
  expect(text).not.toContain('secret')
  expect(valueIn(body)).toBe('by parameter')
  const asked = await suppose({ attributes, parameters: { leak: "<%= host_param('key') %>" } }, viewer)
  expect(asked.status).toBe(422)
  expect(asked.text).toContain('templates are not rendered')
  await api.admin.put(`/api/smart_class_parameters/${parameter.id}`, { hidden_value: true })
  const hidden = await suppose({ attributes }, viewer)
  expect(hidden.text).not.toContain('in group')
  expect(valueIn(hidden.body)).toBe('*****')
  await api.admin.put(`/api/smart_class_parameters/${parameter.id}`, { hidden_value: false })
  expect((await suppose({}, await api.can(['view_hosts'], places))).status).toBe(403)
  expect((await suppose({}, await api.can(['view_external_parameters'], places))).status).toBe(403)
})

test('impossible values are refused', async () => {
  expect((await suppose({ attributes: { hostgroup: 'Nowhere' } })).status).toBe(422)
  expect((await suppose({ attributes: { nonsense: 1 } })).status).toBe(400)
  expect((await suppose({ attributes: { os: 5 } })).status).toBe(400)
  expect((await suppose({ attributes: { os: 'a\0b' } })).status).toBe(400)
  expect((await suppose({ name: 5 })).status).toBe(400)
  expect((await suppose({ name: 'no name' })).status).toBe(422)
  expect((await suppose({ parameters: { 'no name': 'x' } })).status).toBe(422)
  expect((await suppose({ facts: [] })).status).toBe(400)
  expect((await suppose({ facts: { 'a\0b': 'c\0d' } })).status).toBeLessThan(500)
  expect((await suppose({ attributes: { configclass_ids: [configclass.id] } })).status).toBe(422)
})

test('a classification that would be refused says why', async () => {
  const required = await importedParameter(api, { configclass, columns: { override: true, required: true } })
  const { body } = await suppose({ attributes: { hostgroup: web.title } })
  expect(body.document).toBe(null)
  expect(body.failures).toEqual([
    `Parameter '${required.parameter}' of class '${configclass.name}' is required and has no value`,
  ])
})
