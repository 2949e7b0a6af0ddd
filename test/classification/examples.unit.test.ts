import { expect, test } from 'vitest'
import { readJson } from '../../src/classification/json.ts'
import type { Parameter } from '../../src/classification/parameter.ts'
import { compile, resolve } from '../../src/classification/resolve.ts'
import type { Value } from '../../src/classification/values.ts'
import { type GivenMatchers, host, parameter, rules } from './given.ts'

// The worked examples of smart-parameters §4.12, row by row. Values are JSON: j`[1]`.
interface Example {
  readonly row: number
  readonly given?: Partial<Parameter>
  readonly matchers?: GivenMatchers
  readonly inheritance?: false
  /** The value; nothing for a parameter that is left out. */
  readonly gets?: Value
  readonly fails?: RegExp
}

const list = { type: 'array', mergeOverrides: true, defaultValue: j`["d"]` } as const
const map = { type: 'hash', mergeOverrides: true } as const
const withDefault = { mergeDefault: true } as const
const text = { defaultValue: 'd' }

const EXAMPLES: readonly Example[] = [
  { row: 1, given: text, gets: 'd' },
  {
    row: 2,
    given: text,
    matchers: { 'domain=lab.test': 'dom', 'fqdn=n1.lab.test': 'host', 'hostgroup=Base/Web': 'hg' },
    gets: 'host',
  },
  { row: 3, given: text, matchers: { 'hostgroup=Base': 'b', 'hostgroup=Base/Web': 'w' }, gets: 'w' },
  { row: 4, given: text, matchers: { 'hostgroup=Base/Web/Edge': 'e', 'hostgroup=Base/Web': 'w' }, gets: 'e' },
  { row: 5, given: text, matchers: { 'hostgroup=Edge': 'e' }, gets: 'd' },
  { row: 6, given: text, matchers: { 'os=Debian 12.4': 'o', 'domain=lab.test': 'dm' }, gets: 'o' },
  { row: 7, given: text, matchers: { 'os=Debian': 'o' }, gets: 'd' },
  { row: 8, given: text, matchers: { 'domain=LAB.test': 'o' }, gets: 'd' },
  { row: 9, given: text, matchers: { 'hostgroup=Base/Web': 'w' }, inheritance: false, gets: 'd' },
  { row: 10, given: { ...text, omit: true } },
  { row: 11, given: { ...text, omit: true }, matchers: { 'os=Debian 12.4': 'o' }, gets: 'o' },
  { row: 12, given: text, matchers: { 'fqdn=n1.lab.test': omitted('x'), 'os=Debian 12.4': 'o' } },
  { row: 13, given: text, matchers: { 'fqdn=n1.lab.test': 'x', 'os=Debian 12.4': omitted('o') }, gets: 'x' },
  {
    row: 14,
    given: { ...text, order: 'organization\norganization,location\nlocation' },
    matchers: { 'location=EU/Ams': 'l', 'organization=Acme/Ops,location=EU/Ams': 'ol' },
    gets: 'ol',
  },
  {
    row: 15,
    given: { ...text, order: 'organization,location' },
    matchers: { 'organization=Acme,location=EU/Ams': 'v' },
    gets: 'v',
  },
  {
    row: 16,
    given: { ...text, order: 'organization,location' },
    matchers: { 'organization=Acme/Ops,location=EU': 'v' },
    gets: 'd',
  },
  {
    row: 17,
    given: { ...text, order: 'organization,location' },
    matchers: { 'organization=Acme,location=EU': 'v' },
    gets: 'v',
  },
  {
    row: 18,
    given: { ...text, order: 'hostgroup,organization' },
    matchers: { 'hostgroup=Base/Web/Edge,organization=Acme': 'v' },
    gets: 'd',
  },
  {
    row: 19,
    given: { ...text, order: 'hostgroup,organization' },
    matchers: { 'hostgroup=Base,organization=Acme': 'v' },
    gets: 'v',
  },
  { row: 20, given: { ...text, order: 'tier' }, matchers: { 'tier=gold': 'g' }, gets: 'g' },
  { row: 21, given: { ...text, order: 'is_virtual' }, matchers: { 'is_virtual=true': 'v' }, gets: 'v' },
  { row: 22, given: { ...text, order: 'networking::ip' }, matchers: { 'networking::ip=10.0.0.5': 'v' }, gets: 'v' },
  { row: 23, given: { ...text, order: 'build' }, matchers: { 'build=false': 'v' }, gets: 'v' },
  { row: 24, given: { ...text, order: 'model\nos' }, matchers: { 'model=x': 'm', 'os=Debian 12.4': 'o' }, gets: 'o' },
  {
    row: 25,
    given: list,
    matchers: { 'hostgroup=Base': j`["b"]`, 'hostgroup=Base/Web': j`["w", "b"]`, 'fqdn=n1.lab.test': j`["h"]` },
    gets: j`["h", "w", "b", "b"]`,
  },
  {
    row: 26,
    given: { ...list, ...withDefault, defaultValue: j`["d", "h"]` },
    matchers: { 'hostgroup=Base': j`["b"]`, 'fqdn=n1.lab.test': j`["h"]` },
    gets: j`["d", "h", "h", "b"]`,
  },
  {
    row: 27,
    given: { ...list, ...withDefault, avoidDuplicates: true, defaultValue: j`["d", "h"]` },
    matchers: { 'hostgroup=Base': j`["b", "d"]`, 'fqdn=n1.lab.test': j`["h", "h"]` },
    gets: j`["d", "h", "b"]`,
  },
  {
    row: 28,
    given: { ...list, avoidDuplicates: true },
    matchers: { 'fqdn=n1.lab.test': j`["h", "h"]`, 'os=Debian 12.4': j`["h", "o"]` },
    gets: j`["h", "o"]`,
  },
  { row: 29, given: list, gets: j`["d"]` },
  { row: 30, given: list, matchers: { 'fqdn=n1.lab.test': j`[]` }, gets: j`["d"]` },
  { row: 31, given: list, matchers: { 'fqdn=n1.lab.test': omitted(j`["x"]`) }, gets: j`["d"]` },
  { row: 32, given: { ...list, omit: true }, matchers: { 'fqdn=n1.lab.test': omitted(j`["x"]`) } },
  {
    row: 33,
    given: list,
    matchers: { 'fqdn=n1.lab.test': omitted(j`["x"]`), 'os=Debian 12.4': j`["o"]` },
    gets: j`["o"]`,
  },
  { row: 34, given: { ...list, ...withDefault, omit: true }, gets: j`["d"]` },
  {
    row: 35,
    given: { type: 'array', defaultValue: j`["d"]` },
    matchers: { 'fqdn=n1.lab.test': j`["h"]`, 'os=Debian 12.4': j`["o"]` },
    gets: j`["h"]`,
  },
  {
    row: 36,
    given: { ...map, defaultValue: j`{"z": 0}` },
    matchers: {
      'domain=lab.test': j`{"a": {"x": 1, "y": [1]}, "c": 1}`,
      'fqdn=n1.lab.test': j`{"a": {"y": [2]}, "b": 2}`,
    },
    gets: j`{"a": {"x": 1, "y": [2]}, "c": 1, "b": 2}`,
  },
  {
    row: 37,
    given: { ...map, ...withDefault, defaultValue: j`{"z": 0, "a": {"q": 9}}` },
    matchers: { 'domain=lab.test': j`{"a": {"x": 1}}`, 'fqdn=n1.lab.test': j`{"z": 1}` },
    gets: j`{"z": 1, "a": {"q": 9, "x": 1}}`,
  },
  {
    row: 38,
    given: map,
    matchers: { 'domain=lab.test': j`{"a": {"x": 1}}`, 'fqdn=n1.lab.test': j`{"a": 5}` },
    gets: j`{"a": 5}`,
  },
  {
    row: 39,
    given: map,
    matchers: { 'domain=lab.test': j`{"a": 1}`, 'fqdn=n1.lab.test': j`{"a": null}` },
    gets: j`{"a": null}`,
  },
  {
    row: 40,
    given: { ...map, order: 'organization\nos\nlocation' },
    matchers: {
      'location=EU/Ams': j`{"a": "t"}`,
      'organization=Acme/Ops': j`{"e": {"b": "2"}}`,
      'os=Debian 12.4': j`{"e": {"b": "3"}}`,
    },
    gets: j`{"a": "t", "e": {"b": "2"}}`,
  },
  { row: 41, given: { type: 'boolean', defaultValue: true }, matchers: { 'fqdn=n1.lab.test': false }, gets: false },
  { row: 42, given: { type: 'array', defaultValue: '<%= [1,2] %>' }, gets: j`[1, 2]` },
  { row: 43, given: { type: 'array', defaultValue: j`["a", "<%= @host.domain %>"]` }, gets: j`["a", "lab.test"]` },
  { row: 44, given: { type: 'integer', defaultValue: '<%= 40+2 %>' }, gets: 42n },
  {
    row: 45,
    given: { defaultValue: '<%= "a" %>', validator: { type: 'list', rule: 'b,c' } },
    fails: /^Invalid value 'a' of parameter 7 'p'$/,
  },
  { row: 46, given: { defaultValue: '<%= "b" %>', validator: { type: 'list', rule: 'b, c' } }, gets: 'b' },
  {
    row: 47,
    given: { type: 'integer', defaultValue: '<%= 5 %>', validator: { type: 'regexp', rule: '5' } },
    fails: /^Invalid value '5' of parameter 7 'p'$/,
  },
  { row: 48, given: { type: 'integer', defaultValue: '<%= 5 %>', validator: { type: 'list', rule: '5' } }, gets: 5n },
  {
    row: 49,
    given: list,
    matchers: { 'fqdn=n1.lab.test': '<%= [1] %>', 'os=Debian 12.4': j`["o"]` },
    fails: /^Parameter 'p' of class 'web' cannot be merged: /,
  },
  { row: 50, given: { type: 'json' }, matchers: { 'fqdn=n1.lab.test': j`{"a": [1]}` }, gets: j`{"a": [1]}` },
  { row: 51, given: { type: 'yaml', defaultValue: 'abc' }, gets: 'abc' },
  { row: 52, given: { type: 'string' }, gets: '' },
  { row: 53, given: { type: 'boolean' }, gets: false },
  { row: 54, given: { type: 'integer' } },
  { row: 54, given: { type: 'json' } },
  { row: 54, given: { type: null } },
  { row: 55, given: { type: 'integer', defaultValue: 'abc' } },
]

