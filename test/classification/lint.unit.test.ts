import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { HostFacts } from '../../src/classification/attributes.ts'
import { crowdOf } from '../../src/classification/lint/crowd.ts'
import { lint } from '../../src/classification/lint/lint.ts'
import { findAlwaysBefore } from '../../src/classification/lint/shadow.ts'
import { listCandidates, parseOrder } from '../../src/classification/matchers.ts'
import type { Parameter } from '../../src/classification/parameter.ts'
import { hostFacts, parameters } from './arbitraries.ts'
import { type GivenMatchers, host, parameter } from './given.ts'

const NAMES = new Map([
  ['fqdn', new Set(['n1.lab.test', 'n2.lab.test'])],
  ['hostgroup', new Set(['Base', 'Base/Web', 'Base/Web/Edge'])],
  ['os', new Set(['Debian 12.4', 'Debian 11'])],
  ['domain', new Set(['lab.test'])],
])

test('a matcher that can never match is reported, with what was probably meant', () => {
  expect(
    said(
      {},
      {
        'fqdn=gone.lab.test': 'a',
        'fqdn=N1.lab.test': 'a',
        'hostgroup=Edge': 'a',
        'hostgroup=Old': 'a',
        'location=EU': 'a',
        foo: 'a',
        'os = Debian 11': 'a',
        'domain=lab.test': 'fine',
      },
    ),
  ).toEqual([
    'fqdn=gone.lab.test: unreachable, no fqdn is called gone.lab.test; delete it',
    'fqdn=N1.lab.test: unreachable, no fqdn is called N1.lab.test; write fqdn=n1.lab.test',
    'hostgroup=Edge: unreachable, no hostgroup is called Edge; write hostgroup=Base/Web/Edge',
    'hostgroup=Old: unreachable, no hostgroup is called Old; write hostgroup=Base/Web',
    'location=EU: unreachable, the order has no line location; add the line location to the order, or delete it',
    'foo: unparsable, is no match text: each part is an attribute, an equals sign and a value; delete it',
    'os = Debian 11: unparsable, is no match text: each part is an attribute, an equals sign and a value; write os=Debian 11',
  ])
})

test('texts of several attributes do not follow renames, nor another order of the line', () => {
  expect(
    said({ order: 'hostgroup,os' }, { 'hostgroup=Old,os=Debian 11': 'a', 'os=Debian 11,hostgroup=Base': 'b' }),
  ).toEqual([
    'hostgroup=Old,os=Debian 11: stale, no hostgroup is called Old; a rename does not reach texts of several attributes; write hostgroup=Base/Web,os=Debian 11',
    'os=Debian 11,hostgroup=Base: unreachable, the order has no line os,hostgroup; write hostgroup=Base,os=Debian 11',
  ])
})

test('values that do not fit any more, and rules that cannot be read', () => {
  expect(said({ type: 'integer', defaultValue: 'x' }, { 'os=Debian 11': 'y', 'domain=lab.test': 5n })).toEqual([
    'default: unfit, the default value is no integer; set another default value',
    'os=Debian 11: unfit, its value is no integer; set another value or the omit flag',
  ])
  expect(said({ validator: { type: 'regexp', rule: '(' }, defaultValue: 'x' })).toEqual([
    expect.stringMatching(/^default: unparsable, the validator rule is no regular expression: .*; correct the rule/),
  ])
  expect(said({ validator: { type: 'list', rule: 'a,b' }, defaultValue: 'a' }, { 'domain=lab.test': 'c' })).toEqual([
    'domain=lab.test: unfit, its value is refused by the validator; set another value or the omit flag',
  ])
  expect(said({ type: 'integer', defaultValue: '<%= 1 %>' })).toEqual([])
})

test('a matcher is shadowed by its words, or by the hosts there are', () => {
  expect(
    said({ order: 'hostgroup\nhostgroup,os' }, { 'hostgroup=Base': 'a', 'hostgroup=Base/Web,os=Debian 11': 'b' }),
  ).toEqual([
    'hostgroup=Base/Web,os=Debian 11: shadowed, hostgroup=Base comes before it for every host that it could match; delete it, or put the line hostgroup,os before hostgroup',
  ])
  const all = { 'fqdn=n1.lab.test': 'a', 'hostgroup=Base/Web': 'b', 'os=Debian 12.4': 'c', 'os=Debian 11': 'd' }
  expect(said({}, all)).toEqual([
    'os=Debian 12.4: shadowed, fqdn=n1.lab.test or hostgroup=Base/Web comes before it for every host that it matches now; delete it unless such hosts are to come',
  ])
  expect(said({ type: 'array', mergeOverrides: true }, { 'os=Debian 12.4': [], 'fqdn=n1.lab.test': [] })).toEqual([])
})

test('a shadowed matcher is never chosen, and one that matches but is never chosen is shadowed', () => {
  fc.assert(
    fc.property(parameters, fc.array(hostFacts, { maxLength: 12 }), fc.boolean(), (given, fleet, inheritance) => {
      const crowd = crowdOf(
        fleet.map((facts) => host(facts)),
        inheritance,
      )
      const order = parseOrder(given.order)
      for (const matcher of given.matchers) {
        const matched = fleet
          .map((facts) => matching(given, facts, inheritance))
          .filter((texts) => texts.includes(matcher.match))
        const isHidden = matched.length > 0 && matched.every(([first]) => first !== matcher.match)
        expect(crowd.hiding(given, matcher.match) !== null).toBe(isHidden)
        if (findAlwaysBefore(given, matcher, order, inheritance)) expect(isHidden || matched.length === 0).toBe(true)
      }
    }),
    { numRuns: 300 },
  )
})

/** The matchers that match a host, best first. */
function matching({ order, matchers }: Parameter, facts: Partial<HostFacts>, inheritance: boolean): string[] {
  const texts = listCandidates(parseOrder(order), host(facts), inheritance).map(({ match }) => match)
  return texts.filter((text) => matchers.some(({ match }) => match === text))
}

function said(facts: Partial<Parameter>, matchers: GivenMatchers = {}): string[] {
  const fleet = [host(), host({ fqdn: 'n2.lab.test' })]
  const found = lint(parameter(facts, matchers), {
    inheritance: true,
    templates: true,
    names: NAMES,
    suggested: NAMES,
    renamed: (attribute, name) => (attribute === 'hostgroup' && name === 'Old' ? 'Base/Web' : null),
    crowd: crowdOf(fleet, true),
  })
  return found.map(
    ({ matcher, kind, reason, suggestion }) => `${matcher?.match ?? 'default'}: ${kind}, ${reason}; ${suggestion}`,
  )
}
