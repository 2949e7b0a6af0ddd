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
import { spawn, spawnSync } from '../support/processes.ts'

// A checkout in which the program and npm are replaced by a few lines: what matters is when and how they are called.
let checkout: string
beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'millwright-checkout-'))
  for (const folder of ['scripts', 'src', 'node_modules/vitest']) mkdirSync(join(checkout, folder), { recursive: true })
  copyFileSync(join(import.meta.dirname, '../../scripts/bootstrap.mjs'), join(checkout, 'scripts/bootstrap.mjs'))
  write('package.json', JSON.stringify({ type: 'module', optionalDependencies: { [PACKAGE]: '*' } }))
  write('package-lock.json', '{}')
  write('src/main.ts', PROGRAM)
  write(
    'node_modules/vitest/vitest.mjs',
    `console.log(...['tests', ...process.argv.slice(2), process.env.TEST_LEFT_OUT].filter(Boolean))`,
  )
  write('scripts/make-template.ts', '')
  mkdirSync(join(checkout, 'test'))
  write('test/durations.json', '{}')
  write('npm.js', NPM)
})
afterEach(() => rmSync(checkout, { recursive: true }))

const PACKAGE = `node-${process.platform}-${process.arch}`

const PROGRAM = `
process.on('SIGTERM', () => process.exit(7))
console.log('arguments', process.argv.slice(2).join(' '))
if (process.argv.includes('wait')) setInterval(() => undefined, 1000)
`

// Does what npm does: installs the packages, and writes its lock file last.
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
  // The tests themselves may have been started with files left out.
  const env = {
    ...process.env,
    ...{ TEST_LEFT_OUT: undefined, TEST_SHORT: undefined },
    npm_execpath: join(checkout, 'npm.js'),
  }
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

test('leaves out long tests, unless they are named or all are wanted, and says so', async () => {
  const short = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`test/short-${at}.test.ts`, 1]))
  const laws = { 'test/laws/written.test.ts': 1000 }
  const long = { 'test/a-walk.test.ts': 71, 'test/unit.test.ts': 500 }
  write('test/durations.json', JSON.stringify({ ...laws, ...long, ...short }))
  await outcome(bootstrap('start'))
  const both = 'test/a-walk.test.ts,test/unit.test.ts'
  expect(await outcome(bootstrap('test'))).toMatchObject({
    out: `tests run ${both}\n`,
    err: 'skipped: 2 files of long tests (npm test -- --all runs them)\n',
  })
  const run = async (...args: string[]) => (await outcome(bootstrap('test', ...args))).out
  expect(await run('--project', 'unit')).toBe(`tests run --project unit ${both}\n`)
  expect(await run('--update', 'walk')).toBe('tests run --update walk test/unit.test.ts\n')
  expect(await run('walk')).toBe('tests run walk test/unit.test.ts\n')
  expect(await run('--all', '--reporter=dot')).toBe('tests run --reporter=dot\n')
})

test('each test runs once, and what is left out does not run', () => {
  const long = ['test/cli/backup.unit.test.ts', 'test/laws/raising.test.ts', 'web/test/walk.test.ts']
  const listFiles = (left: readonly string[]) => {
    const env = { ...process.env, VITEST: undefined, TEST_LEFT_OUT: left.join(',') }
    const args = ['node_modules/vitest/vitest.mjs', 'list', '--filesOnly']
    const cwd = join(import.meta.dirname, '../..')
    const { stdout } = spawnSync(process.execPath, args, { cwd, env, encoding: 'utf8' })
    return stdout
      .trim()
      .split('\n')
      .map((line) => line.replace(/^\[\w+\] /, ''))
  }
  const all = listFiles([])
  expect(all).toEqual(expect.arrayContaining(long))
  expect(all).toEqual([...new Set(all)])
  expect(listFiles(long).sort()).toEqual(all.filter((file) => !long.includes(file)).sort())
})

test('runs the tests that are called as what has changed or enter it, and the laws of that resource alone', async () => {
  copyFileSync(join(import.meta.dirname, '../../scripts/changed.ts'), join(checkout, 'scripts/changed.ts'))
  for (const folder of ['src/areas/places/rack', 'src/kernel', 'test/api', 'test/laws'])
    mkdirSync(join(checkout, folder), { recursive: true })
  write('.gitignore', 'node_modules\ncalls\n')
  write('src/kernel/field.ts', '')
  write('test/durations.json', '{"test/far.test.ts": 20, "test/farther.test.ts": 30}')
  const sources = { 'src/kernel/field.ts': [1, 0] }
  write('test/entered.json', JSON.stringify({ tests: ['test/farther.test.ts', 'test/far.test.ts'], sources }))
  write('src/areas/index.ts', "import {\n  others,\n} from './places/index.ts'\n\nconst all = [\n]\n")
  write('src/areas/places/index.ts', "export { others } from './other/other.ts'\n")
  for (const name of ['api/racks', 'api/spec-racks', 'api/tracks', 'api/hosts', 'far', 'farther'])
    write(`test/${name}.test.ts`, '')
  const git = (...args: string[]) =>
    spawnSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.test', ...args], { cwd: checkout })
  for (const args of [['init'], ['add', '.'], ['commit', '-m', 'All']]) expect(git(...args).status).toBe(0)
  await outcome(bootstrap('test'))
  const ran = async () => (await outcome(bootstrap('test', '--changed'))).out
  const always = 'tests run --hideSkippedTests test/conventions.unit.test.ts'
  expect(await ran()).toBe(`No test is called as what has changed.\n${always}\n`)

  write('src/areas/places/rack/rack.ts', "export const racks = defineResource({\n  name: 'rack',\n})\n")
  const laws = ['written', 'lists', 'audits', 'access', 'search'].map((name) => `test/laws/${name}.test.ts`).join(' ')
  expect(await ran()).toBe(
    `${always} test/api/racks.test.ts test/api/spec-racks.test.ts\n` +
      `tests run --hideSkippedTests ${laws} -t ^(the routes of )?(rack)s?\\b\n`,
  )

  // A new resource is named in lists, which changes nothing for others; anything else there does.
  write(
    'src/areas/index.ts',
    "import {\n  others,\n  racks,\n} from './places/index.ts'\n\nconst all = [\n    racks,\n]\n",
  )
  write(
    'src/areas/places/index.ts',
    "export { others } from './other/other.ts'\nexport { racks } from './rack/rack.ts'\n",
  )
  expect(await ran()).not.toContain('What all depends on')
  write('src/areas/index.ts', 'const all = [].reverse()\n')
  expect(await ran()).toContain('only all tests tell: src/areas/index.ts\n')

  rmSync(join(checkout, 'src/areas'), { recursive: true })
  write('src/kernel/field.ts', '// changed')
  write('test/api/hosts.test.ts', '// changed')
  expect(await ran()).toBe(
    `${always} test/api/hosts.test.ts test/far.test.ts\n` +
      'What all depends on has changed, for which only all tests tell: src/kernel/field.ts\n',
  )
})

test('starts few files made of the sources, anew when one has changed, and the sources where that fails', async () => {
  copyFileSync(join(import.meta.dirname, '../../scripts/bundle.ts'), join(checkout, 'scripts/bundle.ts'))
  for (const name of ['rolldown', '@rolldown', '@oxc-project'])
    symlinkSync(join(import.meta.dirname, '../../node_modules', name), join(checkout, 'node_modules', name))
  mkdirSync(join(checkout, 'src/database'))
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
    err: 'usage: node scripts/bootstrap.mjs start|build|test\n',
  })
})
