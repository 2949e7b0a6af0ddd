import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { printJson, readJson } from '../../src/classification/json.ts'
import {
  buildResolvedClasses,
  formatNodeJson,
  formatNodeYaml,
  withParameters,
} from '../../src/classification/output.ts'
import { printYaml } from '../../src/classification/print-yaml.ts'
import { compile, resolve } from '../../src/classification/resolve.ts'
import { identityOf, isMap, type Value } from '../../src/classification/values.ts'
import { readYaml } from '../../src/classification/yaml.ts'
import { spawnSync } from '../support/processes.ts'
import { texts, values } from './arbitraries.ts'
import { host, parameter, rules } from './given.ts'

const RUBY = 'ruby'
const WITHOUT_TAG = values.filter((value) => !identityOf(value).includes('"<<":'))

describe('a value', () => {
  test('written as JSON reads back as the same value', () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(readJson(printJson(value))).toEqual(value)
      }),
      { numRuns: 2000 },
    )
  })

  test('written as JSON keeps the kinds of its numbers in a jsonb column, which has no exponents', () => {
    const numbers = [2, 2n, 1e21, 1e-7, 1.5e300, 2n ** 70n, 5e-324, -0.25]
    const printed = printJson(numbers)
    expect(printed).not.toMatch(/e/i)
    expect(printed.slice(0, 60)).toBe('[2.0,2,1000000000000000000000.0,0.0000001,150000000000000000')
    expect(readJson(printed)).toEqual(numbers)
  })

  test('written as YAML reads back as the same value', () => {
    fc.assert(
      fc.property(values, (value) => {
        expect(readYaml(printYaml(value))).toEqual(value)
      }),
      { numRuns: 2000 },
    )
  })

  test('written as YAML has no tag, anchor or date', () => {
    fc.assert(
      fc.property(WITHOUT_TAG, (value) => {
        for (const line of printYaml(value).split('\n')) expect(line).not.toMatch(/^\s*(- |\? )*([!&*]|\d{4}-\d\d)/)
      }),
    )
  })

  test('written as YAML is read by the loader of existing servers as the same value', () => {
    const long = new Map<string, Value>([
      ['k'.repeat(2000), [1n, [new Map([['é'.repeat(600), new Map([['a', 1.5]])]])]]],
      ['é'.repeat(600), 'x'.repeat(5000)],
      ['<<', new Map([['a', 1n]])],
    ])
    const documents: readonly Value[] = [
      [long, [long]],
      long,
      ...fc.sample(values, { numRuns: 300, seed: 20_261_120 }),
      ...fc.sample(texts, { numRuns: 100, seed: 5 }),
    ]
    const read = readByRuby(documents.map(printYaml))
    if (read === null) return
    for (const [index, document] of documents.entries()) expect(read[index]).toBe(rubyText(document))
  })
})

