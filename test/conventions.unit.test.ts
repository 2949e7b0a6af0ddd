import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'

// What the tools do not check (ARCHITECTURE.md, STYLE.md). Lists of exceptions may only shrink.
const ROOT = join(import.meta.dirname, '..')
const SOURCES = filesIn('src').filter((path) => path.endsWith('.ts'))
/** Where clients of other products are met in their own words. */
const EXISTING_CLIENTS = /^(?:src|test)\/dialect\/|^test\/acceptance\/|^docs\/compatibility\.md$|\/recorded\//
const TESTS = filesIn('test').filter((path) => path.endsWith('.ts'))

describe('size', () => {
  test('a file of the program has at most 400 lines', () => {
    expect(SOURCES.filter((path) => linesOf(path) > 400)).toEqual([])
  })

  test('the kernel has at most 3,700 lines (docs/decisions/0011-content.md)', () => {
    const kernel = SOURCES.filter((path) => path.startsWith('src/kernel/'))
    expect(kernel.reduce((sum, path) => sum + linesOf(path), 0)).toBeLessThanOrEqual(3700)
  })
})

describe('words', () => {
  test('the environment is read in src/config.ts only', () => {
    expect(SOURCES.filter((path) => read(path).includes('process.env'))).toEqual(['src/config.ts'])
  })

  // Written apart, so that this file is no exception.
  const whole = (names: readonly string[]) => new RegExp(names.map((name) => name.replace(' ', '')).join('|'), 'i')
  const everything = ['src', 'test', 'docs', 'migrations', 'scripts', 'bench', 'bin', '.ci'].flatMap(filesIn)
  const neutral = everything.filter((path) => !EXISTING_CLIENTS.test(path))

  test('names of other products stay in the dialect', () => {
    const pattern = whole(['fore man', 'kat ello', 'sat ellite', 'candle pin', 'space walk'])
    expect(neutral.filter((path) => pattern.test(path) || pattern.test(read(path)))).toEqual([])
  })

  test('the configuration engine has its name where it is a real peer, and nowhere else', () => {
    const pattern = whole(['pup pet'])
    const others = neutral.filter((path) => !/^(test\/support\/peers|docs\/peers)\/|^\.ci\/run$/.test(path))
    expect(others.filter((path) => pattern.test(path) || pattern.test(read(path)))).toEqual([])
  })

  test('nothing is left for later', () => {
    const marker = new RegExp(`\\b(${['TO DO', 'FIX ME', 'XX X'].map((word) => word.replace(' ', '')).join('|')})\\b`)
    expect([...SOURCES, ...TESTS].filter((path) => marker.test(read(path)))).toEqual([])
  })
})

describe('code', () => {
  test('no test is skipped or run alone, but where a real peer is not installed', () => {
    const call =
      /\b(?:test|it|describe)\.(?:skip|only|todo|fails|runIf|skipIf(?!\(!(?:server|directory|slapd|samba|sshd|agent|ruby|jq|ansible|requests)\)))\b/
    expect(TESTS.filter((path) => path !== 'test/conventions.unit.test.ts' && call.test(read(path)))).toEqual([])
  })

  test('modules have names for what they export', () => {
    expect(SOURCES.filter((path) => /^export default /m.test(read(path)))).toEqual([])
  })

  test('a suppressed rule carries its reason', () => {
    const bare = /biome-ignore [\w/]+\s*(?:$|:\s*$)|@ts-(?:ignore|nocheck)|@ts-expect-error\s*$/m
    const paths = [...SOURCES, ...TESTS].filter((path) => path !== 'test/conventions.unit.test.ts')
    expect(paths.filter((path) => bare.test(read(path)))).toEqual([])
  })
})

function filesIn(folder: string): string[] {
  const absolute = join(ROOT, folder)
  if (!statSync(absolute, { throwIfNoEntry: false })) return []
  return readdirSync(absolute, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort()
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8')
}

function linesOf(path: string): number {
  return read(path).split('\n').length
}
