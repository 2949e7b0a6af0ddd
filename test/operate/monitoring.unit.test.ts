import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { type Program, ready, start } from '../cli/program.ts'
import { callerOf, makeHosts } from '../runs/program-world.ts'
import { startDirectory, type TestDirectory } from '../support/directories/index.ts'
import { spawnSync } from '../support/processes.ts'
import { type Collector, startCollector } from './collector.ts'

const TOKEN = 'a token for the metrics'
const RULES = resolve('packaging/monitoring/alerts.yaml')
const promtool = existsSync('/usr/bin/promtool')
if (!promtool && process.env.CI === 'true') throw new Error('promtool is not installed (.ci/run installs prometheus)')
if (!promtool) console.log('skipped: alert rules by promtool (it comes with the package prometheus)')
const folder = mkdtempSync(join(tmpdir(), 'millwright-monitoring-'))
let program: Program
let address: string
let collector: Collector
let directory: TestDirectory | null
beforeAll(async () => {
  collector = await startCollector()
  const env = {
    ...{ MILLWRIGHT_ADMIN_PASSWORD: 'correct horse', MILLWRIGHT_METRICS_TOKEN: TOKEN },
    ...{ MILLWRIGHT_TRACE_URL: collector.url, MILLWRIGHT_TRACE_TOKEN: 'a token for traces' },
  }
  program = start(['--port', '0', '--run-commands', '/bin/true'], folder, env)
  ;[address, directory] = await Promise.all([ready(program), startDirectory('slapd')])
}, 180_000)
afterAll(async () => {
  program?.process.kill('SIGKILL')
  await Promise.all([program?.ended, directory?.[Symbol.asyncDispose]()])
  collector?.[Symbol.dispose]()
  rmSync(folder, { recursive: true, force: true })
})

