import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterAll, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'millwright-keys-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const THREADS = 4
const ROUNDS = 150

// Each process waits for the others before it asks for the next file, so that all of them find it missing.
const ASKING = `
  const { parentPort, workerData: { module, folder, threads, rounds, shared } } = require('node:worker_threads')
  const arrived = new Int32Array(shared)
  import(module).then(({ encryptionOf }) => {
    const found = []
    for (let round = 0; round < rounds; round++) {
      const place = { encryptionKeyFile: folder + '/keys.' + round, databaseUrl: null, dataDir: folder }
      Atomics.add(arrived, round, 1)
      while (Atomics.load(arrived, round) < threads);
      try {
        const { marks, isNew } = encryptionOf(place)
        found.push({ name: marks()[0].name, isNew })
      } catch (error) {
        found.push({ name: String(error), isNew: false })
      }
    }
    parentPort.postMessage(found)
  })`

test('of those who find no file of keys at the same moment one makes it, and all have its key', async () => {
  const shared = new SharedArrayBuffer(4 * ROUNDS)
  const module = `file://${resolve('src/encryption.ts')}`
  const workerData = { module, folder, threads: THREADS, rounds: ROUNDS, shared }
  const all = await Promise.all(
    Array.from(
      { length: THREADS },
      () =>
        new Promise<{ name: string; isNew: boolean }[]>((found, failed) =>
          new Worker(ASKING, { eval: true, workerData }).once('message', found).once('error', failed),
        ),
    ),
  )
  for (let round = 0; round < ROUNDS; round++) {
    const found = all.map((each) => each[round])
    expect(found.filter((each) => each?.isNew)).toHaveLength(1)
    expect(new Set(found.map((each) => each?.name)).size, JSON.stringify(found)).toBe(1)
  }
  expect(readdirSync(folder)).toHaveLength(ROUNDS)
  expect(statSync(join(folder, 'keys.0')).mode & 0o777).toBe(0o600)
}, 60_000)
