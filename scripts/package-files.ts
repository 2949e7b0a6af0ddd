// The content of the published package is what npm packs of a checkout: `files` of package.json, with the program that
// scripts/build.ts makes of the imports. For those who install it, package.json names the versions that were tested.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { INLINED } from './bundle.ts'

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Puts the files of the package into an empty folder, with a package.json for those who install it. */
export function stagePackage(folder: string): void {
  const file = packFolder(root, folder)
  execFileSync('tar', ['--extract', '--file', file, '--strip-components=1', '--directory', folder])
  rmSync(file)
  const { private: _, scripts: __, devDependencies: ___, workspaces: ____, ...published } = readManifest()
  const manifest = { ...published, dependencies: readExactDependencies() }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

/** Has npm pack a folder into a file in another one; yields the path of the file. */
export function packFolder(packed: string, folder: string): string {
  // Whoever configures npm to run no scripts means those of other packages.
  const words = ['pack', '--silent', '--ignore-scripts=false', '--pack-destination', folder]
  return join(folder, execFileSync('npm', words, { cwd: packed, encoding: 'utf8' }).trim())
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
