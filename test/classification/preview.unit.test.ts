import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { HostFacts } from '../../src/classification/attributes.ts'
import type { Parameter } from '../../src/classification/parameter.ts'
import {
  collectQuestions,
  formatOutcome,
  listAffected,
  type Version,
} from '../../src/classification/preview/affected.ts'
import { compile, resolve } from '../../src/classification/resolve.ts'
import { hostFacts, parameters } from './arbitraries.ts'
import { host, rules } from './given.ts'

const fleets = fc.array(hostFacts, { maxLength: 15 })

test('the hosts of a change are those that differ when every host is resolved again', () => {
  fc.assert(
    fc.property(
      fc.option(parameters),
      fc.option(parameters),
      fleets,
      fc.boolean(),
      (before, after, fleet, inheritance) => {
        const found = listAffected(
          compiled(before),
          compiled(after),
          fleet.map((facts) => ({ facts, subject: host(facts), rules: rules({}, inheritance) })),
        )
        const expected = fleet.filter(
          (facts) => outcome(before, facts, inheritance) !== outcome(after, facts, inheritance),
        )
        expect(found.map(({ host: { facts } }) => facts)).toEqual(expected)
      },
    ),
    { numRuns: 300 },
  )
})

test('hosts that answer the questions alike get the same', () => {
  fc.assert(
    fc.property(parameters, hostFacts, (given, facts) => {
      const asked = collectQuestions([compiled(given)])
      const answer = (name: string, value: string | null) =>
        value !== null && asked.get(name)?.has(value) ? value : null
      const reduced = {
        ...Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, asked.has(name) ? value : null])),
        fqdn: answer('fqdn', facts.fqdn) ?? '',
        domain: answer('domain', facts.domain),
      }
      expect(outcome(given, reduced, true)).toBe(outcome(given, facts, true))
    }),
    { numRuns: 300 },
  )
})

function compiled(given: Parameter | null): Version {
  return given ? (compile([given]).parameters[0] ?? null) : null
}

function outcome(given: Parameter | null, facts: Partial<HostFacts>, inheritance: boolean): string {
  const resolutions = given ? resolve(compile([given]), host(facts), rules({}, inheritance)) : []
  return formatOutcome(resolutions[0]?.outcome)
}
