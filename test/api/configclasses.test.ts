import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApi, type TestApi } from '../support/api.ts'
import { importedParameter } from '../support/classification.ts'
import { given, type Shown, unique } from '../support/given.ts'

// Smart-parameters §8.

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.[Symbol.asyncDispose]())

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const UTC = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/

const inEnvironment = (environment: Shown, name = unique('mod::class')) =>
  given(api.admin, 'configclass', { name, environment_ids: [environment.id] })

async function namesIn(path: string): Promise<string[]> {
  const { body } = await api.admin.get(path)
  return (Array.isArray(body.results) ? body.results : Object.values(body.results).flat())
    .map(({ name }: Shown) => name)
    .sort()
}

describe('the list', () => {
  test('is an object by module, each class with its own keys and ISO times', async () => {
    const module = unique('web')
    for (const name of [`${module}::ssl`, module, `${module}::ssl::certs`])
      await given(api.admin, 'configclass', { name })
    const { body } = await api.admin.get(
      `/api/configclasses?search=${encodeURIComponent(`name ~ ${module}`)}&per_page=all`,
    )
    expect(body).toMatchObject({ subtotal: 3, page: 1, search: `name ~ ${module}`, sort: { by: null, order: null } })
    expect(Object.keys(body.results)).toEqual([module])
    expect(body.results[module].map(({ name }: Shown) => name)).toEqual([
      module,
      `${module}::ssl`,
      `${module}::ssl::certs`,
    ])
    const [first] = body.results[module]
    expect(Object.keys(first)).toEqual(['id', 'name', 'created_at', 'updated_at'])
    expect(first.created_at).toMatch(ISO)
  })

  test('style=list gives one list with the module of each', async () => {
    const module = unique('db')
    const { id } = await given(api.admin, 'configclass', { name: `${module}::server` })
    const { body } = await api.admin.get(`/api/configclasses?style=list&search=${module}`)
    expect(body.results).toEqual([
      {
        id,
        name: `${module}::server`,
        module_name: module,
        created_at: expect.stringMatching(UTC),
        updated_at: expect.stringMatching(UTC),
      },
    ])
  })

  test('is an empty object when there is nothing', async () => {
    const { body } = await api.admin.get('/api/configclasses?search=name%3Dnothing')
    expect(body.results).toEqual({})
  })

  test('pages count classes', async () => {
    const module = unique('paged')
    for (const part of ['a', 'b', 'c']) await given(api.admin, 'configclass', { name: `${module}::${part}` })
    const page = `/api/configclasses?search=${module}&per_page=2`
    expect((await api.admin.get(page)).body).toMatchObject({ subtotal: 3, per_page: 2, page: 1 })
    expect(await namesIn(`${page}&page=2`)).toEqual([`${module}::c`])
  })

  test('nests under environments, locations and organizations', async () => {
    const location = await given(api.admin, 'location')
    const here = await given(api.admin, 'environment', { location_ids: [location.id] })
    const there = await given(api.admin, 'environment')
    const mine = await inEnvironment(here)
    const other = await inEnvironment(there)
    expect(await namesIn(`/api/environments/${here.name}/configclasses`)).toEqual([mine.name])
    expect(await namesIn(`/api/configclasses?environment_id=${there.id}`)).toEqual([other.name])
    expect(await namesIn(`/api/locations/${location.id}/configclasses`)).toEqual([mine.name])
    const shown = await api.admin.get(`/api/environments/${here.id}/configclasses/${mine.id}`)
    expect(shown.body).toMatchObject({ id: mine.id, environments: [{ name: here.name, id: here.id }] })
    expect((await api.admin.get(`/api/environments/${here.id}/configclasses/${other.id}`)).status).toBe(404)
  })

  test('an unknown parent is a 404 that names it', async () => {
    for (const [path, word] of [
      ['environments', 'Environment'],
      ['hosts', 'Host'],
      ['hostgroups', 'Hostgroup'],
    ]) {
      const { status, body } = await api.admin.get(`/api/${path}/nobody/configclasses`)
      expect({ status, body }).toEqual({ status: 404, body: { message: `${word} not found by id 'nobody'` } })
    }
  })
})

