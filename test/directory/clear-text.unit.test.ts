import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { openDirectory } from '../../src/directory/directory.ts'
import { type FaultName, startFault } from '../support/directories/faults.ts'
import { startDirectory, type TestDirectory } from '../support/directories/index.ts'
import { sourceOf } from './sources.ts'
import { testConnection } from './test-connection.ts'

// By itself the client library reconnects after a broken connection, and then without TLS. A recorder between it and the
// directory sees every byte, which must never include a password of the service account or of a person.

const server = await startDirectory('slapd')
const directory = server as TestDirectory
const TYPED = 'typed-by-a-Person_123'
const OPTIONS = { deadlineMs: 1_000, now: tickingFast() }

afterAll(() => server?.stop())

describe.skipIf(!server)('passwords', () => {
  test('the recorder finds a password that is sent in clear', async () => {
    await using line = await startFault('records plain', directory)
    await using opened = openDirectory(sourceOf(directory, { port: line.port, security: 'none' }))
    expect(await opened.authenticate('alice', TYPED)).toBeNull()
    expect(line.sent().includes(TYPED)).toBe(true)
    expect(line.sent().includes(directory.password)).toBe(true)
  })

  describe.each(['starttls', 'tls'] as const)('are never sent in clear with %s', (security) => {
    const recorder: FaultName = security === 'tls' ? 'records tls' : 'records plain'

    test('when the line is cut between requests', async () => {
      await using line = await startFault(recorder, directory)
      await using opened = openDirectory(sourceOf(directory, { port: line.port, security }), OPTIONS)
      for (let round = 0; round < 5; round++) {
        expect(await opened.authenticate('alice', directory.password)).toMatchObject({ login: 'alice' })
        expect(await opened.authenticate('alice', TYPED)).toBeNull()
        line.cut()
      }
      expect(line.connections()).toBeGreaterThanOrEqual(10)
      expectNoPassword(line.sent())
    })

    test('when the line is cut in the middle of requests', async () => {
      await using line = await startFault(recorder, directory)
      await using opened = openDirectory(sourceOf(directory, { port: line.port, security }), OPTIONS)
      for (let round = 0; round < 15; round++) {
        const attempts = Array.from({ length: 10 }, () => opened.authenticate('alice', directory.password))
        const cuts = Array.from({ length: 4 }, (_, index) => later(index * 2, () => line.cut()))
        await Promise.allSettled([...attempts, ...cuts])
      }
      expectNoPassword(line.sent())
      expect(await eventually(() => opened.authenticate('alice', directory.password))).toMatchObject({ login: 'alice' })
    })

    test('when the peer breaks the encryption off or does not offer it', async () => {
      const peers: FaultName[] = [
        'no StartTLS',
        'breaks StartTLS',
        'garbage after StartTLS',
        'hangs in StartTLS',
        'expired certificate',
        'wrong name',
        'untrusted authority',
        'closes on first word',
        'speaks http',
        'records plain',
      ]
      for (const name of peers) {
        if (name === 'records plain' && security === 'starttls') continue // not a fault in this combination
        await using line = await startFault(name, directory)
        const source = sourceOf(directory, { port: line.port, security })
        await using opened = openDirectory(source, { ...OPTIONS, deadlineMs: 200 })
        for (let round = 0; round < 3; round++) {
          await expect(opened.authenticate('alice', directory.password), name).rejects.toThrow()
        }
        await testConnection(source, { deadlineMs: 400 })
        expect(line.connections(), name).toBeGreaterThan(3)
        expectNoPassword(line.sent())
      }
    })
  })

  test('are not sent when something was slipped in behind the answer to StartTLS', async () => {
    const bound = Buffer.from('300c02010161070a010004000400', 'hex') // "the bind was successful"
    const agreed = Buffer.from('300c02010178070a010004000400', 'hex')
    await using line = await peer((socket) => socket.once('data', () => socket.write(Buffer.concat([agreed, bound]))))
    await using opened = openDirectory(sourceOf(directory, { port: line.port, security: 'starttls' }), OPTIONS)
    await expect(opened.find('alice')).rejects.toMatchObject({ code: 'garbage', step: 'tls' })
    expectNoPassword(line.sent())
  })

  test('are never sent in clear however many bytes pass before the line is cut', async () => {
    for (let bytes = 1; bytes < 1_500; bytes = Math.ceil(bytes * 1.4)) {
      await using line = await startFault('cuts after bytes', directory, { bytes })
      await using opened = openDirectory(sourceOf(directory, { port: line.port, security: 'starttls' }), OPTIONS)
      for (let round = 0; round < 2; round++) {
        await opened.authenticate('alice', directory.password).catch(() => {})
      }
      expect(line.connections()).toBeGreaterThan(1)
      expectNoPassword(line.sent())
    }
  })

  test('are not sent at all when they are empty', async () => {
    await using line = await startFault('records plain', directory)
    const source = sourceOf(directory, { port: line.port, security: 'none' })
    await using opened = openDirectory(source)
    expect(await opened.authenticate('alice', '')).toBeNull()
    await using without = openDirectory({ ...source, accountPassword: '' })
    await expect(without.authenticate('alice', TYPED)).rejects.toMatchObject({ code: 'password_missing' })
    await using own = openDirectory({ ...source, account: `uid=$login,${source.baseDn}` })
    expect(await own.authenticate('alice', '')).toBeNull()
    expect(line.connections()).toBe(0)
  })
})

function expectNoPassword(sent: Buffer): void {
  for (const secret of [directory.password, TYPED]) {
    for (let length = secret.length; length >= 8; length -= 4) {
      expect(sent.includes(secret.slice(0, length))).toBe(false)
      expect(sent.includes(secret.slice(-length))).toBe(false)
    }
  }
}

async function peer(behave: (socket: Socket) => void) {
  const chunks: Buffer[] = []
  const listener = createServer((socket) => {
    socket.on('error', () => {}).on('data', (chunk) => chunks.push(chunk))
    behave(socket)
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo
  return { port, sent: () => Buffer.concat(chunks), [Symbol.asyncDispose]: async () => void listener.close() }
}

/** Creates a clock that jumps past the pause after a failure at each reading. */
function tickingFast(): () => number {
  let now = 0
  return () => {
    now += 60_000
    return now
  }
}

function later(milliseconds: number, work: () => void): Promise<void> {
  return new Promise((resolve) =>
    setTimeout(() => {
      work()
      resolve()
    }, milliseconds),
  )
}

async function eventually<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch {
    return work()
  }
}
