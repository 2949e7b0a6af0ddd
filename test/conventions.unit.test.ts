import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'

// What the tools do not check (ARCHITECTURE.md, STYLE.md). Lists of exceptions may only shrink.
const ROOT = join(import.meta.dirname, '..')
const SOURCES = filesIn('src').filter((path) => path.endsWith('.ts'))
/** Where clients of other products are met in their own words. */
const EXISTING_CLIENTS =
  /^(?:src|test)\/dialect\/|^src\/(?:words\/|client\/shadow\/|client\/back\/kinds\.ts$|client\/manifest\.json$)|^test\/(?:acceptance|client\/hammer)|^docs\/(?:compatibility|hammer|shadow|switching)\.md$|\/recorded\//
/** Texts for users and newcomers. Records of decisions, measurements and differences have words of their own. */
const PROSE = [
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'web/README.md'],
  ...filesIn('docs').filter((path) => /^docs\/(?!benchmarks|hammer|contract|compatibility)[\w-]+\.md$/.test(path)),
  ...filesIn('src').filter((path) => path.endsWith('README.md')),
  ...[
    'web/src/words/en.ts',
    'web/src/words/jobs-en.ts',
    'src/config/keys.ts',
    'src/cli/run.ts',
    'src/client/commands/special.ts',
  ],
]
const TESTS = ['test', 'web/test'].flatMap(filesIn).filter((path) => path.endsWith('.ts'))

describe('size', () => {
  test('a file of the program has at most 400 lines', () => {
    expect(SOURCES.filter((path) => linesOf(path) > 400)).toEqual([])
  })

  test('the kernel has at most 3,650 lines (docs/decisions/0009-kernel.md)', () => {
    const kernel = SOURCES.filter((path) => path.startsWith('src/kernel/'))
    expect(kernel.reduce((sum, path) => sum + linesOf(path), 0)).toBeLessThanOrEqual(3650)
  })
})

describe('declarations', () => {
  const keysOf = (name: string) => {
    const [, body = ''] = new RegExp(`^export interface ${name}\\b.*\\{$([^]*?)^\\}`, 'm').exec(
      read('src/kernel/definition.ts'),
    ) ?? ['']
    return [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[:(]/gm)].map(([, key]) => key)
  }

  test('a resource is declared by at most 18 keys, a kind of field by 15 (docs/decisions/0009-kernel.md)', () => {
    expect(keysOf('Definition')).toContain('fields')
    expect(keysOf('Field')).toContain('saveNested')
    expect(keysOf('Definition').length).toBeLessThanOrEqual(18)
    expect(keysOf('Field').length).toBeLessThanOrEqual(15)
  })
})

