import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Report } from '../../src/client/shadow/comparison.ts'
import { type BothListeners, openBothListeners } from '../dialect/support.ts'
import { ADMIN, basic } from '../support/api.ts'
import { given } from '../support/given.ts'
import { spawn } from '../support/processes.ts'
import { millwright } from './program.ts'

// The old server has the same records under other ids, and differs in what is planted.
const SHIFT = 1000
const SECRET = 'a secret that stays out of reports'
const authorization = basic(ADMIN.login, ADMIN.password)

let api: BothListeners
let old: Server
let here: string
const folder = mkdtempSync(join(tmpdir(), 'millwright-shadow-'))
const written: string[] = []
beforeAll(async () => {
  api = await openBothListeners()
  here = await api.listen()
  await given(api.ours, 'model', { name: 'only here' })
  for (const name of ['one', 'two', 'three']) {
    const architecture = await given(api.ours, 'architecture', { name: `arch-${name}` })
    await given(api.ours, 'domain', { name: `${name}.example.test` })
    const parameters = [{ name: 'password', value: SECRET }]
    const host = { name: `${name}.example.test`, managed: false, comment: 'ours', architecture_id: architecture.id }
    await given(api.ours, 'host', { ...host, host_parameters_attributes: parameters })
  }
  old = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1')
  await once(old, 'listening')
})
afterAll(async () => {
  old?.close()
  await api?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

test('a shadow answers as the old server does, and finds all planted differences and no others', async () => {
  const report = join(folder, 'report.json')
  await using shadow = await startShadow(report)
  const first = await ask(shadow.proxy, '/api/v2/architectures?search=name+%3D+arch-one')
  const [{ id }] = JSON.parse(first).results
  expect(id).toBeGreaterThan(SHIFT)
  const hosts = JSON.parse(await ask(shadow.proxy, '/api/hosts')).results as { id: number; name: string }[]
  for (const { id } of hosts) await ask(shadow.proxy, `/api/hosts/${id}`)
  await ask(shadow.proxy, `/api/hosts?architecture_id=${id}`)
  for (const path of ['/api/domains', '/api/realms', '/api/models', '/api/hosts/4711', '/api/users', '/assets/page.js'])
    await ask(shadow.proxy, path)
  await fetch(`${shadow.proxy}/api/architectures`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: '{"architecture":{"name":"only-there"}}',
  })
  expect(written).toEqual(['{"architecture":{"name":"only-there"}}'])
  expect((await api.theirs.get('/api/architectures/only-there')).status).toBe(404)

  // Answers are compared after they were sent.
  await expect.poll(() => shadow.page('/')).toContain('planted_key')
  await expect.poll(() => shadow.page('/')).toContain('<td>0 of 3</td>')
  const page = await shadow.page('/')
  for (const part of ['Differences', 'planted_key', 'href="/report.json"', 'href="/metrics"', 'p50 / p95 ms'])
    expect(page).toContain(part)
  expect(page).toMatch(/<td>\/api\/hosts\/:id<\/td><td>0 of 3<\/td><td>0 %<\/td>/)
  expect(page).toMatch(/<td>curl\/8\.0<\/td><td>\d+ of \d+<\/td><td>[\d.]+ %<\/td>/)
  const metrics = await shadow.page('/metrics')
  expect(metrics).toContain('millwright_shadow_compared_total{route="/api/hosts/:id"} 3')
  expect(metrics).toMatch(/millwright_shadow_client_compared_total\{client="curl\/8\.0"\} \d+/)
  await shadow.stop()
  const found: Report = JSON.parse(readFileSync(report, 'utf8'))
  const planted = found.differences.map(({ route, kind, path, count }) => `${route} ${kind} ${path} ${count}`)
  expect(planted.toSorted()).toEqual([
    '/api/domains order results 1',
    '/api/hosts/:id missing key planted_key 1',
    '/api/hosts/:id type build 1',
    '/api/hosts/:id value comment 1',
    '/api/models extra record results[] 1',
    '/api/realms status  1',
  ])
  expect(found).toMatchObject({ writes: 1, clients: [{ client: 'curl/8.0', compared: found.compared }] })
  expect(found.not_compared).toEqual({ 'no counterpart in hosts': 1 })
  expect(readFileSync(report, 'utf8') + page).not.toContain(SECRET)
}, 60_000)

test('a shadow passes on what the old server answers, byte by byte, and says so where it cannot be reached', async () => {
  await using shadow = await startShadow()
  const raw = await fetch(`${shadow.proxy}/api/architectures`, { headers: { authorization } })
  expect(raw.headers.get('x-old-server')).toBe('yes')
  expect(raw.headers.get('content-encoding')).toBe('gzip')
  expect(await raw.text()).toBe(
    await (await fetch(`${addressOf(old)}/api/architectures`, { headers: { authorization } })).text(),
  )
  expect((await fetch(`${shadow.proxy}/moved`, { redirect: 'manual' })).headers.get('location')).toBe('/elsewhere')
  await using lonely = await startShadow(undefined, 'http://127.0.0.1:9')
  const refused = await fetch(`${lonely.proxy}/api/architectures`)
  expect([refused.status, await refused.text()]).toEqual([502, expect.stringContaining('cannot be reached')])
}, 60_000)

test('once writes have ended, a command runs, never twice at once, and the report counts its errors', async () => {
  // Each run lasts two seconds. The first one fails.
  const command = 'echo begin >> runs; sleep 2; echo end >> runs; test -e succeed'
  await using shadow = await startShadow(undefined, addressOf(old), ['--after-writes', `cd ${folder}; ${command}`])
  const write = async () => {
    const body = '{"architecture":{"name":"only-there"}}'
    await fetch(`${shadow.proxy}/api/architectures`, { method: 'POST', headers: { authorization }, body })
  }
  const report = async () => JSON.parse(await shadow.page('/report.json')).after_writes
  const waitFor = (expected: object) =>
    vi.waitFor(async () => expect(await report()).toEqual(expected), { timeout: 30_000, interval: 50 })
  await ask(shadow.proxy, '/api/realms') // a refusal
  expect(await report()).toEqual({ runs: 0, failed: 0, pending: false })
  await Promise.all([write(), write()])
  expect(await report()).toEqual({ runs: 0, failed: 0, pending: true })
  await waitFor({ runs: 0, failed: 0, pending: false }) // it runs
  await write()
  await waitFor({ runs: 1, failed: 1, pending: expect.any(Boolean) })
  writeFileSync(join(folder, 'succeed'), '')
  await waitFor({ runs: 2, failed: 1, pending: false })
  expect(readFileSync(join(folder, 'runs'), 'utf8')).toBe('begin\nend\nbegin\nend\n')
  expect(await shadow.page('/')).toContain(
    '3 writes went to the old server only. The command after writes has run 2 times',
  )
  expect(await shadow.page('/metrics')).toContain('millwright_shadow_after_writes_failed_total 1')
}, 60_000)

test('a check compares the documents of all hosts, and is not done while one differs or a shadow found a difference', async () => {
  const password = join(folder, 'password')
  writeFileSync(password, `${ADMIN.password}\n`)
  const options = ['--upstream', addressOf(old), '--login', ADMIN.login, '--password-file', password, '--server', here]
  const env = { MILLWRIGHT_LOGIN: ADMIN.login, MILLWRIGHT_TOKEN: ADMIN.password, XDG_CONFIG_HOME: folder }
  const { code, stdout } = await millwright(['switch', 'check', ...options, '--output', 'json'], env)
  expect([code, JSON.parse(stdout)]).toEqual([
    2,
    {
      hosts: 3,
      equal: 2,
      open: [
        {
          subject: 'subscription certificates',
          reason:
            'those of 1 hosts are not known here (one.example.test): import these hosts again, or register them here',
        },
        { subject: 'three.example.test', reason: 'the documents differ in parameters.password' },
      ],
      unchecked: ['--shadow', '--import', '--secrets'],
    },
  ])
  expect(stdout).not.toContain(SECRET)
  isLikeOurs = true
  const report = join(folder, 'shadow.json')
  const difference = { route: '/api/realms', kind: 'status', path: '', upstream: '200', here: '404', clients: ['curl'] }
  writeFileSync(report, JSON.stringify({ differences: [difference] }))
  expect(await millwright(['switch', 'check', ...options, '--shadow', report], env)).toMatchObject({
    code: 2,
    stdout:
      '/api/realms: status (there 200, here 404) for curl\nNot checked without --import, --secrets\n' +
      '3 of 3 hosts have equal documents, 1 open\n',
  })
  const imported = join(folder, 'import.json')
  const remarks = [
    { record: 'Kickstart', outcome: 'refused', reason: 'line 3: unknown' },
    { record: 'Preseed', outcome: 'changed', reason: 'another name' },
  ]
  writeFileSync(imported, JSON.stringify({ totals: {}, kinds: { provisioning_template: { remarks } } }))
  const secrets = join(folder, 'secrets.json')
  const missing = [
    { kind: 'user', record: 'anna', key: 'password' },
    { kind: 'smart_proxy', record: 'proxy', key: 'tls-client-ca' },
  ]
  writeFileSync(secrets, JSON.stringify(missing))
  expect(
    await millwright(['switch', 'check', ...options, '--import', imported, '--secrets', secrets], env),
  ).toMatchObject({
    code: 2,
    stdout:
      'provisioning_template Kickstart: refused: line 3: unknown\nuser anna: password is missing\n' +
      'smart_proxy proxy: this service does not hold the authority of its certificate: configure tls-client-ca\n' +
      'Not checked without --shadow\n3 of 3 hosts have equal documents, 3 open\n',
  })
  for (const option of ['--shadow', '--import'])
    expect((await millwright(['switch', 'check', ...options, option, secrets], env)).stderr).toContain(
      `${option}: the file is no report`,
    )
  expect(await millwright(['switch', 'check', ...options], env)).toMatchObject({ code: 0 })
  expect(await millwright(['switch', 'check'], env)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('usage'),
  })
}, 60_000)

