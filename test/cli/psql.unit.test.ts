import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { spawnSync } from '../support/processes.ts'
import { ready, run, start } from './program.ts'

test('psql opens a session with the database of a data directory, beside the service and alone', async (context) => {
  if (spawnSync('psql', ['--version'], {}).status !== 0) {
    if (process.env.CI === 'true') throw new Error('psql is not installed (.ci/run installs it)')
    return context.skip('there is no psql on this machine')
  }
  const folder = mkdtempSync(join(tmpdir(), 'millwright-psql-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  // Its standard input has ended, so that psql ends once it is connected; where it is not, with 2.
  const psql = () => run(['psql'], folder, { MILLWRIGHT_LOG_LEVEL: 'error' })
  expect(await psql()).toMatchObject({ code: 1, stderr: expect.stringContaining('there is no database in') })
  const program = start(['--port', '0'], folder)
  await ready(program)
  expect(await psql()).toMatchObject({ code: 0, stderr: '' })
  program.process.kill('SIGTERM')
  expect(await program.ended).toBe(0)
  expect(await psql()).toMatchObject({ code: 0, stderr: '' })
  const elsewhere = await run(['psql'], folder, { DATABASE_URL: 'postgresql://db.example.test/x' })
  expect(elsewhere).toMatchObject({ code: 1, stderr: expect.stringContaining('run psql with its address') })
}, 120_000)
