import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectCreated, openTestApi, type TestApi } from '../support/api.ts'

let api: TestApi
let debian: { id: number; title: string }
let fedora: { id: number; title: string }

beforeAll(async () => {
  api = await openTestApi()
  debian = await expectCreated(api.admin.post('/api/operatingsystems', { name: 'Debian', major: '12', minor: '7' }))
  fedora = await expectCreated(api.admin.post('/api/operatingsystems', { name: 'Fedora', major: '40' }))
})
afterAll(() => api?.[Symbol.asyncDispose]())

const SHOWN = ['created_at', 'updated_at', 'name', 'id', 'operatingsystems', 'images']

describe('spec 2.6: the record', () => {
  test('lists hold id, name and times', async () => {
    const { body } = await api.admin.get('/api/architectures')
    for (const record of body.results) expect(Object.keys(record)).toEqual(['created_at', 'updated_at', 'name', 'id'])
  })

  test('show, create and update hold operating systems with id, name and title, and images with id and name', async () => {
    const body = { architecture: { name: 's390x', operatingsystem_ids: [debian.id] } }
    const created = await expectCreated(api.admin.post('/api/architectures', body))
    const image = await expectCreated(
      api.admin.post('/api/images', {
        image: {
          name: 'bookworm',
          uuid: 'b-1',
          username: 'root',
          architecture_id: created.id,
          operatingsystem_id: debian.id,
        },
      }),
    )
    const { body: shown } = await api.admin.get(`/api/architectures/${created.id}`)
    const { body: updated } = await api.admin.put(`/api/architectures/${created.id}`, { architecture: {} })
    expect(created.operatingsystems).toEqual([{ id: debian.id, name: 'Debian', title: 'Debian 12.7' }])
    for (const record of [shown, updated]) {
      expect(record.operatingsystems).toEqual([{ id: debian.id, name: 'Debian', title: 'Debian 12.7' }])
      expect(record.images).toEqual([{ id: image.id, name: 'bookworm' }])
    }
    for (const record of [created, shown, updated]) expect(Object.keys(record)).toEqual(SHOWN)
  })

  test('the delete response carries id, name, created_at and updated_at only', async () => {
    const { id } = await expectCreated(api.admin.post('/api/architectures', { name: 'sparc' }))
    const { status, body } = await api.admin.delete(`/api/architectures/${id}`, { architecture: {} })
    expect(status).toBe(200)
    expect(Object.keys(body)).toEqual(['id', 'name', 'created_at', 'updated_at'])
  })
})

describe('spec 4.5: GET /api/architectures', () => {
  test('takes search, order, page and per_page', async () => {
    const { status, body } = await api.admin.get(
      '/api/architectures?search=name+~+86&order=name+DESC&page=1&per_page=1',
    )
    expect(status).toBe(200)
    expect(body).toMatchObject({ subtotal: 2, per_page: 1, sort: { by: 'name', order: 'DESC' } })
    expect(body.results).toMatchObject([{ name: 'x86_64' }])
  })

  test('operatingsystem_id leaves those of that operating system, as the nested path does', async () => {
    const { id } = await expectCreated(
      api.admin.post('/api/architectures', { architecture: { name: 'mips', operatingsystem_ids: [fedora.id] } }),
    )
    const query = await api.admin.get(`/api/architectures?operatingsystem_id=${fedora.id}`)
    const path = await api.admin.get(`/api/operatingsystems/${fedora.id}/architectures`)
    const byTitle = await api.admin.get(`/api/architectures?operatingsystem_id=${encodeURIComponent(fedora.title)}`)
    expect(query.body).toMatchObject({ total: 1, subtotal: 1, results: [{ id, name: 'mips' }] })
    expect(path.body).toEqual(query.body)
    expect(byTitle.body).toEqual(query.body)
  })

  test('location_id and organization_id are context: architectures belong to none, so nothing is hidden', async () => {
    const { body: all } = await api.admin.get('/api/architectures')
    const { body } = await api.admin.get('/api/architectures?location_id=1&organization_id=1')
    expect(body).toEqual(all)
  })

  test('name is searchable', async () => {
    const { body } = await api.admin.get('/api/architectures?search=name+%3D+i386')
    expect(body.results).toMatchObject([{ name: 'i386' }])
  })
})

