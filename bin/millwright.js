#!/usr/bin/env node
// The command after `npm install`. What is asked of a server is done by the client, on any Node from 20 on; the service
// itself needs the Node that comes with the packages.
import { existsSync } from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const at = (path) => new URL(path, import.meta.url)
const argv = process.argv.slice(2)

if (Number(process.versions.node.split('.')[0]) < 20) {
  console.error(`Millwright needs Node 20 or newer; this is ${process.versions.node}.`)
  process.exit(1)
}
keepCompiled()
const { main } = await import((await findClient()).href)
const { stdin, stdout, stderr } = process
for (const stream of [stdout, stderr]) {
  // Whoever reads the output may stop early, as `millwright host list | head` does.
  stream.on('error', (error) => {
    if (error.code === 'EPIPE') process.exit(0)
  })
}
const code = await main(argv, process.env, { stdin, stdout, stderr })
if (code !== null) process.exit(code)
await serve(argv[0] === 'server' ? argv.slice(1) : argv)

/** Beside the program where that can be written, else with the caches of whoever asks. */
function keepCompiled() {
  // Node 20 has no such cache.
  if (!module.enableCompileCache) return
  const kept = module.enableCompileCache(fileURLToPath(at('../node_modules/.cache/millwright/compiled')))
  if (kept.status !== module.constants.compileCacheStatus.FAILED) return
  const caches = process.env.XDG_CACHE_HOME || (process.env.HOME && join(process.env.HOME, '.cache'))
  if (caches) module.enableCompileCache(join(caches, 'millwright'))
}

/** Tells a folder with sources, which are what counts there, whatever has been built. */
function isCheckout() {
  return existsSync(at('../src/main.ts'))
}

/** The built one, or that of a checkout, which is made of its sources when they have changed. */
async function findClient() {
  if (!isCheckout()) return at('../dist/client/main.js')
  const { prepareClient } = await import(at('../scripts/prepare-client.mjs').href)
  return prepareClient()
}

/** The Node of the packages, wherever npm has put them; null where there is none for this machine. */
function findNode() {
  const windows = process.platform === 'win32'
  const name = `node-${windows ? 'win' : process.platform}-${process.arch}`
  try {
    const folder = new URL('.', pathToFileURL(module.createRequire(import.meta.url).resolve(`${name}/package.json`)))
    return fileURLToPath(new URL(windows ? 'bin/node.exe' : 'bin/node', folder))
  } catch {
    return null
  }
}

async function serve(words) {
  const program = at(isCheckout() ? '../src/main.ts' : '../dist/main.js')
  if (Number(process.versions.node.split('.')[0]) >= 24) {
    process.argv.splice(2, process.argv.length, ...words)
    await import(program.href)
    return
  }
  const node = findNode()
  if (node === null) {
    console.error(`The service needs Node 24 or newer; this is ${process.versions.node}. In a checkout, use: npm start`)
    process.exit(1)
  }
  const { spawn } = await import('node:child_process')
  const child = spawn(node, [fileURLToPath(program), ...words], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (status, signal) => process.exit(status ?? (signal ? 1 : 0)))
}
