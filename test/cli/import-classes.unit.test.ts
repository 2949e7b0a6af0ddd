import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startClassSource } from '../support/peers/class-source.ts'
import { run } from './program.ts'

test('classes of a server are compared and imported', { timeout: 240_000 }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'millwright-'))
  await using server = await startClassSource()
  server.hold({ production: { web: { port: { literal: 80 } } } })
  expect(await run(['migrate'], folder)).toMatchObject({ code: 0 })
  const report = 'production: new\n  new configclasses: web\n'
  expect(await run(['compare-classes', server.url], folder)).toMatchObject({ code: 0, stdout: report })
  expect(await run(['import-classes', `${server.url}/`], folder)).toMatchObject({ code: 0, stdout: report })
  expect(await run(['compare-classes', server.url], folder)).toMatchObject({
    code: 0,
    stdout: 'There is nothing to change.\n',
  })
  expect(await run(['import-classes', join(folder, 'nothing')], folder)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('cannot be read (ENOENT)'),
  })
  rmSync(folder, { recursive: true })
})

test('a database that no service has used yet is said to be one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'millwright-'))
  expect(await run(['compare-classes', folder], folder)).toMatchObject({
    code: 1,
    stderr:
      'millwright: the database has no tables of this program yet: start the service once, or run millwright migrate\n',
  })
  rmSync(folder, { recursive: true })
})
