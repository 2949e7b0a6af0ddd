import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApi } from '../support/api.ts'
import { type Certificates, makeCertificates } from '../support/directories/certificates.ts'
import { makeClientCertificate, type ProxyPeer, startProxy } from '../support/peers/proxy.ts'

let folder: string
let made: Certificates
let peer: ProxyPeer

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'proxies-'))
  made = await makeCertificates(folder)
  writeFileSync(join(folder, 'client.ca'), made.ca)
  const client = await makeClientCertificate(folder, 'client')
  peer = await startProxy({ ...made.server, ca: client.cert, requestCert: true, rejectUnauthorized: true })
  peer.offer({ '/v2/features': (response) => response.end('{"dns": {"state": "running"}}') })
})
afterAll(async () => {
  await peer?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

/** Creates a proxy at the peer with a service that has these TLS files, and yields the result. */
async function create(env: Readonly<Record<string, string>>) {
  await using api = await openTestApi({ env })
  return await api.admin.post('/api/smart_proxies', { smart_proxy: { name: 'secured', url: peer.url } })
}

const ours = () => ({
  MILLWRIGHT_PROXY_CERTIFICATE: join(folder, 'client.crt'),
  MILLWRIGHT_PROXY_KEY: join(folder, 'client.key'),
})
const trusted = () => ({ MILLWRIGHT_PROXY_CA: join(folder, 'client.ca') })

test('a proxy with https is asked with the certificate of the service', async () => {
  const { status, body } = await create({ ...ours(), ...trusted() })
  expect(status).toBe(201)
  expect(body.features).toMatchObject([{ name: 'DNS' }])
})

test('a proxy that wants a certificate turns a service without one away', async () => {
  const { status, body } = await create(trusted())
  expect(status).toBe(422)
  expect(body.error.errors.base[0]).toContain('the proxy does not accept our TLS certificate')
})

test('a proxy whose authority is not trusted is not asked', async () => {
  peer.asked.length = 0
  const { status, body } = await create(ours())
  expect(status).toBe(422)
  expect(body.error.errors.base[0]).toContain('not signed by a trusted authority')
  expect(peer.asked).toEqual([])
})
