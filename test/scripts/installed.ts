import { cpSync, existsSync, readdirSync, symlinkSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { expect } from 'vitest'

/** How a test runs an installed program, or its Node, in a folder that is not the program's, and waits for its end. */
export type Run = (
  words: readonly string[],
  env?: Readonly<Record<string, string>>,
  input?: string,
) => { readonly status: number | null; readonly stdout: string; readonly stderr: string }

/** A service that runs, as its first start says it. */
export interface Served {
  readonly address: string
  readonly password: string
}

/** Reads the address and the password that a service prints when it starts. */
export function readServed(said: string): Served {
  return { address: /Address +(\S+)/.exec(said)?.[1] ?? '', password: /Password +(\S+)/.exec(said)?.[1] ?? '' }
}

/**
 * Expects that the command line works as people use it. Each module of it is loaded as well, because a command loads only its
 * own. `name` is the beginning of the names of the records that are created.
 */
export function expectCommands(millwright: Run, node: Run, served: Served, dist: string, name: string): void {
  const said = (words: readonly string[], env = {}, input = '') => {
    const { status, stdout, stderr } = millwright(words, env, input)
    expect({ words, status, stderr }).toEqual({ words, status: 0, stderr: '' })
    return stdout
  }
  const login = ['login', served.address, '--user', 'admin']
  expect(said(login, { MILLWRIGHT_PASSWORD: served.password })).toContain('Logged in at')
  expect(said(['host', 'list', '--output', 'json']).trim()).toBe('[]')
  const created = said(['architecture', 'create', '--name', `${name}-one`, '--output', 'json'])
  expect(JSON.parse(created)).toMatchObject({ name: `${name}-one` })
  const line = { method: 'POST', path: '/api/architectures', body: { architecture: { name: `${name}-two` } } }
  expect(JSON.parse(said(['batch'], {}, JSON.stringify(line)))).toMatchObject({ status: 201 })
  expect(said(['architecture', 'list', '--search', `name ~ ${name}`, '--output', 'yaml'])).toContain(`${name}-two`)
  expect(said(['architecture', 'list', '--query', 'results[].name', '--output', 'json'])).toContain(`${name}-two`)
  expect(said(['completion', 'bash'])).toContain('millwright __complete')
  expect(said(['__complete', '--', 'architecture', 'info', `${name}-`])).toBe(`${name}-one\n${name}-two\n`)
  expect(said(['man', 'host', 'list'])).toContain('.TH')
  expect(said(['logout'])).toContain('Logged out')
  const each = `import { readdirSync } from 'node:fs'
    const names = readdirSync('${dist}/client').filter((name) => name.endsWith('.js'))
    for (const name of names) await import('${dist}/client/' + name)
    console.log(names.length)`
  const { stdout, stderr } = node(['--input-type=module', '--eval', each])
  expect([stderr, Number(stdout)]).toEqual(['', expect.any(Number)])
  expect(Number(stdout)).toBeGreaterThan(1)
}

/** Copies the checkout, because several build in it; what is built there is not copied, except for the console, which takes long. */
export function copyCheckout(folder: string): void {
  const left = new Set(['node_modules', 'dist', 'data', 'coverage', 'test', 'bench'])
  const names = readdirSync('.').filter((name) => !name.startsWith('.') && !left.has(name))
  for (const name of names)
    cpSync(name, join(folder, name), { recursive: true, filter: (path) => basename(path) !== 'node_modules' })
  for (const name of ['node_modules', 'web/node_modules'])
    if (existsSync(name)) symlinkSync(resolve(name), join(folder, name))
}
