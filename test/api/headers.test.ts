import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readVersion } from '../../src/version.ts'
import { expectCreated, openTestApi, type Reply, type TestApi } from '../support/api.ts'

// Core-api §2.1, §2.4, §2.8.

let api: TestApi

beforeAll(async () => {
  api = await openTestApi()
})
afterAll(() => api?.[Symbol.asyncDispose]())

describe('headers of answers', () => {
  test('version and context, once a caller is let in', async () => {
    const { headers } = await api.admin.get('/api/architectures')
    expect(headers).toMatchObject({
      'millwright-version': readVersion(),
      'millwright-api-version': '2',
      'millwright-current-organization': '; ANY',
      'millwright-current-location': '; ANY',
    })
  })

  test('the context by id and title', async () => {
    const europe = await expectCreated(api.admin.post('/api/locations', { name: 'Europe' }))
    const zurich = await expectCreated(api.admin.post('/api/locations', { name: 'Zürich', parent_id: europe.id }))
    const { headers } = await api.admin.get(`/api/architectures?location_id=${zurich.id}&organization_id=1`)
    expect(headers['millwright-current-location']).toBe(`${zurich.id}; Europe/Z%C3%BCrich`)
    expect(headers['millwright-current-organization']).toBe('1; Default Organization')
  })

  test('the title of a deep place is cut between characters', async () => {
    let place = { id: 1 }
    for (const letter of 'üñ漢')
      place = await expectCreated(api.admin.post('/api/locations', { name: letter.repeat(120), parent_id: place.id }))
    const { headers } = await api.admin.get(`/api/architectures?location_id=${place.id}`)
    const whole = `${place.id}; `
    expect(headers['millwright-current-location']).toMatch(new RegExp(`^${whole}[^%].*(?:%..)+\\.\\.\\.$`))
    expect(() => decodeURIComponent(String(headers['millwright-current-location']))).not.toThrow()
  })

  test('neither version nor context on 401 and 403', async () => {
    const viewer = await api.can(['view_architectures'])
    for (const { headers } of [await api.nobody.get('/api/architectures'), await viewer.get('/api/operatingsystems')]) {
      expect(Object.keys(headers).filter((name) => name.startsWith('millwright'))).toEqual([])
    }
  })

  test('every answer carries a request id: the one that was sent where it is harmless, else a new one', async () => {
    const idOf = async (sent?: string) =>
      (await api.nobody.get('/api/ping', sent === undefined ? {} : { 'x-request-id': sent })).headers['x-request-id']
    expect(await idOf('mine-1')).toBe('mine-1')
    expect(await idOf()).toMatch(/^[0-9a-f-]{36}$/)
    for (const bad of ['two words', 'x'.repeat(200), 'a;b', '']) expect(await idOf(bad)).toMatch(/^[0-9a-f-]{36}$/)
    expect((await api.nobody.get('/api/nothing')).headers['x-request-id']).toMatch(/./)
  })

  test('browsers are told to be careful', async () => {
    for (const path of ['/api/ping', '/api/architectures', '/api/nothing']) {
      expect((await api.nobody.get(path)).headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'SAMEORIGIN',
      })
    }
  })

  test('only answers by HTTPS, also through a trusted proxy, tell clients to keep using it', async () => {
    await using behind = await openTestApi({ env: { MILLWRIGHT_TRUSTED_PROXIES: '127.0.0.1' } })
    const told = async (of: TestApi, path: string) =>
      (await of.nobody.get(path, { 'x-forwarded-proto': 'https' })).headers['strict-transport-security']
    for (const path of ['/api/ping', '/api/architectures', '/api/nothing']) {
      expect(await told(behind, path)).toBe('max-age=31536000')
      expect(await told(api, path)).toBeUndefined()
      expect((await behind.nobody.get(path)).headers).not.toHaveProperty('strict-transport-security')
    }
  })

  test('what anybody but a trusted proxy says of a client changes no answer, no cookie and no audit', async () => {
    const forged = {
      ...{
        forwarded: 'for=203.0.113.9;proto=https',
        'x-real-ip': '203.0.113.9',
        'x-rhn-provisioning-mac-0': 'eth0 aa:bb',
      },
      ...{ 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'elsewhere.test' },
      ...{ 'remote-user': 'admin', 'remote-user-groups': 'wheel' },
      ...{ SSL_CLIENT_VERIFY: 'SUCCESS', SSL_CLIENT_S_DN: 'CN=engine.example.test', SSL_CLIENT_CERT: 'none' },
    }
    await using trusting = await openTestApi({ env: { MILLWRIGHT_TRUSTED_PROXIES: '127.0.0.1' } })
    for (const { admin } of [api, trusting]) {
      for (const name of ['authorize_login_delegation', 'authorize_login_delegation_api'])
        expect((await admin.put(`/api/settings/${name}`, { setting: { value: true } })).status).toBe(200)
      const trusted_hosts = { setting: { value: ['engine.example.test'] } }
      expect((await admin.put('/api/settings/trusted_hosts', trusted_hosts)).status).toBe(200)
    }
    const paths = api.routes.flatMap(({ method, path }) => (method === 'GET' && !path.includes(':') ? [path] : []))
    expect(paths.length).toBeGreaterThan(60)
    const shown = ({ status, headers, text }: Reply) => {
      const { 'x-request-id': _id, date: _date, etag: _etag, 'content-length': _length, ...rest } = headers
      return { status, rest, text: text.replace(/"\w*(?:duration|last_login)\w*":"[^"]*"/g, '') }
    }
    const changed = async (of: TestApi) => {
      const found: string[] = []
      for (const caller of [of.nobody, of.admin])
        for (const path of [...paths, '/node/web.example.test', '/unattended/provision', '/'])
          if (!isDeepStrictEqual(shown(await caller.get(path)), shown(await caller.get(path, forged)))) found.push(path)
      return found
    }
    expect(await changed(api)).toEqual([])
    expect((await changed(trusting)).length).toBeGreaterThan(2 * paths.length)
    const cookieOf = async (of: TestApi) =>
      String((await of.admin.post('/api/session', {}, { ...forged, 'remote-user': '' })).headers['set-cookie'])
    expect([await cookieOf(api), await cookieOf(trusting)]).toEqual([
      expect.not.stringMatching(/; secure/i),
      expect.stringMatching(/; secure/i),
    ])
    const addressOf = async (of: TestApi) => {
      expect(
        (await of.admin.post('/api/architectures', { name: 'forged' }, { ...forged, 'remote-user': '' })).status,
      ).toBe(201)
      return (await of.admin.get('/api/audits?search=type%3Darchitecture')).body.results[0].remote_address
    }
    expect([await addressOf(api), await addressOf(trusting)]).toEqual(['127.0.0.1', '203.0.113.9'])
  })

  test('HEAD is answered like GET, without the body', async () => {
    const { headers: got, text } = await api.admin.get('/api/architectures')
    const { status, headers, text: sent } = await api.admin.send({ method: 'HEAD', url: '/api/architectures' })
    expect(status).toBe(200)
    expect(sent).toBe('')
    expect(headers.etag).toBe(got.etag)
    expect(headers['content-length']).toBe(String(Buffer.byteLength(text)))
    expect((await api.nobody.send({ method: 'HEAD', url: '/api/architectures' })).status).toBe(401)
  })

  test('API logins get no session cookie', async () => {
    expect((await api.admin.get('/api/architectures')).headers).not.toHaveProperty('set-cookie')
  })
})

