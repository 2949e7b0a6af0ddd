import { once } from 'node:events'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listProductionPackages, NODE_PACKAGE } from '../../scripts/package-files.ts'
import { execFileSync, spawn, spawnSync } from '../support/processes.ts'

/** The maximum size in bytes of the package with the console and all that it needs except Node (docs/install.md). */
const LARGEST = 60_000_000
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millwright-installed-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

// Installs with npm, from packages that are here already instead of a registry.
test('the package serves in an empty folder with the Node that is there, and is small', async () => {
  const node = [resolve('node_modules/.bin/node'), resolve('scripts/pack.ts'), folder]
  const file = execFileSync(node[0] ?? '', node.slice(1), { cwd: folder, encoding: 'utf8' }).trim()
  const installed = join(folder, 'node_modules/millwright')
  mkdirSync(installed, { recursive: true })
  execFileSync('tar', ['-xzf', file, '-C', installed, '--strip-components=1'], { encoding: 'utf8' })
  const packages = listProductionPackages()
  for (const name of packages) {
    const path = join(folder, name)
    mkdirSync(dirname(path), { recursive: true })
    symlinkSync(resolve(name), path)
  }
  const sizes = [installed, ...packages.filter((name) => !NODE_PACKAGE.test(name)).map((name) => resolve(name))]
  expect(sizes.reduce((sum, path) => sum + sizeOf(path), 0)).toBeLessThan(LARGEST)
  expect(
    readdirSync(installed)
      .filter((name) => name !== 'web')
      .sort(),
  ).toEqual(
    ['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'bin', 'dist', 'docs', 'migrations', 'package.json'].sort(),
  )

  const program = join(installed, 'bin/millwright.js')
  const env = { PATH: process.env.PATH, HOME: folder, MILLWRIGHT_LOG_LEVEL: 'error' }
  const child = spawn(nodeThatIsThere(), [program, 'serve', '--port', '0'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  for await (const part of child.stdout) {
    said += part
    if (said.includes('/api/architectures')) break
  }
  const address = /Address +(\S+)/.exec(said)?.[1] ?? ''
  const password = /Password +(\S+)/.exec(said)?.[1] ?? ''
  const authorization = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`
  expect((await fetch(`${address}/api/architectures`, { headers: { authorization } })).status).toBe(200)
  expect((await fetch(`${address}/docs/search`)).status).toBe(200)
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
}, 180_000)

/** Yields the Node of the machine if it is old enough to be of interest, e.g. 20. */
function nodeThatIsThere(): string {
  return existsSync('/usr/bin/node') ? '/usr/bin/node' : process.execPath
}

function sizeOf(path: string): number {
  const found = lstatSync(path)
  if (!found.isDirectory()) return found.size
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
}

const systemd = existsSync('/usr/bin/systemd-analyze')
test.skipIf(!systemd)('systemd takes the unit', () => {
  const unit = join(folder, 'millwright.service')
  writeFileSync(unit, readFileSync('packaging/millwright.service', 'utf8'))
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--recursive-errors=no', unit], {
    encoding: 'utf8',
  })
  const aboutUs = stderr
    .split('\n')
    .filter((line) => line.includes('millwright.service:') && !line.includes('postgresql'))
  expect({ status, aboutUs }).toEqual({ status: 0, aboutUs: [] })
})
