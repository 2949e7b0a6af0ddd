import { describe, expect, test } from 'vitest'
import { cast } from '../../src/classification/cast.ts'
import { readJson } from '../../src/classification/json.ts'
import { compileValidator, RuleError } from '../../src/classification/validate.ts'
import { fromJavaScript, LIMITS } from '../../src/classification/values.ts'
import { readYaml } from '../../src/classification/yaml.ts'

describe('YAML', () => {
  test('that grows a thousandfold through aliases is refused', () => {
    const levels = Array.from({ length: 12 }, (_, level) => {
      const items = Array.from({ length: 10 }, () => (level === 0 ? 'lol' : `*a${level - 1}`))
      return `a${level}: &a${level} [${items.join(', ')}]`
    })
    expect(() => readYaml(levels.join('\n'))).toThrow('holds more than 100000 values')
  })

  test('that grows through merging is refused', () => {
    const levels = Array.from({ length: 40 }, (_, level) => {
      const below = level === 0 ? 'x: 1' : `<<: [*a${level - 1}, *a${level - 1}], k${level}: *a${level - 1}`
      return `a${level}: &a${level} {${below}}`
    })
    expect(() => readYaml(levels.join('\n'))).toThrow('holds more than 100000 values')
  })

  test('with aliases in measure is read', () => {
    expect(cast('yaml', 'a: &a [1, 2]\nb: *a\nc: {<<: {d: 1}, e: *a}')).toEqual(
      readJson('{"a": [1, 2], "b": [1, 2], "c": {"e": [1, 2], "d": 1}}'),
    )
  })

  test.each([
    ['that contains itself', '&a [*a]', 'contains itself through *a'],
    ['that contains itself by merging', 'x: &a {<<: *a}', 'contains itself through *a'],
    ['with an alias to nothing', '[*a]', 'nothing is called &a'],
    ['with an alias to what comes later', '[*a, &a 1]', 'nothing is called &a'],
    ['with a tag of a language', '!ruby/object:Gem::Requirement {}', 'cannot be tagged'],
    ['with a tag of a language on a text', '[!!python/name:os.system x]', 'cannot be tagged'],
    ['with a map as a key', '{{a: 1}: 2}', 'has a list or map as a key'],
    ['of another version', '%YAML 2.0\n---\na', 'is no YAML'],
    ['with an anchor twice and an alias between', '[&a 1, [*a, &a [*a]]]', 'contains itself'],
  ])('%s is refused', (_, text, message) => {
    expect(() => readYaml(text)).toThrow(message)
  })

  test.each([
    ['lists in brackets', '['.repeat(10_000)],
    ['closed lists in brackets', '['.repeat(10_000) + ']'.repeat(10_000)],
    ['maps in braces', '{a: '.repeat(10_000)],
    ['dashes', '- '.repeat(10_000)],
    ['lines', Array.from({ length: 400 }, (_, level) => `${' '.repeat(level)}a:`).join('\n')],
    [
      'aliases',
      Array.from({ length: 200 }, (_, level) => `- &a${level} [${level === 0 ? '' : `*a${level - 1}`}]`).join('\n'),
    ],
  ])('nested too deeply by %s is refused', (_, text) => {
    expect(() => readYaml(text)).toThrow('is nested deeper than 100 levels')
  })

  test.each(['9'.repeat(100_000), `0x${'f'.repeat(100_000)}`, `[-${'7'.repeat(1000)}]`])(
    'with numbers of so many digits is refused',
    (text) => {
      expect(() => readYaml(text)).toThrow('is a number of more than 1000 digits')
      expect(() => cast('integer', '1'.repeat(1001))).toThrow('is a number of more than 1000 digits')
      expect(() => readJson(`[${'1'.repeat(1001)}]`)).toThrow('is a number of more than 1000 digits')
      expect(readYaml('9'.repeat(1000))).toBe(BigInt('9'.repeat(1000)))
    },
  )

  test('is bounded in length, and read up to it; longer lists and maps may be JSON', () => {
    const longest = 'x'.repeat(LIMITS.yaml)
    expect(readYaml(longest)).toBe(longest)
    expect(() => readYaml(`${longest}x`)).toThrow('is longer than 131072 characters of YAML')
    expect(cast('array', `["${longest}"]`)).toEqual([longest])
    expect(() => cast('array', `- "${longest}"`)).toThrow('is no JSON')
    expect(cast('string', 'x'.repeat(LIMITS.json + 1))).toHaveLength(LIMITS.json + 1)
  })

  test('prototypes are only keys', () => {
    const value = readYaml('__proto__: {polluted: yes}\nconstructor: 1')
    expect(value).toEqual(
      new Map<string, unknown>([
        ['__proto__', new Map([['polluted', true]])],
        ['constructor', 1n],
      ]),
    )
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined() // any name may be asked for
  })
})

