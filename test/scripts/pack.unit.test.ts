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
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listProductionPackages, NODE_PACKAGE, readManifest } from '../../scripts/package-files.ts'
import { blocksOf } from '../docs/terminal.ts'
import { execFileSync, spawn, spawnSync } from '../support/processes.ts'

/** The maximum size in bytes of the package with the console and all that it needs except Node (docs/install.md). */
const LARGEST = 60_000_000
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
test('the package is installed in an empty folder and serves with the Node that is there, and is small', async (ctx) => {
  const node = [resolve('node_modules/.bin/node'), resolve('scripts/pack.ts'), folder]
  const file = execFileSync(node[0] ?? '', node.slice(1), { cwd: folder, encoding: 'utf8' }).trim()
  const place = join(folder, 'empty')
  mkdirSync(place)
  const path = `${dirname(nodeThatIsThere())}:${process.env.PATH}`
  const { npm_config_cache: cache = join(homedir(), '.npm') } = process.env
  const env = { PATH: path, HOME: folder, npm_config_cache: cache, MILLWRIGHT_LOG_LEVEL: 'error' }
  const [[command = '', serve = ''] = []] = blocksOf(readFileSync('docs/install.md', 'utf8'), 'From the package').map(
    (block) => block.trim().split('\n'),
  )
  const [npm = '', ...words] = command.replace(/\/tmp\/millwright-\S+\.tgz/, file).split(' ')
  expect([npm, ...words, serve]).toEqual(['npm', 'install', file, 'npx millwright serve'])
  const install = [...words, '--prefer-offline', '--no-audit', '--no-fund', '--fetch-retries=1']
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
  const others = needed.filter((name) => name in noted.packages)
  expect(others.length).toBeGreaterThan(50)
  for (const name of others)
    expect([name, noted.packages[name]?.version]).toEqual([name, locked.packages[name]?.version])
  // Nothing is compiled or fetched after npm has unpacked it.
  expect(names.filter((name) => noted.packages[name]?.hasInstallScript)).toEqual([])
  const nodes = names.filter((name) => NODE_PACKAGE.test(name)).map((name) => sizeOf(join(place, name)))
  expect(sizeOf(modules) - nodes.reduce((sum, size) => sum + size, 0)).toBeLessThan(LARGEST)
  expect(
    readdirSync(installed)
      .filter((name) => name !== 'web')
      .sort(),
  ).toEqual(
    ['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'bin', 'dist', 'docs', 'migrations', 'package.json'].sort(),
  )

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
  const address = /Address +(\S+)/.exec(said)?.[1] ?? ''
  const password = /Password +(\S+)/.exec(said)?.[1] ?? ''
  const authorization = `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`
  expect((await fetch(`${address}/api/architectures`, { headers: { authorization } })).status).toBe(200)
  expect((await fetch(`${address}/docs/search`)).status).toBe(200)
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
}, 400_000)

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
