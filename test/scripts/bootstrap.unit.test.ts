import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { spawn } from '../support/processes.ts'

// A checkout of its own, in which the program and npm are a few lines each: what counts is when and how they are called.
let checkout: string
beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'millwright-checkout-'))
  for (const folder of ['scripts', 'src', 'node_modules/vitest']) mkdirSync(join(checkout, folder), { recursive: true })
  copyFileSync(join(import.meta.dirname, '../../scripts/bootstrap.mjs'), join(checkout, 'scripts/bootstrap.mjs'))
  write('package.json', JSON.stringify({ type: 'module', optionalDependencies: { [PACKAGE]: '*' } }))
  write('package-lock.json', '{}')
  write('src/main.ts', PROGRAM)
  write('node_modules/vitest/vitest.mjs', `console.log('tests', process.argv.slice(2).join(' '))`)
  write('scripts/make-template.ts', '')
  write('npm.js', NPM)
})
afterEach(() => rmSync(checkout, { recursive: true }))

const PACKAGE = `node-${process.platform}-${process.arch}`

const PROGRAM = `
process.on('SIGTERM', () => process.exit(7))
console.log('arguments', process.argv.slice(2).join(' '))
if (process.argv.includes('wait')) setInterval(() => undefined, 1000)
`

// Does what npm does: puts the packages there, and its own note last.
const NPM = `
import { appendFileSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
appendFileSync('calls', process.argv.slice(2).join(' ') + '\\n')
mkdirSync('node_modules/${PACKAGE}/bin', { recursive: true })
if (!existsSync('node_modules/${PACKAGE}/bin/node')) symlinkSync(process.execPath, 'node_modules/${PACKAGE}/bin/node')
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

test('starts few files made of the sources, anew when one has changed, and the sources where that fails', async () => {
  copyFileSync(join(import.meta.dirname, '../../scripts/bundle.ts'), join(checkout, 'scripts/bundle.ts'))
  for (const name of ['rolldown', '@rolldown', '@oxc-project'])
    symlinkSync(join(import.meta.dirname, '../../node_modules', name), join(checkout, 'node_modules', name))
  mkdirSync(join(checkout, 'src/database'))
  write('src/database/pglite-thread.ts', '')
  write('src/main.ts', `import { word } from './word.ts'\nconsole.log(word, process.argv[1])`)
  const startedWith = async (word: string): Promise<string> => {
    write('src/word.ts', `export const word: string = '${word}'`)
    const later = new Date(Date.now() + 1000 * ++changes)
    utimesSync(join(checkout, 'src/word.ts'), later, later)
    return (await outcome(bootstrap('start'))).out.replace(`${realpathSync(checkout)}/`, '')
  }
  let changes = 0
  expect(await startedWith('first')).toBe('first .build/main.js\n')
  expect(await startedWith('second')).toBe('second .build/main.js\n')
  expect((await outcome(bootstrap('start'))).out).toMatch(/^second /)
  rmSync(join(checkout, 'scripts/bundle.ts'))
  expect(await startedWith('third')).toBe('third src/main.ts\n')
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
