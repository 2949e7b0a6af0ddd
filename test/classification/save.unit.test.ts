import { describe, expect, test } from 'vitest'
import { cast, isTemplate, type Type } from '../../src/classification/cast.ts'
import { checkValue } from '../../src/classification/check.ts'
import { checkMatcher } from '../../src/classification/check-matcher.ts'
import { type ParameterFields, reviseParameter } from '../../src/classification/check-parameter.ts'
import { printJson, readJson } from '../../src/classification/json.ts'
import { parseOrder } from '../../src/classification/matchers.ts'
import { printYaml } from '../../src/classification/print-yaml.ts'
import { formatRefusal } from '../../src/classification/refusals.ts'
import { RuleError } from '../../src/classification/validate.ts'
import { fromJavaScript, type Value } from '../../src/classification/values.ts'
import { ORDER } from './given.ts'

const POLICY = { defaultOrder: ORDER, templates: true }

const PARAMETER: ParameterFields = {
  override: true,
  description: null,
  type: 'yaml',
  defaultValue: '010',
  hidden: false,
  omit: false,
  required: false,
  mergeOverrides: false,
  mergeDefault: false,
  avoidDuplicates: false,
  order: null,
  validatorType: null,
  validatorRule: null,
}

describe('updating a parameter', () => {
  test('casts a default when it is sent, retyped, no longer omitted or now overridden, and never otherwise', () => {
    const revised = (before: Partial<ParameterFields>, sent: Partial<ParameterFields>) =>
      reviseParameter({ ...PARAMETER, ...before }, sent, [], POLICY).parameter.defaultValue
    expect(revised({}, { description: 'x' })).toBe('010')
    expect(revised({}, { defaultValue: '010' })).toBe(8n)
    expect(revised({}, { type: 'integer' })).toBe(8n)
    expect(revised({ omit: true }, { omit: false })).toBe(8n)
    expect(revised({ override: false }, { override: true })).toBe(8n)
    expect(revised({}, { omit: true, defaultValue: '[' })).toBe('[')
    expect(revised({ override: false }, { description: 'x' })).toBe('010')
  })

  test('casts its matchers when it is retyped, and says when one does not fit', () => {
    const matchers = [
      { match: 'os=x', value: '7', omit: false },
      { match: 'domain=y', value: 'abc', omit: true },
    ]
    const revision = reviseParameter(
      { ...PARAMETER, type: 'string', defaultValue: '1' },
      { type: 'integer' },
      matchers,
      POLICY,
    )
    expect(revision).toMatchObject({ refusals: [], matchers: [{ value: 7n }, { value: 'abc' }] })
    const wrong = reviseParameter(
      { ...PARAMETER, type: 'string', defaultValue: 'x' },
      { type: 'boolean' },
      matchers,
      POLICY,
    )
    expect(wrong.refusals.map(formatRefusal)).toEqual(['Default value is invalid', 'Lookup values is invalid'])
  })

  test('says which name is wrong', () => {
    const messages = (sent: Partial<ParameterFields>) =>
      reviseParameter(PARAMETER, sent, [], POLICY).refusals.map(formatRefusal)
    expect(messages({ type: 'float' })).toEqual(['Key type invalid'])
    expect(messages({ validatorType: 'size' })).toEqual(['Validator type invalid'])
    expect(messages({ order: 'os, domain\n\n OS' })).toEqual([])
    expect(messages({ mergeDefault: true })).toEqual(['Merge default can only be set when merge overrides is set'])
    expect(() => messages({ validatorType: 'regexp', validatorRule: '(' })).toThrow(RuleError)
  })

  test('stores no order of its own when it is the one of the settings', () => {
    const order = (text: string) => reviseParameter(PARAMETER, { order: text }, [], POLICY).parameter.order
    expect(order(' FQDN\r\nhostgroup\nos\ndomain\n')).toBeNull()
    expect(order('')).toBeNull()
    expect(order('Os , Domain\n\n,os,')).toBe('os,domain\nos')
    expect(parseOrder('a\tb\nb\n,,\n')).toEqual([['a'], ['b']])
  })

  test('clears what merging needs when it is no longer overridden', () => {
    const merging = {
      ...PARAMETER,
      type: 'array',
      defaultValue: [],
      mergeOverrides: true,
      mergeDefault: true,
      avoidDuplicates: true,
    }
    expect(reviseParameter(merging, { override: false }, [], POLICY)).toMatchObject({
      refusals: [],
      parameter: { type: 'array', mergeOverrides: false, mergeDefault: false, avoidDuplicates: false },
    })
  })
})

