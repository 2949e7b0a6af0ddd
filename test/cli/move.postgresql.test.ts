import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ADMIN, basic } from '../support/api.ts'
import { testDatabaseUrl } from '../support/database.ts'
import { openFeedReader } from './feed-reader.ts'
import { ready, run, start } from './program.ts'

let folder: string
let target: NonNullable<Awaited<ReturnType<typeof testDatabaseUrl>>>
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'millwright-move-'))
  const made = await testDatabaseUrl()
  target = made
})
afterAll(async () => {
  await target?.drop()
  rmSync(folder, { recursive: true, force: true })
})

test('a stopped bundled database moves to a server, once; a reader of events goes on from its position', async () => {
  const quietly = { MILLWRIGHT_LOG_LEVEL: 'error', MILLWRIGHT_ADMIN_PASSWORD: ADMIN.password }
  const move = () => run(['move'], folder, { ...quietly, MILLWRIGHT_TO: target.url })
  const program = start(['--port', '0'], folder, quietly)
  const address = await ready(program)
  const reader = await openFeedReader(address, basic(ADMIN.login, ADMIN.password))
  for (const name of ['read-here', 'not-yet-read']) await reader.write(address, name)
  expect(await reader.read(address, 1)).toEqual(['read-here'])
  const held = await move()
  expect(held).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('is in use by process') })
  program.process.kill('SIGTERM')
  expect(await program.ended).toBe(0)
  const nowhere = await run(['move', '--to', 'postgresql://who:hunter2@127.0.0.1:1/x'], folder, quietly)
  expect(nowhere.stderr).toMatch(/^millwright: the database at 127\.0\.0\.1:1\/x cannot be used: nothing answers there/)
  const mistyped = await run(['move', '--to', target.url, '--data-dir', 'date'], folder, quietly)
  expect(mistyped.stderr).toContain('date: name the data directory of the service with --data-dir')
  expect(await move()).toMatchObject({
    code: 0,
    stderr: '',
    stdout: expect.stringMatching(/^\d+ rows of \d+ tables moved/),
  })
  const there = { ...quietly, DATABASE_URL: target.url }
  const moved = start(['--port', '0'], folder, there)
  const newAddress = await ready(moved)
  await reader.write(newAddress, 'written-there')
  expect(await reader.read(newAddress, 2)).toEqual(['not-yet-read', 'written-there'])
  moved.process.kill('SIGTERM')
  expect(await moved.ended).toBe(0)
  expect(await run(['reset-password', 'admin'], folder, there)).toMatchObject({ code: 0, stderr: '' })
  expect((await move()).stderr).toContain('The database to restore into is not empty')
  expect((await run(['move'], folder, quietly)).stderr).toContain('missing target: millwright move --to')
}, 240_000)
