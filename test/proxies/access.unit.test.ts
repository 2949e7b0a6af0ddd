import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openProxyAccess } from '../../src/areas/proxies/access.ts'
import { readConfig } from '../../src/config/config.ts'
import { type Certificates, makeCertificates } from '../support/directories/certificates.ts'

let folder: string
let made: Certificates

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'proxies-'))
  made = await makeCertificates(folder)
  writeFileSync(file('some.crt'), made.server.cert)
  writeFileSync(file('some.key'), made.server.key)
  writeFileSync(file('other.key'), made.expired.key)
  writeFileSync(file('some.ca'), made.ca)
})
afterAll(() => rmSync(folder, { recursive: true }))

const file = (name: string) => join(folder, name)
const open = (env: Record<string, string>) => openProxyAccess(readConfig([], env, () => ''))

test('nothing is trusted or allowed beyond the usual unless the configuration says so', () => {
  expect(open({})).toEqual({ tls: {}, commands: [], contacts: expect.anything() })
})

test('the files are read, and the programs are those that are listed', () => {
  const access = open({
    MILLWRIGHT_PROXY_CERTIFICATE: file('some.crt'),
    MILLWRIGHT_PROXY_KEY: file('some.key'),
    MILLWRIGHT_PROXY_CA: file('some.ca'),
    MILLWRIGHT_RUN_COMMANDS: '/usr/bin/one , /opt/with blanks/two',
  })
  expect(access).toEqual({
    tls: { certificate: made.server.cert, key: made.server.key, authorities: made.ca },
    commands: ['/usr/bin/one', '/opt/with blanks/two'],
    contacts: expect.anything(),
  })
})

test.each<[string, Record<string, () => string>, string]>([
  [
    'a certificate without a key',
    { CERTIFICATE: () => file('some.crt') },
    'proxy-certificate and proxy-key go together',
  ],
  ['a file that is missing', { CA: () => file('none.ca') }, 'none.ca cannot be read (ENOENT)'],
  ['a key in the place of a certificate', { CA: () => file('some.key') }, 'is not a certificate in PEM format'],
  [
    'a key of another certificate',
    { CERTIFICATE: () => file('some.crt'), KEY: () => file('other.key') },
    'cannot be used: they must be PEM, belong together, and have no passphrase',
  ],
])('%s is refused at start, naming the file', (_case, files, said) => {
  const env = Object.fromEntries(Object.entries(files).map(([name, path]) => [`MILLWRIGHT_PROXY_${name}`, path()]))
  expect(() => open(env)).toThrow(said)
})

test.each(['agent', './agent', '/usr/bin/agent,agent'])('programs are named by their path: %s is refused', (text) => {
  expect(() => open({ MILLWRIGHT_RUN_COMMANDS: text })).toThrow('must be paths that begin with a slash')
})
