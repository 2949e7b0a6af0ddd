// The content of the published package: the program as JavaScript, the files that it reads, and nothing for developers only.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleService, INLINED } from './bundle.ts'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Puts the files of the package into a folder, with a package.json for those who install it. */
export async function stagePackage(folder: string): Promise<void> {
  process.removeAllListeners('warning') // silences the warning that removing types is experimental
  await bundleService(join(folder, 'dist'))
  for (const name of INLINED) copyLicence(name, join(folder, 'dist/licences'))
  for (const name of CLIENT.flatMap((path) => listFiles(path))) build(name, join(folder, 'dist'))
  for (const name of ['bin', 'migrations', 'docs', 'LICENSE', 'README.md', 'CHANGELOG.md', 'SECURITY.md'])
    cpSync(join(root, name), join(folder, name), { recursive: true, filter: isForUsers })
  if (existsSync(join(root, 'web/dist'))) cpSync(join(root, 'web/dist'), join(folder, 'web/dist'), { recursive: true })
  const { private: _, scripts: __, devDependencies: ___, ...published } = readManifest()
  const manifest = { ...published, dependencies: readExactDependencies() }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

/** Copies the licence of a package, which has to be distributed with it; some packages only name it in their manifest. */
function copyLicence(name: string, folder: string): void {
  const from = join(root, 'node_modules', name)
  const file = readdirSync(from).find((each) => /^licen[cs]e/i.test(each)) ?? 'package.json'
  mkdirSync(folder, { recursive: true })
  cpSync(join(from, file), join(folder, name.replace('/', '-')))
}

function readPublishedDependencies(): Record<string, string> {
  return Object.fromEntries(Object.entries(readManifest().dependencies).filter(([name]) => !INLINED.includes(name)))
}

/**
 * Yields the packages that the published program needs, also those that others need, in the versions that were tested: npm
 * takes these wherever they fit, instead of what has been published since. A lock file in a package that is not installed from
 * the registry is not read by npm.
 */
function readExactDependencies(): Record<string, string> {
  const { packages } = readJson('package-lock.json') as { packages: Record<string, Locked> } // as npm writes it
  const exact: Record<string, string> = {}
  for (const path of listProductionPackages()) {
    const { version, optional } = packages[path] ?? {}
    if (version !== undefined && optional !== true) exact[path.slice('node_modules/'.length)] = version
  }
  return exact
}

/** Matches the packages that contain Node itself. */
export const NODE_PACKAGE = /\/node-\w+-\w+$/

/** Lists the paths of the packages that the published program needs on this platform. */
export function listProductionPackages(): string[] {
  const { packages } = readJson('package-lock.json') as { packages: Record<string, Locked> } // as npm writes it
  const wanted = [...Object.keys(readPublishedDependencies()), ...Object.keys(readManifest().optionalDependencies)]
  const found = new Set<string>()
  for (const name of wanted) {
    const path = `node_modules/${name}`
    if (found.has(path) || !existsSync(join(root, path))) continue
    found.add(path)
    const { dependencies = {}, optionalDependencies = {} } = packages[path] ?? {}
    wanted.push(...Object.keys(dependencies), ...Object.keys(optionalDependencies)) // the loop continues with these
  }
  return [...found].sort()
}

/** An entry of the lock file: the packages that one needs, by name. */
interface Locked {
  readonly version?: string
  /** Whether it is a build for one platform. */
  readonly optional?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** Reads package.json. */
export function readManifest(): Manifest {
  return readJson('package.json') as Manifest // the project's own file
}

type Manifest = Record<string, unknown> & Required<Omit<Locked, 'version' | 'optional'>> & { readonly version: string }

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(join(root, path), 'utf8'))
}

// Old versions of Node run the command line client, whose modules are loaded as its commands need them.
const CLIENT = ['client', 'config/nearest.ts']

function listFiles(path: string): string[] {
  if (path.endsWith('.ts')) return [path]
  return readdirSync(join(root, 'src', path), { encoding: 'utf8' }).map((name) => join(path, name))
}

/** Removes types from a source without moving the remaining text, so that lines and columns of errors stay right. */
function build(name: string, folder: string): void {
  const target = join(folder, name.replace(/\.ts$/, '.js'))
  if (!/\.(ts|json)$/.test(name)) return
  const text = readFileSync(join(root, 'src', name), 'utf8')
  const made = name.endsWith('.json')
    ? text
    : stripTypeScriptTypes(text).replace(/((?:from|import|import\()\s*'\.[^']*)\.ts'/g, "$1.js'")
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, made)
}

/** Excludes reports, golden files and recorded answers of other programs, which are for developers only. */
function isForUsers(path: string): boolean {
  return !/docs\/(?:reference|peers|decisions|console\/|generated\/(?:openapi|sql))/.test(path)
}
