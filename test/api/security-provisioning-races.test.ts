import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApi, type Reply, type TestApi } from '../support/api.ts'
import { given, type Shown, unique } from '../support/given.ts'

let api: TestApi

beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.[Symbol.asyncDispose]())

const statuses = async (sent: readonly Promise<Reply>[]) => (await Promise.all(sent)).map(({ status }) => status)

test('writes of one host that wait for each other are done or refused, and leave one primary interface', async () => {
  for (let round = 0; round < 4; round++) {
    const interfaces_attributes = ['a', 'b', 'c'].map((identifier) => ({ identifier, name: unique(identifier) }))
    const name = unique('busy')
    const host = await given(api.admin, 'host', {
      name,
      interfaces_attributes: [{ identifier: 'x' }, ...interfaces_attributes],
    })
    const [, second, third] = host.interfaces as Shown[]
    const path = `/api/hosts/${host.id}`
    // Any answer but a fault is acceptable: the test API fails on a 500.
    await statuses([
      api.admin.put(path, { name: unique('renamed') }),
      api.admin.put(`${path}/interfaces/${second?.id}`, { primary: true, name: unique('second') }),
      api.admin.put(path, { interfaces_attributes: [{ id: third?.id, primary: true, name: unique('third') }] }),
      api.admin.delete(`${path}/interfaces/${third?.id}`),
      api.admin.post(`${path}/interfaces`, { primary: true, name: unique('fourth') }),
    ])
    const { body } = await api.admin.get(path)
    const flagged = (flag: string) => body.interfaces.filter((one: Shown) => one[flag])
    expect(flagged('primary')).toMatchObject([{ name: body.name }])
    expect(flagged('provision')).toHaveLength(1)
  }
})

test('hosts that report at the same time for the first time are all taken in', async () => {
  const system = { operatingsystem: unique('System'), operatingsystemrelease: '3.1', productname: unique('model') }
  const facts = { ...system, hardwaremodel: unique('processor'), domain: `${unique('domain')}.test` }
  const upload = (name: string) => api.admin.post('/api/hosts/facts', { name: `${name}.${facts.domain}`, facts })
  expect(await statuses(['a', 'b', 'c', 'd', 'a'].map(upload))).toEqual([201, 201, 201, 201, 201])
  const { body } = await api.admin.get(`/api/hosts?search=${encodeURIComponent(`os = ${system.operatingsystem}`)}`)
  expect(body.subtotal).toBe(4)
})

test('two moves of host groups that would make a loop do not both happen, and titles follow', async () => {
  const [a, b] = [await given(api.admin, 'hostgroup'), await given(api.admin, 'hostgroup')]
  const moved = await statuses([
    api.admin.put(`/api/hostgroups/${a.id}`, { parent_id: b.id }),
    api.admin.put(`/api/hostgroups/${b.id}`, { parent_id: a.id }),
  ])
  expect(moved.filter((status) => status === 200).length).toBeLessThan(2)
  await statuses([
    api.admin.put(`/api/hostgroups/${a.id}`, { name: unique('renamed') }),
    api.admin.put(`/api/hostgroups/${b.id}`, { name: unique('renamed') }),
    api.admin.post('/api/hostgroups', { name: 'kid', parent_id: a.id }),
    api.admin.post('/api/hostgroups', { name: 'kid', parent_id: b.id }),
  ])
  const groups = (await api.admin.get('/api/hostgroups?per_page=all')).body.results as Shown[]
  const titleOf = ({ parent_id, name }: Shown): string => {
    const parent = groups.find(({ id }) => id === parent_id)
    return parent ? `${titleOf(parent)}/${name}` : String(name)
  }
  expect(groups.map(({ title }) => title)).toEqual(groups.map(titleOf))
})
