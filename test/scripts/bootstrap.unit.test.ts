import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

// A checkout of its own, in which the program and npm are a few lines each: what counts is when and how they are called.
let checkout: string
beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'millwright-checkout-'))
  for (const folder of ['scripts', 'src', 'node_modules/vitest']) mkdirSync(join(checkout, folder), { recursive: true })
  copyFileSync(join(import.meta.dirname, '../../scripts/bootstrap.mjs'), join(checkout, 'scripts/bootstrap.mjs'))
  write('package.json', '{ "type": "module" }')
  write('package-lock.json', '{}')
  write('src/main.ts', PROGRAM)
  write('node_modules/vitest/vitest.mjs', `console.log('tests', process.argv.slice(2).join(' '))`)
  write('scripts/make-template.ts', '')
  write('npm.js', NPM)
})
afterEach(() => rmSync(checkout, { recursive: true }))

const PROGRAM = `
process.on('SIGTERM', () => process.exit(7))
console.log('arguments', process.argv.slice(2).join(' '))
if (process.argv.includes('wait')) setInterval(() => undefined, 1000)
`

// Does what npm does: puts the packages there, and its own note last.
const NPM = `
import { appendFileSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
appendFileSync('calls', process.argv.slice(2).join(' ') + '\\n')
mkdirSync('node_modules/node/bin', { recursive: true })
if (!existsSync('node_modules/node/bin/node')) symlinkSync(process.execPath, 'node_modules/node/bin/node')
writeFileSync('node_modules/.package-lock.json', '{}')
`

function write(path: string, text: string): void {
  writeFileSync(join(checkout, path), text)
}

function bootstrap(...args: string[]): ChildProcess {
  const env = { ...process.env, npm_execpath: join(checkout, 'npm.js') }
  return spawn(process.execPath, ['scripts/bootstrap.mjs', ...args], {
    cwd: checkout,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

async function outcome(child: ChildProcess): Promise<{ code: number | null; out: string; err: string }> {
  const texts = { out: '', err: '' }
  child.stdout?.on('data', (chunk) => (texts.out += chunk))
  child.stderr?.on('data', (chunk) => (texts.err += chunk))
  const [code] = await once(child, 'close')
  return { code, ...texts }
}

const installs = () => readFileSync(join(checkout, 'calls'), 'utf8').trim().split('\n').length

test('installs what is missing with one line about it, and starts the program with its arguments', async () => {
  expect(await outcome(bootstrap('start', '--port', '0'))).toEqual({
    code: 0,
    out: 'arguments --port 0\n',
    err: 'Installing packages into node_modules (once, up to a minute) ...\n',
  })
  expect(readFileSync(join(checkout, 'calls'), 'utf8')).toMatch(/^ci --include=dev /)
})

test('installs again only when the list of packages has changed', async () => {
  await outcome(bootstrap('start'))
  expect(await outcome(bootstrap('test', 'some.test.ts'))).toEqual({
    code: 0,
    out: 'tests run some.test.ts\n',
    err: '',
  })
  expect(installs()).toBe(1)
  const later = new Date(Date.now() + 60_000)
  utimesSync(join(checkout, 'package-lock.json'), later, later)
  await outcome(bootstrap('start'))
  expect(installs()).toBe(2)
})

test('hands on signals and the exit code', async () => {
  const child = bootstrap('start', 'wait')
  if (child.stdout) await once(child.stdout, 'data')
  child.kill('SIGTERM')
  expect((await outcome(child)).code).toBe(7)
})

test('says how it is used', async () => {
  expect(await outcome(bootstrap('begin'))).toEqual({
    code: 1,
    out: '',
    err: 'usage: node scripts/bootstrap.mjs start|test\n',
  })
})
