import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ready, run, start } from './program.ts'

// What the last version with an embedded database of another kind has written: the mark of its files, and its backup.
const FORMER = join(import.meta.dirname, '../fixtures/former')

test('data of the former kind are carried over by the two commands that the refusal names', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'millwright-former-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'data/database'), { recursive: true })
  copyFileSync(join(FORMER, 'PG_VERSION'), join(folder, 'data/database/PG_VERSION'))
  const refused = await run(['--port', '0'], folder)
  expect(refused.code).toBe(1)
  const [backup = '', restore = ''] = Array.from(refused.stderr.matchAll(/"millwright ([^"]+)"/g), ([, words]) => words)
  expect(backup).toBe('backup all.backup')
  copyFileSync(join(FORMER, 'all.backup'), join(folder, 'all.backup'))
  const env = { MILLWRIGHT_BACKUP_PASSPHRASE: 'at least twelve characters', MILLWRIGHT_LOG_LEVEL: 'error' }
  expect(await run(restore.split(' '), folder, env)).toMatchObject({ code: 0 })

  const there = ['--data-dir', 'another-directory']
  const program = start(['--port', '0', ...there], folder, env)
  const headers = { authorization: `Basic ${btoa('admin:correct horse')}` }
  expect((await fetch(`${await ready(program)}/api/architectures/kept`, { headers })).status).toBe(200)
  program.process.kill('SIGTERM')
  expect(await program.ended).toBe(0)
  expect((await run(['keys', 'rotate', ...there], folder, env)).stdout).toContain('1 stored secrets')
}, 120_000)
