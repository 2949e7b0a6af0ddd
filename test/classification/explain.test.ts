import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApi, type TestApi } from '../support/api.ts'
import { importedParameter } from '../support/classification.ts'
import { given, type Shown, unique } from '../support/given.ts'

// docs/classification.md: why a host gets what it gets.

let api: TestApi
let places: { readonly organization_ids: readonly number[]; readonly location_ids: readonly number[] }
let environment: Shown
let configclass: Shown
let group: Shown
let host: Shown

beforeAll(async () => {
  api = await openTestApi()
  const organization = await given(api.admin, 'organization')
  const location = await given(api.admin, 'location')
  places = { organization_ids: [organization.id], location_ids: [location.id] }
  environment = await given(api.admin, 'environment', places)
  configclass = await given(api.admin, 'configclass', { environment_ids: [environment.id] })
  const base = await given(api.admin, 'hostgroup', { name: unique('Base'), ...places })
  group = await given(api.admin, 'hostgroup', { name: 'Web', parent_id: base.id, ...places })
  host = await given(api.admin, 'host', {
    name: `${unique('n')}.lab.test`,
    organization_id: organization.id,
    location_id: location.id,
    environment_id: environment.id,
    hostgroup_id: group.id,
    configclass_ids: [configclass.id],
  })
})
afterAll(() => api?.[Symbol.asyncDispose]())

const parameterOf = (columns: Record<string, string | boolean>, default_value?: string) =>
  importedParameter(api, {
    configclass,
    columns: { override: true, ...columns },
    ...(default_value !== undefined && { default_value }),
  })

async function override({ id }: Shown, match: string, value: unknown): Promise<Shown> {
  const made = await api.admin.post(`/api/smart_class_parameters/${id}/override_values`, {
    override_value: { match, value },
  })
  expect(made.status, made.text).toBe(201)
  return made.body
}

const explain = async ({ id }: Shown, query = '') =>
  (await api.admin.get(`/api/hosts/${host.id}/smart_class_parameters/${id}/explain${query}`)).body

/** What an explanation says the host gets, worked out from its parts alone. */
function replayed(explanation: Shown): unknown {
  const { tried, override_values, steps, merge_overrides } = explanation
  if (merge_overrides) return steps.at(-1)?.value ?? explanation.default.value
  const first = tried.find((one: Shown) => one.override_value_id !== null)
  if (!first) return explanation.default.value
  return override_values.find(({ id }: Shown) => id === first.override_value_id).value
}

