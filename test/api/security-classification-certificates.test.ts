import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from '../../src/sql.ts'
import { openTestApi, type TestApi } from '../support/api.ts'
import { given, type Shown } from '../support/given.ts'
import { execFile } from '../support/processes.ts'

// Certificates that contain the name of a registered smart proxy, but must not be accepted for it.

const PROXY = 'proxy1.example.test'
const CALLED = { subject: `/CN=${PROXY}`, by: 'ca', days: 2, usage: 'clientAuth,serverAuth' }

const CERTIFICATES = {
  good: CALLED,
  expired: { ...CALLED, days: -1 },
  'for servers only': { ...CALLED, usage: 'serverAuth' },
  'of another authority with the same name': { ...CALLED, by: 'other' },
  'signed by somebody who may not': { ...CALLED, by: 'stranger' },
  stranger: { ...CALLED, subject: '/CN=stranger.example.test' },
  'with a text that looks like more names': {
    ...CALLED,
    subject: '/CN=x',
    names: `URI:http://x/, DNS:${PROXY}, DNS:y`,
  },
  'with a name that looks like more names': { ...CALLED, subject: '/CN=x', names: `DNS:x, DNS:${PROXY}, DNS:y` },
  'with a unit that looks like a name': { ...CALLED, subject: `/OU=x,CN=${PROXY}/O=x\\+CN=${PROXY}` },
  'with a unit on two lines': { ...CALLED, subject: `/OU=x\nCN=${PROXY}` },
  'with two names': { ...CALLED, subject: `/CN=stranger/CN=${PROXY}` },
} as const
type Name = keyof typeof CERTIFICATES

let folder: string
let api: TestApi
let address: string
let host: Shown

const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
const openssl = (args: readonly string[]) => promisify(execFile)('openssl', [...args], { cwd: folder })
const file = (name: string) => name.replaceAll(' ', '-')
const read = (name: string) => readFileSync(join(folder, file(name)), 'utf8')

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'certificates-'))
  const selfSigned = ['req', '-x509', '-days', '2', ...KEY]
  for (const [name, subject] of Object.entries({ ca: '/CN=ca', other: '/CN=ca', server: '/CN=localhost' })) {
    const names = name === 'server' ? ['-addext', 'subjectAltName=IP:127.0.0.1'] : []
    await openssl([...selfSigned, '-keyout', `${name}.key`, '-subj', subject, ...names, '-out', `${name}.crt`])
  }
  for (const name of ['stranger', ...Object.keys(CERTIFICATES)]) await makeCertificate(name as Name) // the keys of the constant
  const env = {
    MILLWRIGHT_TLS_CERTIFICATE: join(folder, 'server.crt'),
    MILLWRIGHT_TLS_KEY: join(folder, 'server.key'),
    MILLWRIGHT_TLS_CLIENT_CA: join(folder, 'ca.crt'),
  }
  api = await openTestApi({ env })
  address = await api.listen()
  host = await given(api.admin, 'host', { name: 'node.example.test' })
  const { id } = await given(api.admin, 'smart_proxy', { url: `https://${PROXY}:8443` })
  await sql`with feature as (insert into features (name) values ('Config') on conflict (name) do update set name = excluded.name returning id)
    insert into smart_proxy_features (smart_proxy_id, feature_id) select ${id}::bigint, id from feature`.execute(
    api.database.db,
  )
})
afterAll(async () => {
  await api?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

async function makeCertificate(name: Name) {
  const { subject, by, days, usage, names }: (typeof CERTIFICATES)[Name] & { names?: string } = CERTIFICATES[name]
  const own = file(name)
  // On a line of its own the commas of a text do not separate names.
  const [kind = '', ...text] = (names ?? '').split(':')
  const alternative = names ? ['subjectAltName=@names', '[names]', `${kind}.1=${text.join(':')}`] : []
  writeFileSync(join(folder, `${own}.cnf`), [`extendedKeyUsage=${usage}`, ...alternative, ''].join('\n'))
  await openssl(['req', ...KEY, '-keyout', `${own}.key`, '-subj', subject, '-out', `${own}.csr`])
  const signed = ['x509', '-req', '-in', `${own}.csr`, '-CA', `${by}.crt`, '-CAkey', `${by}.key`, '-CAcreateserial']
  await openssl([...signed, '-days', String(days), '-extfile', `${own}.cnf`, '-out', `${own}.crt`])
}

function statusFor(name: Name): Promise<number> {
  const { by } = CERTIFICATES[name]
  const shown = { cert: read(`${name}.crt`) + read(`${by}.crt`), key: read(`${name}.key`) }
  return new Promise((resolve, reject) => {
    request(
      `${address}/node/${host.name}?format=yml`,
      { ...shown, ca: read('server.crt'), agent: false },
      (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0))
      },
    )
      .on('error', reject)
      .end()
  })
}

test('the certificate of the proxy is taken for it', async () => {
  expect(await statusFor('good')).toBe(200)
})

test.each(Object.keys(CERTIFICATES).filter((name) => name !== 'good') as Name[])('one %s is not', async (name) => {
  expect(await statusFor(name)).toBe(403)
})
