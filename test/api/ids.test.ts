import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectCreated, openTestApi, type TestApi } from '../support/api.ts'

// Core-api §2.6: what the id segment of a path names.

let api: TestApi
const made = new Map<string, number>()

beforeAll(async () => {
  api = await openTestApi()
  for (const name of ['arm64', 'ppc64']) await make(name)
})
afterAll(() => api?.[Symbol.asyncDispose]())

async function make(name: string): Promise<number> {
  const { id } = await expectCreated(api.admin.post('/api/architectures', { name }))
  made.set(name, id)
  return id
}

async function found(segment: string | number): Promise<string | number> {
  const { status, body } = await api.admin.get(`/api/architectures/${encodeURIComponent(segment)}`)
  return status === 200 ? body.name : status
}

describe('the id segment', () => {
  test('is an id, `<id>-<anything>`, or the exact name', async () => {
    const id = made.get('arm64') ?? 0
    expect(await found(id)).toBe('arm64')
    expect(await found(`${id}-arm64`)).toBe('arm64')
    expect(await found(`${id}-something-else`)).toBe('arm64')
    expect(await found(`${id}-`)).toBe('arm64')
    expect(await found('arm64')).toBe('arm64')
    expect(await found('ARM64')).toBe(404)
    expect(await found(' arm64')).toBe(404)
  })

  test('all digits are a name before they are an id', async () => {
    const id = made.get('ppc64') ?? 0
    await make(String(id))
    expect(await found(id)).toBe(String(id))
    expect(await found(`${id}-`)).toBe('ppc64')
  })

  test('`<digits>-` is an id before it is a name, and a name where no record has that id', async () => {
    const id = made.get('arm64') ?? 0
    await make(`${id}-bit`)
    await make('99999-bit')
    expect(await found(`${id}-bit`)).toBe('arm64')
    expect(await found('99999-bit')).toBe('99999-bit')
  })

  test('leading zeros do not matter to an id, and count in a name', async () => {
    const id = made.get('arm64') ?? 0
    expect(await found(`0${id}`)).toBe('arm64')
  })

  test('nothing else that looks like a number is an id', async () => {
    const id = made.get('arm64') ?? 0
    for (const segment of ['-1', '+1', '1e0', `${id}abc`, `${id}.0`, '0x1', '٣', 'NaN', '0', '']) {
      const answer = await found(segment)
      expect(segment === '' || answer === 404, `${segment}: ${answer}`).toBe(true)
    }
  })

  test('numbers beyond what a database holds are not found', async () => {
    for (const segment of [2n ** 31n, 2n ** 53n, 2n ** 63n, 2n ** 64n, 10n ** 40n]) {
      expect(await found(String(segment)), String(segment)).toBe(404)
      expect(await found(`${segment}-x`), `${segment}-x`).toBe(404)
    }
  })

  test('control characters, other scripts and long segments are not found', async () => {
    for (const segment of ['\0', 'a\0b', '1-\0', '\u202e', '😀', 'x'.repeat(900), '%', "'", '"; drop table users']) {
      expect(await found(segment), JSON.stringify(segment.slice(0, 20))).toBe(404)
    }
    expect((await api.admin.get(`/api/architectures/${'x'.repeat(2000)}`)).status).toBe(404)
  })

  test('bytes that are no UTF-8 are a bad request', async () => {
    expect(await api.admin.get('/api/architectures/%ff')).toMatchObject({ status: 400, body: { status: 400 } })
    expect(await api.admin.get('/api/architectures/%')).toMatchObject({ status: 400, body: { status: 400 } })
  })
})

describe('the natural key of each resource', () => {
  test('is the title of trees and operating systems, the login of users, and else the name', async () => {
    const europe = await expectCreated(api.admin.post('/api/locations', { name: 'Europe' }))
    const berlin = await expectCreated(api.admin.post('/api/locations', { name: 'Berlin', parent_id: europe.id }))
    const os = await expectCreated(api.admin.post('/api/operatingsystems', { name: 'Debian', major: '12', minor: '7' }))
    const idAt = async (path: string) => (await api.admin.get(path)).body?.id
    expect(await idAt('/api/locations/Europe%2FBerlin')).toBe(berlin.id)
    expect(await idAt('/api/locations/Berlin')).toBeUndefined()
    expect(await idAt('/api/operatingsystems/Debian%2012.7')).toBe(os.id)
    expect(await idAt('/api/users/admin')).toBe((await api.admin.get('/api/current_user')).body.id)
    expect((await api.admin.get('/api/roles/Viewer')).body.name).toBe('Viewer')
    expect((await api.admin.get('/api/settings/entries_per_page')).body.name).toBe('entries_per_page')
    expect((await api.admin.get('/api/permissions/view_architectures')).body.name).toBe('view_architectures')
  })

  test('filters, which have none, are found by id only', async () => {
    const { body } = await api.admin.get('/api/filters?per_page=1')
    const [{ id }] = body.results
    expect((await api.admin.get(`/api/filters/${id}`)).status).toBe(200)
    expect((await api.admin.get(`/api/filters/${id}-x`)).status).toBe(200)
    expect((await api.admin.get('/api/filters/x')).status).toBe(404)
  })

  test('contexts and parents are resolved the same way', async () => {
    const location = await expectCreated(api.admin.post('/api/locations', { name: 'Asia' }))
    for (const segment of [location.id, `${location.id}-Asia`, 'Asia']) {
      const { headers } = await api.admin.get(`/api/architectures?location_id=${segment}`)
      expect(headers['millwright-current-location']).toBe(`${location.id}; Asia`)
      expect((await api.admin.get(`/api/locations/${segment}/users`)).status).toBe(200)
    }
  })
})
