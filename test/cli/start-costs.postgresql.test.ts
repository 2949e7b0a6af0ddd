import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { testDatabaseUrl } from '../support/database.ts'
import { ready, start } from './program.ts'

// What a start beside PostgreSQL costs, as a file that a change changes on purpose only: which files it reads, how much text
// that is, and how much memory the process has. Sizes are rounded up, so that they are the same on every machine.

const place = await testDatabaseUrl()
const folder = mkdtempSync(join(tmpdir(), 'millwright-start-'))
afterAll(async () => {
  await place?.drop()
  rmSync(folder, { recursive: true, force: true })
})

const KIB = 1024
const TEXT_STEP = 256
/** Of resident memory, with room for what machines differ in. */
const MEMORY_BOUND = 170

test('a start reads the files and takes the memory that are written down', async () => {
  const list = join(folder, 'loaded.json')
  const program = start(['--port', '0'], folder, {
    DATABASE_URL: place.url,
    MILLWRIGHT_ADMIN_PASSWORD: 'a password for the test',
    MILLWRIGHT_LOG_LEVEL: 'warn',
    NODE_OPTIONS: `--max-semi-space-size=8 --import=data:text/javascript,${encodeURIComponent(listing(list))}`,
  })
  const address = await ready(program)
  expect((await fetch(`${address}/api/ping`)).status).toBe(200)
  const memory = residentMiB(program.process.pid ?? 0)
  program.process.kill('SIGTERM')
  await once(program.process, 'exit')
  const files = (JSON.parse(readFileSync(list, 'utf8')) as string[]).map((url) => fileURLToPath(url))
  await expect(report(files, memory)).toMatchFileSnapshot('../../docs/generated/start-costs.md')
})

/** A module that notes which files the process loads, and tells once it was asked to end. */
function listing(file: string): string {
  return `
    import { registerHooks } from 'node:module'
    import { writeFileSync } from 'node:fs'
    import { isMainThread } from 'node:worker_threads'
    const urls = new Set()
    registerHooks({ load(url, context, next) { if (url.startsWith('file:')) urls.add(url); return next(url, context) } })
    if (isMainThread) process.once('SIGTERM', () => writeFileSync(${JSON.stringify(file)}, JSON.stringify([...urls])))`
}

function residentMiB(pid: number): number {
  const kib = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kib) / KIB
}

function report(files: readonly string[], memory: number): string {
  const packages = Map.groupBy(files, packageOf)
  const kib = files.reduce((sum, file) => sum + statSync(file).size, 0) / KIB
  const lines = [...packages].map(([name, { length }]) => `| ${name} | ${length} |`).sort()
  return [
    '# What a start costs',
    '',
    'Beside PostgreSQL, until the first answer. Written by `test/cli/start-costs.postgresql.test.ts` (`--update`): whoever makes a start',
    'read more changes this file on purpose.',
    '',
    `* Text of the program that is read: at most ${Math.ceil(kib / TEXT_STEP) * TEXT_STEP} KiB.`,
    `* Resident memory: ${memory <= MEMORY_BOUND ? `at most ${MEMORY_BOUND}` : Math.ceil(memory)} MiB.`,
    '',
    '| of | files |',
    '|---|---:|',
    ...lines,
    '',
  ].join('\n')
}

function packageOf(file: string): string {
  const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file) ?? []
  // What is compiled is called after the machine.
  return name?.replace(/-(?:linux|darwin|win32)-.*$/, '') ?? relative('.', file).split('/', 1).join()
}
