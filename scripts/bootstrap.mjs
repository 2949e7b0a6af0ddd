// Starts the service or the tests from a checkout: installs what is missing and continues with the project's own Node
// version. It runs on Node 20 and uses no packages. Usage: node scripts/bootstrap.mjs start|test [arguments], or `build` for
// the files that `start` runs.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const modules = join(root, 'node_modules')
const node = findNode()
const BUILT = '.build/main.js'
// Without a limit Node lets short-lived objects grow to as much memory as everything else, without being faster; threads that
// optimize code beside the program keep a tenth of its memory (docs/decisions/0031-few-files.md).
const SERVICE_FLAGS = ['--max-semi-space-size=8', '--no-concurrent-recompilation']
/** How long the files of `npm test` take together: two cores need half of it. */
const SHORT_SECONDS = 150
/** What runs always: laws, in a short run about some of the resources, and the console from a cold start. */
const LAWS = ['access', 'audits', 'conditions', 'http', 'links', 'lists', 'written']
const ALWAYS = [...LAWS.map((law) => `test/laws/${law}.test.ts`), 'web/test/cold.test.ts']
const programs = {
  start: () => [...SERVICE_FLAGS, prepareService()],
  build: () =>
    prepareService() === BUILT ? ['--version'] : fail('the sources of the service cannot be made one file'),
  test: () => {
    if (rest[0] === '--changed') return ['scripts/changed.ts']
    limitTests()
    return ['node_modules/vitest/vitest.mjs', 'run']
  },
}

const [name = '', ...rest] = process.argv.slice(2)
if (!Object.hasOwn(programs, name)) fail(`usage: node scripts/bootstrap.mjs ${Object.keys(programs).join('|')}`)
if (isOutdated()) install()
run([...programs[name](), ...rest.filter((word) => name !== 'test' || word !== '--all')])

/**
 * Finds the project's Node, a package for each platform whose content the lock file verifies; no script downloads anything.
 * Where there is no package (macOS), Node has to be installed already.
 */
function findNode() {
  const windows = process.platform === 'win32'
  const name = `node-${windows ? 'win' : process.platform}-${process.arch}`
  const { optionalDependencies = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  if (Object.hasOwn(optionalDependencies, name)) return join(modules, name, 'bin', windows ? 'node.exe' : 'node')
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  return fail(`Millwright brings no Node for ${process.platform} on ${process.arch}: start it with Node 24 or newer`)
}

function isOutdated() {
  const installed = join(modules, '.package-lock.json') // npm writes this file when it has finished
  if (!existsSync(node) || !existsSync(installed)) return true
  return statSync(join(root, 'package-lock.json')).mtimeMs > statSync(installed).mtimeMs
}

function install() {
  console.error('Installing packages into node_modules (once, up to a minute) ...')
  runNpm(['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'])
  if (!existsSync(node)) fail(`npm did not install ${node}`)
  // Makes later first starts faster; everything works without it.
  spawnSync(node, ['scripts/make-template.ts'], { cwd: root, stdio: 'ignore' })
}

/** Bundles the service into few files when a source or a package has changed; yields the sources where that fails. */
function prepareService() {
  const stamp = join(root, '.build/stamp')
  const sources = readdirSync(join(root, 'src'), { recursive: true }).map((path) => join('src', path))
  const hash = createHash('sha256')
  for (const path of [...sources.sort(), 'package-lock.json', 'scripts/bundle.ts']) {
    const found = statSync(join(root, path), { throwIfNoEntry: false })
    hash.update(`${path} ${found?.size} ${found?.mtimeMs}\n`)
  }
  const now = hash.digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === now) return BUILT
  const { status } = spawnSync(node, ['scripts/bundle.ts', now], { cwd: root, stdio: 'ignore' })
  return status === 0 ? BUILT : 'src/main.ts'
}

/**
 * Runs npm as it was called, otherwise the one in PATH. Its output goes to stderr, because stdout belongs to the program.
 */
function runNpm(args) {
  const called = process.env.npm_execpath
  const options = { cwd: root, stdio: ['ignore', 2, 2] }
  const { status, error } = called?.endsWith('.js')
    ? spawnSync(process.execPath, [called, ...args], options)
    : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' })
  if (status !== 0) fail(`npm ${args[0]} failed${error ? `: ${error.message}` : ''}`)
}

/**
 * Leaves out the tests that take long, unless all are wanted. A file whose name contains a word of the command line stays.
 * Without words laws run on resources that stand for all (test/support/cover.ts).
 */
function limitTests() {
  const words = rest.filter((word, at) => !word.startsWith('-') && !['--project', '-t'].includes(rest[at - 1]))
  if (words.length === 0) process.env.TEST_SHORT = 'yes'
  if (rest.includes('--all')) return
  const left = listLong().filter((file) => !words.some((word) => file.includes(word)))
  process.env.TEST_LEFT_OUT = left.join(',')
  if (words.length > 0) return
  console.error(`skipped: ${left.length} files of long tests (npm test -- --all runs them)`)
}

/** Lists the files that are beyond the seconds of a short run, in which the shortest files come first. */
function listLong() {
  const durations = JSON.parse(readFileSync(join(root, 'test/durations.json'), 'utf8'))
  let left = SHORT_SECONDS
  return Object.entries(durations)
    .filter(([file]) => !ALWAYS.includes(file))
    .sort(([one, first], [other, second]) => first - second || (one < other ? -1 : 1))
    .flatMap(([file, duration]) => {
      left -= duration
      return left < 0 ? [file] : []
    })
}

/** Runs the program in place of this process: with its streams, signals and exit code. */
function run(args) {
  // Starting from a checkout also builds the console once, in the background.
  const env = { MILLWRIGHT_CONSOLE_BUILD: 'on', ...process.env }
  const child = spawn(node, args, { cwd: root, stdio: 'inherit', env })
  child.on('error', (error) => fail(error.message))
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT']) {
    process.on(signal, () => {
      // A terminal sends Ctrl-C to the program as well; a second signal would mean "stop at once".
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
    })
  }
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
