import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { given, type Shown } from '../support/given.ts'

// Spec §2.5 and §4.4, row by row.

let api: TestApi
let template: Shown
let group: Shown
let environment: Shown

beforeAll(async () => {
  api = await openTestApi()
  template = await given(api.admin, 'provisioning_template', { name: 'Kickstart' })
  const parent = await given(api.admin, 'hostgroup', { name: 'Base' })
  group = await given(api.admin, 'hostgroup', { name: 'Web', parent_id: parent.id })
  environment = await given(api.admin, 'environment', { name: 'production' })
})
afterAll(() => api?.[Symbol.asyncDispose]())

const nested = () => `/api/provisioning_templates/${template.id}/template_combinations`
const post = (template_combination: object) => api.admin.post(nested(), { template_combination })

const KEYS = [
  ...['created_at', 'updated_at', 'id', 'provisioning_template_id', 'provisioning_template_name'],
  ...['hostgroup_id', 'hostgroup_name', 'environment_id', 'environment_name'],
  ...['config_template_id', 'config_template_name'],
]

async function fresh(combination: object = {}): Promise<Shown> {
  for (const { id } of (await api.admin.get(`${nested()}?per_page=all`)).body.results)
    await api.admin.delete(`/api/template_combinations/${id}`)
  return expectCreated(post(combination))
}

describe('spec 2.5: the record', () => {
  test('carries the template under both words, host group by title, environment by name, and both times', async () => {
    const made = await fresh({ hostgroup_id: group.id, environment_id: environment.id })
    expect(Object.keys(made)).toEqual(KEYS)
    expect(made).toMatchObject({
      provisioning_template_id: template.id,
      provisioning_template_name: 'Kickstart',
      hostgroup_id: group.id,
      hostgroup_name: 'Base/Web',
      environment_id: environment.id,
      environment_name: 'production',
      config_template_id: template.id,
      config_template_name: 'Kickstart',
    })
    expect(made.created_at).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/)
  })

  test('a missing binding is null, and 0 as a host group means none', async () => {
    expect(await fresh({ hostgroup_id: 0, environment_id: 0 })).toMatchObject({
      hostgroup_id: null,
      hostgroup_name: null,
      environment_id: null,
      environment_name: null,
    })
  })

  test('the delete response carries six keys, times in ISO form', async () => {
    const { id } = await fresh({ hostgroup_id: group.id })
    const { status, body } = await api.admin.delete(`/api/template_combinations/${id}`, { template_combination: {} })
    expect(status).toBe(200)
    expect(body).toEqual({
      id,
      provisioning_template_id: template.id,
      hostgroup_id: group.id,
      environment_id: null,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    })
    expect(Object.keys(body)).toEqual([
      ...['id', 'provisioning_template_id', 'hostgroup_id', 'environment_id', 'created_at', 'updated_at'],
    ])
    expect((await api.admin.get(`/api/template_combinations/${id}`)).status).toBe(404)
  })
})

describe('spec 4.4: operations', () => {
  test('GET below a template lists its combinations in the envelope', async () => {
    const made = await fresh({ hostgroup_id: group.id })
    const { status, body } = await api.admin.get(nested())
    expect(status).toBe(200)
    expect(body).toEqual({
      ...{ total: 1, subtotal: 1, page: 1, per_page: 20, search: null, sort: { by: null, order: null } },
      results: [made],
    })
  })

  test('POST below a template answers 201; both keys are optional and may be null', async () => {
    expect(await fresh({})).toMatchObject({ hostgroup_id: null, environment_id: null })
    expect(await fresh({ hostgroup_id: null, environment_id: null })).toMatchObject({
      provisioning_template_id: template.id,
    })
  })

  test('GET of one answers 200, flat and nested', async () => {
    const made = await fresh({ environment_id: environment.id })
    expect(await api.admin.get(`/api/template_combinations/${made.id}`)).toMatchObject({ status: 200, body: made })
    expect(await api.admin.get(`${nested()}/${made.id}`)).toMatchObject({ status: 200, body: made })
  })

  test('PUT below a template answers 200 with the record; what is not sent stays, null clears', async () => {
    const { id } = await fresh({ hostgroup_id: group.id, environment_id: environment.id })
    const put = (template_combination: object) => api.admin.put(`${nested()}/${id}`, { template_combination })
    expect(await put({ hostgroup_id: null })).toMatchObject({
      status: 200,
      body: { id, hostgroup_id: null, environment_id: environment.id },
    })
    expect((await put({ environment_id: null, hostgroup_id: group.id })).body).toMatchObject({
      hostgroup_id: group.id,
      environment_id: null,
    })
    expect(Object.keys((await put({})).body)).toEqual(KEYS)
  })

  test('there is no flat list, POST or PUT, and no nested DELETE', async () => {
    const { id } = await fresh({})
    expect((await api.admin.get('/api/template_combinations')).status).toBe(404)
    expect((await api.admin.post('/api/template_combinations', {})).status).toBe(404)
    expect((await api.admin.put(`/api/template_combinations/${id}`, {})).status).toBe(404)
    expect((await api.admin.delete(`${nested()}/${id}`)).status).toBe(404)
  })
})

