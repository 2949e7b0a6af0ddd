import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { testDatabaseUrl } from '../support/database.ts'
import { spawn } from '../support/processes.ts'
import { programOf, ready, start } from './program.ts'

// What frequent requests allocate, as a file that a change changes on purpose only. Allocations are counted by the sampling
// heap profiler of the process itself, with what was collected in between; times would depend on the machine.

const place = await testDatabaseUrl()
const folder = mkdtempSync(join(tmpdir(), 'millwright-allocations-'))
afterAll(async () => {
  await place?.drop()
  rmSync(folder, { recursive: true, force: true })
})

const GOLDEN = new URL('../../docs/generated/request-allocations.md', import.meta.url)
const JOURNEYS = new URL('../../docs/generated/journeys.md', import.meta.url)
const ADMIN = { login: 'admin', password: 'a password for the test' }
const WARM = 150
const COUNTED = 200
const WARM_ENOUGH = 3
/** Files count that each of so many requests enters: others belong to work of the service beside them. */
const REPEATED = 8
/** Work that follows the commit of each write, sometimes before it is answered: it is no part of the request. */
const BESIDE = 'src/areas/events/'
/** Bounds that a figure is rounded up to, with room for what versions of the engine differ in. */
const BOUNDS = [10, 15, 20, 30, 40, 60, 80, 120, 160, 240, 320, 480, 640, 960, 1280]
const ROOM = 1.2
/** Below this part of its bound a figure has become so much better that the bound has to follow. */
const BETTER = 0.4

test('frequent requests allocate what is written down', async () => {
  const totals = join(folder, 'total')
  const program = start(['--port', '0'], folder, envOf(place.url, counting(totals)))
  const address = await ready(program)
  const send = await authenticated(address)
  const pid = program.process.pid ?? 0
  const figures: [string, number][] = []
  const requests = Object.entries(await prepareRequests(address, send))
  for (const [name, ask] of requests) {
    for (let n = 0; n < WARM; n++) await ask(n)
    await readReport(pid, totals)
    for (let n = WARM; n < WARM + COUNTED; n++) await ask(n)
    const total = Number(await readReport(pid, totals))
    figures.push([name, total / COUNTED / 1024])
  }
  program.process.kill('SIGTERM')
  await once(program.process, 'exit')
  await expect(report(figures)).toMatchFileSnapshot(GOLDEN.pathname)
})

test('frequent requests enter the files that are written down', async () => {
  const own = await testDatabaseUrl()
  onTestFinished(() => own.drop())
  const file = join(folder, 'entered')
  const PATH = process.env.PATH
  const env = { ...envOf(own.url, covering(file)), PATH }
  const args = [resolve('src/main.ts'), '--port', '0', '--data-dir', join(folder, 'journeys')]
  const program = programOf(spawn(resolve('node_modules/.bin/node'), args, { env }))
  const address = await ready(program)
  const pid = program.process.pid ?? 0
  const journeys: [string, readonly string[]][] = []
  for (const [name, ask] of Object.entries(await prepareRequests(address, await authenticated(address)))) {
    const entered: string[][] = []
    for (let n = 0; n < WARM_ENOUGH + REPEATED; n++) {
      await ask(n)
      entered.push(JSON.parse(await readReport(pid, file)))
    }
    const [first = [], ...others] = entered.slice(WARM_ENOUGH)
    const always = first.filter((path) => others.every((paths) => paths.includes(path)) && !path.startsWith(BESIDE))
    journeys.push([name, always.sort()])
  }
  program.process.kill('SIGTERM')
  await once(program.process, 'exit')
  await expect(formatJourneys(journeys)).toMatchFileSnapshot(JOURNEYS.pathname)
})

function envOf(databaseUrl: string, module: string) {
  return {
    DATABASE_URL: databaseUrl,
    MILLWRIGHT_ADMIN_PASSWORD: ADMIN.password,
    MILLWRIGHT_LOG_LEVEL: 'warn',
    MILLWRIGHT_TRUSTED_PROXIES: '127.0.0.1',
    NODE_OPTIONS: `--max-semi-space-size=4 --import=data:text/javascript,${encodeURIComponent(module)}`,
  }
}

type Send = (method: string, path: string, body?: object, headers?: object) => Promise<Response>

