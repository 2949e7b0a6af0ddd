import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { type Body, given, type Shown, unique } from '../support/given.ts'

// Content-api §8.1: host collections, their hosts and limits.

let api: TestApi
let organization: Shown
beforeAll(async () => {
  api = await openTestApi()
  organization = await given(api.admin, 'organization')
})
afterAll(() => api?.[Symbol.asyncDispose]())

const PATH = '/content/api/host_collections'
const made = (body: Body = {}): Promise<Shown> =>
  expectCreated(api.admin.post(PATH, { organization_id: organization.id, name: unique('collection'), ...body }))
const host = (body: Body = {}) => given(api.admin, 'host', { organization_id: organization.id, ...body })
const shown = async ({ id }: Shown) => (await api.admin.get(`${PATH}/${id}`)).body
const validation = async (sent: Promise<{ status: number; body: unknown }>) => {
  const { status, body } = await sent
  return { status, body }
}

test('a collection in all of its answers', async () => {
  const [one, other] = [await host(), await host()]
  const path = `/content/api/organizations/${organization.id}/host_collections`
  const sent = { name: 'TheAnswer', description: 'Foo', host_ids: [other.id, one.id] }
  const collection = await expectCreated(api.admin.post(path, sent))
  expect(collection).toEqual({
    host_ids: [one.id, other.id],
    name: 'TheAnswer',
    organization_id: organization.id,
    max_hosts: null,
    description: 'Foo',
    total_hosts: 2,
    unlimited_hosts: true,
    created_at: expect.any(String),
    updated_at: expect.any(String),
    id: expect.any(Number),
    permissions: { deletable: true, editable: true },
  })
  expect(await shown(collection)).toEqual(collection)
  const { host_ids, ...row } = collection
  const listed = await api.admin.get(`${path}?search=name%3D%22TheAnswer%22&per_page=4294967296`)
  expect(listed.body).toMatchObject({ subtotal: 1, selectable: 1, error: null, sort: { by: 'name', order: 'asc' } })
  expect(listed.body.results).toEqual([row])
  const renamed = await api.admin.put(`${PATH}/${collection.id}`, { name: 'The question' })
  expect(renamed).toMatchObject({ status: 200, body: { name: 'The question', host_ids } })
  const deleted = await api.admin.delete(`${PATH}/${collection.id}`, {})
  expect(deleted).toMatchObject({ status: 200, body: { name: 'The question', total_hosts: 2 } })
  expect(deleted.body.permissions).toEqual({ deletable: false, editable: false })
  expect((await api.admin.get(`${PATH}/${collection.id}`)).status).toBe(404)
})

describe('refusals', () => {
  test('a collection needs an organization, and a name that is unique there', async () => {
    const nowhere = await api.admin.post(PATH, { name: 'x' })
    expect(nowhere).toMatchObject({
      status: 404,
      body: { displayMessage: 'One of parameters [ organization_id ] required but not specified.' },
    })
    const { name } = await made()
    const twice = await api.admin.post(PATH, { organization_id: organization.id, name })
    expect(twice).toMatchObject({ status: 422, body: { errors: { name: ['must be unique within one organization'] } } })
    const spaced = await api.admin.post(PATH, { organization_id: organization.id, name: ' x' })
    expect(spaced.body.errors).toEqual({ name: ['must not contain leading or trailing white spaces.'] })
    const elsewhere = await given(api.admin, 'organization')
    expect((await api.admin.post(PATH, { organization_id: elsewhere.id, name })).status).toBe(201)
  })

  test.each([
    [
      { unlimited_hosts: false },
      { max_hosts: ['max_hosts must be given a value if this host collection is not unlimited.'] },
    ],
    [
      { max_hosts: 0, unlimited_hosts: false },
      {
        max_hosts: ['must be a positive integer value.'],
        max_host: ['may not be less than the number of hosts associated with the host collection.'],
      },
    ],
    [{ max_hosts: 2_147_483_648 }, { max_hosts: ['must be a positive integer value.'] }],
    [{ max_hosts: 1.5 }, { max_hosts: ['must be a positive integer value.'] }],
  ])('the limit %j', async (body, errors) => {
    const collection = await made({ host_ids: [(await host()).id] })
    const { status, body: said } = await api.admin.put(`${PATH}/${collection.id}`, body)
    expect({ status, errors: said.errors }).toEqual({ status: 422, errors })
    expect(await shown(collection)).toEqual(collection)
  })

  test('the sentence for a missing limit', async () => {
    const collection = await made()
    const { body } = await api.admin.put(`${PATH}/${collection.id}`, { unlimited_hosts: false })
    expect(body.displayMessage).toBe(
      'Validation failed: Max hosts max_hosts must be given a value if this host collection is not unlimited.',
    )
  })
})

