import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SUBSCRIPTION_VERSION_HEADER } from '../../src/dialect/words.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { type Certificates, makeCertificates } from '../support/directories/certificates.ts'
import { newKey, newSite, type Site } from './clients.ts'
import { type KeptIdentity, SubscriptionClient } from './tls-client.ts'

// Content-api §5.4 over TLS, with the certificates that the service issues, on the listener of the service itself.

let folder: string
let certificates: Certificates
let api: TestApi
let address: string
let site: Site

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'registration-'))
  certificates = await makeCertificates(folder)
  api = await openTestApi({
    env: {
      MILLWRIGHT_TLS_CERTIFICATE: join(folder, 'server.crt'),
      MILLWRIGHT_TLS_KEY: join(folder, 'server.key'),
      MILLWRIGHT_TLS_CLIENT_CA: join(folder, 'other-ca.crt'),
    },
  })
  address = await api.listen()
  site = await newSite(api)
  await newKey(api, site, 'base', { service_level: 'Premium', max_hosts: 2 })
  await newKey(api, site, 'web', { release_version: null, purpose_role: 'web' })
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

const newClient = () => new SubscriptionClient(address, certificates.ca)

test('a client registers, reads, changes, registers anew, and leaves', async () => {
  const client = newClient()
  const registered = await client.register(site.label, 'base,web', 'client.example.test')
  expect([registered.status, registered.body]).toMatchObject([200, { serviceLevel: 'Premium', role: 'web' }])
  expect(registered.headers[SUBSCRIPTION_VERSION_HEADER]).toMatch(/^\d/)
  expect((await client.own('GET')).body).toMatchObject({ uuid: client.uuid, name: 'client.example.test' })
  expect((await client.own('GET', '/certificates/serials')).body).toEqual([])
  expect((await client.own('GET', '/content_overrides')).body).toEqual([])
  expect((await client.own('PUT', '', { releaseVer: '9.4' })).status).toBe(200)
  expect((await client.own('GET', '/release')).body).toEqual({ releaseVer: '9.4' })

  const former: KeptIdentity | null = client.identity
  const uuid = client.uuid
  expect((await client.register(site.label, 'base', 'client.example.test')).status).toBe(200)
  expect(client.uuid).not.toBe(uuid)
  expect(await client.send('GET', `/consumers/${uuid}`, undefined, former)).toMatchObject({
    status: 410,
    body: { deletedId: uuid },
  })
  expect((await client.own('DELETE')).status).toBe(204)
  expect((await client.own('GET')).status).toBe(410)
  expect(client.identity).toBeNull()
})

test('an identity is for its host alone, and for nothing beside', async () => {
  const [one, other] = [newClient(), newClient()]
  await one.register(site.label, 'web', 'one.example.test')
  await other.register(site.label, 'web', 'other.example.test')
  expect((await one.send('GET', `/consumers/${other.uuid}`)).status).toBe(403)
  expect((await one.send('GET', `/consumers/${one.uuid}`, undefined, null)).status).toBe(401)
  const stranger = { cert: certificates.untrusted.cert, key: certificates.untrusted.key }
  expect((await one.send('GET', `/consumers/${one.uuid}`, undefined, stranger)).status).toBe(401)
  const before = one.identity
  const renewed = await one.own('POST', '', {})
  one.identity = { cert: renewed.body.idCert.cert, key: renewed.body.idCert.key }
  expect((await one.own('GET')).status).toBe(200)
  expect((await one.send('GET', `/consumers/${one.uuid}`, undefined, before)).status).toBe(401)
  expect(new X509Certificate(one.identity.cert).keyUsage).toEqual(['1.3.6.1.5.5.7.3.2'])
})
