import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { spawn } from '../support/processes.ts'
import { PROGRAM, programOf, ready, run, start } from './program.ts'

const directory = mkdtempSync(join(tmpdir(), 'millwright-account-'))
const quietly = { MILLWRIGHT_LOG_LEVEL: 'error' }
afterAll(() => {
  chmodSync(join(directory, 'data'), 0o700)
  rmSync(directory, { recursive: true, force: true })
})
beforeAll(async () => {
  expect(await run(['migrate'], directory, quietly)).toMatchObject({ code: 0 })
}, 60_000)

/** Runs the program as an account that has no right beyond those of files, which root has only without these capabilities. */
async function runBound(...args: string[]) {
  const none = '-dac_override,-dac_read_search'
  const bound = process.getuid?.() === 0 ? ['setpriv', '--bounding-set', none, '--inh-caps', none] : []
  const [command = '', ...words] = [...bound, resolve('node_modules/.bin/node'), PROGRAM, ...args]
  const { PATH, HOME } = process.env
  const program = programOf(spawn(command, words, { cwd: directory, env: { PATH, HOME, ...quietly } }))
  const code = await program.ended
  return { code, stdout: program.stdout(), stderr: program.stderr() }
}

test('a folder in which nothing may be made ends the start at once, with its name and what to do', async () => {
  const closed = join(directory, 'closed')
  mkdirSync(closed, { mode: 0o500 })
  const { code, stdout, stderr } = await runBound('serve', '--port', '0', '--data-dir', join(closed, 'data'))
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(
    /^millwright: The data directory \S+\/closed\/data cannot be used: EACCES: .*: run this as the account that may write there, or choose another directory\n$/,
  )
})

test('the data directory of another account is named by the start and by a reset of a password, also beside the service', async () => {
  const data = join(directory, 'data')
  chmodSync(data, 0)
  const early = await runBound('serve', '--port', '0')
  expect(early).toMatchObject({ code: 1, stdout: '' })
  expect(early.stderr).toMatch(/^millwright: The data directory \S+ cannot be used: .*: run this as the account/)

  chmodSync(data, 0o700)
  const program = start(['--port', '0'], directory, quietly)
  onTestFinished(() => void program.process.kill('SIGKILL'))
  await ready(program)
  chmodSync(data, 0)
  const reset = await runBound('reset-password', 'admin')
  expect(reset).toMatchObject({ code: 1, stdout: '' })
  expect(reset.stderr).toMatch(
    /^millwright: the data directory \S+ belongs to another account: run this as that account\n$/,
  )
}, 120_000)

test('a rotation without the file of keys says which file it was, and makes none', async () => {
  const keys = join(directory, 'keys')
  const made = await run(['migrate', '--data-dir', keys], directory, quietly)
  expect(made).toMatchObject({ code: 0 })
  expect(await run(['keys', 'rotate', '--data-dir', keys], directory, quietly)).toMatchObject({ code: 0 })
  rmSync(join(keys, 'encryption.key'))
  for (const _ of [1, 2]) {
    const { code, stdout, stderr } = await run(['keys', 'rotate', '--data-dir', keys], directory, quietly)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toMatch(
      /^millwright: There is no file \S+\/keys\/encryption\.key of encryption keys: .* Use that file/,
    )
  }
}, 120_000)