describe('conditional requests', () => {
  test('an answer that the caller has already is not sent again', async () => {
    const first = await api.admin.get('/api/architectures')
    const etag = String(first.headers.etag)
    expect(first.headers['cache-control']).toBe('max-age=0, private, must-revalidate')
    const get = (header: string) => api.admin.get('/api/architectures', { 'if-none-match': header })
    for (const header of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      expect(await get(header)).toMatchObject({ status: 304, text: '' })
    }
    expect((await get('"other"')).status).toBe(200)
    await expectCreated(api.admin.post('/api/architectures', { name: 'arm64' }))
    expect((await get(etag)).status).toBe(200)
  })

  test('errors and writes carry no ETag', async () => {
    expect((await api.admin.get('/api/architectures/999')).headers).not.toHaveProperty('etag')
    expect((await api.admin.put('/api/architectures/x86_64', {})).headers).not.toHaveProperty('etag')
  })
})

describe('versions', () => {
  test('version 2 may be asked for in Accept, others do not exist', async () => {
    const status = async (accept: string) => (await api.admin.get('/api/architectures', { accept })).status
    for (const accept of [
      'application/json',
      'application/json;version=2',
      'application/json,version=2',
      '*/*',
      'text/html',
    ]) {
      expect(await status(accept), accept).toBe(200)
    }
    expect(await status('application/json;version=1')).toBe(404)
    expect(await status('application/json,version=3')).toBe(404)
    expect((await api.admin.get('/api/v1/architectures')).status).toBe(404)
    expect((await api.admin.get('/api/v3/architectures')).status).toBe(404)
  })

  test('a version in the path counts more than one in Accept', async () => {
    expect((await api.admin.get('/api/v2/architectures', { accept: 'application/json;version=1' })).status).toBe(200)
  })

  test('.json, a trailing slash and /api/v2 lead to the same place', async () => {
    const { body } = await api.admin.get('/api/architectures')
    for (const path of [
      '/api/architectures.json',
      '/api/architectures/',
      '/api/v2/architectures/',
      '/api/v2/architectures.json',
    ]) {
      expect((await api.admin.get(path)).body, path).toEqual(body)
    }
  })
})

describe('services about the service', () => {
  test('ping, livez and readyz need no login', async () => {
    expect((await api.nobody.get('/api/ping')).body).toEqual({
      results: { millwright: { database: { active: true, duration_ms: expect.stringMatching(/^\d+$/) } } },
    })
    expect((await api.nobody.get('/livez')).body).toEqual({ status: 'ok' })
    expect((await api.nobody.get('/readyz')).body).toEqual({ status: 'ok' })
  })

  test('status, current_user and the index are for everybody who is logged in', async () => {
    const nobodySpecial = await api.can([])
    expect((await nobodySpecial.get('/api/status')).body).toEqual({
      result: 'ok',
      status: 200,
      version: readVersion(),
      api_version: 2,
    })
    expect((await nobodySpecial.get('/api/current_user')).body).toMatchObject({ id: nobodySpecial.id, admin: false })
    expect((await nobodySpecial.get('/api')).body.links.architectures).toMatchObject({
      'architectures.list': '/api/architectures',
    })
    for (const path of ['/api/status', '/api/current_user', '/api'])
      expect((await api.nobody.get(path)).status).toBe(401)
  })
})
