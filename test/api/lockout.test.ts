import { isDeepStrictEqual } from 'node:util'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ADMIN, basic, expectCreated, openTestApi, type TestApi } from '../support/api.ts'
import { given, unique } from '../support/given.ts'

// Core-api §4.8.

let api: TestApi
const logged: Record<string, unknown>[] = []

beforeAll(async () => {
  const sink = { write: (line: string) => void logged.push(JSON.parse(line)) }
  const env = { MILLWRIGHT_TRUSTED_PROXIES: '192.0.2.1,192.0.2.128/25,2001:db8:ffff::/48' }
  api = await openTestApi({ env, log: pino({ level: 'warn' }, sink) })
})
afterAll(() => api?.[Symbol.asyncDispose]())

describe('lock-out', () => {
  test('after so many failures an address is refused, whoever it is, and other addresses are not', async () => {
    await api.admin.put('/api/settings/failed_login_attempts_limit', { value: 3 })
    const from = (remoteAddress: string, password: string) =>
      api.nobody.send({ url: '/api/status', remoteAddress, headers: { authorization: basic(ADMIN.login, password) } })
    for (const password of ['wrong 1', 'wrong 2', 'wrong 3']) {
      expect((await from('203.0.113.9', password)).body.error.message).toBe(
        `Unable to authenticate user ${ADMIN.login}`,
      )
    }
    expect(await from('203.0.113.9', ADMIN.password)).toMatchObject({
      status: 401,
      body: { error: { message: 'Too many tries, please try again in a few minutes.' } },
    })
    expect((await from('::ffff:203.0.113.9', ADMIN.password)).status).toBe(401)
    expect((await from('203.0.113.10', ADMIN.password)).status).toBe(200)
    await api.admin.put('/api/settings/failed_login_attempts_limit', { value: 0 })
    expect((await from('203.0.113.9', ADMIN.password)).status).toBe(200)
  })

  test('counts wrong current passwords, which an open session could try as well', async () => {
    await api.admin.put('/api/settings/failed_login_attempts_limit', { value: 3 })
    const login = unique('self')
    const { id } = await given(api.admin, 'user', { login, password: 'their password' })
    const token = await expectCreated(api.admin.post(`/api/users/${id}/personal_access_tokens`, { name: 'own' }))
    const authorization = `Bearer ${token.token_value}`
    const change = (remoteAddress: string, current_password: string) =>
      api.nobody.send({
        ...{ method: 'PUT', url: `/api/users/${id}`, remoteAddress },
        headers: { authorization, 'content-type': 'application/json' },
        payload: JSON.stringify({ user: { password: 'another password', current_password } }),
      })
    const wrong = { status: 422, body: { error: { errors: { current_password: ['Incorrect password'] } } } }
    for (const guess of ['guess 1', 'guess 2', 'guess 3'])
      expect(await change('203.0.113.20', guess)).toMatchObject(wrong)
    expect((await change('203.0.113.20', 'their password')).status).toBe(401)
    const login401 = { url: '/api/status', remoteAddress: '203.0.113.20' }
    const basicLogin = { authorization: basic(ADMIN.login, ADMIN.password) }
    expect((await api.nobody.send({ ...login401, headers: basicLogin })).status).toBe(401)
    expect(await change('203.0.113.21', 'guess 4')).toMatchObject(wrong)
    expect((await change('203.0.113.21', 'their password')).status).toBe(200)
    await api.admin.put('/api/settings/failed_login_attempts_limit', { value: 0 })
  })

  test('counts them in a batch, too: they are not checked there', async () => {
    const login = unique('self')
    const { id } = await given(api.admin, 'user', { login, password: 'their password' })
    const token = await expectCreated(api.admin.post(`/api/users/${id}/personal_access_tokens`, { name: 'own' }))
    const own = api.as({ authorization: `Bearer ${token.token_value}` })
    const body = { user: { password: 'another password', current_password: 'their password' } }
    const { text } = await own.post('/api/batch', { operations: [{ method: 'PUT', path: `/api/users/${id}`, body }] })
    expect(text).toContain('has to be sent in a request of its own')
    expect((await own.put(`/api/users/${id}`, body)).status).toBe(200)
  })

  test('behind a proxy that the configuration does not name is noticed, and said once a minute', async () => {
    await api.admin.put('/api/settings/failed_login_attempts_limit', { value: 1 })
    const authorization = basic(ADMIN.login, 'wrong')
    const from = (remoteAddress: string, headers: Record<string, string> = {}) =>
      api.nobody.send({ url: '/api/status', remoteAddress, headers: { authorization, ...headers } })
    const noticed = () => logged.filter(({ msg }) => msg === 'lock-out of an undeclared proxy')
    const forwarded = { 'x-forwarded-for': '198.51.100.7' }
    for (const address of ['203.0.113.30', '192.0.2.1']) await from(address, address === '192.0.2.1' ? forwarded : {})
    expect((await from('203.0.113.30')).status).toBe(401)
    expect((await from('192.0.2.1', forwarded)).status).toBe(401)
    expect(noticed()).toEqual([])
    for (const _ of [1, 2]) expect((await from('203.0.113.30', forwarded)).status).toBe(401)
    expect(noticed()).toMatchObject([
      { address: '203.0.113.30', header: 'x-forwarded-for', hint: expect.stringContaining('trusted-proxies') },
    ])
    await api.admin.put('/api/settings/failed_login_attempts_limit', { value: 0 })
  })
})

