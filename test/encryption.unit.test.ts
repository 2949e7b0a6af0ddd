import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterAll, expect, test } from 'vitest'
import { listEncryptedColumns } from '../src/areas/index.ts'
import { encryptionOf, purposeOf } from '../src/encryption/encryption.ts'
import { declared } from './support/declared.ts'

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
  const module = `file://${resolve('src/encryption/encryption.ts')}`
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

/** What the version before has stored for "stored by the version before" with the key of 32 times the letter k. */
const OLDER = '5e318f8c.TWb9QXj7Y4enQEhrKvJM5VLSuhWHsj9dcua2gjNHBmjezuDHywixj7f6a1byaPnXnUcwCXn0AAo'

test('a value of one kind is no value of another one, and neither is what a client could have from there', () => {
  const file = join(folder, 'of-the-version-before.key')
  writeFileSync(file, `${Buffer.alloc(32, 'k').toString('base64')}\n`, { mode: 0o600 })
  const { encrypt, decrypt } = encryptionOf({ encryptionKeyFile: file, databaseUrl: null, dataDir: folder })
  const columns = listEncryptedColumns(declared.registry)
  const rows = columns.flatMap((one) =>
    (one.row ? [one.row.map(() => 1), one.row.map(() => 2)] : [[]]).map((row) => purposeOf(one, ...row)),
  )
  const cursor = { text: JSON.stringify(['cursor', 'hosts.list']), readsOlder: false }
  const purposes = [...rows, cursor]
  expect(purposes.length).toBeGreaterThan(columns.length)
  const opened = purposes.flatMap((made) => {
    const value = encrypt('hush', made)
    return purposes.filter((asked) => isReadable(() => decrypt(value, asked))).map((asked) => [made.text, asked.text])
  })
  expect(opened).toEqual(purposes.map(({ text }) => [text, text]))
  for (const purpose of rows) expect(decrypt(OLDER, purpose)).toBe('stored by the version before')
  expect(isReadable(() => decrypt(OLDER, cursor))).toBe(false)
})

function isReadable(read: () => string): boolean {
  try {
    return read() === 'hush'
  } catch {
    return false
  }
}
