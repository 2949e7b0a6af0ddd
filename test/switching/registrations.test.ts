import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { run } from '../cli/program.ts'
import { BEHIND_PROXY, clientBody, machineUuid, newKey, newSite, register, showing } from '../registration/clients.ts'
import { type KeptIdentity, SubscriptionClient } from '../registration/tls-client.ts'
import { ADMIN, openTestApi, type TestApi } from '../support/api.ts'
import { makeCertificates } from '../support/directories/certificates.ts'
import { execFile } from '../support/processes.ts'
import { openHere } from './here.ts'
import { type OldPeer, serveOld } from './old-server.ts'

// Hosts that were registered with another server go on here with the certificate that they have from there.

let old: TestApi
let here: TestApi
let folder: string
let env: Record<string, string>
let peer: OldPeer
/** What the clients of the old server have stored, by the names of their hosts. */
const clients = new Map<string, Stored>()

interface Stored extends KeptIdentity {
  readonly uuid: string
}

beforeAll(async () => {
  old = await openTestApi({ env: { ...BEHIND_PROXY, MILLWRIGHT_VENDOR_PORT: '0' } })
  peer = await serveOld(old)
  folder = mkdtempSync(join(tmpdir(), 'millwright-'))
  const opened = await openHere(folder, BEHIND_PROXY)
  here = opened.api
  env = opened.env
  writeFileSync(join(folder, 'password'), ADMIN.password)
  const site = await newSite(old)
  await newKey(old, site, 'base', { service_level: 'Premium' })
  for (const name of ['one.example.test', 'other.example.test', 'third.example.test']) {
    const { body } = await register(old, site, 'base', clientBody(name))
    clients.set(name, { uuid: body.uuid, cert: body.idCert.cert, key: body.idCert.key })
  }
}, 120_000)
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await here?.[Symbol.asyncDispose]()
  await peer?.[Symbol.asyncDispose]()
  await old?.[Symbol.asyncDispose]()
})

async function millwright(...words: string[]) {
  const { code, stdout, stderr } = await run([...words, '--json'], folder, env)
  return { code, body: stdout === '' ? stderr : JSON.parse(stdout) }
}

function clientOf(name: string): Stored {
  const client = clients.get(name)
  if (!client) throw new Error(`${name} has not registered`)
  return client
}

const ask = ({ uuid, cert }: Stored, method: 'get' | 'put' = 'get', body?: object) => {
  const path = `/rhsm/consumers/${uuid}`
  return method === 'get' ? here.nobody.get(path, showing(cert)) : here.nobody.put(path, body, showing(cert))
}

