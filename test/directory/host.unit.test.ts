import { createSocket } from 'node:dgram'
import { getServers, setServers } from 'node:dns'
import { once } from 'node:events'
import { afterAll, expect, test } from 'vitest'
import { createDeadline } from '../../src/directory/deadline.ts'
import { serversOf } from '../../src/directory/servers.ts'
import type { DirectorySource } from '../../src/directory/source.ts'

const usualServers = getServers()
afterAll(() => setServers(usualServers))

test.each([
  ['ldap.example.test', ['ldap.example.test:389']],
  [' a.test, b.test:1389 c.test ', ['a.test:389', 'b.test:1389', 'c.test:389']],
  ['::1', ['::1:389']],
  ['[::1]:636,10.0.0.1', ['::1:636', '10.0.0.1:389']],
])('host %j means %j', async (host, servers) => {
  expect((await ask(host)).map((server) => `${server.host}:${server.port}`)).toEqual(servers)
})

test.each(['', ' , ', 'ldap://ldap.example.test', 'a.test:x', 'a.test:0', 'a.test:70000', 'a:1:2'])(
  'host %j is an error that names the host',
  async (host) => {
    await expect(ask(host)).rejects.toMatchObject({ code: 'unresolved', step: 'resolve' })
  },
)

test('a port beyond all ports is an error too', async () => {
  for (const port of [0, -1, 65_536, 1e9])
    await expect(ask('a.test', port)).rejects.toMatchObject({ code: 'unresolved' })
})

test('a service record leads to the servers of its domain, in their order', async () => {
  await using names = await nameServer([
    { priority: 20, weight: 0, port: 636, target: 'last.example.test' },
    { priority: 10, weight: 5, port: 389, target: 'second.example.test' },
    { priority: 10, weight: 50, port: 1389, target: 'first.example.test' },
    { priority: 1, weight: 1, port: 389, target: 'example.test.attacker.invalid' },
    { priority: 1, weight: 1, port: 389, target: 'notexample.test' },
  ])
  setServers([`127.0.0.1:${names.port}`])
  expect(await ask('_ldap._tcp.example.test')).toEqual([
    { host: 'first.example.test', port: 1389 },
    { host: 'second.example.test', port: 389 },
    { host: 'last.example.test', port: 636 },
  ])
  await expect(ask('_ldap._tcp.elsewhere.test')).rejects.toMatchObject({ code: 'unresolved' })
})

test('name servers that do not answer are an error within the deadline', async () => {
  const silent = createSocket('udp4').bind(0, '127.0.0.1')
  await once(silent, 'listening')
  setServers([`127.0.0.1:${silent.address().port}`])
  await expect(ask('_ldap._tcp.example.test')).rejects.toMatchObject({ code: 'timeout', step: 'resolve' })
  silent.close()
})

function ask(host: string, port = 389) {
  return serversOf({ host, port } as DirectorySource, createDeadline(500)) // nothing else of a source is asked
}

interface ServiceRecord {
  readonly priority: number
  readonly weight: number
  readonly port: number
  readonly target: string
}

/** Starts a name server that answers every query with these service records (RFC 1035, RFC 2782). */
async function nameServer(records: readonly ServiceRecord[]): Promise<AsyncDisposable & { port: number }> {
  const socket = createSocket('udp4').on('message', (query, sender) => {
    const question = query.subarray(12, query.indexOf(0, 12) + 5)
    const header = Buffer.from([query[0] ?? 0, query[1] ?? 0, 0x81, 0x80, 0, 1, 0, records.length, 0, 0, 0, 0])
    socket.send(Buffer.concat([header, question, ...records.map(answer)]), sender.port, sender.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    port: socket.address().port,
    [Symbol.asyncDispose]: async () => {
      socket.close()
    },
  }
}

function answer({ priority, weight, port, target }: ServiceRecord): Buffer {
  const labels = target.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]))
  const numbers = Buffer.alloc(6)
  numbers.writeUInt16BE(priority, 0)
  numbers.writeUInt16BE(weight, 2)
  numbers.writeUInt16BE(port, 4)
  const data = Buffer.concat([numbers, ...labels, Buffer.from([0])])
  const head = Buffer.from([0xc0, 0x0c, 0, 33, 0, 1, 0, 0, 0, 60, 0, data.length]) // the name asked for, SRV, one minute
  return Buffer.concat([head, data])
}
