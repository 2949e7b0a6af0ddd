import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { given, unique } from '../support/given.ts'

let api: TestApi

beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.[Symbol.asyncDispose]())

const post = (hostgroup: object) => api.admin.post('/api/hostgroups', { hostgroup })
const put = (id: number, hostgroup: object) => api.admin.put(`/api/hostgroups/${id}`, { hostgroup })
const get = async (id: number) => (await api.admin.get(`/api/hostgroups/${id}`)).body
const make = (name: string, more: object = {}) => expectCreated(post({ name: unique(name), ...more }))

describe('a tree of host groups', () => {
  test('has titles that renames and moves rewrite', async () => {
    const root = await make('root')
    const branch = await make('branch', { parent_id: root.id })
    const leaf = await make('leaf', { parent_id: branch.id })
    expect(leaf).toMatchObject({
      title: `${root.name}/${branch.name}/${leaf.name}`,
      ancestry: `${root.id}/${branch.id}`,
      parent_id: branch.id,
    })
    await put(root.id, { name: `${root.name}x` })
    expect((await get(leaf.id)).title).toBe(`${root.name}x/${branch.name}/${leaf.name}`)
    await put(branch.id, { parent_id: null })
    expect(await get(leaf.id)).toMatchObject({ title: `${branch.name}/${leaf.name}`, ancestry: `${branch.id}` })
    expect((await api.admin.get(`/api/hostgroups/${encodeURIComponent(`${branch.name}/${leaf.name}`)}`)).body.id).toBe(
      leaf.id,
    )
  })

  test('takes no loops', async () => {
    const root = await make('root')
    const leaf = await make('leaf', { parent_id: root.id })
    for (const parent_id of [root.id, leaf.id]) {
      expect((await put(root.id, { parent_id })).body.error.errors).toEqual({
        parent_id: ["can't be the record itself or one of its descendants"],
      })
    }
  })

  test('refuses siblings of one name, and parents that are not there', async () => {
    const root = await make('root')
    const leaf = await make('leaf', { parent_id: root.id })
    const again = await post({ name: leaf.name.toUpperCase(), parent_id: root.id })
    expect(again.body.error.errors).toEqual({ name: ['has already been taken'] })
    expect((await post({ name: 'x', parent_id: 999_999 })).body.error.message).toBe(
      "Couldn't find Hostgroup with 'id'=999999",
    )
    expect((await post({})).body.error.errors).toEqual({ name: ["can't be blank"] })
  })

  test('stays while a group lies in it', async () => {
    const root = await make('root')
    const leaf = await make('leaf', { parent_id: root.id })
    expect(await api.admin.delete(`/api/hostgroups/${root.id}`)).toMatchObject({
      status: 409,
      body: { message: `Cannot delete group ${root.title} because it has nested host groups.` },
    })
    expect((await api.admin.delete(`/api/hostgroups/${leaf.id}`)).status).toBe(200)
    expect((await api.admin.delete(`/api/hostgroups/${root.id}`)).status).toBe(200)
  })

  test('stays while hosts use it', async () => {
    const group = await make('used')
    const host = await given(api.admin, 'host', { hostgroup_id: group.id })
    expect(await api.admin.delete(`/api/hostgroups/${group.id}`)).toMatchObject({
      status: 422,
      body: { error: { id: group.id, errors: { base: [`${group.title} is used by ${host.name}`] } } },
    })
    expect((await api.admin.get(`/api/hostgroups/${group.id}/hosts`)).body.results).toMatchObject([{ id: host.id }])
  })
})

describe('what groups hand down', () => {
  test('shows names in force and keeps ids their own', async () => {
    const [top, middle] = [await given(api.admin, 'environment'), await given(api.admin, 'environment')]
    const architecture = await given(api.admin, 'architecture')
    const proxy = await given(api.admin, 'smart_proxy')
    const os = await given(api.admin, 'operatingsystem')
    const root = await make('root', {
      environment_id: top.id,
      architecture_id: architecture.id,
      operatingsystem_id: os.id,
      config_proxy_id: proxy.id,
      pxe_loader: 'Grub2 UEFI',
    })
    const branch = await make('branch', { parent_id: root.id, environment_id: middle.id })
    const leaf = await make('leaf', { parent_id: branch.id })
    expect(root).toMatchObject({ environment_id: top.id, inherited_environment_id: null })
    expect(branch).toMatchObject({ environment_name: middle.name, inherited_environment_id: top.id })
    const inForce = {
      environment_id: null,
      environment_name: middle.name,
      inherited_environment_id: middle.id,
      architecture_id: null,
      architecture_name: architecture.name,
      inherited_architecture_id: architecture.id,
      operatingsystem_name: os.title,
      config_proxy_id: null,
      config_proxy: { name: proxy.name, id: proxy.id, url: proxy.url },
      pxe_loader: 'Grub2 UEFI',
      inherited_pxe_loader: 'Grub2 UEFI',
    }
    expect(leaf).toMatchObject(inForce)
    const { body } = await api.admin.get(`/api/hostgroups?search=${encodeURIComponent(`title = "${leaf.title}"`)}`)
    expect(body.results).toMatchObject([inForce])
  })

  test('costs one statement for a page, however deep', async () => {
    let parent: number | null = null
    for (let depth = 0; depth < 5; depth++) parent = (await make('deep', { parent_id: parent })).id
    const { count } = await api.counting(() => api.admin.get('/api/hostgroups?per_page=5'))
    const { count: more } = await api.counting(() => api.admin.get('/api/hostgroups?per_page=50'))
    expect(more).toBe(count)
    expect(count).toBeGreaterThan(0)
  })
})