test('hosts keep the identity and the certificate of the old server, once its authority is imported', {
  timeout: 240_000,
}, async () => {
  const login = ['--user', ADMIN.login, '--password-file', 'password']
  const { code, body: report } = await millwright('import', 'server', peer.url, ...login)
  expect(code, JSON.stringify(report)).toBe(0)
  const one = clientOf('one.example.test')
  const shown = async (name: string) => (await here.admin.get(`/api/hosts/${name}`)).body.subscription_facet_attributes
  expect(await shown('one.example.test')).toMatchObject({
    uuid: one.uuid,
    registered_at: null,
    service_level: 'Premium',
  })
  expect((await millwright('import', 'missing')).body).toContainEqual({
    kind: 'host',
    record: '3 registered hosts',
    key: 'authority',
  })

  // Without its authority a certificate is nobody's, and what is no authority is refused.
  expect((await ask(one)).status).toBe(401)
  writeFileSync(join(folder, 'host.pem'), one.cert)
  expect(await millwright('import', 'authority', 'host.pem')).toMatchObject({
    code: 1,
    body: expect.stringContaining('is the certificate of no authority'),
  })
  const authority = (await old.nobody.get('/register/ca.pem')).text
  writeFileSync(join(folder, 'ca.pem'), authority)
  expect((await millwright('import', 'authority', 'ca.pem')).body).toEqual({
    stored: [new X509Certificate(authority).subject],
  })
  expect((await millwright('import', 'authority', 'ca.pem')).code).toBe(0) // again
  expect((await millwright('import', 'missing')).body).toEqual([])

  // The first requests come at once; the certificate is for its host alone.
  expect(
    (await here.nobody.get(`/rhsm/consumers/${clientOf('other.example.test').uuid}`, showing(one.cert))).status,
  ).toBe(403)
  const first = await Promise.all([ask(one), ask(one), ask(one)])
  expect(first.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(first[0]?.body).toMatchObject({ uuid: one.uuid, name: 'one.example.test', serviceLevel: 'Premium' })
  const { serialNumber } = new X509Certificate(one.cert)
  expect(first[0]?.text).toContain(`"serial":${BigInt(`0x${serialNumber}`)}`)
  expect(await shown('one.example.test')).toMatchObject({ uuid: one.uuid, dmi_uuid: machineUuid('one.example.test') })
  const { body: audits } = await here.admin.get(`/api/audits?search=${encodeURIComponent(`changes ~ ${one.uuid}`)}`)
  expect(audits.results).toMatchObject([{ auditable_name: 'one.example.test', action: 'update' }])
  expect((await ask(one, 'put', { releaseVer: '9.4' })).status).toBe(200)

  // Renewed by the client, the certificate is one of this service, and the old one ends.
  const { body: renewed } = await here.nobody.post(`/rhsm/consumers/${one.uuid}`, {}, showing(one.cert))
  expect((await ask({ ...one, cert: renewed.idCert.cert })).status).toBe(200)

  // A host that registers anew, here, leaves its former identity behind for good.
  const third = clientOf('third.example.test')
  const host = await here.admin.get('/api/hosts/third.example.test')
  const [site] = (await here.admin.get(`/api/organizations?search=id=${host.body.organization_id}`)).body.results
  const query = `owner=${site.label}&activation_keys=base`
  const anew = await here.nobody.post(`/rhsm/consumers?${query}`, clientBody('third.example.test'))
  expect([anew.status, anew.body.uuid === third.uuid]).toEqual([200, false])
  expect((await here.admin.delete(`/rhsm/consumers/${anew.body.uuid}`)).status).toBe(204)
  expect((await ask(third)).status).toBe(404)
})

test('a listener with TLS asks for the certificates of that authority, too', async () => {
  const certificates = await makeCertificates(folder)
  await using second = await openTestApi({
    beside: here,
    env: {
      MILLWRIGHT_ENCRYPTION_KEY_FILE: join(folder, 'keys'),
      MILLWRIGHT_TLS_CERTIFICATE: join(folder, 'server.crt'),
      MILLWRIGHT_TLS_KEY: join(folder, 'server.key'),
    },
  })
  const other = clientOf('other.example.test')
  const client = new SubscriptionClient(await second.listen(), certificates.ca)
  client.identity = other
  expect(await client.own('GET')).toMatchObject({ status: 200, body: { uuid: other.uuid } })
  expect((await client.send('GET', `/consumers/${other.uuid}`, undefined, certificates.untrusted)).status).toBe(401)
})

test('an authority for hosts names no machine that asks for documents of others', async () => {
  const certificates = await makeCertificates(folder)
  expect((await millwright('import', 'authority', 'other-ca.crt')).code).toBe(0)
  expect((await here.admin.put('/api/settings/trusted_hosts', { setting: { value: ['localhost'] } })).status).toBe(200)
  const files = {
    MILLWRIGHT_ENCRYPTION_KEY_FILE: join(folder, 'keys'),
    MILLWRIGHT_TLS_CERTIFICATE: join(folder, 'server.crt'),
    MILLWRIGHT_TLS_KEY: join(folder, 'server.key'),
  }
  const between = await issueBetween('other-ca')
  const askDocument = async (env: Record<string, string>, certificate: KeptIdentity) => {
    await using service = await openTestApi({ beside: here, env: { ...files, ...env } })
    const { cert, key } = certificate
    const sent = request(`${await service.listen()}/node/one.example.test`, {
      ...{ ca: certificates.ca, agent: false, cert, key },
    })
    sent.end()
    const [{ statusCode }] = await once(sent, 'response')
    return statusCode
  }
  const bundle = join(folder, 'bundle.crt')
  writeFileSync(bundle, `${certificates.otherCa}${between.authority}`)
  const trusting = { MILLWRIGHT_TLS_CLIENT_CA: join(folder, 'other-ca.crt') }
  expect(await askDocument({}, certificates.untrusted)).toBe(403)
  expect(await askDocument(trusting, certificates.untrusted)).toBe(200)
  // An authority between counts where `tls-client-ca` has it, too.
  expect(await askDocument({}, between)).toBe(403)
  expect(await askDocument(trusting, between)).toBe(403)
  expect(await askDocument({ MILLWRIGHT_TLS_CLIENT_CA: bundle }, between)).toBe(200)
})

/** Issues a certificate by an authority that another one has signed; it comes with the certificate of that authority. */
async function issueBetween(authority: string): Promise<KeptIdentity & { readonly authority: string }> {
  const issue = (name: string, subject: string, by: string, extension: string) =>
    promisify(execFile)(
      'openssl',
      [
        ...['req', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', `${name}.key`],
        ...['-x509', '-CA', `${by}.crt`, '-CAkey', `${by}.key`, '-days', '30', '-subj', `/CN=${subject}`],
        ...['-addext', extension, '-out', `${name}.crt`],
      ],
      { cwd: folder },
    )
  await issue('between', 'Between', authority, 'keyUsage=critical,keyCertSign')
  await issue('below', 'localhost', 'between', 'subjectAltName=DNS:localhost')
  const read = (name: string) => readFileSync(join(folder, name), 'utf8')
  const between = read('between.crt')
  return { cert: read('below.crt') + between, key: read('below.key'), authority: between }
}
