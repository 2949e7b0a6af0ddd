import { attributesOf } from '../../src/classification/attributes.ts'
import type { Subject } from '../../src/classification/matchers.ts'
import type { Parameter } from '../../src/classification/parameter.ts'
import type { ResolvedHost, Rules } from '../../src/classification/resolve.ts'
import type { Value } from '../../src/classification/values.ts'
import { fromNotation, type RecordedHost, type RecordedResolution } from './recorded.ts'

type Rendered = ReadonlyMap<string, string | null> | undefined

/** The host of a recorded resolution, with its own parameters rendered as they were. */
export function hostOf({ host }: RecordedResolution, rendered: Rendered): ResolvedHost {
  return { ...subjectOf(host, rendered), classes: [1] }
}

/** The parameter of a recorded resolution as it was stored, with number 1 and the name that its messages have. */
export function parameterOf({ parameter, matchers }: RecordedResolution): Parameter {
  return {
    id: 1,
    name: 'p',
    classId: 1,
    className: 'c',
    type: parameter.type,
    defaultValue: fromNotation(parameter.default),
    omit: parameter.omit === true,
    required: false,
    mergeOverrides: parameter.merge_overrides,
    mergeDefault: parameter.merge_default,
    avoidDuplicates: parameter.avoid_duplicates,
    order: parameter.override_value_order,
    validator: parameter.validator_type
      ? { type: parameter.validator_type, rule: parameter.validator_rule ?? '' }
      : null,
    matchers: matchers.map(({ match, value, omit }, index) => ({
      id: index + 1,
      match,
      value: fromNotation(value),
      omit,
    })),
  }
}

/** The settings of a recorded resolution; templates yield what was recorded of them. */
export function rulesOf({ settings }: RecordedResolution, rendered: Rendered): Rules {
  const render = (text: string): string => {
    const result = rendered?.get(text)
    if (result === undefined) throw new Error(`nothing was recorded of the template ${text}`)
    if (result === null) throw new Error('the template fails')
    return result
  }
  return {
    inheritance: settings.matchers_inheritance !== false,
    render: settings.interpolate_erb_in_parameters === false ? null : render,
  }
}

function subjectOf(host: RecordedHost, rendered: Rendered): Subject {
  const { os, subnet, ...rest } = host
  const attributes = attributesOf({
    ...rest,
    ids: {},
    operatingsystem: os && { ...os, description: os.description ?? null },
    subnet: subnet?.name ?? null,
    subnet6: null,
    medium: null,
    ptable: null,
    owner_type: null,
    provision_method: 'build',
    configmaster: null,
  })
  return { attributes, parameters: parametersOf(host, rendered), facts: new Map(Object.entries(host.facts)) }
}

function parametersOf(host: RecordedHost, rendered: Rendered): ReadonlyMap<string, Value> {
  const render = (value: Value) => (typeof value === 'string' ? (rendered?.get(value) ?? value) : value)
  return new Map(Object.entries(host.parameters).map(([name, value]) => [name, render(fromNotation(value))]))
}
