import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { formatFailure } from '../../src/cli/failures.ts'
import { readConfig } from '../../src/config/config.ts'
import { ready, start } from '../cli/program.ts'

const directory = mkdtempSync(join(tmpdir(), 'millwright-listener-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

test('the program listens on a second port where it is told to, and gives both back at its end', async () => {
  const env = {
    MILLWRIGHT_VENDOR_PORT: '0',
    MILLWRIGHT_VENDOR_PROFILE: '2.5',
    MILLWRIGHT_ADMIN_PASSWORD: 'correct horse',
  }
  const program = start(['--port', '0'], directory, env)
  onTestFinished(() => void program.process.kill('SIGKILL'))
  const address = await ready(program)
  const [, vendor = ''] = /^ {2}Vendor +(\S+) +\(for existing clients\)$/m.exec(program.stdout()) ?? []
  expect(vendor).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/)

  const authorization = `Basic ${btoa('admin:correct horse')}`
  const status = async (path: string) => (await fetch(path, { headers: { authorization } })).status
  expect(await status(`${vendor}/api/puppetclasses`)).toBe(200)
  expect(await status(`${vendor}/api/configclasses`)).toBe(404)
  expect(await status(`${address}/api/puppetclasses`)).toBe(404)
  expect(await status(`${address}/api/configclasses`)).toBe(200)
  const announced = await fetch(`${vendor}/api/status`, { headers: { authorization } })
  expect(await announced.json()).toMatchObject({ version: '2.5.4' })

  program.process.kill('SIGTERM')
  expect(await program.ended).toBe(0)
  await expect(fetch(`${vendor}/api/ping`)).rejects.toThrow()
})

test('the listener is off by default, and a port in use is reported with its own flag', () => {
  const read = (...flags: string[]) => readConfig(flags, {}, () => '')
  expect(read().vendorPort).toBeNull()
  const inUse = Object.assign(new Error('in use'), { code: 'EADDRINUSE', syscall: 'listen', port: 3001 })
  expect(formatFailure(inUse, read('--vendor-port', '3001'))).toBe(
    'port 3001 on 127.0.0.1 is in use by another program: stop that one, or choose another port with --vendor-port (0 picks a free one)',
  )
})