describe('a matcher', () => {
  const around = {
    type: 'integer',
    validator: null,
    order: parseOrder(ORDER),
    taken: new Set(['os=x']),
    isHost: (name: string) => name === 'n1.lab.test',
    isHostgroup: (name: string) => name === 'Base',
    templates: true,
  } as const

  test('is told everything that is wrong with it at once', () => {
    const { refusals } = checkMatcher({ match: 'OS = x, hostgroup=Nope', value: 'abc', omit: false }, around)
    expect(refusals.map(formatRefusal)).toEqual([
      'Match hostgroup=Nope does not match an existing host group',
      'Match os,hostgroup does not exist in order field',
      'Value is invalid integer',
    ])
    expect(checkMatcher({ match: ' OS = x ', value: '', omit: false }, around).refusals.map(formatRefusal)).toEqual([
      "Value can't be blank",
      'Value is invalid integer',
      'Match has already been taken',
    ])
  })

  test('keeps a stored value as it is, and one that is omitted', () => {
    const checked = checkMatcher(
      { match: 'os=y', value: '010', omit: false, isStored: true },
      { ...around, type: 'yaml' },
    )
    expect(checked).toEqual({ match: 'os=y', value: '010', refusals: [] })
    expect(checkMatcher({ match: 'os=y', value: 'abc', omit: true }, around)).toEqual({
      match: 'os=y',
      value: 'abc',
      refusals: [],
    })
  })
})

test('what is printed as YAML or JSON gives the value again', () => {
  const map = readJson('{"a": 1, "b": [2.0]}')
  expect(printYaml(map)).toBe('---\na: 1\nb:\n  - 2.0\n')
  expect(printYaml('abc')).toBe('--- abc\n')
  expect(printYaml(new Map())).toBe('--- {}\n')
  expect(printJson(map)).toBe('{"a":1,"b":[2.0]}')
  expect(printJson([1n, 'x'])).toBe('[1,"x"]')
  expect(cast('hash', printYaml(map))).toEqual(map)
  expect(cast('json', printJson(map))).toEqual(map)
})

describe('a value in a request', () => {
  test('is a text to be cast, or a list or map as it is; null clears, and a template stays as it was typed', () => {
    const checked = (type: Type, sent: unknown) => checkValue(fromJavaScript(sent), { type, validator: null }, true)
    const accepted = (value: Value) => ({ value, isOfType: true, refusal: null })
    expect(checked('hash', { a: [1, 2.5, null] })).toEqual(accepted(readJson('{"a": [1, 2.5, null]}')))
    expect(checked('hash', '{"a": 2.0}')).toEqual(accepted(new Map([['a', 2]])))
    expect(checked('integer', null)).toEqual(accepted(null))
    expect(checked('integer', '<%= 1 %>')).toEqual(accepted('<%= 1 %>'))
    expect(checked('real', 2)).toEqual(accepted(2))
    expect(checked('string', [1, { a: null }])).toEqual(accepted('[1, {"a": null}]'))
    expect(checked('boolean', 1)).toEqual(accepted(true))
    expect(checked('integer', 1.5).isOfType).toBe(false)
    expect(() => checked('string', 'a\0')).toThrow('has the character NUL')
  })

  test('of more than 53 bits and reals survive as JSON text', () => {
    expect(cast('json', '[9007199254740993, 2.0, 1e2]')).toEqual([9007199254740993n, 2, 100])
    expect(cast('array', '[9007199254740993, 2.0]')).toEqual([9007199254740993n, 2])
  })

  test('is a template when it has a whole tag', () => {
    expect(['<%= 1 %>', 'a <% b\n %> c', '<%# %>'].every(isTemplate)).toBe(true)
    expect(['a <% b', '%>', '<', '%> <%', 5n].some(isTemplate)).toBe(false)
  })
})
