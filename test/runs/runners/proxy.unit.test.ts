import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openProxyContacts } from '../../../src/areas/proxies/contacts.ts'
import type { ProxyRunner } from '../../../src/areas/runs/runners/runner.ts'
import { CONFIG_ENGINE_PATH } from '../../../src/words/protocols.ts'
import { type Certificate, type Certificates, makeCertificates } from '../../support/directories/certificates.ts'
import { startListener, unusedPort } from '../../support/peers/listener.ts'
import { BEHAVIOURS, makeClientCertificate, type ProxyPeer, startProxy } from '../../support/peers/proxy.ts'
import { cancelledAt, ran } from './running.ts'

const HOST = 'web.example.test'
let peer: ProxyPeer
beforeAll(async () => {
  peer = await startProxy()
})
afterAll(() => peer?.[Symbol.asyncDispose]())

const at = (url: string, options: Partial<ProxyRunner> = {}): ProxyRunner => ({
  kind: 'proxy',
  url,
  timeoutMs: 10_000,
  ...options,
})

/** Starts a run through the peer with this behaviour. */
async function asked(behaviour: keyof typeof BEHAVIOURS, options: Partial<ProxyRunner> = {}) {
  peer.behave(BEHAVIOURS[behaviour])
  return ran(at(peer.url, options), HOST)
}

const framed = (inner: string, url = peer.url) => `Unable to execute config run (${inner}) for proxy ${url}`

