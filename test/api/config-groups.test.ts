import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestApi, type TestApi } from '../support/api.ts'
import { type Body, given, type Shown } from '../support/given.ts'

// Smart-parameters §8: config groups, and the classes that hosts and host groups get from them.

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.[Symbol.asyncDispose]())

const ids = (records: Shown[]) => records.map(({ id }) => id)

test('a config group shows its classes, in lists, too', async () => {
  const configclass = await given(api.admin, 'configclass', { name: 'ntp::config' })
  const made = await given(api.admin, 'config_group', { configclass_names: ['ntp::config'] })
  expect(Object.keys(made)).toEqual(['created_at', 'updated_at', 'id', 'name', 'configclasses'])
  expect(made.configclasses).toEqual([{ id: configclass.id, name: 'ntp::config', module_name: 'ntp' }])
  for (const search of [`name="${made.name}"`, 'class = ntp::config']) {
    const { body } = await api.admin.get(`/api/config_groups?search=${encodeURIComponent(search)}`)
    expect([search, body.results]).toEqual([search, [made]])
  }
  const { body } = await api.admin.put(`/api/config_groups/${made.id}-x`, { config_group: { configclass_ids: [] } })
  expect(body.configclasses).toEqual([])
  expect((await api.admin.post('/api/config_groups', { name: made.name })).body.error.errors).toEqual({
    name: ['has already been taken'],
  })
})

test('a config group is not deleted while hosts or host groups have it', async () => {
  const made = await given(api.admin, 'config_group')
  const host = await given(api.admin, 'host', { config_group_ids: [made.id] })
  const remove = () => api.admin.delete(`/api/config_groups/${made.id}`)
  expect((await remove()).body.error.errors).toEqual({ base: [`${made.name} is used by ${host.name}`] })
  await api.admin.put(`/api/hosts/${host.id}`, { host: { config_group_ids: [] } })
  const group = await given(api.admin, 'hostgroup', { config_group_ids: [made.id] })
  expect((await remove()).body.error.errors).toEqual({ base: [`${made.name} is used by ${group.title}`] })
  await api.admin.put(`/api/hostgroups/${group.id}`, { hostgroup: { config_group_ids: [] } })
  expect((await remove()).status).toBe(200)
})