test('a number ends unlimited_hosts, and unlimited_hosts drops the number', async () => {
  const collection = await made({ max_hosts: '5' })
  expect(collection).toMatchObject({ max_hosts: 5, unlimited_hosts: false })
  const put = (body: Body) => api.admin.put(`${PATH}/${collection.id}`, body)
  expect((await put({ unlimited_hosts: true, max_hosts: 3 })).body).toMatchObject({
    max_hosts: null,
    unlimited_hosts: true,
  })
  expect((await put({ max_hosts: 2 })).body).toMatchObject({ max_hosts: 2, unlimited_hosts: false })
  expect((await put({ max_hosts: null })).status).toBe(422)
})

test('a lower limit and fewer hosts come together', async () => {
  const hosts = [await host(), await host(), await host()]
  const collection = await made({ max_hosts: 3, host_ids: hosts.map(({ id }) => id) })
  const [first, second] = hosts
  const put = (body: Body) => api.admin.put(`${PATH}/${collection.id}`, body)
  const refused = await put({ max_hosts: 1, host_ids: [first?.id, second?.id] })
  expect(refused.body.displayMessage).toBe(
    `Validation failed: You cannot have more than 1 host(s) associated with host collection ${collection.name}.`,
  )
  const fewer = await put({ max_hosts: 1, host_ids: [first?.id] })
  expect(fewer.body).toMatchObject({ max_hosts: 1, total_hosts: 1, host_ids: [first?.id] })
  const { body } = await api.admin.get(
    `/api/audits?search=${encodeURIComponent(`type = host_collection`)}&order=id+DESC`,
  )
  expect(body.results[0].audited_changes).toEqual({
    max_hosts: [3, 1],
    host_ids: [hosts.map(({ id }) => id), [first?.id]],
  })
})

describe('add_hosts and remove_hosts', () => {
  test('do what can be done and name the rest', async () => {
    const [member, fresh] = [await host(), await host()]
    const foreign = await given(api.admin, 'host', { organization_id: (await given(api.admin, 'organization')).id })
    const collection = await made({ host_ids: [member.id] })
    const put = (action: string, host_ids: unknown) => api.admin.put(`${PATH}/${collection.id}/${action}`, { host_ids })
    expect(await validation(put('add_hosts', [member.id, fresh.id, foreign.id, 999_999, fresh.id]))).toEqual({
      status: 200,
      body: {
        displayMessages: {
          success: ['Successfully added 1 Host(s).'],
          error: [
            `Host with ID ${member.id} already exists in the host collection.`,
            `${foreign.name} does not belong to the organization of the host collection.`,
            'Host with ID 999999 not found.',
          ],
        },
      },
    })
    expect(await shown(collection)).toMatchObject({ host_ids: [member.id, fresh.id], total_hosts: 2 })
    expect((await put('remove_hosts', [member.id, foreign.id])).body.displayMessages).toEqual({
      success: ['Successfully removed 1 Host(s).'],
      error: [`Host with ID ${foreign.id} does not exist in the host collection.`],
    })
    expect(await shown(collection)).toMatchObject({ host_ids: [fresh.id], total_hosts: 1 })
    expect((await put('add_hosts', 'all')).status).toBe(400)
    expect((await put('add_hosts', [])).body.displayMessages).toEqual({ success: [], error: [] })
  })

  test('never go beyond the limit, and then do nothing', async () => {
    const [one, two] = [await host(), await host()]
    const collection = await made({ max_hosts: 1 })
    const put = (host_ids: unknown) => api.admin.put(`${PATH}/${collection.id}/add_hosts`, { host_ids })
    expect(await put([one.id, two.id])).toMatchObject({
      status: 422,
      body: {
        errors: { base: [`You cannot have more than 1 host(s) associated with host collection ${collection.name}.`] },
      },
    })
  })

  test('and edits of hosts, all at once, leave exactly as many as there may be', async () => {
    const hosts = await Promise.all(Array.from({ length: 10 }, () => host()))
    const collection = await made({ max_hosts: 4 })
    const answers = await Promise.all(
      hosts.map(({ id }, index) =>
        index % 2 === 0
          ? api.admin.put(`${PATH}/${collection.id}/add_hosts`, { host_ids: [id] })
          : api.admin.put(`/api/hosts/${id}`, { host: { host_collection_ids: [collection.id] } }),
      ),
    )
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([...Array(4).fill(200), ...Array(6).fill(422)])
    expect(await shown(collection)).toMatchObject({ total_hosts: 4, host_ids: { length: 4 } })
  })
})