describe('one parameter', () => {
  test('each override has a fate, an author, and the whole replays to the answer', async () => {
    const parameter = await parameterOf({ parameter_type: 'string' }, '"d"')
    const far = await override(parameter, `hostgroup=${group.title.split('/')[0]}`, 'far')
    const near = await override(parameter, `hostgroup=${group.title}`, 'near')
    const other = await override(parameter, 'os=Debian 12', 'other')
    const explanation = await explain(parameter)
    expect(explanation).toMatchObject({
      id: parameter.id,
      applies: true,
      status: 'value',
      value: 'near',
      message: null,
      source: 'override',
      default: { value: 'd', omit: false, used: false },
      order: ['fqdn', 'hostgroup', 'os', 'domain'],
      tried: [
        { position: 1, line: 'fqdn', match: `fqdn=${host.name}`, override_value_id: null },
        { position: 2, line: 'hostgroup', match: `hostgroup=${group.title}`, override_value_id: near.id },
        { position: 3, line: 'hostgroup', override_value_id: far.id },
      ],
      override_values: [
        { id: near.id, value: 'near', position: 2, fate: 'chosen', reason: 'matches first' },
        { id: far.id, value: 'far', position: 3, fate: 'outranked' },
        { id: other.id, value: 'other', position: null, fate: 'no match', reason: 'the host has no os' },
      ],
      steps: [],
      flips: [
        { change: 'add', match: `fqdn=${host.name}`, position: 1 },
        { change: 'attribute', attribute: 'hostgroup', from: group.title, override_value_id: far.id },
        {
          change: 'remove',
          override_values: [{ override_value_id: near.id }],
          result: { status: 'value', value: 'far' },
        },
      ],
    })
    expect(explanation.override_values[0].set_by).toMatchObject({ action: 'create', audit_id: expect.any(Number) })
    expect(explanation.override_values[0].set_by.at).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/)
    expect(replayed(explanation)).toBe(explanation.value)
    const { body } = await api.admin.get(`/api/hosts/${host.id}/enc`)
    expect(body.data.classes[configclass.name]?.[parameter.parameter]).toBe(explanation.value)
  })

  test('merging is told step by step, and numbers stay what they are', async () => {
    const parameter = await parameterOf(
      { parameter_type: 'hash', merge_overrides: true, merge_default: true },
      '{"a": 1, "c": 2.0}',
    )
    const far = await override(parameter, `hostgroup=${group.title.split('/')[0]}`, {
      a: 2,
      b: 12345678901234567000n.toString(),
    })
    const near = await override(parameter, `fqdn=${host.name}`, { a: 3 })
    const { text } = await api.admin.get(`/api/hosts/${host.id}/smart_class_parameters/${parameter.id}/explain`)
    expect(text).toContain('"c":2.0')
    const explanation = await explain(parameter)
    expect(explanation.steps.map(({ override_value_id }: Shown) => override_value_id)).toEqual([null, far.id, near.id])
    expect(explanation).toMatchObject({ source: 'merge', value: { a: 3, b: '12345678901234567000', c: 2 } })
    expect(replayed(explanation)).toEqual(explanation.value)
  })

  test('the last author of an override or a default is shown to those who may read audits', async () => {
    const parameter = await parameterOf({ parameter_type: 'string' }, '"d"')
    const { id } = await override(parameter, `fqdn=${host.name}`, 'x')
    const editor = await api.can(
      ['view_hosts', 'view_external_parameters', 'edit_external_parameters', 'edit_configclasses', 'view_audit_logs'],
      places,
    )
    const path = `/api/smart_class_parameters/${parameter.id}`
    await editor.put(path, { smart_class_parameter: { default_value: 'e' } })
    await editor.put(path, { smart_class_parameter: { description: 'no author of the default' } })
    await editor.put(`${path}/override_values/${id}`, { override_value: { value: 'y' } })
    const said = await explain(parameter)
    expect(said.default.set_by).toMatchObject({ user: editor.login, action: 'update' })
    expect(said.override_values[0].set_by).toMatchObject({ user: editor.login, action: 'update' })
    const viewer = await api.can(['view_hosts', 'view_external_parameters'], places)
    const { body } = await viewer.get(`${path}/explain?host_id=${host.name}`)
    expect([body.value, body.default.set_by, body.override_values[0].set_by]).toEqual(['y', null, null])
  })

  test('hidden values are masked everywhere unless asked for by those who may edit', async () => {
    const parameter = await parameterOf({ parameter_type: 'string', hidden_value: true }, '"top secret"')
    await override(parameter, `fqdn=${host.name}`, 'deep secret')
    const viewer = await api.can(['view_hosts', 'view_external_parameters'], places)
    const path = `/api/hosts/${host.id}/smart_class_parameters/${parameter.id}/explain`
    for (const caller of [viewer, api.admin]) {
      const { body, text } = await caller.get(path)
      expect(text).not.toContain('secret')
      expect(body).toMatchObject({ value: '*****', default: { value: '*****' }, override_values: [{ value: '*****' }] })
    }
    expect((await viewer.get(`${path}?show_hidden=true`)).text).not.toContain('secret')
    expect((await api.admin.get(`${path}?show_hidden=true`)).body.value).toBe('deep secret')
  })

  test('texts of the host have no values that its parameters hide', async () => {
    await api.admin.post(`/api/hosts/${host.id}/parameters`, { name: 'pin', value: 'very-secret', hidden_value: true })
    const order = { parameter_type: 'string', override_value_order: 'pin,os\npin\nfqdn' }
    const parameter = await parameterOf(order, '"d"')
    await override(parameter, 'pin=other', 'x')
    const path = `/api/hosts/${host.id}/smart_class_parameters/${parameter.id}/explain`
    const { body, text } = await api.admin.get(`${path}?show_hidden=true`)
    expect(text).not.toContain('very-secret')
    expect(body.tried[0]).toMatchObject({ position: 1, line: 'pin', match: 'pin=*****' })
    expect(body.override_values[0].reason).toBe('pin of the host is another one')
    expect(body.flips).toMatchObject([
      { change: 'add', match: 'pin=*****', position: 1 },
      { change: 'attribute', attribute: 'pin', from: '*****', to: 'other' },
    ])
    const suppose = await api.admin.post('/api/hosts/what_if', { name: host.name })
    expect(suppose.text).not.toContain('very-secret')
  })

  test('missing values are explained, too', async () => {
    const elsewhere = await given(api.admin, 'configclass', { environment_ids: [environment.id] })
    const foreign = await importedParameter(api, { configclass: elsewhere, columns: { override: true } })
    const unmanaged = await parameterOf({ override: false })
    expect(await explain(foreign)).toMatchObject({
      applies: false,
      reason: `the host does not have the class ${elsewhere.name} in its environment`,
      status: 'absent',
      value: null,
    })
    expect(await explain(unmanaged)).toMatchObject({
      applies: false,
      reason: 'its value is not managed here: override is false',
    })
  })

  test('a required parameter without value is a failure', async () => {
    const parameter = await parameterOf({ parameter_type: 'integer', required: true })
    expect(await explain(parameter)).toMatchObject({
      status: 'failure',
      message: `Parameter '${parameter.parameter}' of class '${configclass.name}' is required and has no value`,
      flips: [{ change: 'add', match: `fqdn=${host.name}` }],
    })
    await api.admin.put(`/api/smart_class_parameters/${parameter.id}`, { smart_class_parameter: { required: false } })
  })

  test('host and parameter must be there, seen, and named', async () => {
    const parameter = await parameterOf({})
    const path = `/api/smart_class_parameters/${parameter.id}/explain`
    expect((await api.admin.get(path)).status).toBe(400)
    expect((await api.admin.get(`${path}?host_id=nobody.test`)).status).toBe(404)
    expect((await api.admin.get(`/api/smart_class_parameters/0/explain?host_id=${host.id}`)).status).toBe(404)
    const blind = await api.can(['view_external_parameters'], places)
    expect((await blind.get(`${path}?host_id=${host.id}`)).status).toBe(404)
    const other = await api.can(['view_hosts'], places)
    expect((await other.get(`${path}?host_id=${host.id}`)).status).toBe(403)
  })
})

describe('a whole host', () => {
  test('all parameters of its classes that the caller may see, by name', async () => {
    const second = await parameterOf({ parameter: unique('a'), parameter_type: 'integer' }, '5')
    const { body } = await api.admin.get(`/api/hosts/${host.name}/classification`)
    expect(body).toMatchObject({
      host: { id: host.id, name: host.name },
      environment: environment.name,
      classes: [configclass.name],
      failures: [],
    })
    const names = body.parameters.map(({ parameter }: Shown) => parameter)
    expect(names).toEqual([...names].sort())
    expect(names).toContain(second.parameter)
    const { body: enc } = await api.admin.get(`/api/hosts/${host.id}/enc`)
    const values = enc.data.classes[configclass.name] ?? {}
    for (const explanation of body.parameters) {
      if (explanation.value === '*****') continue
      expect(explanation.value).toEqual(values[explanation.parameter] ?? null)
      if (explanation.value !== null) expect(replayed(explanation)).toEqual(explanation.value)
    }
    const viewer = await api.can(['view_hosts'], places)
    expect((await viewer.get(`/api/hosts/${host.id}/classification`)).body.parameters).toEqual([])
  })
})
