import fc from 'fast-check'
import { expect, test } from 'vitest'
import { explain } from '../../src/classification/explain.ts'
import { printJson, readJson } from '../../src/classification/json.ts'
import type { Parameter } from '../../src/classification/parameter.ts'
import { compile, resolve } from '../../src/classification/resolve.ts'
import { hostFacts, parameters } from './arbitraries.ts'
import { type GivenMatchers, host, parameter, rules } from './given.ts'

test('every matcher of a parameter has a fate and a reason', () => {
  const explanation = explained(
    { defaultValue: 'd', order: 'fqdn\nhostgroup,organization\nhostgroup\nos\nmodel' },
    {
      'os=Debian 12.4': 'os',
      'hostgroup=Base/Web': 'web',
      'hostgroup=Base/Web,organization=Acme': 'stairs',
      'os=Debian 11': 'old',
      'hostgroup=Edge': 'name',
      'model=x': 'model',
      'domain=lab.test': 'stale',
      foo: 'broken',
    },
  )
  expect(explanation.resolution.outcome).toEqual({ kind: 'value', value: 'web' })
  expect(explanation.tried.map(({ candidate, matcher }) => [candidate.match, matcher?.value ?? null])).toEqual([
    ['fqdn=n1.lab.test', null],
    ['hostgroup=Base/Web/Edge,organization=Acme/Ops', null],
    ['hostgroup=Base/Web,organization=Acme/Ops', null],
    ['hostgroup=Base,organization=Acme/Ops', null],
    ['hostgroup=Base,organization=Acme', null],
    ['hostgroup=Base/Web/Edge', null],
    ['hostgroup=Base/Web', 'web'],
    ['hostgroup=Base', null],
    ['os=Debian 12.4', 'os'],
  ])
  expect(
    explanation.matchers.map(({ matcher, position, fate, reason }) => [matcher.match, position, fate, reason]),
  ).toEqual([
    ['hostgroup=Base/Web', 7, 'chosen', 'matches first'],
    ['os=Debian 12.4', 9, 'outranked', 'matches, but hostgroup=Base/Web comes before it'],
    [
      'hostgroup=Base/Web,organization=Acme',
      null,
      'no match',
      'each part fits, but parents are tried only one after the other: host group, organization, location',
    ],
    ['os=Debian 11', null, 'no match', 'os of the host is Debian 12.4'],
    ['hostgroup=Edge', null, 'no match', 'hostgroup of the host is Base/Web/Edge'],
    ['model=x', null, 'no match', 'the host has no model'],
    ['domain=lab.test', null, 'no match', 'the order has no line domain'],
    ['foo', null, 'no match', 'is no match text: each part is an attribute, an equals sign and a value'],
  ])
  expect(explanation.steps).toEqual([])
})

test('a matcher that omits is chosen like others', () => {
  const { resolution, matchers } = explained({ defaultValue: 'd' }, { 'os=Debian 12.4': { omit: true, value: null } })
  expect(resolution.outcome).toEqual({ kind: 'absent', reason: 'omitted' })
  expect(matchers.map(({ fate, reason }) => [fate, reason])).toEqual([
    ['chosen', 'matches first, and says that there is no value'],
  ])
})

test('merging is told step by step, lists from the best, maps to the best', () => {
  const list = explained(
    { type: 'array', mergeOverrides: true, mergeDefault: true, avoidDuplicates: true, defaultValue: readJson('["d"]') },
    {
      'os=Debian 12.4': readJson('["o", "d"]'),
      'fqdn=n1.lab.test': readJson('["f"]'),
      'hostgroup=Base': { omit: true, value: readJson('["x"]') },
      'domain=lab.test': null,
    },
  )
  expect(list.steps.map(({ matcher, value }) => [matcher?.match ?? 'default', printJson(value)])).toEqual([
    ['default', '["d"]'],
    ['fqdn=n1.lab.test', '["d","f"]'],
    ['os=Debian 12.4', '["d","f","o"]'],
  ])
  expect(list.matchers.map(({ fate, reason }) => [fate, reason])).toEqual([
    ['merged', 'matches, and is merged'],
    ['left out', 'matches, and is left out of merging'],
    ['merged', 'matches, and is merged'],
    ['left out', 'matches, and has no value to merge'],
  ])
  const map = explained(
    { type: 'hash', mergeOverrides: true },
    { 'os=Debian 12.4': readJson('{"a": 1, "b": {"x": 1}}'), 'fqdn=n1.lab.test': readJson('{"b": {"y": 2}}') },
  )
  expect(map.steps.map(({ matcher, value }) => [matcher?.match, printJson(value)])).toEqual([
    ['os=Debian 12.4', '{"a":1,"b":{"x":1}}'],
    ['fqdn=n1.lab.test', '{"a":1,"b":{"x":1,"y":2}}'],
  ])
})

test('the explained value is the resolved one, and that of the last step', () => {
  fc.assert(
    fc.property(parameters, hostFacts, (each, facts) => {
      const compiled = compile([each])
      const [only] = compiled.parameters
      if (!only) throw new Error('the parameter is gone')
      const explanation = explain(only, host(facts), rules())
      expect([explanation.resolution]).toEqual(resolve(compiled, host(facts), rules()))
      expect(explanation.matchers.map(({ matcher }) => matcher.id).sort()).toEqual(
        each.matchers.map(({ id }) => id).sort(),
      )
      const { outcome, source } = explanation.resolution
      if (source.merged && source.hits.length > 0 && outcome.kind === 'value' && explanation.steps.length > 1)
        expect(explanation.steps.at(-1)?.value).toEqual(outcome.value)
    }),
    { numRuns: 1000 },
  )
})

function explained(facts: Partial<Parameter>, matchers: GivenMatchers) {
  const [compiled] = compile([parameter(facts, matchers)]).parameters
  if (!compiled) throw new Error('the parameter is gone')
  return explain(compiled, host(), rules())
}
