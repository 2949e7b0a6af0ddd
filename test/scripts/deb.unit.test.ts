import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { blocksOf } from '../docs/terminal.ts'
import { findFreePort } from '../support/free-port.ts'
import { execFileSync, spawn, spawnSync } from '../support/processes.ts'
import { copyCheckout, expectCommands, readServed, type Served } from './installed.ts'

// Only root may install packages, even into another root directory.
const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '--non-interactive']
/** A fresh Debian from debootstrap, which .ci/run creates. */
const FRESH = resolve('.cache/debian')
const canInstall =
  existsSync(join(FRESH, 'etc/debian_version')) &&
  spawnSync(asRoot[0] ?? 'true', [...asRoot.slice(1), 'true']).status === 0
const debian = canInstall || process.env.CI === 'true'
if (!debian) console.log('skipped: the Debian package and the container (a fresh Debian in .cache/debian, see .ci/run)')
const architecture = process.arch === 'x64' ? 'amd64' : process.arch

let folder: string
let system: string
let deb: string
beforeAll(() => {
  if (!debian) return
  folder = mkdtempSync(join(tmpdir(), 'millwright-deb-'))
  system = join(folder, 'system')
  run('cp', '--archive', FRESH, system)
  const checkout = join(folder, 'checkout')
  copyCheckout(checkout)
  const made = [join(checkout, 'scripts/make-deb.ts'), folder]
  deb = execFileSync(resolve('node_modules/.bin/node'), made, { encoding: 'utf8' }).trim()
}, 400_000)
afterAll(() => {
  if (!debian) return
  if (existsSync(join(folder, 'images'))) {
    buildah('rm', '--all')
    run('sh', '-c', `! mountpoint --quiet ${folder}/images/overlay || umount ${folder}/images/overlay`)
  }
  run('rm', '-rf', folder)
  rmSync(folder, { recursive: true, force: true })
})

test.skipIf(!debian)(
  'as docs/install.md says it, the Debian package is installed on a fresh Debian, serves, is upgraded, removed and purged, and data stay',
  async () => {
    const [install = '', upgrade = '', remove = '', purge = '', ...rest] = documented()
    expect(rest).toEqual([])
    put(deb, install)
    put(repack(deb, '0.2.0'), upgrade)
    const etc = join(system, 'etc/millwright')

    expect(inside('sh', '-c', install)).toContain('the password of the administrator is in the journal')
    expect(installed()).toMatch(/^ii 0\.1\.0$/)
    expect(readFileSync(join(system, 'etc/passwd'), 'utf8')).toMatch(/^millwright:.*:\/var\/lib\/millwright:/m)
    const { uid, mode } = statSync(join(system, 'var/lib/millwright'))
    expect([uid > 0, mode & 0o777]).toEqual([true, 0o700])
    expect(statSync(join(etc, 'environment')).mode & 0o777).toBe(0o600)
    expect(statSync(join(etc, 'millwright.yaml')).mode & 0o777).toBe(0o640)
    expect(existsSync(join(system, 'usr/lib/systemd/system/millwright.service'))).toBe(true)
    await expectToServe()
    expect(readClusterId('var/lib/millwright/postgresql')).toBe(readClusterId(findTemplate()))
    const passphrase = 'MILLWRIGHT_BACKUP_PASSPHRASE=at least twelve characters'
    const command = ['env', passphrase, 'millwright', 'backup', '/var/lib/millwright/before.backup']
    run(...withProc(system, 'chroot', '--userspec=millwright', system, ...command))
    expect(run('ls', join(system, 'var/lib/millwright'))).toContain('before.backup')

    run('sh', '-c', `echo 'log-level: warn' >> ${etc}/millwright.yaml`)
    inside('sh', '-c', upgrade)
    expect(installed()).toMatch(/^ii 0\.2\.0$/)
    expect(run('cat', join(etc, 'millwright.yaml'))).toContain('log-level: warn')

    inside('sh', '-c', remove)
    expect(existsSync(join(system, 'usr/lib/millwright'))).toBe(false)
    expect(run('ls', etc)).toContain('millwright.yaml')
    expect(inside('sh', '-c', purge)).toContain('the data in /var/lib/millwright is left')
    expect(existsSync(etc)).toBe(false)
    expect(run('ls', join(system, 'var/lib/millwright'))).toContain('encryption.key')
  },
  400_000,
)

test.skipIf(!debian)(
  'the Containerfile is built on a fresh Debian, and what is in it serves without root, on a root that is read-only',
  async () => {
    const context = join(folder, 'context')
    mkdirSync(context)
    copyFileSync(deb, join(context, 'millwright.deb'))
    const fresh = buildah('from', 'scratch').trim()
    buildah('copy', fresh, FRESH)
    buildah('commit', fresh, 'localhost/fresh')
    const how = ['--isolation', 'chroot', '--format', 'docker', '--pull-never', '--build-arg', 'BASE=localhost/fresh']
    buildah('build', ...how, '--file', resolve('packaging/Containerfile'), '--tag', 'localhost/millwright', context)
    const { config } = JSON.parse(buildah('inspect', '--type', 'image', 'localhost/millwright')).Docker
    expect(config).toMatchObject({ User: 'millwright', StopSignal: 'SIGTERM', Cmd: ['millwright', 'serve'] })

    const image = buildah('mount', buildah('from', '--pull-never', 'localhost/millwright').trim()).trim()
    const data = join(folder, 'volume')
    const { uid, gid } = statSync(join(image, 'var/lib/millwright'))
    run('install', '--directory', '--mode=0700', `--owner=${uid}`, `--group=${gid}`, data)
    const port = await findFreePort()
    const inImage = ['chroot', `--userspec=${config.User}`, image, 'env', ...config.Env, `MILLWRIGHT_PORT=${port}`]
    const [, ...check] = config.Healthcheck.Test
    const health = () => spawnSync([...asRoot, ...inImage][0] ?? '', [...asRoot, ...inImage, ...check].slice(1)).status
    expect(health()).toBe(1)
    const mounts = `mount --bind ${image} ${image} && mount -o remount,bind,ro ${image} && mount -t proc proc ${image}/proc &&
      mount -t tmpfs tmpfs ${image}/tmp && mount --bind ${data} ${image}/var/lib/millwright &&
      ! touch ${image}/written 2>/dev/null && exec "$@"`
    const { stop } = await served('unshare', '--mount', 'sh', '-c', mounts, 'sh', ...inImage, ...config.Cmd)
    expect(health()).toBe(0)
    expect(await stop()).toEqual([0, null])
    expect(run('ls', data)).toContain('encryption.key')
  },
  400_000,
)

