import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectCreated, openTestApi, type TestApi } from '../support/api.ts'

// Core-api §2.7 as docs/contract.md has it: wrapped or flat, the same keys either way.

let api: TestApi
let debian: number
let fedora: number
let id: number

beforeAll(async () => {
  api = await openTestApi()
  debian = (await expectCreated(api.admin.post('/api/operatingsystems', { name: 'Debian', major: '12' }))).id
  fedora = (await expectCreated(api.admin.post('/api/operatingsystems', { name: 'Fedora', major: '40' }))).id
  id = (await expectCreated(api.admin.post('/api/architectures', { name: 'arm64' }))).id
})
afterAll(() => api?.[Symbol.asyncDispose]())

/** Updates the architecture, which has both operating systems before, and yields those it has afterwards. */
async function afterPut(body: unknown): Promise<number[] | number> {
  await api.admin.put(`/api/architectures/${id}`, { operatingsystem_ids: [debian, fedora] })
  const reply = await api.admin.put(`/api/architectures/${id}`, body)
  return reply.status === 200 ? reply.body.operatingsystems.map((os: { id: number }) => os.id) : reply.status
}

describe('the root key', () => {
  test('is optional: all keys count either way', async () => {
    expect(await afterPut({ architecture: { operatingsystem_ids: [debian] } })).toEqual([debian])
    expect(await afterPut({ operatingsystem_ids: [debian] })).toEqual([debian])
  })

  test('when it is there, other keys beside it are ignored', async () => {
    expect(await afterPut({ architecture: {}, operatingsystem_ids: [debian] })).toEqual([debian, fedora])
  })

  test('null, nothing and an empty object change nothing', async () => {
    for (const body of [{ architecture: null }, { architecture: {} }, {}, undefined]) {
      expect(await afterPut(body)).toEqual([debian, fedora])
    }
  })

  test('a body that is no object counts as none', async () => {
    for (const body of [[], [{ name: 'x' }], 'text', 5, true, null])
      expect(await afterPut(body)).toEqual([debian, fedora])
  })

  test('a root that is no object is refused', async () => {
    for (const architecture of ['text', 5, true, []]) expect(await afterPut({ architecture })).toBe(400)
    const { body } = await api.admin.put(`/api/architectures/${id}`, { architecture: 'text' })
    expect(body.error).toMatchObject({ class: 'Apipie::ParamInvalid', parameter_name: 'architecture' })
  })

  test('unknown and read-only keys are ignored', async () => {
    const before = (await api.admin.get(`/api/architectures/${id}`)).body
    const body = { id: 4711, created_at: '2000-01-01', images: [{ id: 1 }], nonsense: { deep: [1] }, host_ids: [1] }
    const { status } = await api.admin.put(`/api/architectures/${id}`, { architecture: body })
    expect(status).toBe(200)
    expect((await api.admin.get(`/api/architectures/${id}`)).body).toEqual(before)
  })

  test('keys of every object are no keys of the API', async () => {
    const raw = '{"architecture":{"__proto__":{"name":"x"},"constructor":{"name":"y"},"toString":"z"}}'
    const headers = { 'content-type': 'application/json' }
    const { status, body } = await api.admin.send({
      method: 'PUT',
      url: `/api/architectures/${id}`,
      headers,
      payload: raw,
    })
    expect(status).toBe(200)
    expect(body.name).toBe('arm64')
  })
})

