import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Flip, flips } from '../../src/classification/explain/flips.ts'
import type { Matcher, Parameter } from '../../src/classification/parameter.ts'
import { isSameOutcome } from '../../src/classification/preview/affected.ts'
import { compile, type MatcherOutcome, resolve } from '../../src/classification/resolve.ts'
import type { Value } from '../../src/classification/values.ts'
import { hostFacts, parameters } from './arbitraries.ts'
import { type GivenMatchers, host, parameter, rules } from './given.ts'

test('a winner is outdone by a better matcher, another attribute, or its own end', () => {
  expect(
    told(
      { defaultValue: 'd' },
      { 'hostgroup=Base': 'base', 'os=Debian 12.4': 'os', 'hostgroup=Base/Db': 'db', 'domain=x,os=y': 'far' },
    ),
  ).toEqual([
    'add fqdn=n1.lab.test at 1',
    'hostgroup from Base/Web/Edge to Base/Db by hostgroup=Base/Db: db',
    'remove hostgroup=Base: os',
  ])
})

test('without a matcher only one more or another attribute changes anything', () => {
  expect(told({ defaultValue: 'd' }, { 'os=Debian 11': 'old', 'domain=prod.test': 'd' })).toEqual([
    'add fqdn=n1.lab.test at 1',
    'os from Debian 12.4 to Debian 11 by os=Debian 11: old',
  ])
})

test('matchers that say the same have to go together, and those that say nothing stay', () => {
  expect(
    told({ defaultValue: 'd' }, { 'fqdn=n1.lab.test': 'x', 'hostgroup=Base': 'x', 'os=Debian 12.4': 'd' }),
  ).toEqual(['remove fqdn=n1.lab.test, hostgroup=Base: d'])
})

test('a required value that is missing is set where it touches one host', () => {
  expect(told({ required: true, type: 'integer' })).toEqual(['add fqdn=n1.lab.test at 1'])
})

test('every flip changes the outcome', () => {
  fc.assert(
    fc.property(parameters, hostFacts, (given, facts) => {
      const now = outcomeFor(given, facts)
      for (const flip of flipsOf(given, facts)) {
        if (flip.kind === 'attribute') continue // outcomes are compared below, by what it is set to
        expect(isSameOutcome(after(given, facts, flip), now), JSON.stringify([flip.kind, names(flip)])).toBe(false)
      }
    }),
    { numRuns: 300 },
  )
})

test('an attribute that flips does so when the host has it', () => {
  fc.assert(
    fc.property(parameters, hostFacts, (given, facts) => {
      for (const flip of flipsOf(given, facts)) {
        if (flip.kind !== 'attribute') continue
        const changed = outcomeFor(given, { ...facts, [flip.attribute]: flip.to })
        // An attribute that is neither of the host nor of its parameters is a fact.
        if (flip.attribute === 'nosuch') continue
        expect(isSameOutcome(changed, flip.outcome)).toBe(true)
        expect(isSameOutcome(changed, outcomeFor(given, facts))).toBe(false)
      }
    }),
    { numRuns: 300 },
  )
})

test('where some matcher takes part, there is always something to take away, or nothing would change at all', () => {
  fc.assert(
    fc.property(parameters, hostFacts, (given, facts) => {
      const found = flipsOf(given, facts).some(({ kind }) => kind === 'remove')
      const bare = outcomeFor({ ...given, matchers: [] }, facts)
      if (!isSameOutcome(bare, outcomeFor(given, facts))) expect(found).toBe(true)
    }),
    { numRuns: 300 },
  )
})

type Facts = Parameters<typeof host>[0]

function flipsOf(given: Parameter, facts: Facts = {}): Flip[] {
  const [compiled] = compile([given]).parameters
  if (!compiled) throw new Error('nothing was compiled')
  return flips(compiled, host(facts), rules())
}

function outcomeFor(given: Parameter, facts: Facts): MatcherOutcome {
  const [resolution] = resolve(compile([given]), host(facts), rules())
  if (!resolution) throw new Error('nothing was resolved')
  return resolution.outcome
}

function after(given: Parameter, facts: Facts, flip: Flip): MatcherOutcome {
  if (flip.kind === 'remove')
    return outcomeFor({ ...given, matchers: given.matchers.filter((one) => !flip.matchers.includes(one)) }, facts)
  if (flip.kind === 'attribute') return outcomeFor(given, { ...facts, [flip.attribute]: flip.to })
  const added: Matcher = { id: 99, match: flip.match, value: newValue(given), omit: false }
  return outcomeFor({ ...given, matchers: [...given.matchers, added] }, facts)
}

function newValue({ type }: Parameter): Value {
  if (type === 'array') return ['quite new']
  return type === 'hash' ? new Map([['quite new', true]]) : 'quite new'
}

function told(facts: Partial<Parameter>, matchers: GivenMatchers = {}): string[] {
  return flipsOf(parameter(facts, matchers)).map((flip) => {
    if (flip.kind === 'add') return `add ${flip.match} at ${flip.position}`
    const result = flip.outcome.kind === 'value' ? flip.outcome.value : flip.outcome.kind
    if (flip.kind === 'remove') return `remove ${names(flip)}: ${result}`
    return `${flip.attribute} from ${flip.from} to ${flip.to} by ${flip.matcher.match}: ${result}`
  })
}

function names(flip: Flip): string {
  return flip.kind === 'remove' ? flip.matchers.map(({ match }) => match).join(', ') : JSON.stringify(flip)
}
