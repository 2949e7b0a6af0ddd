import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  compileOrder,
  compileSearch,
  MAX_COMPARISONS,
  MAX_CONDITIONS,
  MAX_DEPTH,
  parseSearch,
  printSearch,
  SearchError,
} from '../../src/search/index.ts'
import { MAX_LENGTH } from '../../src/search/query.ts'
import { query } from './arbitraries.ts'
import { NOW, SCHEMAS } from './recorded.ts'

const hosts = SCHEMAS.hosts ?? expect.fail('the recorded schema has hosts')
const options = { now: NOW, zone: 'Europe/Berlin', words: { current_user: 'olga' }, root: 'own' }

describe('a search', () => {
  test('that is printed is read as the same tree', () => {
    fc.assert(
      fc.property(query, (tree) => {
        expect(parseSearch(printSearch(tree))).toEqual(tree)
      }),
      { numRuns: 2000 },
    )
  })

  test('has the limits that the guide tells', () => {
    const guide = readFileSync(new URL('../../docs/search.md', import.meta.url), 'utf8')
    expect(guide).toContain(
      `Parentheses may nest up to ${MAX_DEPTH} levels. A search has at most ${MAX_CONDITIONS} conditions and ${MAX_LENGTH} characters`,
    )
    expect(() => parseSearch(`${'('.repeat(MAX_DEPTH - 1)}a`)).not.toThrow()
    expect(() => parseSearch(`${'('.repeat(MAX_DEPTH)}a`)).toThrow(`at most ${MAX_DEPTH} levels`)
  })

  test.each([
    ['> 2026', /^'2026' may be a year or a number: name the field that is meant, such as time = 2026$/],
    ['user = olga and != 2026', /^'2026' may be/],
    ['^ (arm, 2026)', /^'2026' may be/],
    ['> 26', null],
    ['> "March 2026"', null],
    ['time > 2026', null],
  ])('without a field that could be a year is refused: %s', (text, refused) => {
    const audits = SCHEMAS.audits ?? expect.fail('the recorded schema has audits')
    const compile = () => compileSearch(audits, text, options)
    if (refused) expect(compile).toThrow(refused)
    else expect(compile).not.toThrow()
  })

  test.each(['facts', 'facts.kernel', 'facts desc'])('is in no order of a field with keys: %s', (order) => {
    expect(() => compileOrder(hosts, order, options)).toThrow(
      /^the field 'facts.* for search: it has a value for each key$/,
    )
  })

  test('is frozen through and through', () => {
    const tree = parseSearch('a and not (b or c)')
    expect(Object.isFrozen(tree) && tree.kind === 'and' && Object.isFrozen(tree.operands)).toBe(true)
  })

  test('of any characters is understood or refused with a SearchError, and never anything else', () => {
    const piece = fc.constantFrom(
      'name',
      'created_at',
      'id',
      'facts.x',
      'managed',
      '=',
      '~',
      '^',
      '(',
      ')',
      ',',
      '"',
      '\\',
      'and',
      'or',
      'not',
      'has',
      'today',
      '5',
      ' ',
      '\0',
      'mac',
      '-',
    )
    const anything = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme' }),
      fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(' ')),
    )
    fc.assert(
      fc.property(anything, (text) => {
        onlySearchErrors(() => compileSearch(hosts, text, options))
        onlySearchErrors(() => compileOrder(hosts, text, options))
      }),
      { numRuns: 3000 },
    )
  })
})

