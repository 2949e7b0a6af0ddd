import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { afterAll, expect, test, vi } from 'vitest'
import { execFileSync } from '../support/processes.ts'
import { type Program, ready, start } from './program.ts'

const folder = mkdtempSync(join(tmpdir(), 'millwright-reload-'))
let program: Program | null = null
afterAll(async () => {
  program?.process.kill('SIGTERM')
  await program?.ended
  rmSync(folder, { recursive: true, force: true })
})

test('SIGHUP shows a new certificate to new connections, and a bad one changes nothing', async () => {
  makeCertificate('first')
  writeFileSync(join(folder, 'levels.yaml'), 'log-level: info\n')
  const files = ['--tls-certificate', 'cert.pem', '--tls-key', 'key.pem', '--config', 'levels.yaml']
  program = start(['--port', '0', '--data-dir', 'memory', '--run-commands', '/no/such/program', ...files], folder)
  const port = Number(new URL(await ready(program)).port)
  expect(program.stderr()).toContain('a program of run-commands cannot be run')
  expect(await subjectAt(port)).toBe('first')
  writeFileSync(join(folder, 'key.pem'), 'no key')
  program.process.kill('SIGHUP')
  await vi.waitFor(() => expect(program?.stderr()).toContain('not read anew'), 20_000)
  expect(await subjectAt(port)).toBe('first')
  makeCertificate('second')
  program.process.kill('SIGHUP')
  await vi.waitFor(() => expect(program?.stderr()).toContain('certificates and log levels read anew'), 20_000)
  expect(await subjectAt(port)).toBe('second')

  // A part of the log goes quiet, and the rest goes on.
  writeFileSync(join(folder, 'levels.yaml'), 'log-level: info,http=warn\n')
  const requests = () => program?.stderr().match(/"msg":"request"/g)?.length ?? 0
  await statusAt(port)
  await vi.waitFor(() => expect(requests()).toBe(1))
  program.process.kill('SIGHUP')
  await vi.waitFor(() => expect(program?.stderr().match(/levels read anew/g)).toHaveLength(2), 20_000)
  expect(await statusAt(port)).toBe(401)
  await vi.waitFor(() => expect(program?.stderr().match(/"login refused"/g)).toHaveLength(2))
  expect(requests()).toBe(1)
}, 120_000)

/** Of a request whose password is wrong, which is an event. */
function statusAt(port: number): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>()
  const options = { port, host: '127.0.0.1', path: '/api/status', auth: 'admin:wrong', rejectUnauthorized: false }
  get(options, (response) => resolve(response.resume().statusCode)).on('error', reject)
  return promise
}

function makeCertificate(name: string): void {
  const made = [
    '-keyout',
    join(folder, 'key.new'),
    '-out',
    join(folder, 'cert.new'),
    '-subj',
    `/CN=${name}`,
    '-days',
    '2',
  ]
  execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', ...made], {
    stdio: 'ignore',
  })
  for (const file of ['key', 'cert']) renameSync(join(folder, `${file}.new`), join(folder, `${file}.pem`))
}

function subjectAt(port: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().subject.CN)
      socket.destroy()
    })
    socket.on('error', reject)
  })
}
