import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Parameter } from '../../src/classification/parameter.ts'
import { compile, resolve } from '../../src/classification/resolve.ts'
import { hostFacts, parameters } from './arbitraries.ts'
import { bruteForce } from './brute-force.ts'
import { host, parameter, rules } from './given.ts'

describe('resolving by index', () => {
  test('yields what looking at every matcher yields, for each host of a random fleet', () => {
    const fleet = fc.array(hostFacts, { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(fc.array(parameters, { maxLength: 6 }), fleet, (all, hosts) => {
        const compiled = compile(all)
        for (const facts of hosts) {
          const outcomes = resolve(compiled, host(facts), rules()).map(({ outcome }) => {
            if (outcome.kind === 'value') return outcome.value
            return outcome.kind === 'absent' ? 'absent' : 'required'
          })
          expect(outcomes).toEqual(all.map((each) => bruteForce(each, facts)))
        }
      }),
      { numRuns: 3000 },
    )
  })

  test('resolves the parameters of the classes of the host, each once', () => {
    const all = [1, 2, 3].map((classId) => parameter({ id: classId, classId, defaultValue: 'd' }))
    const found = resolve(compile(all), { ...host(), classes: [3, 1, 3, 9] }, rules())
    expect(found.map(({ parameter: { id } }) => id)).toEqual([3, 1])
  })
})

describe('a parameter that fails', () => {
  const good = parameter({ id: 1, name: 'good', defaultValue: 'fine' })

  test.each<[string, Partial<Parameter>, unknown]>([
    [
      'in its template',
      { defaultValue: '<%= nope %>' },
      {
        kind: 'failure',
        reason: 'template',
        message: "Parameter 'bad' of class 'web' cannot be resolved: undefined local variable in <%= nope %>",
      },
    ],
    [
      'because it yields no JSON',
      { type: 'json', defaultValue: '<%= 1 %>' },
      {
        kind: 'failure',
        reason: 'syntax',
        message: expect.stringContaining("Parameter 'bad' of class 'web' cannot be resolved: is no JSON"),
      },
    ],
    [
      'because its regexp is none',
      { defaultValue: '<%= 1 %>', validator: { type: 'regexp', rule: '[' } },
      { kind: 'failure', reason: 'validator', message: expect.stringContaining('missing closing ]') },
    ],
    [
      'because it merges what cannot be merged',
      { mergeOverrides: true, defaultValue: 'x' },
      {
        kind: 'failure',
        reason: 'merge',
        message: "Parameter 'bad' of class 'web' cannot be merged: a string cannot be merged",
      },
    ],
    [
      'because it is required and there is nothing',
      { required: true },
      { kind: 'failure', reason: 'required', message: "Parameter 'bad' of class 'web' is required and has no value" },
    ],
    [
      'because it is a required boolean and there are only blanks',
      { required: true, type: 'boolean', defaultValue: ' \n' },
      { kind: 'failure', reason: 'required', message: "Parameter 'bad' of class 'web' is required and has no value" },
    ],
    [
      'because it is required and what there is does not fit',
      { required: true, type: 'integer', defaultValue: 'abc' },
      {
        kind: 'failure',
        reason: 'required',
        message: "Parameter 'bad' of class 'web' is required and has no value: its value must be a whole number",
      },
    ],
    [
      'to fit its type is left out, and says so',
      { type: 'integer', defaultValue: 'abc' },
      { kind: 'absent', reason: 'unfit', message: 'must be a whole number' },
    ],
  ])('%s leaves the others alone', (_, facts, outcome) => {
    const bad = parameter({ id: 2, name: 'bad', ...facts })
    const found = resolve(compile([bad, good]), host(), rules({ '<%= 1 %>': 'one' }))
    expect(found.map((each) => each.outcome)).toEqual([outcome, { kind: 'value', value: 'fine' }])
  })

  test('is none when it is required and left out on purpose', () => {
    const omitted = parameter({ required: true }, { 'fqdn=n1.lab.test': { omit: true, value: null } })
    const all = [omitted, parameter({ required: true, omit: true })]
    const outcomes = resolve(compile(all), host(), rules()).map(({ outcome }) => outcome)
    expect(outcomes).toEqual([
      { kind: 'absent', reason: 'omitted' },
      { kind: 'absent', reason: 'omitted' },
    ])
  })
})

describe('matchers', () => {
  test('are not chosen by what a host says of itself', () => {
    const guarded = parameter(
      { order: 'comment\ncomment,domain', defaultValue: 'd' },
      { 'comment=a,domain=b': 'secret' },
    )
    const [resolution] = resolve(compile([guarded]), host({ comment: 'a,domain=b' }), rules())
    expect(resolution?.outcome).toEqual({ kind: 'value', value: 'd' })
  })

  test('of a wrong line never win', () => {
    const stale = parameter({ order: 'os', defaultValue: 'd' }, { 'domain=lab.test': 'stale' })
    const other = parameter({ order: 'domain' }, { 'domain=lab.test': 'own' })
    const values = resolve(compile([stale, other]), host(), rules()).map(({ outcome }) => outcome)
    expect(values).toEqual([
      { kind: 'value', value: 'd' },
      { kind: 'value', value: 'own' },
    ])
  })

  test('naming nothing are never chosen, and an order of unknown attributes falls back', () => {
    const odd = parameter(
      { order: 'nosuch\n,,\nhostgroup,nosuch', defaultValue: 'd' },
      { '': 'a', 'nosuch=': 'b', '=': 'c', foo: 'd2' },
    )
    const [resolution] = resolve(compile([odd]), host(), rules())
    expect(resolution?.outcome).toEqual({ kind: 'value', value: 'd' })
  })
})