const RENDERED = {
  '<%= [1,2] %>': '[1, 2]',
  '<%= @host.domain %>': 'lab.test',
  '<%= 40+2 %>': '42',
  '<%= "a" %>': 'a',
  '<%= "b" %>': 'b',
  '<%= 5 %>': '5',
  '<%= [1] %>': '[1]',
}

for (const { row, given, matchers, inheritance, gets, fails } of EXAMPLES) {
  test(`example ${row}`, () => {
    const compiled = compile([parameter(given, matchers)])
    const [resolution] = resolve(compiled, host(), rules(RENDERED, inheritance))
    if (fails)
      expect(resolution?.outcome).toEqual({
        kind: 'failure',
        reason: expect.any(String),
        message: expect.stringMatching(fails),
      })
    else if (gets === undefined) expect(resolution?.outcome).toMatchObject({ kind: 'absent' })
    else expect(resolution?.outcome).toEqual({ kind: 'value', value: gets })
  })
}

test('all 55 examples are here', () => {
  expect([...new Set(EXAMPLES.map(({ row }) => row))]).toEqual(Array.from({ length: 55 }, (_, index) => index + 1))
})

function j(json: TemplateStringsArray): Value {
  return readJson(json.join(''))
}

function omitted(value: Value) {
  return { omit: true, value } as const
}
