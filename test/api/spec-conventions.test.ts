import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/sql.ts'
import { expectCreated, openTestApi, type TestApi } from '../support/api.ts'

let api: TestApi

beforeAll(async () => {
  api = await openTestApi()
  for (const name of ['arm64', 'riscv64', 'ppc64']) await expectCreated(api.admin.post('/api/architectures', { name }))
})
afterAll(() => api?.[Symbol.asyncDispose]())

const VIEW_TIME = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2} UTC$/
const ISO_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/

describe('spec 2.1: conventions', () => {
  test('record ids are integers', async () => {
    const { body } = await api.admin.get('/api/architectures')
    for (const { id } of body.results) expect(id).toSatisfy(Number.isInteger)
  })

  test('timestamps of lists, of single records and of writes are `YYYY-MM-DD HH:MM:SS UTC`', async () => {
    const created = await expectCreated(api.admin.post('/api/architectures', { name: 'times' }))
    const { body: list } = await api.admin.get('/api/architectures')
    const { body: shown } = await api.admin.get(`/api/architectures/${created.id}`)
    const { body: updated } = await api.admin.put(`/api/architectures/${created.id}`, { name: 'times2' })
    for (const record of [created, list.results[0], shown, updated]) {
      expect(record.created_at).toMatch(VIEW_TIME)
      expect(record.updated_at).toMatch(VIEW_TIME)
    }
  })

  test('the body of a deleted architecture has ISO 8601 times with milliseconds and Z', async () => {
    const created = await expectCreated(api.admin.post('/api/architectures', { name: 'iso' }))
    await sql`update architectures set created_at = '2026-03-31 14:25:36.12+00', updated_at = '2026-03-31 14:25:36+00' where id = ${created.id}`.execute(
      api.database.db,
    )
    const { body } = await api.admin.delete(`/api/architectures/${created.id}`)
    expect(body).toEqual({
      id: created.id,
      name: 'iso',
      created_at: '2026-03-31T14:25:36.120Z',
      updated_at: '2026-03-31T14:25:36.000Z',
    })
    expect(body.created_at).toMatch(ISO_TIME)
  })
})

describe('spec 2.1: list envelope', () => {
  test('has these keys in this order', async () => {
    const { body } = await api.admin.get('/api/architectures')
    expect(Object.keys(body)).toEqual(['total', 'subtotal', 'page', 'per_page', 'search', 'sort', 'results'])
  })

  test('total counts all records, subtotal those that match', async () => {
    const { body } = await api.admin.get('/api/architectures?search=64')
    const all = (await api.admin.get('/api/architectures')).body
    expect(all.subtotal).toBe(all.total)
    expect(all.total).toBe(all.results.length)
    expect(body.total).toBe(all.total)
    expect(body.subtotal).toBe(4)
    expect(body.results).toHaveLength(4)
  })

  test('page starts at 1 and per_page is 20, the default of the spec (part 8)', async () => {
    expect((await api.admin.get('/api/architectures')).body).toMatchObject({ page: 1, per_page: 20 })
  })

  test('page and per_page choose the records and are echoed as integers', async () => {
    const { body } = await api.admin.get('/api/architectures?order=name&page=2&per_page=2')
    expect(body).toMatchObject({ page: 2, per_page: 2 })
    expect(body.results.map(({ name }: { name: string }) => name)).toEqual(['ppc64', 'riscv64'])
  })

  test('search is the applied filter, or null', async () => {
    expect((await api.admin.get('/api/architectures')).body.search).toBeNull()
    expect((await api.admin.get('/api/architectures?search=name+%3D+arm64')).body.search).toBe('name = arm64')
  })

  test('sort holds the field and the direction as they were asked for, both null without order', async () => {
    const sortOf = async (query: string) => (await api.admin.get(`/api/architectures${query}`)).body.sort
    expect(await sortOf('')).toEqual({ by: null, order: null })
    expect(await sortOf('?order=name')).toEqual({ by: 'name', order: 'ASC' })
    expect(await sortOf('?order=name+DESC')).toEqual({ by: 'name', order: 'DESC' })
    expect(await sortOf('?order=id+desc')).toEqual({ by: 'id', order: 'desc' })
  })
})

describe('spec 2.1: scope references', () => {
  test('locations and organizations in show responses are id, name, title and description', async () => {
    const parent = await expectCreated(api.admin.post('/api/locations', { name: 'Europe' }))
    const location = await expectCreated(
      api.admin.post('/api/locations', { name: 'Berlin', parent_id: parent.id, description: 'Near the Spree' }),
    )
    const role = await expectCreated(api.admin.post('/api/roles', { name: 'scoped', location_ids: [location.id] }))
    const { body } = await api.admin.get(`/api/roles/${role.id}`)
    expect(body.locations).toEqual([
      { id: location.id, name: 'Berlin', title: 'Europe/Berlin', description: 'Near the Spree' },
    ])
    expect(body.organizations).toEqual([])
  })

  test('a description that is not set is null', async () => {
    const organization = await expectCreated(api.admin.post('/api/organizations', { name: 'Plain' }))
    const role = await expectCreated(
      api.admin.post('/api/roles', { name: 'scoped too', organization_ids: [organization.id] }),
    )
    expect(role.organizations).toEqual([{ id: organization.id, name: 'Plain', title: 'Plain', description: null }])
  })
})

describe('spec part 9: versions', () => {
  test('no path needs a version, and /api/v2 is the same API', async () => {
    const plain = await api.admin.get('/api/architectures/x86_64')
    const versioned = await api.admin.get('/api/v2/architectures/x86_64')
    expect(plain.status).toBe(200)
    expect(versioned.body).toEqual(plain.body)
  })
})
