// Builds the command line client of a checkout as JavaScript, because old versions of Node cannot read types.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const target = join(root, 'node_modules/.cache/millwright/client')
// Files outside of its folder that the client uses.
const BESIDE = ['config/nearest.ts', 'values.ts']

/** Yields the path of its main module, which is built again when a source is newer. */
export async function prepareClient() {
  const stamp = join(target, 'stamp')
  const newest = String(Math.max(...listSources().map((path) => statSync(join(root, 'src', path)).mtimeMs)))
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== newest) await build(newest)
  return pathToFileURL(join(target, 'client/main.js'))
}

function listSources() {
  const own = readdirSync(join(root, 'src/client')).filter((name) => /\.(ts|json)$/.test(name))
  return [...own.map((name) => `client/${name}`), ...BESIDE]
}

/** Builds with the Node of the packages, because the running one may be too old. */
async function build(newest) {
  // Imported only here, because every command of a checkout loads this module.
  const { spawnSync } = await import('node:child_process')
  const node = join(root, 'node_modules/.bin/node')
  const { status } = spawnSync(existsSync(node) ? node : process.execPath, [fileURLToPath(import.meta.url), newest], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error('the client could not be made of its sources')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { stripTypeScriptTypes } = await import('node:module')
  process.removeAllListeners('warning')
  const beside = `${target}.${process.pid}`
  for (const path of listSources()) {
    const text = readFileSync(join(root, 'src', path), 'utf8')
    const made = path.endsWith('.json')
      ? text
      : stripTypeScriptTypes(text).replace(/((?:from|import\()\s*'\.[^']*)\.ts'/g, "$1.js'")
    mkdirSync(dirname(join(beside, path)), { recursive: true })
    writeFileSync(join(beside, path.replace(/\.ts$/, '.js')), made)
  }
  writeFileSync(join(beside, 'stamp'), process.argv[2] ?? '')
  writeFileSync(join(beside, 'package.json'), '{"type":"module"}\n')
  rmSync(target, { recursive: true, force: true })
  renameSync(beside, target)
}
