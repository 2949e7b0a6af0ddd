import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { given } from '../support/given.ts'

// Core-api §2.2: hidden values are shown on request to those who may reveal them (decision 0066).

let api: TestApi

beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.[Symbol.asyncDispose]())

let count = 0
const unique = () => `p${++count}`
const common = (body: object) => expectCreated(api.admin.post('/api/common_parameters', { common_parameter: body }))
const newHost = (body: object) =>
  expectCreated(api.admin.post('/api/hosts', { host: { name: `${unique()}.example.test`, managed: false, ...body } }))

const SECRET = 'tell-nobody-9'

test('are shown to those who ask and may reveal them, and to nobody else', async () => {
  const { id, name, value } = await common({ name: unique(), value: SECRET, hidden_value: true })
  expect(value).toBe('*****')
  const viewer = await api.can(['view_params', 'edit_params'])
  const editor = await api.can(['view_params', 'reveal_params'])
  for (const [caller, asked, plain] of [
    [api.admin, 'show_hidden=true', '*****'],
    [editor, 'show_hidden_parameters=true', '*****'],
    [viewer, '', '*****'],
  ] as const) {
    const expected = caller === viewer ? plain : SECRET
    for (const query of [asked, 'show_hidden=true']) {
      expect((await caller.get(`/api/common_parameters/${id}?${query}`)).body.value).toBe(expected)
      const { body } = await caller.get(`/api/common_parameters?search=name=${name}&${query}`)
      expect(body.results).toMatchObject([{ value: expected, 'hidden_value?': true }])
    }
    expect((await caller.get(`/api/common_parameters/${id}`)).text).not.toContain(SECRET)
    expect((await caller.get(`/api/common_parameters/${id}?show_hidden=false`)).text).not.toContain(SECRET)
  }
  expect((await api.admin.put(`/api/common_parameters/${id}`, { name: unique() })).text).not.toContain(SECRET)
  expect((await api.admin.delete(`/api/common_parameters/${id}`)).text).not.toContain(SECRET)
})

test('are shown only where the caller may reveal that one', async () => {
  const { id, name } = await common({ name: unique(), value: SECRET, hidden_value: true })
  const other = await common({ name: unique(), value: SECRET, hidden_value: true })
  const caller = await api.can(['view_params', 'reveal_params'], { search: `name = ${name} or value = ${SECRET}` })
  expect((await caller.get(`/api/common_parameters/${id}?show_hidden=true`)).body.value).toBe(SECRET)
  expect((await caller.get(`/api/common_parameters/${other.id}?show_hidden=true`)).text).not.toContain(SECRET)
})

test('stay hidden in what shows parameters of others', async () => {
  const item = { name: 'key', value: SECRET, hidden_value: true }
  const { id: hostgroup_id } = await given(api.admin, 'hostgroup', {
    group_parameters_attributes: [item],
    organization_ids: [1],
    location_ids: [1],
  })
  const { id } = await newHost({ hostgroup_id, organization_id: 1, location_id: 1 })
  const member = { organization_ids: [1], location_ids: [1] }
  const views = ['view_params', 'view_hosts', 'view_hostgroups']
  const viewer = await api.can(views, member)
  const editor = await api.can([...views, 'reveal_params'], member)
  for (const path of [
    `/api/hosts/${id}`,
    '/api/hosts?include=all_parameters',
    `/api/hostgroups/${hostgroup_id}`,
    `/api/hostgroups/${hostgroup_id}/parameters`,
  ]) {
    const asking = `${path}${path.includes('?') ? '&' : '?'}show_hidden_parameters=true`
    expect((await viewer.get(path)).text).toContain('"value":"*****"')
    expect((await viewer.get(asking)).text).not.toContain(SECRET)
    expect((await editor.get(path)).text).not.toContain(SECRET)
    expect((await editor.get(asking)).text).toContain(SECRET)
  }
})

