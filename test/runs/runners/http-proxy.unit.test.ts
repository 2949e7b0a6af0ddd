import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { resolveDetour } from '../../../src/areas/proxies/http-proxy.ts'
import type { ProxyRunner } from '../../../src/areas/runs/runners/runner.ts'
import { CONFIG_ENGINE_PATH } from '../../../src/words/protocols.ts'
import { type Certificates, HOST_NAME, makeCertificates } from '../../support/directories/certificates.ts'
import { type HttpProxyPeer, startHttpProxy } from '../../support/peers/http-proxy.ts'
import { unusedPort } from '../../support/peers/listener.ts'
import { type ProxyPeer, startProxy } from '../../support/peers/proxy.ts'
import { ran } from './running.ts'

// The name of the smart proxy cannot be resolved, so that every request that arrives has come through the HTTP proxy.

let folder: string
let made: Certificates
let plain: ProxyPeer
let secured: ProxyPeer
let through: HttpProxyPeer

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'http-proxy-'))
  made = await makeCertificates(folder)
  plain = await startProxy()
  secured = await startProxy(made.server)
  through = await startHttpProxy()
})
afterAll(async () => {
  for (const peer of [plain, secured, through]) await peer[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})
beforeEach(() => {
  through.tunnels('opens')
  for (const { asked } of [plain, secured, through]) asked.length = 0
})

const run = (url: string, options: Partial<ProxyRunner> = {}) =>
  ran(
    {
      kind: 'proxy',
      url,
      timeoutMs: 10_000,
      tls: { authorities: made.ca },
      through: { url: through.url, except: [] },
      ...options,
    },
    'web.example.test',
  )
const atPlain = () => `http://${HOST_NAME}:${plain.port}`
const atSecured = () => `https://${HOST_NAME}:${secured.port}`

test('a plain request is sent to the HTTP proxy, with its credentials for the smart proxy', async () => {
  const { outcome } = await run(atPlain().replace('//', '//user:word@'))
  expect(outcome.message).toBe(null)
  expect(through.asked).toEqual([`POST ${atPlain()}/${CONFIG_ENGINE_PATH}`])
  expect(plain.asked).toMatchObject([
    { method: 'POST', path: `/${CONFIG_ENGINE_PATH}`, body: 'nodes=web.example.test' },
  ])
  expect(plain.asked[0]?.headers).toMatchObject({
    host: `${HOST_NAME}:${plain.port}`,
    authorization: `Basic ${Buffer.from('user:word').toString('base64')}`,
  })
})

test('a secured one goes through a tunnel, to whom the certificate names', async () => {
  const { outcome } = await run(atSecured())
  expect(outcome.message).toBe(null)
  expect(through.asked).toEqual([`CONNECT ${HOST_NAME}:${secured.port}`])
  expect(secured.asked).toMatchObject([{ body: 'nodes=web.example.test' }])
  const elsewhere = await run(atSecured().replace(HOST_NAME, 'elsewhere.example.test'))
  expect(elsewhere.outcome).toMatchObject({ reason: 'tls_name', retryable: false })
  const untrusted = await run(atSecured(), { tls: { authorities: made.otherCa } })
  expect(untrusted.outcome.reason).toBe('tls_untrusted')
  expect(secured.asked).toHaveLength(1)
})

test('a tunnel that is refused says by whom and why', async () => {
  through.tunnels(407)
  const { outcome } = await run(atSecured())
  expect(outcome).toMatchObject({ status: 'failed', reason: 'http_proxy_refused', retryable: false })
  expect(outcome.message).toContain(
    `the HTTP proxy does not open the connection: 407 Proxy Authentication Required, on the way through the HTTP proxy ${through.url}`,
  )
})

test.each([atPlain, atSecured])('an HTTP proxy that is not there is named (%#)', async (at) => {
  const url = `http://127.0.0.1:${await unusedPort()}`
  const { outcome } = await run(at(), { through: { url, except: [] } })
  expect(outcome).toMatchObject({ reason: 'refused', retryable: true })
  expect(outcome.message).toContain(`on the way through the HTTP proxy ${url}`)
})

test('one that never opens its tunnel is left when the time is over', async () => {
  through.tunnels('holds')
  const { outcome } = await run(atSecured(), { timeoutMs: 200 })
  expect(outcome).toMatchObject({ reason: 'timeout', retryable: true })
  expect(through.asked).toHaveLength(1)
  await through.alone()
})

test.each([
  ['web.example.test', ['db.example.test'], true],
  ['web.example.test', ['WEB.example.TEST'], false],
  ['web.example.test', ['*.example.test'], false],
  ['web.example.test', ['example.test', 'b.example.tes', 'web.example.test.'], true],
  ['webXexample.test', ['web.example.test'], true],
  ['192.0.2.7', ['192.0.2.*'], false],
  ['2001:db8::7', ['2001:db8:*'], false],
  ['localhost', [], false],
  ['127.8.9.1', [], false],
  ['::1', [], false],
] as const)('%s beside the list %j goes through the HTTP proxy: %s', (host, except, goes) => {
  expect(resolveDetour(host, { url: 'http://proxy.example.test:3128', except }) !== null).toBe(goes)
})

test('the time that a pattern takes grows with the name only', () => {
  const through = { url: 'http://proxy.example.test', except: [`${'*a'.repeat(120)}*b`] }
  expect(resolveDetour('a'.repeat(250), through)?.hostname).toBe('proxy.example.test')
})