describe('pages', () => {
  test('every area has a README, and its place in the order of scripts/layers.json', () => {
    const areas = [
      ...new Set(SOURCES.map((path) => /^src\/areas\/(\w+)\//.exec(path)?.[1]).filter((area) => area !== undefined)),
    ]
    expect(areas.toSorted()).toEqual(JSON.parse(read('scripts/layers.json')).areas.toSorted())
    expect(areas.filter((area) => !filesIn(`src/areas/${area}`).includes(`src/areas/${area}/README.md`))).toEqual([])
  })

  test('so has every folder that others could use, or that everything uses', () => {
    const folders = [
      'templates',
      'directory',
      'classification',
      'search',
      'records',
      'kernel',
      'requests',
      'words',
      'database',
    ]
    expect(folders.filter((folder) => !filesIn(`src/${folder}`).includes(`src/${folder}/README.md`))).toEqual([])
  })

  test('golden files can be reviewed: 66,000 lines at most, 2,000 in a file', () => {
    const lines = new Map(filesIn('docs/generated').map((path) => [path, linesOf(path)]))
    expect(lines.size).toBeGreaterThan(100)
    expect([...lines].filter(([, count]) => count > 2000)).toEqual([])
    expect([...lines.values()].reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(66_000)
  })

  test('the map and the rules are short: 700 and 1,000 words', () => {
    expect(wordsOf('ARCHITECTURE.md')).toBeLessThanOrEqual(700)
    expect(wordsOf('STYLE.md')).toBeLessThanOrEqual(1000)
  })

  test('STYLE.md rewrites ten sentences and explains ten words', () => {
    const rowsOf = (heading: string) => {
      const [, section = ''] = new RegExp(`^## ${heading}$([^]*?)(?:^## |(?![^]))`, 'm').exec(read('STYLE.md')) ?? []
      return section.match(/^\| (?!Before|Word)/gm)?.length
    }
    expect([rowsOf('Prose'), rowsOf('Glossary')]).toEqual([10, 10])
  })
})

describe('words', () => {
  test('the environment is read in src/config/config.ts only', () => {
    expect(SOURCES.filter((path) => read(path).includes('process.env'))).toEqual(['src/config/config.ts'])
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

  // A reader who has jumped to a definition has not read the one before it.
  test('comments stand alone', () => {
    const leaning = /^\s*(?:\/\*\*|\/\/|\*) The same\b/m
    expect(SOURCES.filter((path) => leaning.test(read(path)))).toEqual([])
  })

  // Prose of other tests is named in guides; STYLE.md quotes what it advises against.
  test('guides, help and the console are in plain words (STYLE.md, Prose)', () => {
    const odd =
      /\bwhoever\b|\bhas to be there\b|\b(?:is|are|was|were|be) (?:told|asked)\b|\basked for\b|\b(?:that|those) of the\b/gi
    const found = PROSE.flatMap((path) =>
      [
        ...read(path)
          .replace(/`[^`\n]*`: .*|^```[\s\S]*?^```$/gm, '')
          .matchAll(odd),
      ].map(([words]) => `${path}: ${words}`),
    )
    expect(PROSE.length).toBeGreaterThan(40)
    expect(found).toEqual([])
  })

  test('nothing is left for later', () => {
    const marker = new RegExp(`\\b(${['TO DO', 'FIX ME', 'XX X'].map((word) => word.replace(' ', '')).join('|')})\\b`)
    expect([...SOURCES, ...TESTS].filter((path) => marker.test(read(path)))).toEqual([])
  })
})

describe('code', () => {
  test('no test is skipped or run alone, but where a real peer, or the history, is not there', () => {
    const call =
      /\b(?:test|it|describe)\.(?:skip|only|todo|fails|runIf|skipIf(?!\(!(?:server|directory|slapd|samba|sshd|agent|ruby|jq|ansible|collection|requests|hammer|systemd|debian|chromium|namespaces|loops|nginx|promtool|pgbouncer|patroni|history|restore)\)))\b/
    expect(TESTS.filter((path) => path !== 'test/conventions.unit.test.ts' && call.test(read(path)))).toEqual([])
  })

  test('tests start processes by test/support/processes.ts, which sees to their end', () => {
    const start =
      /import\s+(?!type\b)[^'"]*['"](?:node:)?child_process['"]|(?:import|require)\(['"](?:node:)?child_process/
    expect(TESTS.filter((path) => start.test(read(path)))).toEqual(['test/support/processes.ts'])
  })

  // What begins transactions otherwise has no caller whose rights could end in between (docs/decisions/0049-portions.md).
  // Where what a file needs could not be opened, the reason is the only failure: closing it must not be another.
  test('what is closed after all tests of a file may not have been opened', () => {
    expect(TESTS.flatMap((path) => closedUnopened(read(path)).map((found) => `${path}: ${found}`))).toEqual([])
  })

  test('transactions of callers are begun by inTransaction, which asks for the caller again', () => {
    const WITHOUT_CALLER =
      /^src\/(?:context\.ts|(?:cli|database|operator|postgresql|switching)\/|areas\/(?:access\/(?:directories|identity|openid)|runs)\/|areas\/events\/(?:feed\/number-events|webhook\/dispatch)\.ts|areas\/configuration\/node\/keeping\.ts)/
    const begins = SOURCES.filter((path) => /\.transaction\(/.test(read(path)) && !WITHOUT_CALLER.test(path))
    expect(begins.filter((path) => !/await beginPortion\([\s\S]*\.transaction\(/.test(read(path)))).toEqual([])
  })

  test('modules have names for what they export', () => {
    expect(SOURCES.filter((path) => /^export default /m.test(read(path)))).toEqual([])
  })

  test('exports of an area keep their names', () => {
    const doors = SOURCES.filter((path) => /^src\/areas\/[a-z-]+\/index\.ts$/.test(path))
    expect(doors.length).toBeGreaterThan(10)
    expect(
      doors.filter((path) => /^\s*(?!\/\/).*\b\w+ as \w+/m.test(read(path).replace(/\/\*[\s\S]*?\*\//g, ''))),
    ).toEqual([])
  })

  test('a header of an answer is written in the program, or set by src/http/listeners/header-values.ts', () => {
    const set =
      /(?<!dialect)\.(?:header|headers|type|setHeaders?|appendHeader|writeHead|redirect)\(([^()]*(?:\([^()]*\)[^()]*)*)\)/g
    // Texts, numbers and constants; the status of `writeHead`; what the library of metrics says its type is.
    const fixed = /'[^']*'|"[^"]*"|\b[A-Z][A-Z_]+\b|\b\d+\b|\bstatus\b|\bmetrics\.contentType\b/g
    const answering = SOURCES.filter((path) => /^src\/(?:http|dialect|service)\b/.test(path))
    const found = answering.flatMap((path) =>
      [...read(path).matchAll(set)]
        .filter(([, given = '']) => /[^\s,:{}]/.test(given.replace(fixed, '')))
        .map(([call]) => `${path}: ${call}`),
    )
    expect(found.filter((call) => !call.startsWith('src/http/listeners/header-values.ts: .header(name'))).toEqual([])
    expect(found).toHaveLength(1)
  })

  test('the address of a client is read in one place, which knows what proxies send', () => {
    const other = /\brequest\.ips?\b|\bremoteAddress\b|\bx-forwarded-for\b/
    expect(SOURCES.filter((path) => path.startsWith('src/http/') && other.test(read(path)))).toEqual([
      'src/http/listeners/addresses.ts',
      'src/http/listeners/local.ts', // says what the address of its own connections is
      'src/http/listeners/undeclared-proxy.ts', // notices that a header is there
      'src/http/paths.ts', // how many proxies have passed a request on
    ])
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

/** Counts words without the code of blocks and the bars of tables. */
function wordsOf(path: string): number {
  return read(path)
    .replace(/^```[\s\S]*?^```$/gm, '')
    .split(/\s+/)
    .filter((word) => /\w/.test(word)).length
}

function linesOf(path: string): number {
  return read(path).trimEnd().split('\n').length
}

/** Lists what an `afterAll` uses of a variable that `beforeAll` sets, as if that had been done. */
function closedUnopened(text: string): string[] {
  const variables = [...text.matchAll(/^\s*let (\w+): (?!.* = )/gm)].map(([, name]) => name)
  const uses = new RegExp(`(?<![\\w.'])(?:${variables.join('|')})(?:\\.|\\[)\\S*`, 'g')
  const closing = [...text.matchAll(/^( *)afterAll\((?:.*\{\n[\s\S]*?^\1\}|.*$)/gm)].map(([whole]) => whole).join('\n')
  return variables.length > 0 ? (closing.match(uses) ?? []) : []
}