/** Finds the database in the package that first starts copy. */
function findTemplate(): string {
  const cache = 'usr/lib/millwright/node_modules/.cache/millwright'
  return join(cache, readdirSync(join(system, cache)).find((name) => name.startsWith('postgresql-')) ?? '')
}

/** Reads the number that each database has of its own, and its copies have too. */
function readClusterId(path: string): string {
  return run('od', '-A', 'n', '-t', 'u8', '-N', '8', join(system, path, 'global/pg_control')).trim()
}

/** Reads the commands for root from docs/install.md. */
function documented(): string[] {
  return blocksOf(readFileSync('docs/install.md', 'utf8'), 'On Debian')
    .flatMap((block) => block.trim().split('\n'))
    .map((line) => line.replace(/ +#.*/, '').replace('amd64', architecture))
    .filter((line) => !line.startsWith('npm '))
}

/** Puts a package where a command expects it. */
function put(file: string, command: string): void {
  copyFileSync(file, join(system, /\/tmp\/\S+/.exec(command)?.[0] ?? ''))
}

/** Runs the command of the unit as its user, on a free port, and commands as somebody else in another folder. */
async function expectToServe(): Promise<void> {
  const unit = readFileSync(join(system, 'usr/lib/systemd/system/millwright.service'), 'utf8')
  const command = /^ExecStart=(.*)$/m.exec(unit)?.[1]?.split(' ') ?? []
  const user = /^User=(.*)$/m.exec(unit)?.[1] ?? ''
  const inSystem = withProc(system, 'chroot', `--userspec=${user}`, system)
  const { stop, ...service } = await served(...inSystem, ...command, '--port', '0')
  const within =
    (program: string) =>
    (words: readonly string[], env: object = {}, input?: string) => {
      const variables = Object.entries({ HOME: '/tmp/home', ...env }).map(([name, value]) => `${name}=${value}`)
      const nobody = ['chroot', '--userspec=nobody', system, 'env', '--chdir=/tmp', ...variables, program, ...words]
      const [first = '', ...rest] = [...asRoot, ...nobody]
      return spawnSync(first, rest, { encoding: 'utf8', input })
    }
  const program = '/usr/lib/millwright'
  expectCommands(within('millwright'), within(`${program}/node/bin/node`), service, `${program}/dist`, 'arch')
  expect(await stop()).toEqual([0, null])
}

/** Starts a service and sends a request; yields a function that stops it, too. */
async function served(...words: string[]): Promise<Served & { readonly stop: () => Promise<unknown[]> }> {
  const [first = '', ...rest] = [...asRoot, ...words]
  const env = { PATH: process.env.PATH }
  const child = spawn(first, rest, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  for await (const part of child.stdout) {
    said += part
    if (said.includes('/api/architectures')) break
  }
  const { address: listening, password } = readServed(said)
  const address = listening.replace('0.0.0.0', '127.0.0.1')
  expect((await fetch(`${address}/readyz`)).status).toBe(200)
  const stop = async () => {
    child.kill('SIGTERM')
    return once(child, 'exit')
  }
  return { address, password, stop }
}

/** Repacks the package as another version, without compression. */
function repack(file: string, version: string): string {
  const content = join(folder, 'content')
  execFileSync('dpkg-deb', ['--raw-extract', file, content])
  const control = join(content, 'DEBIAN/control')
  writeFileSync(control, readFileSync(control, 'utf8').replace(/^Version: .*$/m, `Version: ${version}`))
  const made = join(folder, `${version}.deb`)
  execFileSync('dpkg-deb', ['--root-owner-group', '-Znone', '--build', content, made])
  return made
}

/** Runs a command in the fresh Debian, without questions. */
function inside(...words: string[]): string {
  return run(...withProc(system, 'chroot', system, 'env', 'DEBIAN_FRONTEND=noninteractive', ...words))
}

/** Prefixes a command so that it has /proc in another root; the mount ends with the command. */
function withProc(root: string, ...words: string[]): [string, ...string[]] {
  return ['unshare', '--mount', 'sh', '-c', `mount -t proc proc ${root}/proc && exec "$@"`, 'sh', ...words]
}

function installed(): string {
  return inside('dpkg-query', '--show', '--showformat=${db:Status-Abbrev}${Version}', 'millwright').replace(/ +/, ' ')
}

/** Runs buildah with its images in the folder. */
function buildah(...words: string[]): string {
  return run('buildah', '--root', join(folder, 'images'), '--runroot', join(folder, 'images-run'), ...words)
}

function run(program: string, ...words: string[]): string {
  const [first = '', ...rest] = [...asRoot, program, ...words]
  const { status, stdout, stderr } = spawnSync(first, rest, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`)
  return stdout
}
