import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { readConfig } from '../../src/config/config.ts'
import type { Database } from '../../src/database/database.ts'
import { row, rows } from '../../src/database/sql.ts'
import { addKey, createKey } from '../../src/encryption/encryption.ts'
import { announceKey } from '../../src/encryption/keys.ts'
import { openApi } from '../../src/service/service.ts'
import { sql } from '../../src/sql.ts'
import { ADMIN, basic } from '../support/api.ts'
import { openTestDatabase, truncateAll } from '../support/database.ts'
import { quiet } from '../support/settings.ts'

let database: Database
let folder: string
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database?.[Symbol.asyncDispose]())
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'millwright-keys-'))
})
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true })
  await truncateAll(database)
})

/** Starts another service on the same database with this key file. */
async function started(name: string) {
  const env = {
    MILLWRIGHT_ENCRYPTION_KEY_FILE: join(folder, name),
    MILLWRIGHT_DATA_DIR: 'memory',
    MILLWRIGHT_ADMIN_LOGIN: ADMIN.login,
    MILLWRIGHT_ADMIN_PASSWORD: ADMIN.password,
  }
  const { server } = await openApi(
    database,
    readConfig([], env, () => ''),
    quiet,
  )
  const headers = { authorization: basic(ADMIN.login, ADMIN.password) }
  return {
    ready: async () => (await server.inject({ url: '/readyz' })).statusCode,
    create: async (source: object) =>
      (await server.inject({ method: 'POST', url: '/api/auth_source_ldaps', headers, payload: source })).statusCode,
    [Symbol.asyncDispose]: () => server.close(),
  }
}

const path = (name: string) => join(folder, name)
const source = (name: string) => ({ name, host: 'ldap.example.test', account: 'cn=svc', account_password: 'hush' })

test('a process with other keys is refused, learns which file is the right one, and leaves none behind', async () => {
  await using _ = await started('right')
  const refused = {
    code: 'unavailable',
    message: expect.stringMatching(
      new RegExp(`encrypted with the key [0-9a-f]{8}, which was used last on ${hostname()} as ${path('right')}\\.`),
    ),
  }
  await expect(started('missing')).rejects.toMatchObject(refused)
  expect(existsSync(path('missing'))).toBe(false)
  addKey(path('other'))
  await expect(started('other')).rejects.toMatchObject(refused)
  copyFileSync(path('right'), path('copy'))
  await using copy = await started('copy')
  expect(await copy.ready()).toBe(200)
})

test('of processes that start on a new database with keys of their own exactly one does', async () => {
  const names = ['one', 'two', 'three']
  const results = await Promise.allSettled(names.map(started))
  const won = results.filter((result) => result.status === 'fulfilled')
  expect(won).toHaveLength(1)
  for (const result of results) {
    if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'unavailable' })
  }
  expect(names.filter((name) => existsSync(path(name)))).toHaveLength(1)
  for (const { value } of won) {
    expect(await value.ready()).toBe(200)
    await value[Symbol.asyncDispose]()
  }
})

test('the stored fingerprint of a key reveals nothing of it', async () => {
  await using _ = await started('right')
  const kept = JSON.stringify(await rows(database.db, sql`select * from encryption_keys`))
  const key = Buffer.from(readFileSync(path('right'), 'utf8'), 'base64')
  for (const form of ['hex', 'base64', 'base64url'] as const) expect(kept).not.toContain(key.toString(form).slice(0, 8))
})

test('a process without its keys is not ready, and is ready again when they are back', async () => {
  await using service = await started('right')
  const right = readFileSync(path('right'))
  rmSync(path('right'))
  expect(await service.ready()).toBe(503)
  addKey(path('right'))
  expect(await service.ready()).toBe(503)
  writeFileSync(path('right'), 'no key')
  expect(await service.ready()).toBe(503)
  writeFileSync(path('right'), right)
  expect(await service.ready()).toBe(200)
})

test('processes stay ready while the key changes, and one with a former key alone is not', async () => {
  await using running = await started('right')
  copyFileSync(path('right'), path('copy'))
  await using behind = await started('copy')
  const next = createKey()
  await announceKey(database.db, next.mark.fingerprint)
  expect([await running.ready(), await behind.ready()]).toEqual([200, 200])
  addKey(path('right'), next)
  expect([await running.ready(), await behind.ready()]).toEqual([200, 200])
  await using during = await started('right')
  expect(await during.ready()).toBe(200)
  await sql`update encryption_keys set fingerprint = next_fingerprint, next_fingerprint = null`.execute(database.db)
  expect([await running.ready(), await during.ready(), await behind.ready()]).toEqual([200, 200, 503])
})

test('secrets that are older than the fingerprint demand a file that reads one of them', async () => {
  {
    await using service = await started('right')
    expect(await service.create(source('corp'))).toBe(201)
  }
  await sql`delete from encryption_keys`.execute(database.db)
  const stored = await row<{ secret: string }>(
    database.db,
    sql`select account_password as secret from auth_sources where name = 'corp'`,
  )
  addKey(path('other'))
  await expect(started('other')).rejects.toMatchObject({
    message: expect.stringContaining(`encrypted with the key ${stored?.secret.split('.')[0]}, which is not in`),
  })
  expect(await rows(database.db, sql`select from encryption_keys`)).toHaveLength(0)
  await using again = await started('right')
  expect(await again.ready()).toBe(200)
})
