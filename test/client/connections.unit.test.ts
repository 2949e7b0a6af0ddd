import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createPlain, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CertificateName, type Certificates, makeCertificates } from '../support/directories/certificates.ts'
import { type HttpProxyPeer, startHttpProxy } from '../support/peers/http-proxy.ts'
import { spawn } from '../support/processes.ts'
import { type Ended, millwright } from './program.ts'

// How a server is reached: by certificates, and by way of proxies.
const folder = mkdtempSync(join(tmpdir(), 'millwright-connections-'))
const servers: { close(): unknown; closeAllConnections(): void }[] = []
let certificates: Certificates
let proxy: HttpProxyPeer
let shown: string | undefined
const env = { HOME: folder, MILLWRIGHT_TOKEN: 'a-token' }

const answer = (_request: IncomingMessage, response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'application/json', 'x-request-id': '1' }).end('{"results":[{"name":"x"}]}')

beforeAll(async () => {
  certificates = await makeCertificates(folder)
  proxy = await startHttpProxy()
  writeFileSync(join(folder, 'authority.pem'), certificates.ca)
  writeFileSync(join(folder, 'mine.pem'), certificates.server.cert)
  writeFileSync(join(folder, 'mine.key'), certificates.server.key)
  writeFileSync(join(folder, 'no.pem'), 'nothing\n')
})
afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections()
    server.close()
  }
  await proxy?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

/** A server with that certificate, which asks clients for theirs; yields its port. */
async function serve(name: CertificateName | null): Promise<number> {
  const server: Server | ReturnType<typeof createPlain> = name
    ? createServer({ ...certificates[name], requestCert: true, rejectUnauthorized: false }, (request, response) => {
        shown = (request.socket as TLSSocket).getPeerCertificate().fingerprint256
        answer(request, response)
      })
    : createPlain(answer)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port // it listens on a port
}

const authority = () => ['--ca', join(folder, 'authority.pem')]
const list = (
  url: string,
  flags: readonly string[] = [],
  more: Readonly<Record<string, string>> = {},
): Promise<Ended> => millwright(['host', 'list', '--output', 'name', '--server', url, ...flags], { ...env, ...more })
const GOOD = { code: 0, stdout: 'x\n', stderr: '' }

describe('certificates', () => {
  test.each([
    ['untrusted', 'its authority is not known here; name its certificate with --ca FILE'],
    ['expired', 'its certificate has expired; is the clock of this machine right?'],
    ['wrongName', 'its certificate is for another name; use the name that the certificate has'],
  ] as const)('%s', async (name, sentence) => {
    const url = `https://localhost:${await serve(name)}`
    const { code, stdout, stderr } = await list(url, authority())
    expect({ code, stdout, stderr }).toEqual({
      ...{ code: 6, stdout: '' },
      stderr: `millwright: ${url} cannot be trusted: ${sentence}\n`,
    })
  })

  test('one that is trusted, and one of our own', async () => {
    const url = `https://localhost:${await serve('server')}`
    expect(await list(url, authority())).toEqual(GOOD)
    expect(shown).toBeUndefined()
    const own = ['--client-certificate', join(folder, 'mine.pem'), '--client-key', join(folder, 'mine.key')]
    expect(await list(url, [...authority(), ...own])).toEqual(GOOD)
    expect(shown).toMatch(/^([\dA-F]{2}:){31}/)
  })

  test('files that are none', async () => {
    const url = `https://localhost:${await serve('server')}`
    const missing = await list(url, ['--client-certificate', '/nowhere'])
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('--client-certificate: ENOENT') })
    const none = await list(url, [
      ...['--client-certificate', join(folder, 'no.pem')],
      ...['--client-key', join(folder, 'mine.key')],
    ])
    expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('no certificate or key in PEM format') })
  })
})

describe('proxies', () => {
  test('are asked for the way, with and without TLS, but where NO_PROXY goes around them', async () => {
    const [secure, plain] = [await serve('server'), await serve(null)]
    expect(await list(`https://localhost:${secure}`, authority(), { HTTPS_PROXY: proxy.url })).toEqual(GOOD)
    expect(await list(`http://somewhere.test:${plain}`, [], { HTTP_PROXY: proxy.url })).toEqual(GOOD)
    expect(proxy.asked).toEqual([`CONNECT localhost:${secure}`, `GET http://somewhere.test:${plain}/api/hosts`])
    const around = { http_proxy: proxy.url, NO_PROXY: 'other.test,localhost' }
    expect(await list(`http://localhost:${plain}`, [], around)).toEqual(GOOD)
    expect(proxy.asked).toHaveLength(2)
  })

  const cases: readonly (readonly [name: string, address: string | null, tunnels: 'opens' | 407, sentence: string])[] =
    [
      ['refuses', null, 407, 'it wants a login: write it as http://login:password@proxy:port'],
      ['is not there', 'http://127.0.0.1:1', 'opens', 'the proxy http://127.0.0.1:1 cannot be reached'],
      ['is none', 'socks5://x', 'opens', 'HTTPS_PROXY is not the address of a proxy, such as http://'],
    ]
  test.each(cases)('one that %s', async (_name, address, behaviour, sentence) => {
    proxy.tunnels(behaviour)
    const { code, stderr } = await list('https://localhost:9', [], { HTTPS_PROXY: address ?? proxy.url })
    expect({ isFailed: code === 6 || code === 2, stderr }).toEqual({
      isFailed: true,
      stderr: expect.stringContaining(sentence),
    })
  })
})

test('a list of any length is printed as it comes, and no more of it is asked for than is read', async () => {
  const [pages, perPage] = [4, 1000]
  const results = Array.from({ length: perPage }, (_, id) => ({ id, name: 'x'.repeat(2000) }))
  const text = JSON.stringify({ subtotal: pages * perPage, results })
  const { promise: printed, resolve: tell } = Promise.withResolvers<void>()
  let received = 0
  const receivedAt: number[] = []
  const server = createPlain(async (_request, response) => {
    receivedAt.push(received)
    // The second page is held back until the first can be read.
    if (receivedAt.length === 2) await printed
    response.writeHead(200, { 'content-type': 'application/json', 'x-request-id': '1' }).end(text)
  })
  servers.push(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo // it listens on a port
  const words = ['host', 'list', '--all', '--output', 'jsonl', '--server', `http://127.0.0.1:${port}`]
  const child = spawn(process.execPath, [resolve('bin/millwright.js'), ...words], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let lines = 0
  child.stdout?.on('data', (chunk: Buffer) => {
    received += chunk.length
    lines += chunk.toString('latin1').split('\n').length - 1
    tell()
  })
  expect(await once(child, 'close')).toEqual([0, null])
  expect({ lines, asked: receivedAt.length }).toEqual({ lines: pages * perPage, asked: pages })
  // Two megabytes are a page, and what lies between two programs is far less than one.
  const least = receivedAt.map((_, page) => Math.max(0, (page - 1) * 2_000_000 - 1_000_000))
  expect(receivedAt.map((bytes, page) => bytes >= (least[page] ?? 0))).toEqual(receivedAt.map(() => true))
})