describe('spec 4.4: query parameters', () => {
  test('location_id and organization_id set the context of every operation', async () => {
    const { id } = await fresh({})
    const context = '?location_id=1&organization_id=1'
    await api.admin.put(`/api/provisioning_templates/${template.id}`, { location_ids: [1], organization_ids: [1] })
    expect((await api.admin.get(`${nested()}${context}`)).body.total).toBe(1)
    expect((await api.admin.get(`/api/template_combinations/${id}${context}`)).status).toBe(200)
    expect((await api.admin.put(`${nested()}/${id}${context}`, {})).status).toBe(200)
    expect((await api.admin.delete(`/api/template_combinations/${id}${context}`)).status).toBe(200)
    expect((await api.admin.post(`${nested()}${context}`, {})).status).toBe(201)
    expect((await api.admin.get(`${nested()}?location_id=999`)).status).toBe(404)
  })

  test('the others are conditions that all have to hold, on lists', async () => {
    const other = await given(api.admin, 'environment')
    await fresh({ hostgroup_id: group.id, environment_id: environment.id })
    await expectCreated(post({ hostgroup_id: group.id, environment_id: other.id }))
    await expectCreated(post({ environment_id: environment.id }))
    const total = async (query: string) => (await api.admin.get(`${nested()}?${query}`)).body.total
    expect(await total('')).toBe(3)
    expect(await total(`hostgroup_id=${group.id}`)).toBe(2)
    expect(await total(`environment_id=${environment.id}`)).toBe(2)
    expect(await total(`environment_id=${environment.id}&hostgroup_id=${group.id}`)).toBe(1)
    const another = await given(api.admin, 'provisioning_template')
    for (const word of ['provisioning_template_id', 'config_template_id']) {
      const below = `/api/hostgroups/${group.id}/template_combinations`
      expect((await api.admin.get(`${below}?${word}=${template.id}`)).body.total).toBe(2)
      expect((await api.admin.get(`${below}?${word}=${another.id}`)).body.total).toBe(0)
    }
  })

  test('and on records: one that they do not hold for is not found', async () => {
    const other = await given(api.admin, 'environment')
    const another = await given(api.admin, 'provisioning_template')
    const { id } = await fresh({ hostgroup_id: group.id, environment_id: environment.id })
    const flat = `/api/template_combinations/${id}`
    const misses = [
      `environment_id=${other.id}`,
      `provisioning_template_id=${another.id}`,
      `config_template_id=${another.id}`,
    ]
    for (const query of misses) {
      expect((await api.admin.get(`${flat}?${query}`)).status).toBe(404)
      expect((await api.admin.delete(`${flat}?${query}`)).status).toBe(404)
    }
    expect((await api.admin.put(`${nested()}/${id}?environment_id=${other.id}`, {})).status).toBe(404)
    const hits = `hostgroup_id=${group.id}&environment_id=${environment.id}&config_template_id=${template.id}`
    expect((await api.admin.get(`${flat}?${hits}`)).status).toBe(200)
    const body = { config_template_id: another.id, template_combination: {} }
    expect((await api.admin.delete(flat, body)).status).toBe(404)
    expect((await api.admin.delete(flat, { ...body, config_template_id: template.id })).status).toBe(200)
  })
})

describe('spec 9: deprecation', () => {
  test('list, show, create and update say since when (RFC 9745) and where to read on; delete does not', async () => {
    const { id } = await fresh({})
    const answers = [
      await api.admin.get(nested()),
      await api.admin.get(`${nested()}/${id}`),
      await api.admin.get(`/api/template_combinations/${id}`),
      await api.admin.post(nested(), { environment_id: environment.id }),
      await api.admin.put(`${nested()}/${id}`, {}),
    ]
    for (const { headers } of answers) {
      expect(headers.deprecation).toMatch(/^@\d+$/)
      expect(Number(String(headers.deprecation).slice(1)) * 1000).toBe(Date.parse('2026-11-20T00:00:00Z'))
      expect(headers.link).toBe('</docs#template_combinations>; rel="deprecation"; type="text/html"')
    }
    const deleted = await api.admin.delete(`/api/template_combinations/${id}`)
    expect(deleted.status).toBe(200)
    expect(deleted.headers.deprecation).toBeUndefined()
  })

  test('the description of the API marks the same operations', async () => {
    const { body } = await api.nobody.get('/api/openapi.json')
    const marked = Object.entries(body.paths).flatMap(([path, methods]) =>
      Object.entries(methods as Record<string, { deprecated?: boolean }>).flatMap(([method, { deprecated }]) =>
        deprecated ? [`${method} ${path}`] : [],
      ),
    )
    const below = (parent: string) => `/api/${parent}s/{${parent}_id}/template_combinations`
    const parents = ['provisioning_template', 'hostgroup', 'environment'].map(below)
    expect(marked.sort()).toEqual(
      [
        'get /api/template_combinations/{id}',
        ...parents.flatMap((path) => [`get ${path}`, `post ${path}`, `get ${path}/{id}`, `put ${path}/{id}`]),
      ].sort(),
    )
  })
})
