import { isBlank } from './blank.ts'
import { cast, isTemplate } from './cast.ts'
import { type Candidate, listCandidates, type Order, parseOrder, type Subject } from './matchers.ts'
import { merge } from './merge.ts'
import type { Matcher, Parameter } from './parameter.ts'
import { compileValidator, RuleError } from './validate.ts'
import { isMap, textOf, Unfit, type Value } from './values.ts'

/** Parameters indexed for resolving many hosts. */
export interface Compiled {
  readonly parameters: readonly CompiledParameter[]
  readonly byClass: ReadonlyMap<number, readonly CompiledParameter[]>
  /** Every match text of the parameters by order; other texts of a host need not be looked up. */
  readonly matches: ReadonlyMap<Order, ReadonlySet<string>>
}

/** A parameter with its parsed order, and its matchers by match text. */
export interface CompiledParameter {
  readonly parameter: Parameter
  /** The order of attributes; parameters with equal orders share one object, so that candidates are computed once. */
  readonly order: Order
  readonly matchers: ReadonlyMap<string, Matcher>
}

/**
 * A host for which classes are resolved: what matchers ask about it, and the classes that apply to it in its environment
 * (smart-parameters §4.1).
 */
export interface ResolvedHost extends Subject {
  readonly classes: Iterable<number>
}

/** The settings that govern resolving. */
export interface Rules {
  /** The setting matchers_inheritance. */
  readonly inheritance: boolean
  /** Renders a text with template tags for the host, and throws when that fails; null when templates are switched off. */
  readonly render: ((text: string) => string) | null
}

/** A matcher that matched, with the match text of the host that selected it. */
export interface Hit {
  readonly candidate: Candidate
  readonly matcher: Matcher
}

/** Where a value comes from: the matchers that took part, best first, and whether the default took part. */
export interface Source {
  readonly hits: readonly Hit[]
  readonly usesDefault: boolean
  /** Several values were merged, or would have been if there were more than one. */
  readonly merged: boolean
}

/**
 * What a host gets: a value; no value, because it is omitted on purpose, missing, or not of the type (`message` says how);
 * or a failure, for which the classification of the host is refused (412).
 */
export type MatcherOutcome =
  | { readonly kind: 'value'; readonly value: Exclude<Value, null> }
  | { readonly kind: 'absent'; readonly reason: 'omitted' | 'no_value' | 'unfit'; readonly message?: string }
  | {
      readonly kind: 'failure'
      readonly reason: 'template' | 'merge' | 'syntax' | 'validator' | 'required'
      readonly message: string
    }

/** A parameter, what the host gets for it, and from where. */
export interface Resolution {
  readonly parameter: Parameter
  readonly outcome: MatcherOutcome
  readonly source: Source
}

/**
 * Indexes the parameters of an environment by match text, so that resolving a host takes look-ups instead of comparisons.
 */
export function compile(parameters: Iterable<Parameter>): Compiled {
  const orders = new Map<string, Order>()
  const compiled = [...parameters].map((parameter) => {
    const order = orders.get(parameter.order) ?? parseOrder(parameter.order)
    orders.set(parameter.order, order)
    const matchers = new Map(parameter.matchers.map((matcher) => [matcher.match, matcher]))
    return { parameter, order, matchers }
  })
  const matches = new Map<Order, Set<string>>()
  for (const { order, matchers } of compiled) {
    const known = matches.get(order) ?? new Set()
    for (const match of matchers.keys()) known.add(match)
    matches.set(order, known)
  }
  return { parameters: compiled, byClass: Map.groupBy(compiled, ({ parameter }) => parameter.classId), matches }
}

/** Resolves every parameter of the host's classes, each independently: a failure of one does not affect another. */
export function resolve(compiled: Compiled, host: ResolvedHost, rules: Rules): Resolution[] {
  const texts = new Map<Order, Candidate[]>()
  const resolutions: Resolution[] = []
  for (const classId of new Set(host.classes)) {
    for (const each of compiled.byClass.get(classId) ?? []) {
      const tried = texts.get(each.order) ?? listMeaningful(compiled, each.order, host, rules)
      texts.set(each.order, tried)
      resolutions.push(resolveParameter(each, tried, rules))
    }
  }
  return resolutions
}

/** Yields those match texts of a host that some parameter with this order has a matcher for. */
function listMeaningful({ matches }: Compiled, order: Order, host: ResolvedHost, { inheritance }: Rules): Candidate[] {
  const known = matches.get(order)
  return listCandidates(order, host, inheritance).filter(({ match }) => known?.has(match))
}

/** Resolves one parameter with the match texts of a host, best first. */
export function resolveParameter(compiled: CompiledParameter, tried: readonly Candidate[], rules: Rules): Resolution {
  const { parameter } = compiled
  const { source, choice } = choose(compiled, tried)
  const outcome = choice.kind === 'value' ? finishValue(parameter, choice.value, rules) : choice
  return { parameter, source, outcome: validateRequired(parameter, outcome) }
}

interface Choice {
  readonly source: Source
  /** The value as it is stored; a default may be null here. */
  readonly choice: { readonly kind: 'value'; readonly value: Value } | Exclude<MatcherOutcome, { kind: 'value' }>
}

const NOTHING: MatcherOutcome & { kind: 'absent' } = { kind: 'absent', reason: 'no_value' }
const OMITTED: MatcherOutcome & { kind: 'absent' } = { kind: 'absent', reason: 'omitted' }

