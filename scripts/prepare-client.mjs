// Bundles the command line client of a checkout as JavaScript, because old versions of Node cannot read types.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const target = join(root, '.build/client')
const made = join(target, 'made.json')

/** Yields the path of its main module, which is built again when a source is newer. */
export async function prepareClient() {
  if (!isCurrent()) await build()
  return pathToFileURL(join(target, 'main.js'))
}

/** Asks the sources of which it was made: one that is new is imported by one that has changed. */
function isCurrent() {
  if (!existsSync(made)) return false
  const { since, sources } = JSON.parse(readFileSync(made, 'utf8'))
  return sources.every((path) => statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs < since)
}

/** Builds with the Node of the packages, because the running one may be too old. */
async function build() {
  // Imported only here, because every command of a checkout loads this module.
  const { spawnSync } = await import('node:child_process')
  const node = join(root, 'node_modules/.bin/node')
  const words = [fileURLToPath(import.meta.url)]
  const { status } = spawnSync(existsSync(node) ? node : process.execPath, words, {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error('the client could not be made of its sources')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const since = Date.now()
  const { bundleClient } = await import('./bundle.ts')
  const beside = `${target}.${process.pid}`
  try {
    const sources = [...(await bundleClient(beside)), 'scripts/bundle.ts']
    writeFileSync(join(beside, 'made.json'), JSON.stringify({ since, sources }))
    mkdirSync(target, { recursive: true })
    // One file after the other, so that another command always finds complete ones; the last one says that all are there.
    const names = readdirSync(beside).filter((name) => name !== 'made.json')
    for (const name of [...names, 'made.json']) renameSync(join(beside, name), join(target, name))
  } finally {
    rmSync(beside, { recursive: true, force: true })
  }
}