const metrics = async () =>
  (await fetch(`${address}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })).text()
const as = (login: string, password: string, path = '/api/status', headers: Record<string, string> = {}) =>
  fetch(`${address}${path}`, { headers: { ...headers, authorization: `Basic ${btoa(`${login}:${password}`)}` } })
/** Lists the events with this message. */
const events = (message: string) =>
  program
    .stderr()
    .split('\n')
    .filter((line) => line.includes(`"${message}"`))
    .map((line) => JSON.parse(line))

test('logins are counted, and events without what was typed', async () => {
  expect((await as('admin', 'correct horse')).status).toBe(200)
  expect((await as('my-secret-word', 'hunter2')).status).toBe(401)
  expect((await fetch(`${address}/api/status`)).status).toBe(401)
  const text = await metrics()
  expect(text).toMatch(/^millwright_logins_total\{method="password",result="granted"\} 1$/m)
  expect(text).toMatch(/^millwright_logins_total\{method="password",result="refused"\} 1$/m)
  await vi.waitFor(() => expect(program.stderr()).toContain('"login refused"'))
  const [where, admin] = [
    { method: 'password', address: '127.0.0.1' },
    { user: expect.any(Number), login: 'admin' },
  ]
  expect(events('login refused')).toMatchObject([{ ...where, reason: 'refused' }])
  expect(events('logged in')).toMatchObject([{ ...where, ...admin }])
  expect(program.stderr()).not.toMatch(/my-secret-word|hunter2/)
})

test('the state of queues, jobs, caches and the build is told', async () => {
  const text = await metrics()
  for (const queue of ['tasks', 'config_runs']) {
    expect(text).toContain(`millwright_queue_length{queue="${queue}",state="waiting"} 0\n`)
    expect(text).toContain(`millwright_queue_oldest_seconds{queue="${queue}"} 0\n`)
  }
  expect(text).toMatch(/^millwright_build_info\{version="\d[^"]*",node="v24[^"]*"\} 1$/m)
  expect(text).toMatch(/^millwright_identity_cache_uses_total\{result="miss"\} [1-9]/m)
})

test('probes are quiet while all is well, and counted', async () => {
  for (const path of ['/livez', '/readyz', '/api/status']) await as('admin', 'correct horse', path)
  await vi.waitFor(() => expect(events('request').at(-1)).toMatchObject({ path: '/api/status' }))
  expect(events('request').filter(({ path }) => /z$/.test(path))).toEqual([])
  expect(await metrics()).toMatch(/^millwright_http_request_duration_seconds_count\{.*route="\/livez".*\} 1$/m)
})

test('what waits in a queue is counted, and how long the oldest has waited', async () => {
  const token = 'a token for these metrics'
  const env = { MILLWRIGHT_ADMIN_PASSWORD: 'correct horse', MILLWRIGHT_METRICS_TOKEN: token }
  const idle = ['--port', '0', '--data-dir', 'idle', '--run-commands', '/bin/true', '--run-workers', '0']
  const other = start(idle, folder, env)
  onTestFinished(() => void other.process.kill('SIGKILL'))
  const there = await ready(other)
  await makeHosts(callerOf(there), '/bin/true', 2)
  for (const host of ['host-0', 'host-1']) await callerOf(there).put(`/api/hosts/${host}.example.test/configrun`, {})
  await vi.waitFor(async () => {
    const answer = await fetch(`${there}/metrics`, { headers: { authorization: `Bearer ${token}` } })
    const text = await answer.text()
    expect(text).toContain('millwright_queue_length{queue="config_runs",state="waiting"} 2\n')
    expect(text).toMatch(/^millwright_queue_oldest_seconds\{queue="config_runs"\} [0-9.]*[1-9]/m)
  }, 20_000)
}, 60_000)

test('a missing permission is an event that names it', async () => {
  await callerOf(address).post('/api/users', { user: { login: 'bob', password: 'correct horse', auth_source_id: 1 } })
  expect((await as('bob', 'correct horse', '/api/hosts')).status).toBe(403)
  const told = { login: 'bob', address: '127.0.0.1', method: 'GET', route: '/api/hosts', permissions: ['view_hosts'] }
  await vi.waitFor(() => expect(events('permission denied')).toMatchObject([told]))
})

test('a missing permission in a batch is an event for each operation, as for single requests', async () => {
  const headers = { authorization: `Basic ${btoa('bob:correct horse')}`, 'content-type': 'application/json' }
  const operations = [
    { method: 'POST', path: '/api/architectures', body: { name: 'my-secret-word' } },
    { method: 'DELETE', path: '/api/domains/1' },
  ]
  const sent = { method: 'POST', headers, body: JSON.stringify({ operations }) }
  expect((await fetch(`${address}/api/batch`, sent)).status).toBe(422)
  const who = { login: 'bob', address: '127.0.0.1' }
  await vi.waitFor(() =>
    expect(events('permission denied').slice(-2)).toMatchObject([
      { ...who, method: 'POST', route: '/api/architectures', permissions: ['create_architectures'] },
      { ...who, method: 'DELETE', route: '/api/domains/:id', permissions: ['destroy_domains'] },
    ]),
  )
  expect(program.stderr()).not.toContain('my-secret-word')
})

test('statements are counted by route', async () => {
  await as('admin', 'correct horse', '/api/architectures')
  for (const what of ['statements', 'seconds'])
    expect(await metrics()).toMatch(
      new RegExp(`^millwright_database_${what}_total\\{method="GET",route="/api/architectures"\\} [0-9.]*[1-9]`, 'm'),
    )
})

test('a request is traced below what its caller says, with statements, directory and run, and without secrets', async () => {
  const caller = callerOf(address)
  await makeHosts(caller, '/bin/true', 1)
  const [answered, denied, runs] = ['a', 'b', 'c'].map((letter) => letter.repeat(32))
  const traced = (trace: string | undefined, sampled = '01') => ({
    traceparent: `00-${trace}-${'d'.repeat(16)}-${sampled}`,
  })
  const of = (trace: string | undefined, name: string) =>
    collector.spans().filter((span) => span.traceId === trace && span.name.startsWith(name))

  await as('admin', 'correct horse', '/api/architectures?search=my-secret-word', traced(answered))
  await as('admin', 'correct horse', '/api/architectures', traced(denied, '00'))
  const wanted = await fetch(`${address}/api/hosts/host-0.example.test/configrun`, {
    method: 'PUT',
    headers: {
      ...{ authorization: `Basic ${btoa('admin:correct horse')}`, 'content-type': 'application/json' },
      ...traced(runs),
    },
    body: '{}',
  })
  expect(wanted.status).toBe(200)
  await vi.waitFor(() => expect(of(runs, 'configuration run')).toHaveLength(1), 20_000)
  const [request] = of(answered, 'GET /api/architectures')
  expect(request).toMatchObject({ parentSpanId: 'd'.repeat(16) })
  expect(of(answered, 'select').map(({ parentSpanId }) => parentSpanId)).toContain(request?.spanId)
  const [asked, run, runner] = ['PUT /api/hosts/:id/configrun', 'configuration run', 'runner command'].map(
    (name) => of(runs, name)[0],
  )
  expect(run).toMatchObject({ parentSpanId: asked?.spanId })
  expect(runner).toMatchObject({ parentSpanId: run?.spanId })
  expect(collector.spans().filter(({ traceId }) => traceId === denied)).toEqual([])
  expect(collector.said()).toContain('"authorization":"Bearer a token for traces"')
  expect(collector.said()).not.toMatch(/my-secret-word|correct horse/)
}, 60_000)

test('a login by a directory is traced with what the directory was asked, and the level of that part changes at once', async (context) => {
  if (directory === null) return context.skip()
  const caller = callerOf(address)
  await caller.put('/api/settings/log_levels', { setting: { value: 'directory=debug,http=silent' } })
  await caller.post('/api/auth_source_ldaps', {
    auth_source_ldap: {
      ...{ name: 'people', host: directory.host, port: directory.tlsPort, tls: true, ca_certificate: directory.ca },
      ...{ account: directory.serviceAccount.dn, account_password: directory.serviceAccount.password },
      ...{ base_dn: directory.usersBase, onthefly_register: true, server_type: 'posix' },
    },
  })
  const trace = 'e'.repeat(32)
  const requests = events('request').length
  await as('alice', directory.password, '/api/status', { traceparent: `00-${trace}-${'d'.repeat(16)}-01` })
  await vi.waitFor(() => expect(events('directory asked')).toMatchObject([{ call: 'authenticate', failed: false }]))
  expect(events('request')).toHaveLength(requests)
  const spans = () => collector.spans().filter(({ traceId }) => traceId === trace)
  await vi.waitFor(() => expect(spans().map(({ name }) => name)).toContain('GET /api/status'), 20_000)
  const request = spans().find(({ name }) => name === 'GET /api/status')
  const asked = spans().find(({ name }) => name === 'directory authenticate')
  expect(asked).toMatchObject({ parentSpanId: request?.spanId })
  expect(`${collector.said()}${program.stderr()}`).not.toContain(directory.password)
  const { results } = await caller.get('/api/auth_source_ldaps')
  const connections = `millwright_directory_connections{source="${results[0].id}",state=`
  const text = await metrics()
  expect(text).toMatch(new RegExp(`^${connections}"idle"} [1-9]`, 'm'))
  for (const state of ['busy', 'waiting']) expect(text).toContain(`${connections}"${state}"} 0\n`)
  expect(text).toContain(`millwright_directory_up{source="${results[0].id}"} 1\n`)
  await caller.put('/api/settings/log_levels', { setting: { value: '' } })
  expect((await as('admin', 'correct horse')).status).toBe(200)
  await vi.waitFor(() => expect(events('request').length).toBeGreaterThan(requests))
}, 60_000)

test('a lock-out is an event with that reason, and counted', async () => {
  await callerOf(address).put('/api/settings/failed_login_attempts_limit', { setting: { value: 3 } })
  for (let at = 0; at < 4; at++) expect((await as('bob', 'hunter2')).status).toBe(401)
  await vi.waitFor(() =>
    expect(events('login refused').at(-1)).toMatchObject({
      ...{ method: 'password', address: '127.0.0.1', reason: 'locked_out' },
    }),
  )
  expect(await metrics()).toMatch(/^millwright_logins_total\{method="password",result="locked_out"\} [1-9]/m)
  expect(program.stderr()).not.toContain('hunter2')
})

test('each metric of the alert rules and of the dashboard is there', async () => {
  const known = new Set([...(await metrics()).matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name))
  for (const path of [RULES, resolve('packaging/monitoring/dashboard.json')]) {
    const names = new Set(readFileSync(path, 'utf8').match(/\b(?:millwright|process)_[a-z_]+\b/g))
    const base = (name: string) => name.replace(/_(?:bucket|sum|count)$/, '')
    expect([...names].filter((name) => !known.has(name) && !known.has(base(name)))).toEqual([])
    expect(names.size).toBeGreaterThan(5)
  }
})

test.skipIf(!promtool)('promtool finds nothing wrong with the names and texts of the metrics', async () => {
  const checked = spawnSync('promtool', ['check', 'metrics'], { encoding: 'utf8', input: await metrics() })
  // Those of Node itself have the names that its dashboards know.
  const ours = `${checked.stdout}${checked.stderr}`.split('\n').filter((line) => !/^(?:nodejs_|$)/.test(line))
  expect(ours).toEqual([])
})

test.skipIf(!promtool)('promtool understands the alert rules, and the expressions of the dashboard', () => {
  expect(spawnSync('promtool', ['check', 'rules', RULES], { encoding: 'utf8' })).toMatchObject({ status: 0 })
  const { panels } = JSON.parse(readFileSync(resolve('packaging/monitoring/dashboard.json'), 'utf8'))
  const expressions: string[] = panels.flatMap(({ targets }: { targets: { expr: string }[] }) =>
    targets.map(({ expr }) => expr.replaceAll('$instance', '.*')),
  )
  const rules = expressions.map((expr, at) => ({ record: `expression:${at}`, expr }))
  const file = join(folder, 'dashboard-rules.json') // JSON is YAML
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }))
  expect(spawnSync('promtool', ['check', 'rules', file], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' })
})