let isLikeOurs = false

/** Answers as an old server with the same records under other ids, but for the planted differences. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  if (request.method !== 'GET') {
    written.push(Buffer.concat(chunks).toString())
    return void response.writeHead(201, { 'content-type': 'application/json' }).end('{}')
  }
  const url = (request.url ?? '').replace(/(?<=\/|_id=|id\+%3E\+)\d{4,}/g, (id) => String(Number(id) - SHIFT))
  if (url === '/moved') return void response.writeHead(302, { location: '/elsewhere' }).end()
  if (url.startsWith('/api/realms'))
    return void response.writeHead(500, { 'content-type': 'application/json' }).end('{}')
  const reply = await api.theirs.get(url)
  const text = JSON.stringify(plant(url, shift(reply.body)))
  const isPacked = request.headers['accept-encoding']?.includes('gzip')
  const body = isPacked ? gzipSync(text) : text
  const encoding = isPacked ? { 'content-encoding': 'gzip' } : {}
  const headers = { 'content-type': 'application/json; charset=utf-8', ...encoding, 'x-old-server': 'yes' }
  response.writeHead(reply.status, headers).end(body)
}

/** Shifts all ids. */
function shift(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => shift(each, key))
  if (typeof value === 'number') return /(?:^|_)ids?$/.test(key) ? value + SHIFT : value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shift(each, name)]))
}

