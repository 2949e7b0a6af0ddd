import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import { type Program, ready, start } from '../cli/program.ts'
import { callerOf, makeHosts } from '../runs/program-world.ts'
import { testDatabaseUrl } from '../support/database.ts'
import { startDirectory } from '../support/directories/index.ts'
import { type Collector, startCollector } from './collector.ts'

const place = await testDatabaseUrl()
const folder = mkdtempSync(join(tmpdir(), 'millwright-traces-'))
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await place?.drop()
})

function started(collector: Collector, ...args: string[]): Program {
  const env = {
    ...{ DATABASE_URL: place?.url ?? '', MILLWRIGHT_ADMIN_PASSWORD: 'correct horse' },
    MILLWRIGHT_TRACE_URL: collector.url,
  }
  const program = start(['--port', '0', '--run-commands', '/bin/true', ...args], folder, env)
  onTestFinished(() => void program.process.kill('SIGKILL'))
  return program
}

const by = (login: string, password: string) => ({ authorization: `Basic ${btoa(`${login}:${password}`)}` })

test('one trace leads from a request by its statements and the directory to the run that another process does', async (context) => {
  const directory = await startDirectory('slapd')
  if (directory === null) return context.skip()
  onTestFinished(() => directory[Symbol.asyncDispose]())
  using collector = await startCollector()
  // One process answers and leaves runs to the other.
  const asked = await ready(started(collector, '--run-workers', '0'))
  await ready(started(collector))
  const caller = callerOf(asked)
  await makeHosts(caller, '/bin/true', 1)
  await caller.post('/api/auth_source_ldaps', {
    auth_source_ldap: {
      ...{ name: 'people', host: directory.host, port: directory.tlsPort, tls: true, ca_certificate: directory.ca },
      ...{ account: directory.serviceAccount.dn, account_password: directory.serviceAccount.password },
      ...{ base_dn: directory.usersBase, onthefly_register: true, server_type: 'posix' },
    },
  })
  const alice = by('alice', directory.password)
  expect((await fetch(`${asked}/api/status`, { headers: alice })).status).toBe(200)
  // This drops the cached user, so that the directory is asked again.
  await caller.put('/api/users/alice', { user: { admin: true } })

  const trace = 'a'.repeat(32)
  const answer = await fetch(`${asked}/api/hosts/host-0.example.test/configrun`, {
    method: 'PUT',
    headers: { ...alice, 'content-type': 'application/json', traceparent: `00-${trace}-${'d'.repeat(16)}-01` },
    body: '{}',
  })
  expect(answer.status).toBe(200)
  const spans = () => collector.spans().filter(({ traceId }) => traceId === trace)
  const named = (name: string) => spans().find((span) => span.name.startsWith(name))
  await vi.waitFor(() => {
    for (const name of ['PUT /api/hosts/:id/configrun', 'runner command']) expect(named(name)).toBeDefined()
  }, 40_000)
  const request = named('PUT /api/hosts/:id/configrun')
  expect(request).toMatchObject({ parentSpanId: 'd'.repeat(16) })
  expect(named('directory authenticate')).toMatchObject({ parentSpanId: request?.spanId, instance: request?.instance })
  const statements = spans().filter(
    ({ parentSpanId, name }) => parentSpanId === request?.spanId && /^select/.test(name),
  )
  expect(statements.length).toBeGreaterThan(0)
  const run = named('configuration run')
  expect(run).toMatchObject({ parentSpanId: request?.spanId })
  expect(named('runner command')).toMatchObject({ parentSpanId: run?.spanId, instance: run?.instance })
  expect(run?.instance).not.toBe(request?.instance)
}, 180_000)

test('a collector that is away costs one line, holds up nothing, and gets traces once it is back', async () => {
  const collector = await startCollector()
  collector[Symbol.dispose]()
  const program = started(collector)
  const address = await ready(program)
  const lines = (message: string) => program.stderr().split(`"${message}"`).length - 1
  const headers = by('admin', 'correct horse')
  const ask = async () => (await fetch(`${address}/api/hosts`, { headers })).status
  await vi.waitFor(async () => {
    expect(await ask()).toBe(200)
    expect(lines('traces cannot be delivered')).toBe(1)
  }, 60_000)
  // Further batches are lost without further log lines.
  for (let second = 0; second < 3; second++) {
    expect(await ask()).toBe(200)
    await new Promise((later) => setTimeout(later, 1100))
  }
  expect(lines('traces cannot be delivered')).toBe(1)

  using back = await startCollector(Number(new URL(collector.url).port))
  await vi.waitFor(async () => {
    expect(await ask()).toBe(200)
    expect(back.spans().map(({ name }) => name)).toContain('GET /api/hosts')
  }, 60_000)
  expect([lines('traces cannot be delivered'), lines('traces are delivered again')]).toEqual([1, 1])

  back[Symbol.dispose]()
  expect(await ask()).toBe(200)
  program.process.kill('SIGTERM')
  expect(await program.ended).toBe(0)
}, 180_000)