describe('the request', () => {
  test('is the one of the protocol, once, on a connection of its own', async () => {
    peer.asked.length = 0
    await asked('succeeds')
    expect(peer.asked).toHaveLength(1)
    expect(peer.asked[0]).toMatchObject({ method: 'POST', path: `/${CONFIG_ENGINE_PATH}`, body: `nodes=${HOST}` })
    expect(peer.asked[0]?.headers).toMatchObject({
      accept: 'application/json',
      connection: 'close',
      'content-length': String(`nodes=${HOST}`.length),
      'content-type': 'application/x-www-form-urlencoded',
      host: `127.0.0.1:${peer.port}`,
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    expect(peer.asked[0]?.headers).not.toHaveProperty('authorization')
  })

  test('goes below the path of the URL, to the path of the settings, with the id of the caller', async () => {
    peer.asked.length = 0
    await ran(at(`${peer.url}/below/?a=b#c`, { path: 'engine/start' }), HOST, { requestId: 'run-7' })
    expect(peer.asked[0]).toMatchObject({ path: '/below/engine/start', headers: { 'x-request-id': 'run-7' } })
  })

  test('carries user and password of the URL, and no message shows them', async () => {
    peer.asked.length = 0
    peer.behave(BEHAVIOURS['fails with text'])
    const { outcome } = await ran(at(`http://admin:s%C3%A9same@127.0.0.1:${peer.port}/?key=hidden`), HOST)
    const expected = `Basic ${Buffer.from('admin:sésame').toString('base64')}`
    expect(peer.asked[0]?.headers.authorization).toBe(expected)
    expect(outcome.message).toBe(framed('[http_status]: 500 Internal Server Error: Failed config run: Check Log files'))
  })
})

describe('an answer', () => {
  test.each(['succeeds', 'says true', 'says an object', 'says blanks'] as const)('that %s is success', async (name) => {
    const { outcome } = await asked(name)
    expect(outcome).toEqual({ status: 'succeeded', reason: null, exitStatus: null, message: null, retryable: false })
  })

  test.each([
    [
      'says false',
      'no_success',
      '[no_success]: the proxy did not confirm the run: it answers false; look into its log',
    ],
    ['says null', 'no_success', '[no_success]: the proxy did not confirm the run: it answers null; look into its log'],
    [
      'says text',
      'not_json',
      '[not_json]: the answer is neither empty nor JSON: Welcome to the wrong service; check that the URL is the one of a smart proxy',
    ],
    ['finds no nodes', 'http_status', '[http_status]: 400 Bad Request: Failed config run: No nodes defined'],
    ['fails with text', 'http_status', '[http_status]: 500 Internal Server Error: Failed config run: Check Log files'],
    [
      'fails with a page',
      'http_status',
      '[http_status]: 502 Bad Gateway: 502 Proxy Error The server <backend> is away.',
    ],
    ['fails without a word', 'http_status', '[http_status]: 503 Service Unavailable'],
    ['has no runs', 'http_status', '[http_status]: 501 Not Implemented'],
    [
      'redirects',
      'redirected',
      '[redirected]: 302 Found to https://elsewhere.example.test/run; redirections are not followed: use the final URL',
    ],
  ] as const)('that %s is a failure', async (name, reason, inner) => {
    const { outcome } = await asked(name)
    expect(outcome).toEqual({ status: 'failed', reason, exitStatus: null, message: framed(inner), retryable: false })
  })

  test('goes to the output as it is', async () => {
    expect((await asked('fails with text')).stdout).toBe('Failed config run: Check Log files')
    expect((await asked('succeeds')).stdout).toBe('')
  })

  test('without end is read up to 64 KiB', async () => {
    const failing = await asked('fails at length')
    expect(failing.stdout).toHaveLength(65_536)
    expect(failing.outcome.reason).toBe('http_status')
    expect(failing.outcome.message?.length).toBeLessThan(600)
    expect((await asked('succeeds at length')).outcome).toMatchObject({ status: 'failed', reason: 'answer_too_large' })
  })

  test.each(['resets at once', 'resets in the middle', 'closes in the middle'] as const)(
    'that %s leaves open whether the run goes on',
    async (name) => {
      const { outcome } = await asked(name)
      expect(outcome).toMatchObject({ status: 'failed', reason: 'connection_lost', retryable: false })
      expect(outcome.message).toContain('whether the run goes on there is not known')
    },
  )

  test('that is no HTTP is told so', async () => {
    expect((await asked('is not HTTP')).outcome).toMatchObject({ reason: 'not_http', retryable: false })
  })

  test.each(['never answers', 'drips'] as const)('that %s is waited for so long only', async (name) => {
    const { outcome } = await asked(name, { timeoutMs: 300 })
    expect(outcome).toMatchObject({ status: 'failed', reason: 'timeout', retryable: false })
    expect(outcome.message).toBe(framed('[timeout]: timed out after 0.3 s'))
  })

  test('is not waited for when the run is cancelled', async () => {
    peer.behave(BEHAVIOURS.drips)
    const { outcome } = await cancelledAt(at(peer.url), '..', HOST)
    expect(outcome).toMatchObject({ status: 'cancelled', retryable: false })
    expect(outcome.message).toBe('cancelled; the proxy may go on with the run')
  })

  test('that cannot be written down is an error of the caller', async () => {
    const write = () => {
      throw new Error('the disk is full')
    }
    peer.behave(BEHAVIOURS['says text'])
    await expect(ran(at(peer.url), HOST, { write })).rejects.toThrow('the disk is full')
  })
})

describe('a proxy that is not reached', () => {
  test('may be asked again', async () => {
    const url = `http://127.0.0.1:${await unusedPort()}`
    const refused = await ran(at(url), HOST)
    expect(refused.outcome).toMatchObject({ status: 'failed', reason: 'refused', retryable: true })
    expect(refused.outcome.message).toBe(
      framed('[refused]: the connection is refused; check the port and that the service runs there', url),
    )
    const contacts = openProxyContacts()
    await ran(at(url, { contacts }), HOST)
    const message = 'the connection is refused; check the port and that the service runs there'
    expect([...contacts.ill()]).toEqual([[url, { state: 'ill', since: expect.any(Date), message }]])
    const unresolved = await ran(at('http://nowhere.invalid:8443'), HOST)
    expect(unresolved.outcome).toMatchObject({ reason: 'unresolved', retryable: true })
  })

  test('while TLS is being agreed on has not been asked anything', async () => {
    await using silent = await startListener(() => {})
    const late = await ran(at(`https://127.0.0.1:${silent.port}`, { timeoutMs: 300 }), HOST)
    expect(late.outcome).toMatchObject({ reason: 'timeout', retryable: true })
    expect(late.outcome.message).toContain('timed out after 0.3 s; no connection came about')
    await using closing = await startListener((client) => client.destroy())
    const closed = await ran(at(`https://127.0.0.1:${closing.port}`), HOST)
    expect(closed.outcome).toMatchObject({ reason: 'closed_early', retryable: true })
  })

  test.each(['', 'proxy.example.test', 'ftp://proxy.example.test', 'http://user:hidden@:80:x/'])(
    'because its URL is %j',
    async (url) => {
      const { outcome } = await ran(at(url), HOST)
      expect(outcome).toMatchObject({ status: 'failed', reason: 'settings', retryable: false })
      expect(outcome.message).not.toContain('hidden')
    },
  )
})

describe('TLS', () => {
  const folder = mkdtempSync(join(tmpdir(), 'proxy-test-'))
  let certificates: Certificates
  let client: Certificate
  let stranger: Certificate
  beforeAll(async () => {
    certificates = await makeCertificates(folder)
    client = await makeClientCertificate(folder, 'client')
    stranger = await makeClientCertificate(folder, 'stranger')
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('trusts the authorities of the proxy, and nobody else', async () => {
    await using secure = await startProxy(certificates.server)
    expect((await ran(at(secure.url, { tls: { authorities: certificates.ca } }), HOST)).outcome.status).toBe(
      'succeeded',
    )
    for (const tls of [{}, { authorities: certificates.otherCa }]) {
      const { outcome } = await ran(at(secure.url, { tls }), HOST)
      expect(outcome).toMatchObject({ status: 'failed', reason: 'tls_untrusted', retryable: false })
    }
    expect(secure.asked).toHaveLength(1)
  })

  test.each([
    ['expired', 'tls_expired'],
    ['wrongName', 'tls_name'],
    ['untrusted', 'tls_untrusted'],
  ] as const)('refuses a certificate that is %s', async (name, reason) => {
    await using secure = await startProxy(certificates[name])
    const { outcome } = await ran(at(secure.url, { tls: { authorities: certificates.ca } }), HOST)
    expect(outcome).toMatchObject({ status: 'failed', reason, retryable: false })
    expect(secure.asked).toHaveLength(0)
  })

  test.each(['TLSv1.2', 'TLSv1.3'] as const)(
    'shows its own certificate where it is asked for (%s)',
    async (maxVersion) => {
      const server = {
        ...certificates.server,
        ca: client.cert,
        requestCert: true,
        rejectUnauthorized: true,
        maxVersion,
      }
      await using secure = await startProxy(server)
      const authorities = certificates.ca
      const known = { authorities, certificate: client.cert, key: client.key }
      expect((await ran(at(secure.url, { tls: known }), HOST)).outcome.status).toBe('succeeded')
      const without = await ran(at(secure.url, { tls: { authorities } }), HOST)
      expect(without.outcome.reason).toBe(maxVersion === 'TLSv1.3' ? 'certificate_refused' : 'tls_failed')
      expect(without.outcome.retryable).toBe(false)
      const strange = { authorities, certificate: stranger.cert, key: stranger.key }
      const refused = await ran(at(secure.url, { tls: strange }), HOST)
      expect(refused.outcome.status).toBe('failed')
      expect(refused.outcome.message).toContain('ECONNRESET, perhaps because our TLS certificate is not accepted')
      expect(secure.asked).toHaveLength(1)
    },
  )

  test('says what of its settings cannot be read, without showing it', async () => {
    const cases = [
      { certificate: client.cert },
      { certificate: client.cert, key: stranger.key },
      { certificate: 'hidden', key: 'hidden' },
      { authorities: 'hidden' },
    ]
    for (const tls of cases) {
      const { outcome } = await ran(at('https://127.0.0.1:1', { tls }), HOST)
      expect(outcome).toMatchObject({ status: 'failed', reason: 'tls_settings', retryable: false })
      expect(outcome.message).not.toContain('hidden')
    }
  })

  test('where the proxy has none, and none where it has, are told', async () => {
    const securely = await ran(at(`https://127.0.0.1:${peer.port}`), HOST)
    expect(securely.outcome).toMatchObject({ reason: 'tls_not_offered', retryable: false })
    await using secure = await startProxy(certificates.server)
    const plainly = await ran(at(`http://127.0.0.1:${secure.port}`), HOST)
    expect(plainly.outcome).toMatchObject({ reason: 'connection_lost', retryable: false })
    expect(plainly.outcome.message).toContain('perhaps because the URL has to begin with https://')
  })
})