describe('a node document', () => {
  const document = {
    parameters: new Map<string, Value>([
      ['zone', 'no'],
      ['ratio', 2],
      ['big', 1e21],
      ['small', 1e-5],
      ['count', 2n ** 64n],
      ['since', '2020-01-01'],
      ['empty', new Map()],
      [
        'list',
        [
          [1n, []],
          new Map<string, Value>([
            ['a b', null],
            ['c', 'x'],
          ]),
        ],
      ],
      ['k'.repeat(200), new Map([['deep', 'é']])],
    ]),
    classes: new Map<string, Map<string, Value>>([
      ['web::plain', new Map()],
      ['db', new Map([['port', 5432n]])],
    ]),
    environment: 'production',
  }

  test('is the same YAML each time, in order of the names of its classes', () => {
    expect(formatNodeYaml(document)).toBe(
      `---
parameters:
  zone: "no"
  ratio: 2.0
  big: 1.0e+21
  small: 1.0e-05
  count: 18446744073709551616
  since: "2020-01-01"
  empty: {}
  list:
    - - 1
      - []
    - a b: null
      c: x
  ? ${'k'.repeat(200)}
  :
    deep: "é"
classes:
  db:
    port: 5432
  "web::plain": null
environment: production
`,
    )
  })

  test('says in JSON what it says in YAML', () => {
    expect(readJson(formatNodeJson(document))).toEqual(readYaml(formatNodeYaml(document)))
  })

  test('has a list of names where classes have no values, and no environment where there is none', () => {
    const plain = { parameters: new Map(), classes: ['web', 'db'], environment: null }
    expect(formatNodeYaml(plain)).toBe('---\nparameters: {}\nclasses:\n  - db\n  - web\n')
    expect(formatNodeYaml({ ...plain, classes: [] })).toBe('---\nparameters: {}\nclasses: []\n')
  })

  test('has the parameters of the host over what is known of it, merged where both are maps', () => {
    const known = readJson('{"comment": "c", "users": {"ada": {"mail": "a@b"}}, "hostgroup": "Base"}')
    const own = readJson('{"users": {"ada": {"name": "Ada"}}, "comment": null, "hostgroup": {"a": 1}, "own": [1]}')
    if (!isMap(known) || !isMap(own)) throw new Error('both are maps')
    expect(printJson(withParameters(known, own))).toBe(
      '{"comment":null,"users":{"ada":{"mail":"a@b","name":"Ada"}},"hostgroup":{"a":1},"own":[1]}',
    )
  })

  test('holds what was resolved by class, and names what fails', () => {
    const all = [
      parameter({ id: 1, name: 'b', defaultValue: '1' }),
      parameter({ id: 2, name: 'a', type: 'integer', defaultValue: 1n }),
      parameter({ id: 3, name: 'none', type: 'integer' }),
      parameter({ id: 4, name: 'needed', classId: 2, className: 'db', type: 'integer', required: true }),
    ]
    const resolutions = resolve(compile(all), { ...host(), classes: [1, 2, 3] }, rules())
    const { classes, failures } = buildResolvedClasses(['web', 'db', 'bare'], resolutions)
    expect(printJson(new Map(classes))).toBe('{"web":{"a":1,"b":"1"},"db":{},"bare":{}}')
    expect(failures).toEqual(["Parameter 'needed' of class 'db' is required and has no value"])
  })
})

// The loader that agents' servers use, asked once for all documents. It names its version of everything as text, so that
// kinds are compared too; without it nothing is compared, except where everything has to be installed.
function readByRuby(documents: readonly string[]): readonly string[] | null {
  const program = `
    require 'yaml'; require 'json'
    def text(value)
      case value
      when Hash then '{' + value.map { |key, item| text(key) + ':' + text(item) }.join(',') + '}'
      when Array then '[' + value.map { |item| text(item) }.join(',') + ']'
      when String then JSON.generate(value)
      when Float then 'real ' + [value].pack('G').unpack1('H*')
      when nil then 'null'
      else value.to_s
      end
    end
    puts JSON.generate(JSON.parse(STDIN.read).map { |yaml| text(YAML.safe_load(yaml)) })`
  const { status, stdout, stderr } = spawnSync(RUBY, ['-e', program], {
    input: JSON.stringify(documents),
    encoding: 'utf8',
  })
  if (status === 127 && process.env['CI'] !== 'true') {
    console.log('skipped: YAML read by ruby (it is not installed here)')
    return null
  }
  expect([status, stderr]).toEqual([0, ''])
  return JSON.parse(stdout)
}

function rubyText(value: Value): string {
  if (value === null || typeof value === 'boolean' || typeof value === 'bigint') return String(value)
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number') return `real ${realBytes(value)}`
  if (value instanceof Map)
    return `{${[...value].map(([key, item]) => `${JSON.stringify(key)}:${rubyText(item)}`).join()}}`
  return `[${(value as readonly Value[]).map(rubyText).join()}]` // nothing else is left
}

function realBytes(real: number): string {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(real)
  return bytes.toString('hex')
}