test('hosts that the caller may not see or edit neither come nor go, and are not shown', async () => {
  const location_id = (await given(api.admin, 'location')).id
  const here = (comment: string) => host({ comment, location_id })
  const [mine, seen, hidden] = [await here('mine'), await here('seen'), await here('hidden')]
  const collection = await made({ host_ids: [hidden.id] })
  const viewer = await api.can(['view_hosts'], {
    search: 'comment = mine or comment = seen',
    also: ['view_host_collections', 'edit_host_collections', 'create_host_collections'],
    organization_ids: [organization.id],
    location_ids: [location_id],
  })
  const put = (action: string, body: Body) => viewer.put(`${PATH}/${collection.id}${action}`, body)
  expect((await viewer.get(`${PATH}/${collection.id}`)).body).toMatchObject({
    host_ids: [],
    total_hosts: 1,
    permissions: { deletable: false, editable: true },
  })
  const added = await put('/add_hosts', { host_ids: [seen.id, hidden.id] })
  expect(added.body.displayMessages).toEqual({
    success: [],
    error: [`You were not allowed to add ${seen.name}`, `Host with ID ${hidden.id} not found.`],
  })
  expect((await put('', { host_ids: [mine.id] })).body.errors).toEqual({
    base: [`You were not allowed to add ${mine.name}`],
  })
  expect((await put('', { host_ids: [] })).body).toMatchObject({ host_ids: [], total_hosts: 1 })
  const copied = await viewer.post(`${PATH}/${collection.id}/copy`, { name: unique('copy') })
  expect(copied).toMatchObject({ status: 201, body: { host_ids: [], total_hosts: 0 } })
})

test('a copy has everything but the name', async () => {
  const member = await host()
  const collection = await made({ description: 'All of it', max_hosts: 7, host_ids: [member.id] })
  const { body, status } = await api.admin.post(`${PATH}/${collection.id}/copy`, {
    host_collection: { name: 'Copied' },
  })
  const { id, created_at, updated_at, ...same } = collection
  expect({ status, body }).toMatchObject({ status: 201, body: { ...same, name: 'Copied' } })
  expect((await api.admin.post(`${PATH}/${id}/copy`, {})).body.errors).toEqual({ name: ["can't be blank"] })
})

test('lists by name, and by host', async () => {
  const member = await host()
  const [having, lacking] = [await made({ host_ids: [member.id] }), await made()]
  const names = async (query: string) => {
    const { body } = await api.admin.get(`${PATH}?organization_id=${organization.id}&per_page=all&${query}`)
    return body.results.map(({ name }: Shown) => name)
  }
  expect(await names(`name=${having.name}`)).toEqual([having.name])
  expect(await names(`name=${having.name}x`)).toEqual([])
  expect(await names(`host_id=${member.id}`)).toEqual([having.name])
  const available = await names(`host_id=${member.id}&available_for=host`)
  expect(available).toContain(lacking.name)
  expect(available).not.toContain(having.name)
  expect(await names(`search=host+%3D+${member.name}`)).toEqual([having.name])
  expect((await api.admin.get(`${PATH}?host_id=999999`)).status).toBe(404)
  expect((await api.admin.get(`${PATH}?host_id=${member.id}&available_for=dinner`)).status).toBe(400)
})

test('collections of another organization are said to be just that', async () => {
  const elsewhere = await given(api.admin, 'organization')
  const collection = await made()
  const { status, body } = await api.admin.get(`${PATH}/${collection.id}?organization_id=${elsewhere.id}`)
  expect({ status, message: body.displayMessage }).toEqual({
    status: 400,
    message: 'The requested resource does not belong to the specified Organization',
  })
})

test('a page costs as many statements as a row', async () => {
  const members = [await host(), await host()]
  for (const { id } of members) await made({ host_ids: [id] })
  const caller = await api.can(['view_host_collections'], {
    search: 'name ~ collection',
    organization_ids: [organization.id],
  })
  // One of the requests may refresh a cache.
  const cost = async (perPage: number) => {
    const counts: number[] = []
    for (const _ of Array(3)) counts.push((await api.counting(() => caller.get(`${PATH}?per_page=${perPage}`))).count)
    return Math.min(...counts)
  }
  expect(await cost(50)).toBe(await cost(1))
})