describe('classes of hosts', () => {
  const world = async () => {
    const environment = await given(api.admin, 'environment')
    const here = await given(api.admin, 'configclass', { environment_ids: [environment.id] })
    const elsewhere = await given(api.admin, 'configclass')
    return { environment, here, elsewhere }
  }
  const put = (host: Shown, body: Body) => api.admin.put(`/api/hosts/${host.id}`, { host: body })

  test('must be in the environment of the host', async () => {
    const { environment, here, elsewhere } = await world()
    const message = `${elsewhere.name} does not belong to the ${environment.name} environment`
    const host = await given(api.admin, 'host', { environment_id: environment.id, configclass_ids: [here.id] })
    const refused = await put(host, { configclass_ids: [here.id, elsewhere.id] })
    expect(refused).toMatchObject({
      status: 422,
      body: { error: { errors: { configclasses: [message] }, full_messages: [`Configclasses ${message}`] } },
    })
    const other = await given(api.admin, 'environment')
    expect((await put(host, { environment_id: other.id })).body.error.errors).toEqual({
      configclasses: [`${here.name} does not belong to the ${other.name} environment`],
    })
    expect((await put(host, { environment_id: other.id, configclass_ids: [] })).status).toBe(200)
    const homeless = await given(api.admin, 'host')
    expect((await put(homeless, { configclass_ids: [here.id] })).body.error.errors).toEqual({
      configclasses: ['need an environment'],
    })
  })

  test('go with the environment, and so do config groups', async () => {
    const { environment, here } = await world()
    const bundle = await given(api.admin, 'config_group', { configclass_ids: [here.id] })
    const host = await given(api.admin, 'host', {
      environment_id: environment.id,
      configclass_ids: [here.id],
      config_group_ids: [bundle.id],
    })
    expect(ids(host.all_configclasses as Shown[])).toEqual([here.id])
    const { body } = await put(host, { environment_id: null })
    expect([body.configclasses, body.config_groups, body.all_configclasses]).toEqual([[], [], []])
  })

  test('one by one', async () => {
    const { environment, here, elsewhere } = await world()
    const host = await given(api.admin, 'host', { environment_id: environment.id })
    const path = `/api/hosts/${host.name}/configclass_ids`
    expect((await api.admin.get(path)).body).toEqual({ results: [] })
    const added = await api.admin.post(path, { configclass_id: here.id })
    expect(added).toMatchObject({ status: 200, body: { host_id: host.id, configclass_id: here.id } })
    expect((await api.admin.get(path)).body).toEqual({ results: [here.id] })
    expect(await api.admin.post(path, { host_class: { configclass_id: here.id } })).toMatchObject({
      status: 422,
      body: { error: { errors: { configclass_id: ['has already been taken'] } } },
    })
    expect((await api.admin.post(path, { configclass_id: elsewhere.id })).status).toBe(422)
    for (const wrong of ['invalid_id', 99_999_999]) {
      const { status, body } = await api.admin.post(path, { configclass_id: wrong })
      expect({ status, body }).toEqual({
        status: 422,
        body: { error: { message: `Couldn't find Configclass with 'id'=${wrong}` } },
      })
    }
    expect(await api.admin.delete(`${path}/99999999`)).toMatchObject({
      status: 404,
      body: { error: { message: "Resource configclass not found by id '99999999'" } },
    })
    expect(await api.admin.delete(`${path}/${here.id}`)).toMatchObject({
      status: 200,
      body: [{ host_id: host.id, configclass_id: here.id }],
    })
    expect(await api.admin.delete(`${path}/${here.id}`)).toMatchObject({ status: 200, body: [] })
    const audits = await api.admin.get(
      `/api/audits?search=${encodeURIComponent(`type = host and auditable_id = ${host.id} and action = update`)}`,
    )
    expect(audits.body.results.map(({ audited_changes }: Shown) => audited_changes)).toEqual([
      { configclass_ids: [[here.id], []] },
      { configclass_ids: [[], [here.id]] },
    ])
  })

  test('one by one needs a permission of its own, for the hosts that it is for', async () => {
    const { environment, here } = await world()
    const host = await given(api.admin, 'host', { environment_id: environment.id })
    const other = await given(api.admin, 'host', { environment_id: environment.id })
    const organization_ids = [host.organization_id, other.organization_id].filter(Boolean)
    const location_ids = [host.location_id, other.location_id].filter(Boolean)
    const caller = await api.can(['edit_classes'], { search: `name = ${host.name}`, organization_ids, location_ids })
    const add = (to: Shown) => caller.post(`/api/hosts/${to.id}/configclass_ids`, { configclass_id: here.id })
    expect((await add(host)).status).toBe(200)
    expect((await add(other)).status).toBe(404)
    const editor = await api.can(['edit_hosts'])
    expect((await editor.get(`/api/hosts/${host.id}/configclass_ids`)).body.error.missing_permissions).toEqual([
      'edit_classes',
    ])
  })
})

test('classes of host groups one by one', async () => {
  const configclass = await given(api.admin, 'configclass')
  const group = await given(api.admin, 'hostgroup')
  const path = `/api/hostgroups/${group.id}/configclass_ids`
  expect(await api.admin.post(path, { configclass_id: configclass.id })).toMatchObject({
    status: 200,
    body: { hostgroup_id: group.id, configclass_id: configclass.id },
  })
  expect((await api.admin.get(path)).body).toEqual({ results: [configclass.id] })
  const shown = (await api.admin.get(`/api/hostgroups/${group.id}`)).body
  expect([ids(shown.configclasses), ids(shown.all_configclasses)]).toEqual([[configclass.id], [configclass.id]])
  expect(ids((await api.admin.get(`/api/configclasses/${configclass.id}`)).body.hostgroups)).toEqual([group.id])
  expect((await api.admin.delete(`${path}/${configclass.id}`)).body).toEqual([
    { hostgroup_id: group.id, configclass_id: configclass.id },
  ])
  const viewer = await api.can(['edit_classes'])
  expect((await viewer.get(path)).body.error.missing_permissions).toEqual(['edit_hostgroups'])
})