function plant(url: string, body: unknown): unknown {
  const record = body as Record<string, unknown> & { results: unknown[] } // as the service answers
  if (/^\/api\/hosts\/\d+$/.test(url)) {
    if (record['name'] === 'one.example.test') return { ...record, comment: 'other' }
    if (record['name'] === 'two.example.test') return { ...record, build: 'false' }
    return { ...record, planted_key: SECRET }
  }
  if (/three.*\/enc$/.test(url) && !isLikeOurs) {
    const document = record['data'] as { parameters: object }
    return { data: { ...document, parameters: { ...document.parameters, password: 'another' } } }
  }
  if (url.startsWith('/api/hosts?order') || url.startsWith('/api/hosts?search=id'))
    return { ...record, results: record.results.map((one) => (isLikeOurs ? one : asRegistered(one))) }
  if (url === '/api/domains') return { ...record, results: record.results.toReversed() }
  if (url === '/api/models') return { ...record, results: record.results.slice(1) }
  return record
}

/** Lets a host have a certificate for subscriptions. */
function asRegistered(host: unknown): unknown {
  const record = host as Record<string, unknown> // as the service answers
  return record['name'] === 'one.example.test' ? { ...record, subscription_facet_attributes: { uuid: 'a' } } : record
}

async function startShadow(report?: string, upstream = addressOf(old), further: readonly string[] = []) {
  const { PATH } = process.env
  const words = ['shadow', '--upstream', upstream, '--server', here, '--listen', '0', '--page', '0']
  const stored = report === undefined ? [] : ['--report', report]
  const child = spawn(process.execPath, [resolve('bin/millwright.js'), ...words, ...stored, ...further], {
    env: { PATH },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  for await (const chunk of child.stdout ?? []) {
    said += chunk
    if (said.includes('reports')) break
  }
  const [proxy = '', page = ''] = said.match(/http:\/\/127\.0\.0\.1:\d+(?= answers| reports)/g) ?? []
  const stop = async () => {
    child.kill('SIGINT')
    if (child.exitCode === null) await once(child, 'exit')
  }
  return {
    proxy,
    page: async (path: string) => (await fetch(page + path)).text(),
    stop,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null) await stop()
    },
  }
}

function addressOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function ask(address: string, path: string): Promise<string> {
  const response = await fetch(address + path, { headers: { authorization, 'user-agent': 'curl/8.0 (test)' } })
  return response.text()
}