describe('JSON', () => {
  test('that is none is refused', () => {
    const broken = [
      '[',
      '[1,]',
      '{"a" 1}',
      '{"a":1',
      '"a',
      '"\\q"',
      '"\\ud800"',
      "'a'",
      '01',
      '1.',
      '.5',
      '+1',
      '',
      ' ',
      '[1] 2',
    ]
    for (const text of [...broken, 'NaN', '1e400', '// a\n1', '"\\u0000"'])
      expect(() => readJson(text)).toThrow(/is no |has /)
  })

  test('nested too deeply is refused, at its limit it is read', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
    expect(readJson(nested(LIMITS.depth))).toBeInstanceOf(Array)
    expect(() => readJson(nested(LIMITS.depth + 1))).toThrow('is nested deeper than 100 levels')
    expect(() => readJson('[{"a":'.repeat(100_000))).toThrow('is nested deeper than 100 levels')
    expect(() => fromJavaScript(JSON.parse(nested(5000)))).toThrow('is nested deeper than 100 levels')
  })

  test('with too many values is refused', () => {
    expect(() => readJson(`[${'1,'.repeat(LIMITS.values)}1]`)).toThrow('holds more than 100000 values')
    expect(() => fromJavaScript(Array.from({ length: LIMITS.values }, () => 1))).toThrow(
      'holds more than 100000 values',
    )
  })

  test('with a text of a megabyte is read', () => {
    const text = 'x\\n'.repeat(300_000)
    expect(String(readJson(`"${text}"`)).length).toBe(600_000)
  })
})

describe('a regexp', () => {
  test('takes time linear in the text', () => {
    const accepts = compileValidator({ type: 'regexp', rule: '(a+)+$' })
    expect(accepts(`${'a'.repeat(100_000)}!`)).toBe('is invalid')
    expect(accepts('a'.repeat(100_000))).toBeNull()
  })

  test.each(['[', '(?=a)', '(a)\\1', 'a{1,100000}', '*', 'x'.repeat(10_001)])(
    'that cannot be run is refused: %s',
    (rule) => {
      expect(() => compileValidator({ type: 'regexp', rule })).toThrow(RuleError)
    },
  )

  test('is bounded in length', () => {
    expect(() => compileValidator({ type: 'regexp', rule: 'x'.repeat(10_001) })).toThrow(RuleError)
  })

  test('knows the ends of lines and of the text', () => {
    const finds = (rule: string, text: string) => compileValidator({ type: 'regexp', rule })(text) === null
    expect([
      finds('^b$', 'a\nb'),
      finds('\\Ab', 'a\nb'),
      finds('b\\z', 'b\n'),
      finds('b\\Z', 'b\n'),
      finds('\\h\\h', 'fF'),
    ]).toEqual([true, false, false, true, true])
  })

  test('is about texts only', () => {
    expect(compileValidator({ type: 'regexp', rule: '5' })(5n)).toBe('is invalid')
    expect(compileValidator({ type: 'list', rule: '5, true,2.0' })(5n)).toBeNull()
    expect(compileValidator({ type: 'list', rule: '5, true,2.0' })(2)).toBeNull()
    expect(compileValidator({ type: 'list', rule: '5, true,2.0' })(2n)).toBe('2 is not one of 5, true,2.0')
  })
})