describe('lists of links', () => {
  test('an array replaces, [] clears, null and absence leave', async () => {
    expect(await afterPut({ operatingsystem_ids: [fedora] })).toEqual([fedora])
    expect(await afterPut({ operatingsystem_ids: [] })).toEqual([])
    expect(await afterPut({ operatingsystem_ids: null })).toEqual([debian, fedora])
    expect(await afterPut({})).toEqual([debian, fedora])
  })

  test('blank elements are dropped, repeated ones count once, digits in text are numbers', async () => {
    expect(await afterPut({ operatingsystem_ids: ['', null, debian] })).toEqual([debian])
    expect(await afterPut({ operatingsystem_ids: [debian, debian, String(debian)] })).toEqual([debian])
    expect(await afterPut({ operatingsystem_ids: [''] })).toEqual([])
  })

  test('names and objects with ids or names do as well', async () => {
    expect(await afterPut({ operatingsystem_names: ['Debian 12'] })).toEqual([debian])
    expect(await afterPut({ operatingsystems: [{ id: fedora }] })).toEqual([fedora])
    expect(await afterPut({ operatingsystems: [{ name: 'Fedora 40' }] })).toEqual([fedora])
    expect(await afterPut({ architecture: { operatingsystems: [{ id: debian, name: 'whatever' }] } })).toEqual([debian])
    expect(await afterPut({ operatingsystems: [] })).toEqual([])
  })

  test('anything else is refused and named', async () => {
    for (const sent of [debian, String(debian), true, {}, [{}], [[debian]], [1.5], [-1], [0], ['x']]) {
      expect(await afterPut({ operatingsystem_ids: sent }), JSON.stringify(sent)).toBe(422)
    }
    const { body } = await api.admin.put(`/api/architectures/${id}`, { operatingsystem_ids: 5 })
    expect(body.error.errors).toEqual({ operatingsystem_ids: ['must be a list of ids'] })
    for (const operatingsystems of [[5], ['x'], 5, {}]) expect(await afterPut({ operatingsystems })).toBe(422)
  })
})

describe('values', () => {
  test('texts lose surrounding blanks and keep everything else byte for byte', async () => {
    const name = '\u202eعربى-😀-é-é'
    const created = await expectCreated(api.admin.post('/api/architectures', { name: `  ${name}\t` }))
    expect(created.name).toBe(name)
    expect((await api.admin.get(`/api/architectures/${encodeURIComponent(name)}`)).body.id).toBe(created.id)
  })

  test('null clears what may be null and is refused where something must be', async () => {
    const os = await expectCreated(
      api.admin.post('/api/operatingsystems', { name: 'Suse', major: '15', description: 'SLES', family: 'Suse' }),
    )
    const put = (body: object) => api.admin.put(`/api/operatingsystems/${os.id}`, body)
    expect((await put({ description: null, family: null })).body).toMatchObject({ description: null, family: null })
    expect((await put({ name: null })).body.error.errors).toEqual({ name: ["can't be blank"] })
  })

  test('numbers become text where text is wanted', async () => {
    const os = await expectCreated(api.admin.post('/api/operatingsystems', { name: 'Rocky', major: 9, minor: 4 }))
    expect(os).toMatchObject({ major: '9', minor: '4', title: 'Rocky 9.4' })
  })

  test('booleans are written as true, 1, "yes", …', async () => {
    const group = await expectCreated(api.admin.post('/api/usergroups', { name: 'operators' }))
    for (const [sent, stored] of [
      [1, true],
      ['false', false],
      ['YES', true],
      [null, false],
      ['on', true],
      ['0', false],
    ]) {
      const { body } = await api.admin.put(`/api/usergroups/${group.id}`, { admin: sent })
      expect(body.admin, JSON.stringify(sent)).toBe(stored)
    }
    expect((await api.admin.put(`/api/usergroups/${group.id}`, { admin: 'maybe' })).body.error.errors).toEqual({
      admin: ['must be true or false'],
    })
  })
})

describe('bodies of requests that read', () => {
  test('a JSON body on GET is read like the query, which wins', async () => {
    const get = (query: string, body: unknown) =>
      api.admin.send({
        method: 'GET',
        url: `/api/architectures${query}`,
        headers: { 'content-type': 'application/json' },
        payload: JSON.stringify(body),
      })
    expect((await get('', { search: 'name = i386', per_page: 5 })).body).toMatchObject({ subtotal: 1, per_page: 5 })
    expect((await get('?per_page=7', { per_page: 5 })).body).toMatchObject({ per_page: 7 })
    expect((await get('', { operatingsystem_id: debian })).body.total).toBeLessThanOrEqual(1)
    expect((await get('', { search: ['a'] })).status).toBe(400)
    expect((await get('', { location_id: 1 })).headers['millwright-current-location']).toBe('1; Default Location')
  })

  test('a location at the top level of a body is context, within the root key it is not', async () => {
    const put = (body: object) => api.admin.put(`/api/architectures/${id}`, body)
    expect((await put({ location_id: 1, architecture: {} })).headers['millwright-current-location']).toBe(
      '1; Default Location',
    )
    expect((await put({ architecture: { location_id: 1 } })).headers['millwright-current-location']).toBe('; ANY')
    expect((await put({ location_id: 999, architecture: {} })).status).toBe(404)
  })
})
