import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { openDirectory } from '../../src/directory/directory.ts'
import { DirectoryError } from '../../src/directory/errors.ts'
import { startDirectory, type TestDirectory } from '../support/directories/index.ts'
import { sourceOf } from './sources.ts'
import { testConnection } from './test-connection.ts'

const server = await startDirectory('slapd')
afterAll(() => server?.stop())

/** The bytes of the answers to replace, and their replacements. */
type Damage = readonly { readonly at: number; readonly by: number }[]

describe.skipIf(!server)('a directory that answers with damaged messages', () => {
  test('gets an answer or an error of its own, in time, and never ends the program', async () => {
    const directory = server as TestDirectory
    const damages = fc.array(fc.record({ at: fc.nat(600), by: fc.nat(255) }), { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(damages, async (damage) => {
        await using line = await damagedLine(directory, damage)
        const source = sourceOf(directory, { port: line.port, security: 'none' })
        const start = performance.now()
        await using opened = openDirectory(source, { deadlineMs: 80 })
        const asked = [() => opened.authenticate('alice', directory.password), () => opened.membersOf('developers')]
        for (const ask of asked) {
          const error = await ask().then(
            () => null,
            (reason: unknown) => reason,
          )
          expect(error === null || error instanceof DirectoryError).toBe(true)
        }
        const { steps } = await testConnection(source, { deadlineMs: 80 })
        expect(steps).toHaveLength(9)
        expect(performance.now() - start).toBeLessThan(10_000)
      }),
      { numRuns: 40 },
    )
  })
})

async function damagedLine(directory: TestDirectory, damage: Damage): Promise<AsyncDisposable & { port: number }> {
  const sockets = new Set<Socket>()
  const listener = createServer((client) => {
    const upstream = connect(directory.port, directory.host)
    let passed = 0
    for (const socket of [client, upstream]) sockets.add(socket.on('error', () => {}))
    client.on('close', () => upstream.destroy()).pipe(upstream)
    upstream.on('close', () => client.destroy())
    upstream.on('data', (chunk) => {
      const answer = Buffer.from(chunk)
      for (const { at, by } of damage) if (at >= passed && at < passed + answer.length) answer[at - passed] = by
      passed += answer.length
      client.write(answer)
    })
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  return {
    port: (listener.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      listener.close()
    },
  }
}
