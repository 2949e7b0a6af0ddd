import { join } from 'node:path'
import { expect, test } from 'vitest'
import { wrapHash } from '../../src/areas/access/identity/old-hashes.ts'
import { hashPassword, verifyPassword } from '../../src/areas/access/identity/passwords.ts'
import { type DumpRow, decryptColumn, readEncryptionKey, readTable } from '../../src/switching/dump.ts'
import { spawnSync } from '../support/processes.ts'

// recorded/old.dump was made by PostgreSQL 15 of recorded/old.sql: pg_dump --format custom, without the extension.
const DUMP = join(import.meta.dirname, 'recorded/old.dump')
const KEY = readEncryptionKey("ENCRYPTION_KEY = ENV['ENCRYPTION_KEY'] || '0123456789abcdef0123456789abcdef0123'\n")
// Where it is missing, the tests fail in CI.
const restore = spawnSync('pg_restore', ['--version'], {}).status === 0 || process.env.CI === 'true'

test.skipIf(!restore)('a dump yields rows, and its encrypted columns with their key', async () => {
  const sources = await collect(readTable(DUMP, 'auth_sources'))
  expect(sources.map((row) => [row.id, decryptColumn(row.account_password ?? '', KEY)])).toEqual([
    ['201', 'bind secret'],
    ['202', 'as it is'],
  ])
  expect(() => decryptColumn(sources[0]?.account_password ?? '', `${KEY}x`)).toThrow('the key in --key does not fit')
  expect(() => decryptColumn(sources[0]?.account_password ?? '', null)).toThrow('name the file of the key with --key')
  const [proxy] = await collect(readTable(DUMP, 'http_proxies'))
  expect(proxy?.name).toBe('tab\there')
  expect(await collect(readTable(DUMP, 'no_such_table'))).toEqual([])
  await expect(collect(readTable('/nowhere.dump', 'users'))).rejects.toThrow('pg_restore cannot read /nowhere.dump')
})

test.skipIf(!restore)('passwords of all three algorithms are verified through their wrapping', async () => {
  const passwords = new Map([
    ['derived', 'correct horse'],
    ['digested', 'battery staple'],
    ['blowfish', 'staple horse'],
  ])
  for await (const { login, password_hash, password_salt } of readTable(DUMP, 'users')) {
    const password = passwords.get(login ?? '')
    if (password === undefined) continue
    const wrapped = await wrapHash({ salt: password_salt ?? '', hash: password_hash ?? '' }, (text) =>
      hashPassword(text, 8),
    )
    expect(wrapped).not.toContain(password_hash)
    expect(await verifyPassword(wrapped, password, 8), login ?? '').toBe('right_but_weakly_hashed')
    expect(await verifyPassword(wrapped, `${password}!`, 8), login ?? '').toBe('wrong')
    passwords.delete(login ?? '')
  }
  expect([...passwords]).toEqual([])
})

test('bcrypt has the values of its authors, and a salt that no login could be checked by is refused', async () => {
  const hash = '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'
  const seal = (text: string) => hashPassword(text, 8)
  expect(await verifyPassword(await wrapHash({ salt: hash.slice(0, 29), hash }, seal), 'U*U', 8)).not.toBe('wrong')
  for (const salt of ['$2a$31$CCCCCCCCCCCCCCCCCCCCC.', '$2a$05$short', '$pbkdf2sha1$99999999999$salt'])
    await expect(wrapHash({ salt, hash }, seal), salt).rejects.toThrow('Password has a salt of an unknown form')
})

async function collect(rows: AsyncIterable<DumpRow>): Promise<DumpRow[]> {
  const all: DumpRow[] = []
  for await (const one of rows) all.push(one)
  return all
}
