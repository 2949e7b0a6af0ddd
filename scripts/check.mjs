// Runs all checks before the tests: formatting and lint, types, import rules, dead code, golden files. Usage: npm run check
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const exists = (folder) => existsSync(join(root, folder))
const bin = (name) => join(root, 'node_modules/.bin', name)

const gates = [
  ['format and lint', bin('biome'), ['check', '--error-on-warnings', '--colors=off']],
  ['types', bin('tsc'), ['--noEmit']],
  ['types of web', bin('tsc'), ['--project', 'web']],
  ['web tests', bin('tsc'), ['--project', 'web/tsconfig.node.json']],
  [
    'import rules',
    bin('depcruise'),
    ['src', 'test', 'scripts', 'bench', 'web/src', 'web/build'].filter(exists),
    countModules,
  ],
  ['dead code', bin('knip'), []],
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

function byOrder(a, b) {
  const place = ({ gate }) => gates.findIndex(([name]) => name === gate)
  return place(a) - place(b)
}
