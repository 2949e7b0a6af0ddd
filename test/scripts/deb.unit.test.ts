import { once } from 'node:events'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { execFileSync, spawn, spawnSync } from '../support/processes.ts'

// Only root may install packages, also into a root of their own.
const asRoot = process.getuid?.() === 0 ? [] : ['sudo', '--non-interactive']
const canInstall = spawnSync(asRoot[0] ?? 'true', [...asRoot.slice(1), 'true']).status === 0
const there = ['/usr/bin/dpkg-deb', '/usr/bin/systemd-sysusers', '/usr/bin/systemd-tmpfiles'].every(existsSync)
const dpkg = canInstall && (there || process.env.CI === 'true')
if (!dpkg) console.log('skipped: the Debian package (it takes dpkg, systemd and root)')

let folder: string
let system: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millwright-deb-'))
  system = join(folder, 'system')
  for (const name of ['etc', 'var/lib/dpkg/info', 'var/lib/dpkg/updates'])
    mkdirSync(join(system, name), { recursive: true })
  writeFileSync(join(system, 'var/lib/dpkg/status'), '')
})
afterAll(() => {
  run('rm', '-rf', folder)
  rmSync(folder, { recursive: true, force: true })
})

test.skipIf(!dpkg)(
  'the Debian package is installed, serves, is upgraded, removed and purged, and data stay',
  async () => {
    const node = resolve('node_modules/.bin/node')
    const first = execFileSync(node, [resolve('scripts/make-deb.ts'), folder], { encoding: 'utf8' }).trim()
    const second = repack(first, '9.9.9')
    const etc = join(system, 'etc/millwright')

    expect(askDpkg('--install', first)).toContain('the password of the administrator is in the journal')
    expect(installed()).toMatch(/^ii\S* \d+\.\d+\.\d+$/)
    expect(readFileSync(join(system, 'etc/passwd'), 'utf8')).toMatch(/^millwright:.*:\/var\/lib\/millwright:/m)
    const { uid, mode } = statSync(join(system, 'var/lib/millwright'))
    expect([uid > 0, mode & 0o777]).toEqual([true, 0o700])
    expect(statSync(join(etc, 'environment')).mode & 0o777).toBe(0o600)
    expect(statSync(join(etc, 'millwright.yaml')).mode & 0o777).toBe(0o640)
    for (const name of ['lib/systemd/system/millwright.service', 'share/man/man1/millwright.1.gz'])
      expect(existsSync(join(system, 'usr', name))).toBe(true)
    await expectToServe()

    run('sh', '-c', `echo 'log-level: warn' >> ${etc}/millwright.yaml; echo kept > ${system}/var/lib/millwright/data`)
    askDpkg('--install', second)
    expect(installed()).toMatch(/^ii\S* 9\.9\.9$/)
    expect(readFileSync(join(etc, 'millwright.yaml'), 'utf8')).toContain('log-level: warn')

    askDpkg('--remove', 'millwright')
    expect(existsSync(join(system, 'usr/lib/millwright'))).toBe(false)
    expect(existsSync(join(etc, 'millwright.yaml'))).toBe(true)
    expect(askDpkg('--purge', 'millwright')).toContain('the data in /var/lib/millwright is left')
    expect(existsSync(etc)).toBe(false)
    expect(readFileSync(join(system, 'var/lib/millwright/data'), 'utf8')).toBe('kept\n')
  },
  400_000,
)

/** Runs what the package installed, with its configuration, as whoever tests may run it. */
async function expectToServe(): Promise<void> {
  const config = join(folder, 'millwright.yaml')
  writeFileSync(config, run('cat', join(system, 'etc/millwright/millwright.yaml')))
  appendFileSync(config, 'log-level: error\n')
  const data = join(folder, 'data')
  const words = ['serve', '--config', config, '--port', '0', '--data-dir', data]
  const env = { PATH: process.env.PATH, HOME: folder }
  const child = spawn(join(system, 'usr/bin/millwright'), words, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  for await (const part of child.stdout) {
    said += part
    if (said.includes('/api/architectures')) break
  }
  const address = /Address +(\S+)/.exec(said)?.[1] ?? ''
  expect((await fetch(`${address}/readyz`)).status).toBe(200)
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
}

/** The same package as another version, not compressed. */
function repack(file: string, version: string): string {
  const content = join(folder, 'content')
  execFileSync('dpkg-deb', ['--raw-extract', file, content])
  const control = join(content, 'DEBIAN/control')
  writeFileSync(control, readFileSync(control, 'utf8').replace(/^Version: .*$/m, `Version: ${version}`))
  const made = join(folder, `${version}.deb`)
  execFileSync('dpkg-deb', ['--root-owner-group', '-Znone', '--build', content, made])
  return made
}

const FORCED = ['script-chrootless', 'depends', 'confold', 'unsafe-io'].map((what) => `--force-${what}`)

/** In a root of its own, where nothing else is installed; scripts run outside of it, as they do while an image is made. */
function askDpkg(...words: string[]): string {
  return run('dpkg', `--root=${system}`, ...FORCED, ...words)
}

function installed(): string {
  const format = '--showformat=${db:Status-Abbrev}${Version}'
  return run('dpkg-query', `--root=${system}`, '--show', format, 'millwright').replace(/ +/, ' ')
}

function run(program: string, ...words: string[]): string {
  const [first = '', ...rest] = [...asRoot, program, ...words]
  const { status, stdout, stderr } = spawnSync(first, rest, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`)
  return stdout
}
