import fc from 'fast-check'
import type { Parameter } from '../../src/classification/parameter.ts'
import type { Value } from '../../src/classification/values.ts'
import { parameter } from './given.ts'

/** Texts that a reader of YAML could take for something else, and any other. */
const awkward = fc.constantFrom(
  ...['', ' ', 'yes', 'No', 'on', 'OFF', 'true', 'null', '~', 'y', 'N', '010', '08', '0o17', '0x1F', '0b11', '1_000'],
  ...['1,000', '12:30', '12:30:45', '2020-01-01', '2020-01-01T10:20:30Z', '1.0', '.5', '5.', '1e3', '1.0e+3', '.inf'],
  ...['-', '- a', '?', '? a', ':', ':a', 'a: b', 'a:', 'a #b', '#a', '&a', '*a', '!a', '!!str a', '|', '>', '%a', '@a'],
  ...[
    '`a',
    '"a"',
    "'a'",
    '"',
    "'",
    '{a}',
    '[a]',
    '{',
    ']',
    ',',
    '<<',
    '=',
    '---',
    '...',
    '--- a',
    'a\nb',
    'a\n',
    '\na',
  ],
  ...['\t', 'a\tb', ' a', 'a ', 'é', '日本', '😀', '\u0085', '\u2028', '\ufeff', '\u007f', '\u0001', '\ufffe', 'a\\b'],
)

export const texts: fc.Arbitrary<string> = fc.oneof(
  awkward,
  fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.replaceAll('\0', '')),
)

const reals = fc
  .oneof(
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer({ min: -1000, max: 1000 }),
    fc.constantFrom(1e16, 1e21, 1e-5, 1e-4, 123456789012345.6, 5e-324, 1.7976931348623157e308),
  )
  .map((real) => (real === 0 ? 0 : real))

/** Any value: lists and maps in each other, numbers of both kinds and any size. */
export const values: fc.Arbitrary<Value> = fc.letrec<{ value: Value; list: Value; map: Value }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(texts, fc.boolean(), fc.constant(null), reals, fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n })),
    tie('list'),
    tie('map'),
  ),
  list: fc.array(tie('value'), { maxLength: 4 }),
  map: fc.array(fc.tuple(texts, tie('value')), { maxLength: 4 }).map((entries) => new Map(entries)),
})).value

const groups = fc.constantFrom('A', 'A/B', 'A/B/C', 'A/D', 'E')

/** What a host of a random fleet is: few values, so that matchers hit. */
export const hostFacts = fc.record({
  fqdn: fc.constantFrom('n1.lab', 'n2.lab', 'n3.lab'),
  hostgroup: fc.option(groups),
  organization: fc.option(groups),
  location: fc.option(groups),
  domain: fc.constantFrom('lab', 'prod', null),
})

const ATTRIBUTES = ['fqdn', 'hostgroup', 'organization', 'location', 'domain', 'nosuch']

const matches = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(fc.constantFrom('hostgroup', 'organization', 'location'), groups) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('fqdn'), fc.constantFrom('n1.lab', 'n2.lab')) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('domain'), fc.constantFrom('lab', 'LAB')) },
)

const lists: fc.Arbitrary<Value> = fc.array(fc.constantFrom<Value>('a', 'b', 1n, 1, '1', null), { maxLength: 3 })
const maps: fc.Arbitrary<Value> = fc
  .array(
    fc.tuple(fc.constantFrom('x', 'y'), fc.oneof(lists, fc.constant<Value>(new Map([['z', 1n]])), fc.constant('s'))),
    { maxLength: 2 },
  )
  .map((entries) => new Map(entries))

function parametersOf(type: 'string' | 'array' | 'hash'): fc.Arbitrary<Parameter> {
  const ofType: fc.Arbitrary<Value> = type === 'array' ? lists : type === 'hash' ? maps : fc.constantFrom('a', 'b', 'c')
  const line = fc.uniqueArray(fc.constantFrom(...ATTRIBUTES), { minLength: 1, maxLength: 3 })
  const order = fc.uniqueArray(
    line.map((names) => names.join()),
    { minLength: 1, maxLength: 4 },
  )
  const single = matches.map(([name, value]) => `${name}=${value}`)
  const several = fc.uniqueArray(matches, { minLength: 2, maxLength: 3, selector: ([name]) => name })
  const match = fc.oneof(
    single,
    several.map((parts) => parts.map(([name, value]) => `${name}=${value}`).join()),
  )
  const matcher = fc.record({ match, value: ofType, omit: fc.boolean() })
  return fc
    .record({
      defaultValue: fc.option(ofType),
      omit: fc.boolean(),
      required: fc.boolean(),
      mergeOverrides: type === 'string' ? fc.constant(false) : fc.boolean(),
      mergeDefault: fc.boolean(),
      avoidDuplicates: fc.boolean(),
      order: order.map((lines) => lines.join('\n')),
      matchers: fc.uniqueArray(matcher, { maxLength: 8, selector: ({ match: text }) => text }),
    })
    .map(({ matchers, ...facts }) => ({
      ...parameter({ ...facts, type }),
      matchers: matchers.map((each, index) => ({ ...each, id: index + 1 })),
    }))
}

/** Parameters whose matchers ask about such hosts. */
export const parameters: fc.Arbitrary<Parameter> = fc.oneof(
  parametersOf('string'),
  parametersOf('array'),
  parametersOf('hash'),
)
