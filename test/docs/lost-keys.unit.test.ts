import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PROGRAM, ready } from '../cli/program.ts'
import { blocksOf, openTerminal } from './terminal.ts'

const headers = { authorization: `Basic ${btoa('admin:correct horse')}`, 'content-type': 'application/json' }

test('whoever has lost the file of keys gets it back out of a backup by the lines of docs/faults.md, or goes on without it', async () => {
  const [lines = '', giveUp = '', ...more] = blocksOf(readFileSync('docs/faults.md', 'utf8'), 'What to do')
  expect(more).toEqual([])
  const passphrase = lines.split('\n')[0] ?? ''
  expect(passphrase).toContain('MILLWRIGHT_BACKUP_PASSPHRASE')
  const env = { MILLWRIGHT_ADMIN_PASSWORD: 'correct horse', MILLWRIGHT_PASSWORD_MEMORY: '8' }
  using terminal = openTerminal(PROGRAM)
  const serving = terminal.start('millwright serve', env)
  const secret = { name: 'corp', host: 'ldap.example.test', account: 'svc', account_password: 'hush-hush' }
  const sent = { method: 'POST', headers, body: JSON.stringify(secret) }
  expect((await fetch(`${await ready(serving)}/api/auth_source_ldaps`, sent)).status).toBe(201)
  expect(await terminal.run(`${passphrase}\nmillwright backup all.backup`)).toMatchObject({ code: 0, stderr: '' })
  serving.process.kill('SIGTERM')
  expect(await serving.ended).toBe(0)

  const file = join(terminal.folder, 'data/encryption.key')
  const kept = readFileSync(file, 'utf8')
  rmSync(file)
  const refused = await terminal.run('millwright serve', env)
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain(`There is no file ${file} of encryption keys`)

  const again = terminal.start(lines, env)
  const address = await ready(again)
  expect((await fetch(`${address}/api/auth_source_ldaps/corp`, { headers })).status).toBe(200)
  expect(readFileSync(file, 'utf8')).toBe(kept)
  again.process.kill('SIGTERM')
  expect(await again.ended).toBe(0)
  // What was encrypted can be read: a rotation reads all of it.
  expect((await terminal.run('millwright keys rotate')).stdout).toContain('1 stored secrets')

  // Without the backup.
  rmSync(file)
  const named = /`millwright keys give-up (\S+)`/.exec((await terminal.run('millwright serve', env)).stderr)?.[1] ?? ''
  const without = terminal.start(giveUp.replace(/(give-up) \S+/, `$1 ${named}`), env)
  const there = await ready(without)
  expect(without.stdout()).toContain('auth_source_ldaps.account_password: corp')
  expect((await fetch(`${there}/api/auth_source_ldaps/corp`, { headers })).status).toBe(200)
  without.process.kill('SIGTERM')
  expect(await without.ended).toBe(0)
}, 240_000)