describe('what is wrong, and where', () => {
  test.each([
    ['name = = x', 'Value expected but found :eq', 7],
    ['name = (a)', 'Value expected but found :lparen', 7],
    ['name =', 'Value expected but found the end of the search', 6],
    ['web nope = 1', "Field 'nope' not recognized for searching!", 4],
    ['name ~ a and id = x', "Value 'x' is not valid for field 'id'", 13],
    ['managed = x', "'managed' should be one of 'true, false', but the query was 'x'", 0],
    ['build > true', "Operator 'gt' not supported for 'build'", 0],
    ['id ~ 5', "the operator 'like' is not supported for field type 'integer'", 0],
    ['x86) or arm', 'Unexpected ) at character 4: nothing is open there', 3],
    ['a,,b', 'Unexpected , at character 2: a comma stands between two conditions', 1],
    ['a or', "Something is missing after 'or' at character 3", 2],
    ['and a', "Something is missing before 'and' at character 1", 0],
    ['name ^ (a and b)', "A list holds only values: 'and' at character 11 is none", 10],
    ['name ^ ()', 'Empty list of operands', 5],
    [
      'created_at = garbage',
      `'garbage' is no date or time: write 2026-03-31, "2026-03-31 10:30", yesterday or "3 days ago"`,
      0,
    ],
    ['a\0b', 'A search cannot contain the NUL character', 1],
    ['()', 'Empty list of operands', 1],
    [' ( ( ) ) ', 'Empty list of operands', 5],
    ['(', 'Empty list of operands', 1],
    ['a and ()', 'Empty list of operands', 7],
    ['not ()', 'Empty list of operands', 5],
  ])('%s', (text, message, position) => {
    expect(refusal(text)).toMatchObject({ message, position })
  })
})

describe('a search made to hurt', () => {
  const cases: [string, string, string | null][] = [
    ['10,000 letters', 'x'.repeat(10_000), null],
    ['5,000 open parentheses', '('.repeat(5000), `at most ${MAX_DEPTH} levels`],
    ['5,000 nested parentheses', `${'('.repeat(5000)}x${')'.repeat(5000)}`, `at most ${MAX_DEPTH} levels`],
    ['3,000 nots', `${'not '.repeat(3000)}x`, `at most ${MAX_DEPTH} levels`],
    ['2,500 alternations of and and or', 'a or b and '.repeat(1250).concat('c'), `at most`],
    ['5,000 words', 'a '.repeat(5000), `at most ${MAX_CONDITIONS} conditions`],
    ['500 words', 'a '.repeat(500), `at most ${MAX_COMPARISONS} comparisons`],
    ['500 dates', 'created_at=10am '.repeat(500), null],
    ['5,000 comparisons without operands', '= '.repeat(5000), 'Value expected'],
    ['5,000 quotes', '"'.repeat(5000), `at most`],
    ['10,000 backslashes in a quote', `"${'\\'.repeat(10_000)}`, null],
    ['a list of 3,000', `id ^ (${Array.from({ length: 3000 }, (_, id) => id).join(',')})`, null],
    ['a date of 10,000 digits', `created_at = ${'1'.repeat(10_000)}`, 'is no date'],
    ['a date of blanks', `created_at = "${' '.repeat(10_000)}"`, 'is no date'],
    ['a pattern of stars', `name ~ ${'*a'.repeat(5000)}`, null],
    ['backslashes at the end of a pattern', `name ~ "*${'\\\\'.repeat(4999)}"`, 'backslash'],
    ['a number of 10,000 digits', `load = ${'9'.repeat(10_000)}`, 'is not valid'],
  ]
  test.each(cases)('%s', (_name, text, message) => {
    const began = performance.now()
    const refused = refusal(text)
    const took = performance.now() - began
    if (message === null) expect(refused).toBeNull()
    else expect(refused?.message).toContain(message)
    // Usual are less than 10 ms. This is not a measure of speed but a guard: quadratic code takes far longer.
    expect(took).toBeLessThan(2000)
  })
})

function refusal(text: string): SearchError | null {
  try {
    compileSearch(hosts, text, options)
    return null
  } catch (error) {
    if (error instanceof SearchError) return error
    throw error
  }
}

function onlySearchErrors(work: () => unknown): void {
  try {
    work()
  } catch (error) {
    if (!(error instanceof SearchError)) throw error
  }
}
