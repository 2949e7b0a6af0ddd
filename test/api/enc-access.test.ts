import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/sql.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { given, type Shown } from '../support/given.ts'
import { execFile } from '../support/processes.ts'

// Who may read /node, and who may upload facts (smart-parameters §5.2, §9.2): registered proxies by certificate, presented
// here or to a front end, trusted hosts, users.

const PROXY = 'proxy1.example.test'
let folder: string
let api: TestApi
let address: string
let host: Shown

const CERTIFICATES = {
  named: { subject: `/O=Works/CN=${PROXY}` },
  alternative: { subject: '/CN=somebody', names: `DNS:elsewhere.example.test,DNS:${PROXY}` },
  // Alternative names take precedence over the common name.
  masked: { subject: `/CN=${PROXY}`, names: 'DNS:elsewhere.example.test' },
  wildcard: { subject: '/CN=*.example.test' },
  stranger: { subject: '/CN=stranger.example.test' },
  untrusted: { subject: `/CN=${PROXY}` },
} as const
type Name = keyof typeof CERTIFICATES

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'enc-'))
  for (const [name, facts] of Object.entries(CERTIFICATES)) await makeCertificate(name, facts)
  await makeCertificate('server', { subject: '/CN=localhost', names: 'IP:127.0.0.1' })
  const known = Object.keys(CERTIFICATES).filter((name) => name !== 'untrusted')
  writeFileSync(join(folder, 'clients.crt'), known.map((name) => read(`${name}.crt`)).join(''))
  const env = {
    MILLWRIGHT_TLS_CERTIFICATE: join(folder, 'server.crt'),
    MILLWRIGHT_TLS_KEY: join(folder, 'server.key'),
    MILLWRIGHT_TLS_CLIENT_CA: join(folder, 'clients.crt'),
    MILLWRIGHT_TRUSTED_PROXIES: '127.0.0.1',
  }
  api = await openTestApi({ env })
  address = await api.listen()
  host = await given(api.admin, 'host', { name: 'node.example.test' })
  const registered = await given(api.admin, 'smart_proxy', { url: `https://${PROXY}:8443` })
  await sql`with feature as (insert into features (name) values ('Config') on conflict (name) do update set name = excluded.name returning id)
    insert into smart_proxy_features (smart_proxy_id, feature_id) select ${registered.id}::bigint, id from feature`.execute(
    api.database.db,
  )
})
afterAll(async () => {
  await api?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

const read = (name: string) => readFileSync(join(folder, name), 'utf8')

async function makeCertificate(
  name: string,
  { subject, names }: { readonly subject: string; readonly names?: string },
) {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', `${name}.key`]
  const alternatives = names ? ['-addext', `subjectAltName=${names}`] : []
  const made = ['req', '-x509', '-days', '2', ...key, '-subj', subject, ...alternatives, '-out', `${name}.crt`]
  await promisify(execFile)('openssl', made, { cwd: folder })
}

/** Sends a request to the listener with this certificate, or none; with a body it is a POST. */
function asked(
  name: Name | null,
  path = `/node/${host.name}?format=yml`,
  headers: Record<string, string | string[]> = {},
  body?: string,
): Promise<{ status: number; text: string }> {
  const shown = name === null ? {} : { cert: read(`${name}.crt`), key: read(`${name}.key`) }
  const method = body === undefined ? 'GET' : 'POST'
  return new Promise((resolve, reject) => {
    request(address + path, { ...shown, method, headers, ca: read('server.crt'), agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
      .on('error', reject)
      .end(body)
  })
}

const ask = (headers: Record<string, string>, remoteAddress = '127.0.0.1') =>
  api.nobody.send({ method: 'GET', url: `/node/${host.name}?format=yml`, headers, remoteAddress })
const setting = (name: string, value: unknown) => api.admin.put(`/api/settings/${name}`, { value })

describe('by a certificate shown to the service', () => {
  test.each<[Name, number]>([
    ['named', 200],
    ['alternative', 200],
    ['wildcard', 200],
    ['masked', 403],
    ['stranger', 403],
    ['untrusted', 403],
  ])('%s: %i', async (name, status) => {
    const answer = await asked(name)
    expect(answer.status).toBe(status)
    if (status === 200) expect(answer.text).toContain('name: node.example.test')
    else expect(answer.text).not.toContain('parameters')
  })

  test('none: 403, and the API wants a login as ever', async () => {
    expect((await asked(null)).status).toBe(403)
    expect((await asked('named', `/api/hosts/${host.id}/enc`)).status).toBe(401)
  })
})

describe('facts of hosts', () => {
  const upload = (name: Name | null, headers: Record<string, string> = {}, path = '/api/hosts/facts') =>
    asked(
      name,
      path,
      { 'content-type': 'application/json', accept: 'application/json,version=2', ...headers },
      JSON.stringify({ name: 'told.example.test', certname: 'told.example.test', facts: { teller: String(name) } }),
    )

  test.each<[Name, number]>([
    ['named', 201],
    ['alternative', 201],
    ['masked', 401],
    ['stranger', 401],
    ['untrusted', 401],
  ])('by the certificate %s: %i', async (name, status) => {
    expect((await upload(name)).status).toBe(status)
  })

  test('are what the proxy has told, by nobody who is a user here', async () => {
    expect((await upload('named')).status).toBe(201)
    const { body } = await api.admin.get('/api/hosts/told.example.test/facts')
    expect(body.results).toEqual({ 'told.example.test': { teller: 'named' } })
    const audits = await api.admin.get(`/api/audits?search=${encodeURIComponent('type = host')}`)
    const told = audits.body.results.filter((one: Shown) => one.auditable_name === 'told.example.test')
    expect(new Set(told.map(({ user_id, user_name }: Shown) => `${user_id} ${user_name}`))).toEqual(
      new Set(['null System']),
    )
  })

  test('a login counts alone, and a certificate lets write nothing else; without one it needs a login', async () => {
    const basic = `Basic ${Buffer.from('admin:wrong').toString('base64')}`
    expect((await upload('named', { authorization: basic })).status).toBe(401)
    expect((await upload('named', {}, '/api/hosts')).status).toBe(401)
    expect((await upload(null)).status).toBe(401)
    await setting('restrict_registered_smart_proxies', false)
    expect((await upload(null)).status).toBe(401)
    await setting('restrict_registered_smart_proxies', true)
  })
})

describe('by headers of a front end', () => {
  const certified = (subject: string) => ({ SSL_CLIENT_VERIFY: 'SUCCESS', SSL_CLIENT_S_DN: subject })

  test.each([
    [`CN=${PROXY},OU=x,O=Works`, 200],
    [`/C=XX/O=Works/CN=${PROXY}/emailAddress=a@example.test`, 200],
    ['CN=stranger.example.test', 403],
    [`O=x/CN=${PROXY},CN=stranger`, 403],
    [`/CN=stranger/CN=${PROXY}`, 403],
    ['', 403],
  ])('subject %j: %i', async (subject, status) => {
    expect((await ask(certified(subject))).status).toBe(status)
  })

  test('with the certificate itself, the alternative names of which count before the subject', async () => {
    const pem = (name: Name) => ({
      ...certified(`CN=${PROXY}`),
      SSL_CLIENT_CERT: encodeURIComponent(read(`${name}.crt`)),
    })
    expect((await ask(pem('alternative'))).status).toBe(200)
    expect((await ask(pem('masked'))).status).toBe(403)
    const flat = { ...certified('CN=x'), SSL_CLIENT_CERT: read('named.crt').replaceAll('\n', ' ') }
    expect((await ask(flat)).status).toBe(200)
  })

  test('sent twice: 403, because the client may have sent the other', async () => {
    const verified = { SSL_CLIENT_VERIFY: 'SUCCESS' }
    expect((await asked(null, undefined, { ...verified, SSL_CLIENT_S_DN: [`CN=${PROXY}`] })).status).toBe(200)
    const twice = { ...verified, SSL_CLIENT_S_DN: [`CN=${PROXY}`, 'CN=stranger.example.test'] }
    expect((await asked(null, undefined, twice)).status).toBe(403)
  })

  test('that was not verified, or comes from somebody else: 403', async () => {
    expect((await ask({ ...certified(`CN=${PROXY}`), SSL_CLIENT_VERIFY: 'FAILED' })).status).toBe(403)
    expect((await ask(certified(`CN=${PROXY}`), '192.0.2.9')).status).toBe(403)
  })
})

describe('by settings', () => {
  afterEach(async () => {
    await setting('trusted_hosts', [])
    await setting('restrict_registered_smart_proxies', true)
    await setting('require_ssl_smart_proxies', true)
  })

  test('a trusted host needs no proxy', async () => {
    await setting('trusted_hosts', ['stranger.example.test'])
    expect((await asked('stranger')).status).toBe(200)
    expect((await asked('masked')).status).toBe(403)
  })

  test('everybody may where nothing is restricted', async () => {
    await setting('restrict_registered_smart_proxies', false)
    expect((await ask({}, '192.0.2.9')).status).toBe(200)
  })

  test('without certificates an address without a name in the DNS counts as itself', async () => {
    await setting('require_ssl_smart_proxies', false)
    expect((await ask({}, '192.0.2.9')).status).toBe(403)
    await setting('trusted_hosts', ['192.0.2.9'])
    expect((await ask({}, '192.0.2.9')).status).toBe(200)
    expect((await ask({}, '192.0.2.8')).status).toBe(403)
  })
})

describe('a user', () => {
  const nodeOf = (path = `/node/${host.name}?format=yml`) => path

  test('needs view_hosts, and sees the hosts that it may see', async () => {
    const may = await api.can(['view_hosts', 'view_params'], { organization_ids: [1], location_ids: [1] })
    expect((await may.get(nodeOf())).status).toBe(200)
    const other = await api.can(['view_hosts'], {
      search: 'name = other.example.test',
      organization_ids: [1],
      location_ids: [1],
    })
    expect(await other.get(nodeOf())).toMatchObject({ status: 404, text: '' })
    const nothing = await api.can(['view_domains'], { organization_ids: [1], location_ids: [1] })
    expect((await nothing.get(nodeOf())).status).toBe(403)
  })

  test('with a wrong password is told so', async () => {
    const basic = `Basic ${Buffer.from('admin:wrong').toString('base64')}`
    expect((await ask({ authorization: basic })).status).toBe(401)
  })

  test('a user without permission for parameters gets a document with global ones only', async () => {
    const own = await given(api.admin, 'host', {
      name: 'params.example.test',
      host_parameters_attributes: [{ name: 'tier', value: 'gold' }],
      interfaces_attributes: [
        { type: 'bmc', mac: '52:54:00:00:00:77', provider: 'IPMI', username: 'root', password: 'open sesame' },
      ],
    })
    await given(api.admin, 'common_parameter', { name: 'everywhere', value: 'yes' })
    const path = `/api/hosts/${own.id}/enc`
    const blind = await api.can(['view_hosts'], { organization_ids: [1], location_ids: [1] })
    const { parameters } = (await blind.get(path)).body.data
    expect(parameters).toMatchObject({ everywhere: 'yes' })
    expect(parameters).not.toHaveProperty('tier')
    expect(JSON.stringify(parameters)).not.toContain('open sesame')
    const seeing = await api.can(['view_hosts', 'view_params', 'reveal_hosts'], {
      organization_ids: [1],
      location_ids: [1],
    })
    const seen = await seeing.get(path)
    expect(seen.body.data.parameters).toMatchObject({ everywhere: 'yes', tier: 'gold' })
    expect(seen.text).toContain('open sesame')
    const nobody = await api.can(['view_params'], { organization_ids: [1], location_ids: [1] })
    expect((await nobody.get(path)).status).toBe(403)
  })
})
