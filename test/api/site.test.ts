import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { given, unique } from '../support/given.ts'

// Problems that users meet when they describe a site for the first time.

let api: TestApi

beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.[Symbol.asyncDispose]())

describe('spec 4.4: the query of a combination', () => {
  async function world() {
    const template = await given(api.admin, 'provisioning_template')
    const group = await given(api.admin, 'hostgroup')
    const environment = await given(api.admin, 'environment')
    const path = `/api/provisioning_templates/${template.id}/template_combinations`
    return { template, group, environment, path }
  }

  test('says what the body of POST leaves open, whatever the form of the body', async () => {
    const { template, group, environment, path } = await world()
    const query = `?hostgroup_id=${group.id}&environment_id=${environment.id}`
    const both = { hostgroup_id: group.id, environment_id: environment.id, provisioning_template_id: template.id }
    for (const body of [{}, { template_combination: {} }, { template_combination: null }]) {
      const { id, ...made } = await expectCreated(api.admin.post(path + query, body))
      expect(made).toMatchObject(both)
      await api.admin.delete(`/api/template_combinations/${id}`)
    }
    const below = `/api/hostgroups/${group.id}/template_combinations?config_template_id=${template.id}`
    expect(await expectCreated(api.admin.post(below, {}))).toMatchObject({ ...both, environment_id: null })
  })

  test('gives way to the body of POST, under either key, also where that says none', async () => {
    const { group, path } = await world()
    const other = await given(api.admin, 'hostgroup')
    const post = (body: object) => expectCreated(api.admin.post(`${path}?hostgroup_id=${group.id}`, body))
    expect(await post({ template_combination: { hostgroup_id: other.id } })).toMatchObject({ hostgroup_id: other.id })
    expect(await post({ hostgroup_id: null })).toMatchObject({ hostgroup_id: null })
    const third = await given(api.admin, 'hostgroup')
    expect(await post({ hostgroup_name: third.title })).toMatchObject({ hostgroup_id: third.id })
  })

  test('counts beside a path that names another template', async () => {
    const { template, path } = await world()
    const { template: other } = await world()
    const { id } = await expectCreated(api.admin.post(path, {}))
    for (const word of ['provisioning_template_id', 'config_template_id']) {
      expect((await api.admin.get(`${path}?${word}=${template.id}`)).body.total).toBe(1)
      expect((await api.admin.get(`${path}?${word}=${other.id}`)).body.total).toBe(0)
      expect((await api.admin.get(`${path}/${id}?${word}=${other.id}`)).status).toBe(404)
      expect((await api.admin.put(`${path}/${id}?${word}=${other.id}`, {})).status).toBe(404)
      expect(await api.admin.post(`${path}?${word}=999999`, {})).toMatchObject({
        status: 404,
        body: { message: "Provisioning template not found by id '999999'" },
      })
    }
  })
})

test('spec 4: the list of combinations takes search and order as other lists do', async () => {
  const template = await given(api.admin, 'provisioning_template')
  const group = await given(api.admin, 'hostgroup')
  const environment = await given(api.admin, 'environment')
  const path = `/api/provisioning_templates/${template.id}/template_combinations`
  const grouped = (await expectCreated(api.admin.post(path, { hostgroup_id: group.id }))).id
  const placed = (await expectCreated(api.admin.post(path, { environment_id: environment.id }))).id
  const found = async (query: string) => {
    const { body } = await api.admin.get(`${path}?${query}`)
    return { total: body.total, subtotal: body.subtotal, ids: body.results.map(({ id }: { id: number }) => id) }
  }
  const only = (id: number) => ({ total: 2, subtotal: 1, ids: [id] })
  expect(await found(`search=${encodeURIComponent(`hostgroup = "${group.title}"`)}`)).toEqual(only(grouped))
  expect(await found(`search=${encodeURIComponent(`environment = ${environment.name}`)}`)).toEqual(only(placed))
  expect(await found(`search=${encodeURIComponent('null? hostgroup')}`)).toEqual(only(placed))
  const named = `search=${encodeURIComponent(`provisioning_template = "${template.name}"`)}`
  expect(await found(`${named}&order=id+DESC`)).toEqual({ total: 2, subtotal: 2, ids: [placed, grouped] })
})

describe('a host', () => {
  test('takes its group by the title that answers show', async () => {
    const parent = await given(api.admin, 'hostgroup')
    const group = await given(api.admin, 'hostgroup', { parent_id: parent.id })
    const name = `${unique('titled')}.test`
    const made = await expectCreated(
      api.admin.post('/api/hosts', { host: { name, managed: false, hostgroup_title: group.title } }),
    )
    expect(made).toMatchObject({ hostgroup_id: group.id, hostgroup_name: group.name, hostgroup_title: group.title })
    const unknown = await api.admin.put(`/api/hosts/${made.id}`, { hostgroup_title: 'nowhere' })
    expect(unknown).toMatchObject({ status: 422 })
    expect(unknown.body.error.message).toBe('Could not find hostgroup with name: nowhere')
  })

  test('stays what it is when its own record is sent back', async () => {
    const domain = await given(api.admin, 'domain', { name: `${unique('dom')}.test` })
    const made = await given(api.admin, 'host', { name: unique('same'), domain_id: domain.id })
    const before = (await api.admin.get(`/api/hosts/${made.id}`)).body
    expect((await api.admin.put(`/api/hosts/${made.id}`, { host: before })).status).toBe(200)
    const { updated_at: _, ...after } = (await api.admin.get(`/api/hosts/${made.id}`)).body
    expect(before).toMatchObject(after)
  })
})

describe('a domain', () => {
  test('keeps its name while hosts have theirs in it', async () => {
    const name = `${unique('dom')}.test`
    const domain = await given(api.admin, 'domain', { name })
    const host = await given(api.admin, 'host', { name: unique('kept'), domain_id: domain.id })
    const rename = () => api.admin.put(`/api/domains/${domain.id}`, { name: `new-${name}` })
    const why = 'cannot be changed while the name of an interface ends with it: make another domain and move the hosts'
    expect(await rename()).toMatchObject({ status: 422, body: { error: { id: domain.id, errors: { name: [why] } } } })
    expect((await api.admin.put(`/api/domains/${domain.id}`, { name, fullname: 'ours' })).status).toBe(200)

    const other = await given(api.admin, 'domain', { name: `other-${name}` })
    const moved = await api.admin.put(`/api/hosts/${host.id}`, { domain_id: other.id })
    expect(moved.body.name).toBe(`${host.name.split('.')[0]}.other-${name}`)
    expect(await rename()).toMatchObject({ status: 200, body: { name: `new-${name}` } })
  })
})
