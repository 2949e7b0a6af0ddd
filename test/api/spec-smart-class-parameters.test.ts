import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApi, type TestApi } from '../support/api.ts'
import { importedParameter } from '../support/classification.ts'
import { given, type Shown } from '../support/given.ts'

// Spec 2.8, 4.7 and 7.

let api: TestApi
let configclass: Shown
let parameter: Shown
beforeAll(async () => {
  api = await openTestApi()
  const environment = await given(api.admin, 'environment')
  configclass = await given(api.admin, 'configclass', { environment_ids: [environment.id] })
  parameter = await importedParameter(api, {
    configclass,
    default_value: '"abcdef"',
    columns: { parameter_type: 'string' },
  })
})
afterAll(() => api?.[Symbol.asyncDispose]())

const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/)
const listed = () => ({
  id: parameter.id,
  parameter: parameter.parameter,
  configclass_id: configclass.id,
  configclass_name: configclass.name,
  description: null,
  override: false,
  parameter_type: 'string',
  'hidden_value?': false,
  omit: null,
  use_config_default: null,
  required: false,
  validator_type: null,
  validator_rule: null,
  merge_overrides: false,
  merge_default: false,
  avoid_duplicates: false,
  override_value_order: 'fqdn\nhostgroup\nos\ndomain',
  override_values_count: 0,
  default_value: 'abcdef',
  created_at: time,
  updated_at: time,
})

describe('2.8, 4.7', () => {
  test('GET /api/configclasses/:configclass_id/smart_class_parameters: 200 with the list envelope', async () => {
    const { status, body } = await api.admin.get(`/api/configclasses/${configclass.id}/smart_class_parameters`)
    expect(status).toBe(200)
    expect(body).toEqual({
      total: 1,
      subtotal: 1,
      page: 1,
      per_page: 20,
      search: null,
      sort: { by: null, order: null },
      results: [listed()],
    })
  })

  test.each(['location_id=', 'organization_id=', 'show_hidden=true', 'order=parameter DESC', 'page=1', 'per_page=5'])(
    'the list takes %s',
    async (query) => {
      const { body } = await api.admin.get(
        `/api/configclasses/${configclass.id}/smart_class_parameters?${encodeURI(query)}`,
      )
      expect(body.results).toEqual([listed()])
    },
  )

  test.each([
    ...['avoid_duplicates = false', 'merge_default = false', 'merge_overrides = false', 'override = false'],
    ...['key', 'parameter', 'configclass', 'configclass_name', 'environment'],
  ])('searchable: %s', async (search) => {
    const [environment] = (await api.admin.get(`/api/smart_class_parameters/${parameter.id}`)).body.environments
    const values: Record<string, string> = {
      key: parameter.parameter,
      parameter: parameter.parameter,
      configclass: configclass.name,
      configclass_name: configclass.name,
      environment: environment.name,
    }
    const asked = search in values ? `${search} = ${values[search]}` : search
    const { body } = await api.admin.get(
      `/api/configclasses/${configclass.id}/smart_class_parameters?search=${encodeURIComponent(asked)}`,
    )
    expect(body.results).toEqual([listed()])
    const not = search in values ? `${search} != ${values[search]}` : search.replace('false', 'true')
    const { body: others } = await api.admin.get(
      `/api/configclasses/${configclass.id}/smart_class_parameters?search=${encodeURIComponent(not)}`,
    )
    expect(others.results).toEqual([])
  })

  test('GET …/:id: 200 with environments and override_values', async () => {
    const { status, body } = await api.admin.get(
      `/api/configclasses/${configclass.id}/smart_class_parameters/${parameter.id}?show_hidden=true`,
    )
    expect(status).toBe(200)
    expect(body).toEqual({
      ...listed(),
      environments: [{ id: expect.any(Number), name: expect.any(String) }],
      override_values: [],
    })
  })

  test('PUT /api/smart_class_parameters/:id: 200 with every field changed', async () => {
    const { id } = await importedParameter(api, { configclass, default_value: '"[1]"' })
    const sent = {
      override: true,
      description: 'For people',
      default_value: '["a"]',
      hidden_value: false,
      omit: false,
      validator_type: 'list',
      validator_rule: '["a"], ["b"]',
      override_value_order: 'fqdn\nos,domain',
      parameter_type: 'array',
      required: true,
      merge_overrides: true,
      merge_default: true,
      avoid_duplicates: true,
    }
    const { status, body, text } = await api.admin.put(`/api/smart_class_parameters/${id}`, {
      smart_class_parameter: sent,
    })
    expect(status, text).toBe(200)
    const { hidden_value, ...same } = sent
    expect(body).toMatchObject({
      ...same,
      default_value: ['a'],
      'hidden_value?': hidden_value,
      use_config_default: false,
    })
    const older = await api.admin.put(`/api/smart_class_parameters/${id}`, {
      smart_class_parameter: { use_config_default: true, path: 'os' },
    })
    expect(older.body).toMatchObject({ omit: true, use_config_default: true, override_value_order: 'os' })
  })

  test('default_value is masked by asterisks unless show_hidden is requested', async () => {
    const { id } = await importedParameter(api, {
      configclass,
      default_value: '"secret"',
      columns: { hidden_value: true },
    })
    const path = `/api/configclasses/${configclass.id}/smart_class_parameters/${id}`
    expect((await api.admin.get(path)).body.default_value).toBe('*****')
    expect((await api.admin.get(`${path}?show_hidden=true`)).body.default_value).toBe('secret')
  })
})

test('7: a default value that does not fit the type is a 500 that begins with Validation failed', async () => {
  const { id } = await importedParameter(api, { configclass, columns: { override: true, parameter_type: 'string' } })
  await api.admin.post(`/api/smart_class_parameters/${id}/override_values`, { match: 'os=x', value: 'text' })
  const { status, body } = await api.admin.put(`/api/smart_class_parameters/${id}`, {
    smart_class_parameter: { parameter_type: 'boolean', default_value: 'bTreQsKkLv' },
  })
  expect({ status, body }).toEqual({
    status: 500,
    body: { error: { message: 'Validation failed: Default value is invalid, Lookup values is invalid' } },
  })
})