describe('passwords of groups', () => {
  /** The hash that a host of the group gets. */
  const readHash = async (id: number) => {
    const { name } = await given(api.admin, 'host', { name: `${unique('inside')}.example.test`, hostgroup_id: id })
    const { body } = await api.admin.get(`/node/${name}?format=json`)
    return body.parameters.root_pw
  }

  test('are hashed the way of the operating system in force, and never shown', async () => {
    const os = await given(api.admin, 'operatingsystem', { password_hash: 'SHA256' })
    const root = await make('root', { operatingsystem_id: os.id })
    const leaf = await make('leaf', { parent_id: root.id, root_pass: 'correct horse' })
    expect(await readHash(leaf.id)).toMatch(/^\$5\$/)
    expect(JSON.stringify(leaf)).not.toMatch(/root_pass|horse|\$5\$/)
    const { body: audits } = await api.admin.get(`/api/audits?search=${encodeURIComponent('type = hostgroup')}`)
    expect(JSON.stringify(audits)).not.toMatch(/horse|\$5\$/)
    expect(JSON.stringify(audits)).toContain('[redacted]')
  })

  test('are taken as they are when they are hashes already', async () => {
    const hash = '$6$saltsalt$KeEsuQ.Fjps.vVJRP1Wpdf0Xk8sdKQqU6r4bqR0nTbX1'
    const group = await make('hashed', { root_pass: hash })
    expect(await readHash(group.id)).toBe(hash)
  })

  test('have at least 8 characters', async () => {
    expect((await post({ name: unique('short'), root_pass: 'seven77' })).body.error.errors).toEqual({
      root_pass: ['is too short (minimum is 8 characters)'],
    })
  })

  test('stay the same when the same one is sent again', async () => {
    const group = await make('same', { root_pass: 'correct horse' })
    const before = await readHash(group.id)
    await put(group.id, { root_pass: 'correct horse' })
    expect(await readHash(group.id)).toEqual(before)
    await put(group.id, { root_pass: 'battery staple' })
    expect(await readHash(group.id)).not.toEqual(before)
  })
})

describe('a copy', () => {
  test('has the values, parameters and places of the original under its own name', async () => {
    const environment = await given(api.admin, 'environment')
    const original = await make('original', {
      environment_id: environment.id,
      group_parameters_attributes: [{ name: 'role', value: 'web' }],
    })
    const name = unique('copy')
    const { status, body } = await api.admin.post(`/api/hostgroups/${original.id}/clone`, { name })
    expect(status).toBe(201)
    expect(body).toMatchObject({ name, title: name, environment_id: environment.id })
    expect(body.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect((await get(body.id)).parameters).toMatchObject([{ name: 'role', value: 'web' }])
  })

  test('needs a name of its own, and an original', async () => {
    const original = await make('original')
    const clone = (id: number, name: string) => api.admin.post(`/api/hostgroups/${id}/clone`, { hostgroup: { name } })
    expect((await clone(original.id, original.name)).body.error.errors).toEqual({ name: ['has already been taken'] })
    expect((await clone(999_999, 'x')).status).toBe(404)
  })
})

test('a move is previewed: it names the hosts whose documents change, as they do once it is made', async () => {
  const { admin } = api
  const parameter = (value: string) => ({ group_parameters_attributes: [{ name: 'tier', value }] })
  const [north, south] = [await make('north', parameter('n')), await make('south', parameter('s'))]
  const moved = await make('moved', { parent_id: north.id })
  const own = await make('own', { parent_id: moved.id, ...parameter('own') })
  const first = await given(admin, 'host', { hostgroup_id: moved.id })
  const second = await given(admin, 'host', { hostgroup_id: own.id })
  const tier = async ({ id }: { id: number }) => (await admin.get(`/api/hosts/${id}/enc`)).body.data.parameters.tier
  const foresee = (body: object, caller = admin) =>
    caller.post(`/api/hostgroups/${moved.id}/what_if`, { hostgroup: body })
  const { status, body } = await foresee({ parent_id: south.id })
  expect([status, body]).toMatchObject([200, { hosts: 2, compared: 2 }])
  expect(body.results.map(({ id }: { id: number }) => id)).toContain(first.id)
  expect([await tier(first), (await get(moved.id)).parent_id]).toEqual(['n', north.id])
  expect((await foresee({ description: 'the same for all' })).body).toMatchObject({ changed: 0, results: [] })
  expect((await foresee({ parent_id: own.id })).status).toBe(422)
  expect((await foresee({ parent_id: null }, await api.can(['view_hostgroups']))).status).toBe(403)
  await put(moved.id, { parent_id: south.id })
  expect([await tier(first), await tier(second)]).toEqual(['s', 'own'])
})

test('a loader is one of those that are known', async () => {
  const { body } = await post({ name: unique('loader'), pxe_loader: 'LILO' })
  expect(body.error.errors.pxe_loader[0]).toMatch(/^is not included in the list \(None, PXELinux BIOS/)
})
