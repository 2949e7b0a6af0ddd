import { isTemplate } from '../cast.ts'
import { checkValue } from '../check.ts'
import { isNameable, type Match, type Order, parseMatch, parseOrder } from '../matchers.ts'
import type { Matcher, Parameter } from '../parameter.ts'
import { compileValidator, RuleError } from '../validate.ts'
import type { Value } from '../values.ts'
import type { Crowd } from './crowd.ts'
import { findAlwaysBefore } from './shadow.ts'

/** Something in a parameter or one of its matchers that is probably a mistake, and what could be done about it. */
export interface Finding {
  readonly parameter: Parameter
  /** Null when the finding is about the parameter itself. */
  readonly matcher: Matcher | null
  /**
   * `unparsable`: the match text cannot be parsed; `unreachable`: no possible host matches; `stale`: it names several
   * records of which one is gone, because renames do not follow joined names; `shadowed`: other matchers take precedence on
   * every host that it matches; `unfit`: the value is not of the parameter's type, or its validator refuses it.
   */
  readonly kind: 'unparsable' | 'unreachable' | 'stale' | 'shadowed' | 'unfit'
  readonly reason: string
  readonly suggestion: string
}

/** What exists besides the parameters: settings, records that matchers may name, and hosts. */
export interface LintContext {
  /** The setting matchers_inheritance. */
  readonly inheritance: boolean
  /** The setting interpolate_erb_in_parameters. */
  readonly templates: boolean
  /** The texts by which matchers may know existing records, by attribute; attributes that may have any value are missing. */
  readonly names: ReadonlyMap<string, ReadonlySet<string>>
  /** Those of `names` that may be suggested as a correction. */
  readonly suggested: ReadonlyMap<string, ReadonlySet<string>>
  /** Yields the present name of a record that had this name; null when it is not known. */
  readonly renamed: (attribute: string, name: string) => string | null
  /** The existing hosts, indexed by their match texts. */
  readonly crowd: Crowd
}

/** Yields all findings about one parameter; those about matchers stand in the order of the matchers. */
export function lint(parameter: Parameter, surroundings: LintContext): Finding[] {
  const found = inspectValidator(parameter)
  const checked = found.length > 0 ? { ...parameter, validator: null } : parameter
  if (!parameter.omit && parameter.defaultValue !== null) {
    const reason = findValueFault(checked, parameter.defaultValue, surroundings)
    if (reason)
      found.push(buildFinding(parameter, null, 'unfit', `the default value ${reason}`, 'set another default value'))
  }
  const order = parseOrder(parameter.order)
  for (const matcher of parameter.matchers) {
    const match = parseMatch(matcher.match)
    const place =
      findMisplaced(parameter, matcher, match, order, surroundings) ??
      findHidden(parameter, matcher, order, surroundings)
    if (place) found.push(place)
    const reason = matcher.omit || matcher.value === null ? null : findValueFault(checked, matcher.value, surroundings)
    if (reason)
      found.push(buildFinding(parameter, matcher, 'unfit', `its value ${reason}`, 'set another value or the omit flag'))
  }
  return found
}

function inspectValidator(parameter: Parameter): Finding[] {
  if (!parameter.validator) return []
  try {
    compileValidator(parameter.validator)
    return []
  } catch (error) {
    if (!(error instanceof RuleError)) throw error
    const reason = `the validator rule is no regular expression: ${error.message}`
    return [buildFinding(parameter, null, 'unparsable', reason, 'correct the rule or take the validator away')]
  }
}

function findValueFault({ type, validator }: Parameter, value: Value, { templates }: LintContext): string | null {
  if (isTemplate(value) && templates) return null
  const { isOfType, refusal } = checkValue(value, { type, validator }, templates)
  if (!isOfType) return `is no ${type}`
  return refusal === null ? null : 'is refused by the validator'
}

function findMisplaced(
  parameter: Parameter,
  matcher: Matcher,
  match: Match,
  order: Order,
  { names, suggested, renamed }: LintContext,
): Finding | null {
  const { attributes, values, complete, text } = match
  if (!complete || text !== matcher.match) {
    const reason = 'is no match text: each part is an attribute, an equals sign and a value'
    return buildFinding(parameter, matcher, 'unparsable', reason, complete ? `write ${text}` : 'delete it')
  }
  const line = attributes.join()
  if (!order.some((each) => each.join() === line)) {
    const same = order.find((each) => each.toSorted().join() === attributes.toSorted().join())
    const suggestion = same
      ? `write ${same.map((name) => `${name}=${values[attributes.indexOf(name)]}`).join()}`
      : `add the line ${line} to the order, or delete it`
    return buildFinding(parameter, matcher, 'unreachable', `the order has no line ${line}`, suggestion)
  }
  for (const [index, attribute] of attributes.entries()) {
    const value = values[index] ?? ''
    const known = names.get(attribute)
    if (!known || known.has(value)) continue
    const joined = attributes.length > 1
    const now = renamed(attribute, value) ?? findSimilar(suggested.get(attribute) ?? known, value)
    const suggestion = now === null ? 'delete it' : `write ${withValue(match, index, now)}`
    const reason = `no ${attribute} is called ${value}${joined ? '; a rename does not reach texts of several attributes' : ''}`
    return buildFinding(parameter, matcher, joined ? 'stale' : 'unreachable', reason, suggestion)
  }
  return null
}

function withValue({ attributes, values }: Match, index: number, value: string): string {
  return attributes.map((attribute, at) => `${attribute}=${at === index ? value : values[at]}`).join()
}

/** Yields a name that differs only in spelling, or the only title that ends with this name; null when there is none. */
function findSimilar(known: ReadonlySet<string>, value: string): string | null {
  const folded = value.toLowerCase()
  const all = [...known].filter(isNameable)
  const spelled = all.find((each) => each.toLowerCase() === folded)
  if (spelled !== undefined) return spelled
  const ending = all.filter((each) => each.endsWith(`/${value}`))
  return ending.length === 1 ? (ending[0] ?? null) : null
}

// Where values are merged, every matching matcher takes part, so that none shadows another.
function findHidden(
  parameter: Parameter,
  matcher: Matcher,
  order: Order,
  { inheritance, crowd }: LintContext,
): Finding | null {
  if (parameter.mergeOverrides) return null
  const before = findAlwaysBefore(parameter, matcher, order, inheritance)
  if (before)
    return buildFinding(
      parameter,
      matcher,
      'shadowed',
      `${before.match} comes before it for every host that it could match`,
      `delete it, or put the line ${parseMatch(matcher.match).attributes.join()} before ${parseMatch(before.match).attributes.join()}`,
    )
  const now = crowd.hiding(parameter, matcher.match)
  if (!now) return null
  const others = now.length > 3 ? `${now.slice(0, 3).join(' or ')} or another` : now.join(' or ')
  return buildFinding(
    parameter,
    matcher,
    'shadowed',
    `${others} comes before it for every host that it matches now`,
    'delete it unless such hosts are to come',
  )
}

function buildFinding(
  parameter: Parameter,
  matcher: Matcher | null,
  kind: Finding['kind'],
  reason: string,
  suggestion: string,
): Finding {
  return { parameter, matcher, kind, reason, suggestion }
}
