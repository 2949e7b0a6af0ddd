import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseReference } from '../../src/references/reference.ts'
import { createReferences } from '../../src/references/references.ts'
import { UnreadableReference } from '../../src/references/unreadable-reference.ts'
import { makeCertificates } from '../support/directories/certificates.ts'
import { startVault, type VaultPeer } from '../support/peers/vault.ts'

// References to secrets of Vault and of files: the requests, the cache, and a reason for each failure
// (docs/decisions/0068-secret-references.md).

let folder: string
let peer: VaultPeer
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'references-'))
  peer = await startVault()
  writeFileSync(join(folder, 'secret-id'), `${peer.secretId}\n`)
  mkdirSync(join(folder, 'files'))
})
afterAll(async () => {
  await peer?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

const build = (vault: object = {}) =>
  createReferences({
    vault: {
      ...{ address: peer.address, ca: null, timeoutMs: 5000, namespace: 'team/a', tokenFile: null, mount: null },
      ...{ roleId: peer.roleId, secretIdFile: join(folder, 'secret-id') },
      ...vault,
    },
    directory: join(folder, 'files'),
  })

/** Yields the reason for which a reference cannot be read. */
async function reasonOf(text: string, references = build()): Promise<string> {
  const error = await references.read(text).then(
    (secret) => new Error(`it is ${secret}`),
    (reason: unknown) => reason,
  )
  return error instanceof UnreadableReference ? error.reason : String(error)
}

test('a secret is read once, by a login in its namespace, and again with a fresh login if the token was revoked', async () => {
  peer.secrets.set('web/db', { password: 'p1', port: 5432 }).set('web/other', { password: 'p2' })
  const references = build()
  const read = () => references.read('vault:secret/web/db#password')
  expect(await Promise.all([read(), read()])).toEqual(['p1', 'p1'])
  peer.secrets.set('web/db', { password: 'changed' })
  expect([await read(), peer.asked.splice(0)]).toEqual([
    'p1',
    ['POST /v1/auth/approle/login team/a', 'GET /v1/secret/data/web/db team/a'],
  ])
  peer.revoke()
  expect([await references.read('vault:secret/web/other#password'), peer.asked.splice(0)]).toEqual([
    'p2',
    [
      'GET /v1/secret/data/web/other team/a',
      'POST /v1/auth/approle/login team/a',
      'GET /v1/secret/data/web/other team/a',
    ],
  ])
})

test('a token of a file is read anew for each request', async () => {
  const tokenFile = join(folder, 'token')
  writeFileSync(tokenFile, 'wrong\n')
  peer.secrets.set('a', { k: 'of a' }).set('b', { k: 'of b' })
  const references = build({ tokenFile, namespace: null, mount: 'secret' })
  expect(await reasonOf('vault:secret/a#k', references)).toBe('denied')
  writeFileSync(tokenFile, 'right\n')
  peer.admit('right')
  expect(await references.read('vault:secret/b#k')).toBe('of b')
  expect(peer.asked.splice(0)).toEqual(['GET /v1/secret/data/a -', 'GET /v1/secret/data/b -'])
  expect(await reasonOf('vault:other/b#k', references)).toBe('denied')
  expect(peer.asked).toEqual([])
})

test('each failure of Vault has its own reason', async () => {
  peer.secrets.set('x', { k: 5, big: 'x'.repeat(64 * 1024 + 1) }).set('deleted', null)
  expect(await reasonOf('vault:secret/none#k')).toBe('no_path')
  expect(await reasonOf('vault:secret/deleted#k')).toBe('no_path')
  expect(await reasonOf('vault:secret/x#none')).toBe('no_key')
  expect(await reasonOf('vault:secret/x#constructor')).toBe('no_key')
  expect(await reasonOf('vault:secret/x#k')).toBe('not_text')
  expect(await reasonOf('vault:secret/x#big')).toBe('too_large')
  expect(await reasonOf('vault:secret/forbidden/x#k')).toBe('denied')
  expect(await reasonOf('vault:secret/x#k', build({ roleId: 'another' }))).toBe('login_refused')
  expect(await reasonOf('vault:secret/x#k', build({ secretIdFile: join(folder, 'none') }))).toBe('no_login')
  expect(await reasonOf('vault:secret/x#k', build({ address: 'http://127.0.0.1:1' }))).toBe('unreachable')
  const answers: readonly (readonly [string, NonNullable<VaultPeer['answer']>])[] = [
    ['not_ready', (response) => response.writeHead(503).end('{"errors":["Vault is sealed"]}')],
    ['not_understood', (response) => response.end('<html>')],
    ['login_refused', (response) => response.writeHead(403).end()],
    ['too_large', (response) => response.end(Buffer.alloc(2 * 1024 * 1024))],
    ['slow', (response) => response.write('{')],
  ]
  for (const [reason, answer] of answers) {
    peer.answer = answer
    expect(await reasonOf('vault:secret/x#k', build({ timeoutMs: reason === 'slow' ? 200 : 5000 }))).toBe(reason)
  }
  peer.answer = null
  expect(await reasonOf('vault:secret/x#k', createReferences({ vault: null, directory: null }))).toBe('not_configured')
})

test('a server with TLS is asked only if its certificate is trusted', async () => {
  const made = await makeCertificates(folder)
  await using secured = await startVault(made.server)
  secured.secrets.set('a', { k: 'by TLS' })
  const at = { address: secured.address.replace('127.0.0.1', 'localhost') }
  expect(await reasonOf('vault:secret/a#k', build(at))).toBe('untrusted')
  expect(secured.asked).toEqual([])
  expect(await build({ ...at, ca: made.ca }).read('vault:secret/a#k')).toBe('by TLS')
})

test('a file is read within its directory only, up to a size', async () => {
  const files = join(folder, 'files')
  writeFileSync(join(folder, 'outside'), 'not for us')
  mkdirSync(join(files, 'directory'))
  for (const [name, content] of Object.entries({ plain: 'a\nb\n', big: 'x'.repeat(65_537), full: 'x'.repeat(65_536) }))
    writeFileSync(join(files, name), content)
  writeFileSync(join(files, 'binary'), Buffer.from([0xff, 0xfe]))
  symlinkSync('../outside', join(files, 'leads-out'))
  symlinkSync('plain', join(files, 'leads-in'))
  const references = build()
  expect(await references.read('file:plain')).toBe('a\nb')
  expect(await references.read('file:leads-in')).toBe('a\nb')
  expect(await references.read('file:full')).toHaveLength(65_536)
  expect(await reasonOf('file:leads-out')).toBe('outside')
  expect(await reasonOf('file:none')).toBe('no_file')
  expect(await reasonOf('file:big')).toBe('too_large')
  expect(await reasonOf('file:binary')).toBe('not_text')
  expect(await reasonOf('file:directory')).toBe('unreadable')
})

test('only whole values of the two forms are references', () => {
  const references = ['vault:secret/a#b', 'vault:kv/team-1/a b'.replace(' ', '_').concat('#k.x'), 'file:db.pass-1']
  expect(references.map((text) => parseReference(text)?.text)).toEqual(references)
  const others = [
    ...['vault:secret#k', 'vault:/secret/a#k', 'vault:secret/../sys/a#k', 'vault:secret/./a#k', 'vault:secret//a#k'],
    ...['vault:secret/a', 'vault:secret/a#', 'vault:secret/a?x#k', 'vault:secret/%2e%2e/a#k', ' vault:secret/a#k'],
    ...['vault:secret/a#k ', 'vault:secret/a#k\n', 'file:', 'file:../a', 'file:/etc/passwd', 'file:a/b', 'file:.a'],
    ...['file:a\n', 'FILE:a', `vault:secret/${'a'.repeat(1024)}#k`],
  ]
  for (const text of [...others, 5, null, ['file:a']]) expect(parseReference(text), String(text)).toBeNull()
})