describe('the address of a client behind a trusted proxy', () => {
  // What a proxy of its own sends in each case, and what counts: null is the proxy itself.
  const FORMS: readonly [sent: string, counts: string | null][] = [
    ['198.51.100.1', '198.51.100.1'],
    ['198.51.100.2:4444', '198.51.100.2'],
    [' 198.51.100.3:1 ', '198.51.100.3'],
    ['::ffff:198.51.100.4', '198.51.100.4'],
    ['[::ffff:198.51.100.5]:443', '198.51.100.5'],
    ['::FFFF:C633:6406', '198.51.100.6'],
    ['2001:DB8:1:0::9', '2001:db8:1::9'],
    ['[2001:db8:2::9]', '2001:db8:2::9'],
    ['[2001:db8:3::9]:443', '2001:db8:3::9'],
    ['fe80::1%eth0', 'fe80::1'],
    ['unknown, 198.51.100.17:80', '198.51.100.17'],
    ['203.0.113.77, 198.51.100.8', '198.51.100.8'],
    ['198.51.100.9:4444, 192.0.2.1:5555', '198.51.100.9'],
    ['198.51.100.10, [2001:db8:ffff::1]:5555', '198.51.100.10'],
    ...['unknown', '_hidden', 'garbage', '', ',', '198.51.100.11,', '198.51.100.11, unknown', '198.51.100.11:'].map(
      none,
    ),
    ...['198.51.100.11:x', '198.51.100.11:123456', '[198.51.100.11]:80', '[2001:db8:4::9', '2001:db8:4::9]:80'].map(
      none,
    ),
    ...[
      '1.2.3',
      '1.2.3.256',
      '010.0.0.1',
      '0x7f.0.0.1',
      '0.0.0.0',
      '[]:80',
      '"198.51.100.11"',
      'for=198.51.100.11',
    ].map(none),
  ]

  test('is one address wherever it counts, whatever form it comes in; what is no address is the proxy, and an event', async () => {
    await api.admin.put('/api/settings/failed_login_attempts_limit', { value: 1 })
    const found: unknown[] = []
    for (const [index, [sent, counts]] of FORMS.entries()) {
      const proxy = `192.0.2.${128 + index}`
      const seen = await whereItCounts(proxy, { 'x-forwarded-for': sent })
      const client = counts ?? proxy
      const expected = { audited: client, asked: client, locked: true, proxyLocked: counts === null }
      if (!isDeepStrictEqual(seen, expected)) found.push({ sent, seen, expected })
      const told = logged.filter(({ msg, address }) => msg === 'X-Forwarded-For holds no address' && address === proxy)
      if (told.length !== Number(counts === null)) found.push({ sent, told })
    }
    expect(found).toEqual([])
    await api.admin.put('/api/settings/failed_login_attempts_limit', { value: 0 })
  })

  test('comes in no other header', async () => {
    await api.admin.put('/api/settings/failed_login_attempts_limit', { value: 1 })
    const others = {
      forwarded: 'for="198.51.100.12:4444"',
      'x-real-ip': '198.51.100.12',
      'x-client-ip': '198.51.100.12',
    }
    for (const [index, [name, value]] of Object.entries(others).entries()) {
      const proxy = `192.0.2.${200 + index}`
      const seen = await whereItCounts(proxy, { [name]: value })
      expect({ name, seen }).toEqual({ name, seen: { audited: proxy, asked: proxy, locked: true, proxyLocked: true } })
    }
    await api.admin.put('/api/settings/failed_login_attempts_limit', { value: 0 })
  })

  test('thirty wrong passwords from 1.2.3.6:4444 lock out 1.2.3.6 and nobody else', async () => {
    await api.admin.put('/api/settings/failed_login_attempts_limit', { value: 30 })
    const tried = async (sent: string, password: string) =>
      (await loginFrom('192.0.2.1', password, { 'x-forwarded-for': sent })).status
    for (let times = 0; times < 30; times++) expect(await tried(`1.2.3.6:${4444 + times}`, `wrong ${times}`)).toBe(401)
    expect(await tried('1.2.3.6', ADMIN.password)).toBe(401)
    for (const other of ['1.2.3.7:4444', '[2001:db8::6]:4444', 'unknown'])
      expect(await tried(other, ADMIN.password)).toBe(200)
    await api.admin.put('/api/settings/failed_login_attempts_limit', { value: 0 })
  })

  /** Tells which address of a request counts in audits, for machines, and for lock-outs, which are of it alone. */
  async function whereItCounts(remoteAddress: string, headers: Record<string, string>) {
    const name = unique('from')
    const created = await api.admin.send({
      ...{ method: 'POST', url: '/api/architectures', remoteAddress, payload: JSON.stringify({ name }) },
      headers: { ...headers, 'content-type': 'application/json' },
    })
    expect({ headers, status: created.status }).toEqual({ headers, status: 201 })
    const search = encodeURIComponent(`type = architecture and auditable_id = ${created.body.id}`)
    const audited: string = (await api.admin.get(`/api/audits?search=${search}`)).body.results[0].remote_address
    const { text } = await api.nobody.send({ url: '/unattended/provision', remoteAddress, headers })
    await loginFrom(remoteAddress, 'wrong', headers)
    return {
      audited,
      asked: /with the address (\S+)/.exec(text)?.[1],
      locked: (await loginFrom(audited, ADMIN.password)).status === 401,
      proxyLocked: (await loginFrom(remoteAddress, ADMIN.password)).status === 401,
    }
  }

  async function loginFrom(remoteAddress: string, password: string, headers: Record<string, string> = {}) {
    const authorization = basic(ADMIN.login, password)
    return api.nobody.send({ url: '/api/status', remoteAddress, headers: { ...headers, authorization } })
  }
})

function none(sent: string): [sent: string, counts: null] {
  return [sent, null]
}