describe('one class', () => {
  test('shows its module, environments, host groups and parameters', async () => {
    const environment = await given(api.admin, 'environment')
    const group = await given(api.admin, 'hostgroup')
    const name = unique('ntp')
    const made = await given(api.admin, 'configclass', {
      name: `${name}::config`,
      environment_ids: [environment.id],
      hostgroup_ids: [group.id],
    })
    const parameter = await importedParameter(api, { configclass: made })
    const { body } = await api.admin.get(`/api/configclasses/${made.id}-whatever`)
    expect(body).toEqual({
      created_at: made.created_at,
      updated_at: made.updated_at,
      id: made.id,
      name: `${name}::config`,
      module_name: name,
      environments: [{ name: environment.name, id: environment.id }],
      hostgroups: [{ id: group.id, name: group.name, title: group.title, description: null }],
      smart_class_parameters: [{ parameter: parameter.parameter, id: parameter.id }],
    })
    expect((await api.admin.get(`/api/configclasses/${name}::config`)).body.id).toBe(made.id)
  })

  test('has a name of its own without blanks', async () => {
    const { name } = await given(api.admin, 'configclass')
    const refused = async (sent: unknown) =>
      (await api.admin.post('/api/configclasses', { configclass: { name: sent } })).body.error.errors.name
    expect(await refused(name)).toEqual(['has already been taken'])
    expect(await refused('two words')).toEqual(["can't contain spaces."])
    expect(await refused('')).toEqual(["can't be blank"])
  })

  test('deletes parameters that a list of ids leaves out, and takes those of no other class', async () => {
    const made = await given(api.admin, 'configclass')
    const kept = await importedParameter(api, { configclass: made })
    const dropped = await importedParameter(api, { configclass: made })
    const foreign = await importedParameter(api)
    const put = (ids: number[]) =>
      api.admin.put(`/api/configclasses/${made.id}`, { configclass: { smart_class_parameter_ids: ids } })
    expect(await put([kept.id, foreign.id])).toMatchObject({
      status: 422,
      body: { error: { errors: { smart_class_parameter_ids: [expect.stringContaining(String(foreign.id))] } } },
    })
    expect((await put([kept.id])).body.smart_class_parameters).toEqual([{ parameter: kept.parameter, id: kept.id }])
    const gone = await api.admin.get(`/api/configclasses/${made.id}/smart_class_parameters/${dropped.id}`)
    expect(gone).toMatchObject({
      status: 404,
      body: { message: `Smart class parameter not found by id '${dropped.id}'` },
    })
    const { body } = await api.admin.get(
      `/api/audits?search=${encodeURIComponent(`type = smart_class_parameter and auditable = ${dropped.parameter}`)}`,
    )
    expect(body.results.map(({ action }: Shown) => action)).toEqual(['destroy'])
  })

  test('brings its parameters into an environment and takes them out again', async () => {
    const first = await given(api.admin, 'environment')
    const second = await given(api.admin, 'environment')
    const made = await inEnvironment(first)
    const parameter = await importedParameter(api, { configclass: made })
    const put = (ids: number[]) =>
      api.admin.put(`/api/configclasses/${made.id}`, { configclass: { environment_ids: ids } })
    const environments = async () =>
      (await api.admin.get(`/api/smart_class_parameters/${parameter.id}`)).body.environments?.map(({ id }: Shown) => id)
    await put([first.id, second.id])
    expect(await environments()).toEqual([first.id, second.id])
    await put([second.id])
    expect(await environments()).toEqual([second.id])
  })

  test('is not deleted while hosts or host groups have it', async () => {
    const environment = await given(api.admin, 'environment')
    const made = await inEnvironment(environment)
    const host = await given(api.admin, 'host', { environment_id: environment.id, configclass_ids: [made.id] })
    const refused = await api.admin.delete(`/api/configclasses/${made.id}`)
    expect(refused).toMatchObject({
      status: 422,
      body: { error: { errors: { base: [`${made.name} is used by ${host.name}`] } } },
    })
    await api.admin.put(`/api/hosts/${host.id}`, { host: { configclass_ids: [] } })
    const group = await given(api.admin, 'hostgroup', { configclass_ids: [made.id] })
    expect((await api.admin.delete(`/api/configclasses/${made.id}`)).body.error.errors).toEqual({
      base: [`${made.name} is used by ${group.title}`],
    })
    await api.admin.put(`/api/hostgroups/${group.id}`, { hostgroup: { configclass_ids: [] } })
    const { status, body } = await api.admin.delete(`/api/configclasses/${made.id}`)
    expect({ status, keys: Object.keys(body) }).toEqual({
      status: 200,
      keys: ['id', 'name', 'created_at', 'updated_at'],
    })
    expect(body.created_at).toMatch(ISO)
  })

  test('stays in the environment of hosts that have it themselves', async () => {
    const environment = await given(api.admin, 'environment')
    const made = await inEnvironment(environment)
    const host = await given(api.admin, 'host', { environment_id: environment.id, configclass_ids: [made.id] })
    const refused = await api.admin.put(`/api/configclasses/${made.id}`, { configclass: { environment_ids: [] } })
    expect(refused).toMatchObject({
      status: 422,
      body: { error: { errors: { base: [`${made.name} is used by ${host.name}`] } } },
    })
  })
})

test('each search field finds what it says', async () => {
  const location = await given(api.admin, 'location', { name: unique('place') })
  const organization = await given(api.admin, 'organization', { name: unique('unit') })
  const environment = await given(api.admin, 'environment', {
    location_ids: [location.id],
    organization_ids: [organization.id],
  })
  const group = await given(api.admin, 'hostgroup', { name: unique('hg') })
  const made = await given(api.admin, 'configclass', {
    name: unique('sought'),
    environment_ids: [environment.id],
    hostgroup_ids: [group.id],
  })
  const parameter = await importedParameter(api, { configclass: made })
  const bundle = await given(api.admin, 'config_group', { name: unique('bundle'), configclass_ids: [made.id] })
  const host = await given(api.admin, 'host', { environment_id: environment.id, hostgroup_id: group.id })
  for (const search of [
    made.name,
    `name = ${made.name}`,
    `environment = ${environment.name}`,
    `organization = ${organization.name}`,
    `location = ${location.name}`,
    `hostgroup = ${group.name}`,
    `config_group = ${bundle.name}`,
    `host = ${host.name}`,
    `key = ${parameter.parameter}`,
  ]) {
    expect([search, await namesIn(`/api/configclasses?search=${encodeURIComponent(search)}`)]).toEqual([
      search,
      [made.name],
    ])
  }
})

test('environments show the classes in them', async () => {
  const environment = await given(api.admin, 'environment')
  const made = await inEnvironment(environment)
  const { body } = await api.admin.get(`/api/environments/${environment.id}`)
  expect(body.configclasses).toEqual([{ id: made.id, name: made.name, module_name: 'mod' }])
})

test('searches are completed', async () => {
  const { body } = await api.admin.get('/api/configclasses/auto_complete_search?search=envi')
  expect(body.map(({ part }: { part: string }) => part.trim())).toContain('environment')
})