test('are found by nobody', async () => {
  const { name } = await common({ name: unique(), value: SECRET, hidden_value: true })
  await common({ name: unique(), value: 'plain-9' })
  const viewer = await api.can(['view_params'])
  const found = async (caller: Caller, search: string) =>
    (await caller.get(`/api/common_parameters?search=${encodeURIComponent(search)}`)).body.results.map(
      (one: { name: string }) => one.name,
    )
  for (const search of [`value = ${SECRET}`, 'value ~ tell', 'value > tella and value < telm', `${SECRET}`]) {
    expect(await found(viewer, `${search} and name = ${name}`)).toEqual([])
  }
  // It is visible that there is a value, which is shown as asterisks.
  expect(await found(viewer, `has value and name = ${name}`)).toEqual([name])
  expect(await found(viewer, `value != x and name = ${name}`)).toEqual([])
  for (const value of [SECRET, 'something-else']) {
    expect(await found(viewer, `not value = ${value} and name = ${name}`)).toEqual([name])
  }
  expect(await found(viewer, 'value = plain-9')).toHaveLength(1)
  expect(await found(api.admin, `value = ${SECRET} and name = ${name}`)).toEqual([])
  const typed = await viewer.get(`/api/common_parameters/auto_complete_search?search=${encodeURIComponent('value = ')}`)
  expect(typed.text).not.toContain(SECRET)
})

test('are not found by the hosts that have them either', async () => {
  const name = unique()
  const { id } = await newHost({
    organization_id: 1,
    location_id: 1,
    host_parameters_attributes: [{ name, value: SECRET, hidden_value: true }],
  })
  const member = { organization_ids: [1], location_ids: [1] }
  const viewer = await api.can(['view_params', 'view_hosts'], member)
  const editor = await api.can(['view_params', 'view_hosts', 'reveal_params'], member)
  const found = async (caller: Caller, search: string) =>
    (await caller.get(`/api/hosts?search=${encodeURIComponent(search)}`)).body.results.map(
      (one: { id: number }) => one.id,
    )
  for (const search of [`params.${name} = ${SECRET}`, `params.${name} ~ tell`, `params.${name} != x`]) {
    expect(await found(viewer, search)).toEqual([])
    expect(await found(editor, search)).toEqual([])
  }
  expect(await found(viewer, `has params.${name}`)).toEqual([id])
  expect(
    (await viewer.get(`/api/hosts/auto_complete_search?search=${encodeURIComponent(`params.${name} = `)}`)).text,
  ).not.toContain(SECRET)
})

test('never stand in audits, whenever they were hidden', async () => {
  const { id } = await common({ name: unique(), value: SECRET, hidden_value: true })
  await api.admin.put(`/api/common_parameters/${id}`, { value: `${SECRET}-2` })
  await api.admin.put(`/api/common_parameters/${id}`, { value: `${SECRET}-3`, hidden_value: false })
  await api.admin.put(`/api/common_parameters/${id}`, { value: 'public', hidden_value: false })
  await api.admin.put(`/api/common_parameters/${id}`, { value: `${SECRET}-4`, hidden_value: true })
  await api.admin.delete(`/api/common_parameters/${id}`)
  const { body, text } = await api.admin.get(
    `/api/audits?search=${encodeURIComponent(`type = parameter and auditable_id = ${id}`)}`,
  )
  expect(body.subtotal).toBe(6)
  expect(text).not.toContain(`${SECRET}-2`)
  expect(text).not.toContain(`${SECRET}-4`)
  expect(text.match(/\[redacted\]/g)?.length).toBeGreaterThanOrEqual(8)
})

test('do not decide an order', async () => {
  const prefix = unique()
  for (const value of ['c', 'a', 'b']) await common({ name: `${prefix}-${value}`, value, hidden_value: true })
  for (const order of ['value', 'value DESC']) {
    const { body } = await api.admin.get(`/api/common_parameters?search=name~${prefix}-&order=${order}`)
    expect(body.results.map(({ name }: { name: string }) => name.at(-1))).toEqual(['c', 'a', 'b'])
  }
})