describe('spec 4.5: GET /api/architectures/:id', () => {
  test('the id segment may be `<id>-<name>`', async () => {
    const { body: named } = await api.admin.get('/api/architectures/x86_64')
    const { status, body } = await api.admin.get(`/api/architectures/${named.id}-x86_64`)
    expect(status).toBe(200)
    expect(body).toEqual(named)
  })

  test('location_id and organization_id are taken as context', async () => {
    expect((await api.admin.get('/api/architectures/i386?location_id=1&organization_id=1')).status).toBe(200)
  })
})

describe('spec 4.5: POST /api/architectures', () => {
  test('answers 201 with empty operatingsystems and images when none were given', async () => {
    const { status, body } = await api.admin.post('/api/architectures', { architecture: { name: 'alpha' } })
    expect(status).toBe(201)
    expect(body).toMatchObject({ name: 'alpha', operatingsystems: [], images: [] })
  })

  test('name is required', async () => {
    expect(await api.admin.post('/api/architectures', { architecture: { operatingsystem_ids: [] } })).toMatchObject({
      status: 422,
      body: { error: { id: null, errors: { name: ["can't be blank"] }, full_messages: ["Name can't be blank"] } },
    })
  })

  test('operatingsystem_ids may be null', async () => {
    const body = { architecture: { name: 'vax', operatingsystem_ids: null } }
    expect(await api.admin.post('/api/architectures', body)).toMatchObject({
      status: 201,
      body: { operatingsystems: [] },
    })
  })
})

describe('spec 4.5: PUT /api/architectures/:id', () => {
  test('every field is optional, and the answer is the updated architecture', async () => {
    const both = [debian.id, fedora.id]
    const { id } = await expectCreated(
      api.admin.post('/api/architectures', { architecture: { name: 'm68k', operatingsystem_ids: both } }),
    )
    const put = (architecture: object) => api.admin.put(`/api/architectures/${id}-m68k`, { architecture })
    expect(await put({ name: 'm68000' })).toMatchObject({
      status: 200,
      body: { name: 'm68000', operatingsystems: [{ id: debian.id }, { id: fedora.id }] },
    })
    expect((await put({ operatingsystem_ids: [fedora.id] })).body.operatingsystems).toMatchObject([{ id: fedora.id }])
    expect((await put({ operatingsystem_ids: null })).body.operatingsystems).toMatchObject([{ id: fedora.id }])
    expect((await put({ operatingsystem_ids: [] })).body.operatingsystems).toEqual([])
  })
})

describe('spec 4.5: DELETE /api/architectures/:id', () => {
  test('answers 200, and the record is gone', async () => {
    const { id } = await expectCreated(api.admin.post('/api/architectures', { name: 'itanium' }))
    expect((await api.admin.delete(`/api/architectures/${id}-itanium`, { architecture: {} })).status).toBe(200)
    expect((await api.admin.get(`/api/architectures/${id}`)).status).toBe(404)
  })

  test('takes its images along', async () => {
    const { id } = await expectCreated(api.admin.post('/api/architectures', { name: 'avr' }))
    const image = {
      name: 'avr image',
      uuid: 'a-1',
      username: 'root',
      architecture_id: id,
      operatingsystem_id: debian.id,
    }
    const { id: imageId } = await expectCreated(api.admin.post('/api/images', { image }))
    await api.admin.delete(`/api/architectures/${id}`)
    expect((await api.admin.get(`/api/images/${imageId}`)).status).toBe(404)
  })
})