function choose({ parameter, matchers }: CompiledParameter, tried: readonly Candidate[]): Choice {
  if (matchers.size === 0 && !parameter.mergeOverrides) return chooseDefault(parameter, [])
  const hits: Hit[] = []
  for (const candidate of tried) {
    const matcher = matchers.get(candidate.match)
    if (!matcher) continue
    hits.push({ candidate, matcher })
    if (!parameter.mergeOverrides) return chooseFirst(hits, matcher)
  }
  return parameter.mergeOverrides ? chooseMerged(parameter, hits) : chooseDefault(parameter, [])
}

// The first matcher that matches decides, even when it omits the value (smart-parameters §4.6; notes C3: null is no value).
function chooseFirst(hits: readonly Hit[], { omit, value }: Matcher): Choice {
  const source = { hits, usesDefault: false, merged: false }
  if (omit) return { source, choice: OMITTED }
  return { source, choice: value === null ? NOTHING : { kind: 'value', value } }
}

function chooseDefault(parameter: Parameter, hits: readonly Hit[], merged = false): Choice {
  const choice = parameter.omit ? OMITTED : ({ kind: 'value', value: parameter.defaultValue } as const)
  return { source: { hits, usesDefault: !parameter.omit, merged }, choice }
}

function chooseMerged(parameter: Parameter, hits: readonly Hit[]): Choice {
  const parts = hits.filter(({ matcher }) => !matcher.omit && matcher.value !== null)
  const usesDefault = parameter.mergeDefault && parameter.defaultValue !== null
  const result = merge(
    parameter,
    parts.map(({ matcher }) => matcher),
  )
  if ('fault' in result) {
    const message = `${titleOf(parameter)} cannot be merged: ${result.fault}`
    return { source: { hits, usesDefault, merged: true }, choice: { kind: 'failure', reason: 'merge', message } }
  }
  if (result.value === null) return chooseDefault(parameter, hits, true)
  return { source: { hits, usesDefault, merged: true }, choice: { kind: 'value', value: result.value } }
}

function finishValue(parameter: Parameter, stored: Value, rules: Rules): MatcherOutcome {
  if (stored === null) return resolveEmptyDefault(parameter)
  const { type } = parameter
  try {
    if (isTemplate(stored)) {
      const value = castFor(parameter, rules.render ? renderText(stored, rules.render) : stored)
      return value === null ? NOTHING : (findRefusal(parameter, value) ?? { kind: 'value', value })
    }
    const value = rules.render ? renderWithin(stored, rules.render) : stored
    // Any text is a value of these types already; for other types it may be one that was stored without being cast.
    const settled = type === 'yaml' || type === 'json' ? value : castFor(parameter, value)
    return settled === null ? NOTHING : { kind: 'value', value: settled }
  } catch (error) {
    return toFailedOutcome(parameter, error)
  }
}

/** Casts a value; a text of blanks is false as a boolean, but none where one is required. */
function castFor({ type, required }: Parameter, value: Value): Value {
  return type === 'boolean' && required && typeof value === 'string' && isBlank(value) ? null : cast(type, value)
}

// Without any value a string is empty and a boolean is false, but a required parameter has no value (smart-parameters §4.8).
function resolveEmptyDefault({ type, required }: Parameter): MatcherOutcome {
  if (required || (type !== 'string' && type !== 'boolean')) return NOTHING
  return { kind: 'value', value: type === 'string' ? '' : false }
}

class TemplateFault extends Error {}

function renderText(text: string, render: (text: string) => string): string {
  try {
    return render(text)
  } catch (error) {
    throw new TemplateFault(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

// Texts inside lists and maps are rendered in place and stay texts.
function renderWithin(value: Value, render: (text: string) => string): Value {
  if (typeof value === 'string') return isTemplate(value) ? renderText(value, render) : value
  if (value === null || typeof value !== 'object') return value
  if (isMap(value)) return new Map([...value].map(([key, item]) => [key, renderWithin(item, render)]))
  return value.map((item) => renderWithin(item, render))
}

// The result of a template is validated here, because it is known only now (smart-parameters §4.8).
function findRefusal({ id, name, validator }: Parameter, value: Value): MatcherOutcome | null {
  if (!validator || compileValidator(validator)(value) === null) return null
  return {
    kind: 'failure',
    reason: 'validator',
    message: `Invalid value '${textOf(value)}' of parameter ${id} '${name}'`,
  }
}

function toFailedOutcome(parameter: Parameter, error: unknown): MatcherOutcome {
  if (error instanceof Unfit && error.kind === 'type')
    return { kind: 'absent', reason: 'unfit', message: error.message }
  const reason = reasonOf(error)
  if (reason === null || !(error instanceof Error)) throw error
  return { kind: 'failure', reason, message: `${titleOf(parameter)} cannot be resolved: ${error.message}` }
}

function reasonOf(error: unknown): 'syntax' | 'template' | 'validator' | null {
  if (error instanceof Unfit) return 'syntax'
  if (error instanceof TemplateFault) return 'template'
  return error instanceof RuleError ? 'validator' : null
}

// A required parameter may be omitted on purpose; without a value it is a failure (spec 2.8).
function validateRequired(parameter: Parameter, outcome: MatcherOutcome): MatcherOutcome {
  if (!parameter.required || outcome.kind !== 'absent' || outcome.reason === 'omitted') return outcome
  const why = outcome.message ? `: its value ${outcome.message}` : ''
  return { kind: 'failure', reason: 'required', message: `${titleOf(parameter)} is required and has no value${why}` }
}

function titleOf({ name, className }: Parameter): string {
  return `Parameter '${name}' of class '${className}'`
}
