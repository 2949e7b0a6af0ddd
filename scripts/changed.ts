// Runs the tests that a change may break first: those whose name matches a changed file, those that enter its functions and few
// others do (test/entered.json), and the laws for the changed resources. Usage: npm test -- --changed [COMMIT]; the default is the last commit.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Choice } from '../test/support/choose-tests.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** The laws that reveal most about a resource, in seconds for a single one. */
const LAWS = ['written', 'lists', 'audits', 'access', 'search'].map((name) => `test/laws/${name}.test.ts`)

const ENTERING_SECONDS = 45

const since = process.argv[3] ?? 'HEAD'
const changed = listChanged()
const folders = [...new Set(changed.flatMap((path) => /^src\/areas\/[\w-]+\/[\w-]+(?=\/)/.exec(path) ?? []))]
const named = [...changed.filter(isTest), ...folders.flatMap(testsOf), ...listMigrationTests()]
const tests = [...new Set([...named, ...chooseEntering(named)])].sort()
const resources = [...new Set(folders.flatMap(resourcesOf))].sort()
const everywhere = changed.filter(
  (path) => path.startsWith('src/') && !folders.some((folder) => path.startsWith(`${folder}/`)) && !isListing(path),
)

if (tests.length + resources.length === 0) console.log('No test is called as what has changed.')
// The conventions apply to every file and take a second.
let status = runTests(['test/conventions.unit.test.ts', ...tests])
if (resources.length > 0)
  status = Math.max(status, runTests([...LAWS, '-t', `^(the routes of )?(${resources.join('|')})s?\\b`]))
if (everywhere.length > 0)
  console.log(`What all depends on has changed, for which only all tests tell: ${everywhere.join(', ')}`)
process.exit(status)

function runGit(...args: string[]): string[] {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n')
}

function listChanged(): string[] {
  const paths = [
    ...runGit('diff', '--name-only', '--relative', since),
    ...runGit('ls-files', '--others', '--exclude-standard'),
  ]
  return paths.filter((path) => path !== '' && existsSync(join(root, path)))
}

function isTest(path: string): boolean {
  return path.endsWith('.test.ts')
}

/** Tells whether this is what a new resource changes everywhere: its name in the lists of resources, and what is generated. */
function isListing(path: string): boolean {
  if (path === 'src/client/manifest.json') return true
  if (!/^src\/areas\/(?:[\w-]+\/)?index\.ts$/.test(path)) return false
  const isKnown = spawnSync('git', ['ls-files', '--error-unmatch', path], { cwd: root }).status === 0
  const difference = isKnown
    ? runGit('diff', '--unified=0', since, '--', path).slice(4)
    : readFileSync(join(root, path), 'utf8').split('\n')
  return difference.every((line) =>
    /^(?:@@.*|\+?|[+ ]? *\w+,|\+?(?:im|ex)port \{[\w, ]+\} from '[./\w-]+')$/.test(line),
  )
}

/** Lists the tests whose names contain that of the folder; laws are restricted to resources separately. */
function testsOf(folder: string): string[] {
  const called = new RegExp(`(?:^|-)${basename(folder)}s?(?![a-z])`)
  return globSync('test/{api,classification,dialect,identity,registration,runs}/*.test.ts', { cwd: root }).filter(
    (path) => called.test(basename(path)) && !path.endsWith('.postgresql.test.ts'),
  )
}

/** Chooses tests that enter changed sources, for as many processor seconds as one waits for; the best of each source first. */
function chooseEntering(beside: readonly string[]): string[] {
  const { tests, sources }: Choice = readJson('test/entered.json')
  const durations: Readonly<Record<string, number>> = readJson('test/durations.json')
  const entering = changed.map((path) => sources[path] ?? [])
  const ranked = [0, 1, 2].flatMap((rank) => entering.flatMap((places) => tests[places[rank] ?? -1] ?? []))
  let left = ENTERING_SECONDS
  return [...new Set(ranked)].filter((test) => {
    const duration = durations[test]
    if (duration === undefined || duration > left || beside.includes(test)) return false
    left -= duration
    return existsSync(join(root, test))
  })
}

function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(join(root, path), 'utf8'))
}

function listMigrationTests(): string[] {
  const isMigration = changed.some((path) => path.startsWith('migrations/'))
  return isMigration ? ['test/database/migrate.test.ts', 'test/laws/drift.test.ts'] : []
}

/** Lists the names of the resources that are declared in a folder. */
function resourcesOf(folder: string): string[] {
  return globSync(`${folder}/*.ts`, { cwd: root }).flatMap((path) =>
    [...readFileSync(join(root, path), 'utf8').matchAll(/^ {2}name: '(\w+)',$/gm)].map(([, name = '']) => name),
  )
}

function runTests(words: readonly string[]): number {
  const vitest = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--hideSkippedTests', ...words]
  return spawnSync(process.execPath, vitest, { cwd: root, stdio: 'inherit' }).status ?? 1
}