async function authenticated(address: string): Promise<Send> {
  const authorization = `Basic ${Buffer.from(`${ADMIN.login}:${ADMIN.password}`).toString('base64')}`
  return (method, path, body, headers = {}) =>
    fetch(`${address}${path}`, {
      method,
      headers: { authorization, 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
}

/** Makes twenty architectures and hosts, and yields what is asked again and again. */
async function prepareRequests(address: string, send: Send): Promise<Record<string, (n: number) => Promise<void>>> {
  const made = async (path: string, body: object) => {
    const answer = await send('POST', path, body)
    expect(answer.status).toBe(201)
    return (await answer.json()) as { id: number; name: string }
  }
  const twenty = Array.from({ length: 20 }, (_, n) => n)
  const names = twenty.map((n) => `host${n}.test`)
  for (const n of twenty) await made('/api/architectures', { name: `architecture${n}` })
  for (const name of names) await made('/api/hosts', { host: { name, managed: false } })
  await send('PUT', '/api/settings/trusted_hosts', { value: ['engine.test'] })
  const ask = async (path: string) => {
    const answer = await send('GET', path)
    expect(answer.status).toBe(200)
    await answer.arrayBuffer()
  }
  const certified = { SSL_CLIENT_VERIFY: 'SUCCESS', SSL_CLIENT_S_DN: 'CN=engine.test' }
  const etags = new Map<string, string>()
  const document = async (n: number) => {
    const name = names[n % names.length] ?? ''
    const etag = etags.get(name)
    const known = etag === undefined ? {} : { 'if-none-match': etag }
    const answer = await fetch(`${address}/node/${name}?format=yml`, { headers: { ...certified, ...known } })
    expect(answer.status).toBe(etag === undefined ? 200 : 304)
    await answer.arrayBuffer()
    etags.set(name, answer.headers.get('etag') ?? '')
  }
  const created: number[] = []
  return {
    'show an architecture': (n) => ask(`/api/architectures/architecture${n % 20}`),
    'list 20 architectures': () => ask('/api/architectures'),
    'search architectures': (n) => ask(`/api/architectures?search=name+%3D+architecture${n % 20}`),
    'show a host': (n) => ask(`/api/hosts/${names[n % 20]}`),
    'list 20 hosts': () => ask('/api/hosts'),
    'the document of a host, unchanged': document,
    'create a host': async (n) => {
      created.push((await made('/api/hosts', { host: { name: `new${n}.test`, managed: false } })).id)
    },
    'change a host': async (n) => {
      const answer = await send('PUT', `/api/hosts/${created[n]}`, { host: { comment: `number ${n}` } })
      expect(answer.status).toBe(200)
      await answer.arrayBuffer()
    },
  }
}

/** A module that counts what the process allocates: each SIGUSR2 writes the bytes since the last one to the file. */
function counting(file: string): string {
  return reporting(
    file,
    `
    const sampling = { samplingInterval: 4096, includeObjectsCollectedByMajorGC: true, includeObjectsCollectedByMinorGC: true }
    const sum = ({ selfSize, children }) => children.reduce((total, child) => total + sum(child), selfSize)
    const begin = () => session.post('HeapProfiler.startSampling', sampling)
    const report = (write) => session.post('HeapProfiler.stopSampling', (error, { profile }) => {
      write(String(sum(profile.head)))
      begin()
    })`,
  )
}

/** A module that watches functions: each SIGUSR2 writes the files of `src/` of which some have run since the last one. */
function covering(file: string): string {
  return reporting(
    file,
    `
    const hasRun = ({ functionName, ranges }) => functionName !== '' && ranges[0].count > 0
    const begin = () => {
      session.post('Profiler.enable')
      session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    }
    const report = (write) => session.post('Profiler.takePreciseCoverage', (error, { result }) => write(JSON.stringify(result
      .filter(({ url, functions }) => /^file:.*[/]src[/](?!.*node_modules)/.test(url) && functions.some(hasRun))
      .map(({ url }) => url.slice(url.lastIndexOf('/src/') + 1)))))`,
  )
}

function reporting(file: string, code: string): string {
  return `
    import { Session } from 'node:inspector'
    import { renameSync, writeFileSync } from 'node:fs'
    import { isMainThread } from 'node:worker_threads'
    if (isMainThread) {
      const session = new Session()
      session.connect()
      ${code}
      begin()
      process.on('SIGUSR2', () => report((text) => {
        writeFileSync('${file}.new', text)
        renameSync('${file}.new', '${file}')
      }))
    }`
}

/** Reads what the process reports since the last time: see {@link counting} and {@link covering}. */
async function readReport(pid: number, file: string): Promise<string> {
  rmSync(file, { force: true })
  process.kill(pid, 'SIGUSR2')
  while (!existsSync(file)) await pause(20)
  return readFileSync(file, 'utf8')
}

/** Formats the files of `src/` that requests enter, by folder. */
function formatJourneys(journeys: readonly (readonly [string, readonly string[]])[]): string {
  const sections = journeys.flatMap(([name, files]) => {
    const folders = Map.groupBy(files, (file) => dirname(file))
    const lines = [...folders].map(
      ([folder, inside]) => `* \`${folder}/\`: ${inside.map((file) => basename(file, '.ts')).join(', ')}`,
    )
    return [`## ${name}: ${files.length} files`, '', ...lines, '']
  })
  return [
    '# The files that requests enter',
    '',
    'Files of `src/` with a function that runs for a request of an administrator, once the service is warm. Written by',
    '`test/cli/request-allocations.postgresql.test.ts` (`--update`): whoever makes a way longer changes this file on purpose.',
    '',
    ...sections,
  ].join('\n')
}

function report(figures: readonly (readonly [string, number])[]): string {
  const before = existsSync(GOLDEN) ? readFileSync(GOLDEN, 'utf8') : ''
  const lines = figures.map(([name, kib]) => `| ${name} | ${boundOf(name, kib, before)} |`)
  return [
    '# What requests allocate',
    '',
    'In the process of the service beside PostgreSQL, by an administrator. Written by',
    '`test/cli/request-allocations.postgresql.test.ts` (`--update`): whoever makes a request allocate more changes this file on purpose.',
    '',
    '| request | at most KiB |',
    '|---|---:|',
    ...lines,
    '',
  ].join('\n')
}

/** Yields the bound that is written down while the figure keeps to it; otherwise the next one. */
function boundOf(name: string, kib: number, before: string): number {
  const known = Number(new RegExp(`^\\| ${name} \\| (\\d+) \\|$`, 'm').exec(before)?.[1])
  if (kib <= known && kib >= known * BETTER) return known
  return BOUNDS.find((bound) => kib * ROOM <= bound) ?? Math.ceil(kib)
}
