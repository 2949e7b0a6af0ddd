// Runs all checks before the tests: formatting and lint, types, import rules, dead code, exports that only tests import,
// golden files. Usage: npm run check
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const exists = (folder) => existsSync(join(root, folder))
const binOf = (name) => join(root, 'node_modules/.bin', name)

/** What only tests and benchmarks import, and why they do not ask through a door instead (STYLE.md 14). */
const ONLY_TESTED = {
  'src/config/config.ts': ['readSettings'], // the parser of all sources, given what the environment would be
  'src/log.ts': ['formatReadableLine'], // a pure formatter, whose only caller writes to standard error
  'src/search/index.ts': ['MAX_COMPARISONS', 'MAX_CONDITIONS', 'MAX_DEPTH'], // limits, named by the door of a package
  'src/http/access/client-certificate.ts': ['parseCommonName'], // a parser, given more than a header can carry
  'src/areas/configuration/node/inputs.ts': ['selectInputs'], // a law asks the database which tables it reads,
  'src/areas/configuration/node/signature.ts': ['HOST_TABLES', 'SHARED_TABLES'], // and compares them with these
  'src/areas/access/user/consequences.ts': ['CONSEQUENCES'], // a law compares it with the fields that can be written
}

const gates = [
  ['format and lint', binOf('biome'), ['check', '--error-on-warnings', '--colors=off']],
  ['types', binOf('tsc'), ['--noEmit']],
  ['types of web', binOf('tsc'), ['--project', 'web']],
  ['web tests', binOf('tsc'), ['--project', 'web/tsconfig.node.json']],
  [
    'import rules',
    binOf('depcruise'),
    ['src', 'test', 'scripts', 'bench', 'web/src', 'web/build'].filter(exists),
    countModules,
  ],
  ['dead code', binOf('knip'), []],
  [
    'test-only exports',
    binOf('knip'),
    [
      '--production',
      '--config',
      'knip.production.json',
      '--include',
      'files,exports',
      '--reporter',
      'json',
      '--no-exit-code',
    ],
    listTestOnly,
  ],
  ['golden files', process.execPath, ['scripts/docs.ts', '--check']],
]

// Writes the console's descriptions of the API from the declarations; its types are checked against them.
const described = await execute(process.execPath, ['web/build.ts', '--describe'])
if (described.failed) {
  console.log(`\n== description of the API for the console\n${described.output}`)
  process.exit(1)
}

// Two at a time, because each keeps a core busy.
const waiting = [...gates]
const results = []
await Promise.all([work(), work()])

for (const { gate, problem } of results) if (problem) console.log(`\n== ${gate}\n${problem}`)
console.log()
for (const { gate, problem, seconds } of results.toSorted(byOrder)) {
  console.log(`${problem ? 'FAILED' : 'ok    '}  ${gate.padEnd(16)} ${seconds.toFixed(1)} s`)
}
process.exit(results.some(({ problem }) => problem) ? 1 : 0)

async function work() {
  for (let next = waiting.shift(); next; next = waiting.shift()) results.push(await runGate(...next))
}

async function runGate(gate, program, args, inspect) {
  const start = performance.now()
  const { failed, output } = await execute(program, args)
  const problem = failed ? output || 'it failed without a word' : await inspect?.(output)
  return { gate, problem, seconds: (performance.now() - start) / 1000 }
}

function execute(program, args) {
  return new Promise((resolve) => {
    execFile(program, args, { cwd: root, maxBuffer: 1e8 }, (error, stdout, stderr) => {
      resolve({ failed: error !== null, output: `${stdout}${stderr}`.trim() })
    })
  })
}

/** Counts modules: dependency-cruiser finds no modules, and so no errors, when it cannot load a suitable compiler. */
async function countModules(output) {
  const found = Number(/(\d+) modules/.exec(output)?.[1] ?? 0)
  let sources = 0
  for await (const _ of glob('src/**/*.ts', { cwd: root })) sources++
  return found >= sources ? undefined : `It looked at ${found} modules, but src/ has ${sources} files.`
}

/** Names the exports that nothing but tests and benchmarks imports, and those of the list above that are none. */
function listTestOnly(output) {
  const { issues } = JSON.parse(output)
  const found = issues
    .filter(({ file }) => /^(?:web\/)?src\//.test(file))
    .flatMap(({ file, files: whole = [], exports: named = [] }) => [
      ...whole.map(() => file),
      ...named.map(({ name }) => `${file}: ${name}`),
    ])
  const known = Object.entries(ONLY_TESTED).flatMap(([file, names]) => names.map((name) => `${file}: ${name}`))
  const problems = [
    ...found.filter((each) => !known.includes(each)).map((each) => `${each} is used by tests only, or in its own file`),
    ...known.filter((each) => !found.includes(each)).map((each) => `${each} is not exported for tests only any more`),
  ]
  return problems.length > 0 ? problems.join('\n') : undefined
}

function byOrder(a, b) {
  const positionOf = ({ gate }) => gates.findIndex(([name]) => name === gate)
  return positionOf(a) - positionOf(b)
}
