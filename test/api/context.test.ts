import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN, basic, type Caller, expectCreated, openTestApi, type TestApi } from '../support/api.ts'

// Core-api §5.2: the organization and the location of a request.

let api: TestApi
const places: Record<string, number> = {}

beforeAll(async () => {
  api = await openTestApi()
  await place('Europe')
  await place('Berlin', 'Europe')
  await place('Mitte', 'Berlin')
  await place('Asia')
})
afterAll(() => api?.[Symbol.asyncDispose]())

async function place(name: string, parent?: string): Promise<void> {
  const body = { name, ...(parent && { parent_id: places[parent] }) }
  places[name] = (await expectCreated(api.admin.post('/api/locations', body))).id
}

async function contextOf(caller: Caller, path: string): Promise<unknown> {
  const { status, headers } = await caller.get(path)
  return status === 200 ? headers['millwright-current-location'] : status
}

/** Creates a browser in which this user is logged in. */
async function browserOf(login: string): Promise<Caller> {
  const { body, headers } = await api.as({ authorization: basic(login, 'long enough') }).post('/api/session')
  return api.as({ cookie: String(headers['set-cookie']).split(';')[0] ?? '', 'x-csrf-token': body.csrf_token })
}

describe('the context of a request', () => {
  test('is any where none is named, or a blank one', async () => {
    expect(await contextOf(api.admin, '/api/architectures')).toBe('; ANY')
    expect(await contextOf(api.admin, '/api/architectures?location_id=')).toBe('; ANY')
  })

  test('must be among the caller’s own: those assigned, and all below them', async () => {
    const berliner = await api.can(['view_architectures'], { location_ids: [places.Berlin ?? 0] })
    const path = (name: string) => `/api/architectures?location_id=${places[name]}`
    expect(await contextOf(berliner, path('Berlin'))).toBe(`${places.Berlin}; Europe/Berlin`)
    expect(await contextOf(berliner, path('Mitte'))).toBe(`${places.Mitte}; Europe/Berlin/Mitte`)
    expect(await contextOf(berliner, path('Europe'))).toBe(404)
    expect(await contextOf(berliner, path('Asia'))).toBe(404)
    expect(await contextOf(api.admin, path('Asia'))).toBe(`${places.Asia}; Asia`)
  })

  test('a user without locations may name none', async () => {
    const homeless = await api.can(['view_architectures'])
    expect(await contextOf(homeless, `/api/architectures?location_id=${places.Europe}`)).toBe(404)
    expect(await contextOf(homeless, '/api/architectures')).toBe('; ANY')
  })

  test('locations that take in every user count as everybody’s', async () => {
    const homeless = await api.can(['view_architectures'])
    await api.admin.put(`/api/locations/${places.Asia}`, { ignore_types: ['User'] })
    expect(await contextOf(homeless, `/api/architectures?location_id=${places.Asia}`)).toBe(`${places.Asia}; Asia`)
    await api.admin.put(`/api/locations/${places.Asia}`, { ignore_types: [] })
    expect(await contextOf(homeless, `/api/architectures?location_id=${places.Asia}`)).toBe(404)
  })

  test('a location named twice is a bad request', async () => {
    expect((await api.admin.get('/api/architectures?location_id=1&location_id=2')).status).toBe(400)
  })

  test('the path names it as well', async () => {
    expect(await contextOf(api.admin, `/api/locations/${places.Europe}/users`)).toBe(`${places.Europe}; Europe`)
  })

  test('the default location of a user means nothing to requests with a password or a token', async () => {
    const at = await api.can(['view_architectures'], { location_ids: [places.Berlin ?? 0] })
    await api.admin.put(`/api/users/${at.id}`, { default_location_id: places.Berlin })
    expect(await contextOf(at, '/api/architectures')).toBe('; ANY')
  })
})

describe('the context of a session', () => {
  test('begins as the default of its user, and gives way to what a request names', async () => {
    const at = await api.can(['view_architectures'], { location_ids: [places.Berlin ?? 0] })
    await api.admin.put(`/api/users/${at.id}`, { default_location_id: places.Berlin })
    const browser = await browserOf(at.login)
    expect(await contextOf(browser, '/api/architectures')).toBe(`${places.Berlin}; Europe/Berlin`)
    expect(await contextOf(browser, `/api/architectures?location_id=${places.Mitte}`)).toBe(
      `${places.Mitte}; Europe/Berlin/Mitte`,
    )
    expect(await contextOf(browser, '/api/architectures?location_id=')).toBe('; ANY')
  })

  test('is what was chosen for the session', async () => {
    const at = await api.can(['view_architectures'], { location_ids: [places.Berlin ?? 0] })
    const browser = await browserOf(at.login)
    expect(await contextOf(browser, '/api/architectures')).toBe('; ANY')
    expect((await browser.put('/api/session', { location_id: String(places.Mitte) })).status).toBe(200)
    expect(await contextOf(browser, '/api/architectures')).toBe(`${places.Mitte}; Europe/Berlin/Mitte`)
    expect((await browser.put('/api/session', { location_id: String(places.Asia) })).status).toBe(404)
    expect((await browser.put('/api/session', { location_id: '' })).status).toBe(200)
    expect(await contextOf(browser, '/api/architectures')).toBe('; ANY')
  })

  test('is any again when its user no longer belongs there', async () => {
    const at = await api.can(['view_architectures'], { location_ids: [places.Berlin ?? 0] })
    await api.admin.put(`/api/users/${at.id}`, { default_location_id: places.Berlin })
    const browser = await browserOf(at.login)
    await api.admin.put(`/api/users/${at.id}`, { location_ids: [places.Asia] })
    expect(await contextOf(browser, '/api/architectures')).toBe('; ANY')
  })

  test('Basic beside a session that is not there is asked instead', async () => {
    const authorization = basic(ADMIN.login, ADMIN.password)
    const both = api.as({ cookie: 'millwright_session=nonsense', authorization })
    expect(await contextOf(both, '/api/architectures')).toBe('; ANY')
  })
})
