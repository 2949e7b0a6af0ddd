import { cast, isTemplate } from './cast.ts'
import { type Candidate, candidates, type Order, parseOrder, type Subject } from './matchers.ts'
import { merge } from './merge.ts'
import type { Matcher, Parameter } from './parameter.ts'
import { compileValidator, RuleError } from './validate.ts'
import { isMap, textOf, Unfit, type Value } from './values.ts'

/** Parameters made ready to be asked about any number of hosts; as good as the parameters it was compiled from. */
export interface Compiled {
  readonly parameters: readonly CompiledParameter[]
  readonly byClass: ReadonlyMap<number, readonly CompiledParameter[]>
  /** Every match text of the parameters with an order: what is none of them need not be looked for. */
  readonly matches: ReadonlyMap<Order, ReadonlySet<string>>
}

/** A parameter with its order read, and its matchers by their match text. */
export interface CompiledParameter {
  readonly parameter: Parameter
  /** The order of attributes; parameters with equal orders share one object, so that it is compiled once. */
  readonly order: Order
  readonly matchers: ReadonlyMap<string, Matcher>
}

/**
 * A host that classes are resolved for: what matchers ask, and the classes that apply to it in its environment
 * (smart-parameters §4.1).
 */
export interface ResolvedHost extends Subject {
  readonly classes: Iterable<number>
}

/** What the settings of the service say about resolving. */
export interface Rules {
  /** Setting matchers_inheritance. */
  readonly inheritance: boolean
  /**
   * Renders a text with template tags for the host, and throws when it cannot; null when templates are switched off.
   */
  readonly render: ((text: string) => string) | null
}

/** A matcher that was chosen, and the match text of the host that chose it. */
export interface Hit {
  readonly candidate: Candidate
  readonly matcher: Matcher
}

/** Where a value comes from: the matchers that took part, best first, and whether the default did. */
export interface Source {
  readonly hits: readonly Hit[]
  readonly usesDefault: boolean
  /** Several values were merged, or would have been. */
  readonly merged: boolean
}

/**
 * What a host gets: a value; nothing, because it is left out on purpose, because there is none, or because what there
 * is does not fit the type (`message` says how); or a failure, for which the host's classification is refused (412).
 */
export type Outcome =
  | { readonly kind: 'value'; readonly value: Exclude<Value, null> }
  | { readonly kind: 'absent'; readonly reason: 'omitted' | 'no_value' | 'unfit'; readonly message?: string }
  | {
      readonly kind: 'failure'
      readonly reason: 'template' | 'merge' | 'syntax' | 'validator' | 'required'
      readonly message: string
    }

/** A parameter, what the host gets for it, and why. */
export interface Resolution {
  readonly parameter: Parameter
  readonly outcome: Outcome
  readonly source: Source
}

/** Indexes the parameters of an environment, so that a host is resolved by look-ups of the texts that it matches. */
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

/**
 * Resolves every parameter of the host's classes, each by itself: none is changed or lost by what is wrong with
 * another.
 */
export function resolve(compiled: Compiled, host: ResolvedHost, rules: Rules): Resolution[] {
  const texts = new Map<Order, Candidate[]>()
  const resolutions: Resolution[] = []
  for (const classId of new Set(host.classes)) {
    for (const each of compiled.byClass.get(classId) ?? []) {
      const tried = texts.get(each.order) ?? meaningful(compiled, each.order, host, rules)
      texts.set(each.order, tried)
      resolutions.push(resolveParameter(each, tried, rules))
    }
  }
  return resolutions
}

/** The match texts of a host that some parameter with the order has. */
function meaningful({ matches }: Compiled, order: Order, host: ResolvedHost, { inheritance }: Rules): Candidate[] {
  const known = matches.get(order)
  return candidates(order, host, inheritance).filter(({ match }) => known?.has(match))
}

/** Resolves one parameter with the match texts of a host, best first. */
export function resolveParameter(compiled: CompiledParameter, tried: readonly Candidate[], rules: Rules): Resolution {
  const { parameter } = compiled
  const { source, choice } = choose(compiled, tried)
  const outcome = choice.kind === 'value' ? finished(parameter, choice.value, rules) : choice
  return { parameter, source, outcome: insisted(parameter, outcome) }
}

interface Choice {
  readonly source: Source
  /** The value as it is stored; a default may be null here. */
  readonly choice: { readonly kind: 'value'; readonly value: Value } | Exclude<Outcome, { kind: 'value' }>
}

const NOTHING: Outcome & { kind: 'absent' } = { kind: 'absent', reason: 'no_value' }
const OMITTED: Outcome & { kind: 'absent' } = { kind: 'absent', reason: 'omitted' }

function choose({ parameter, matchers }: CompiledParameter, tried: readonly Candidate[]): Choice {
  if (matchers.size === 0 && !parameter.mergeOverrides) return ofDefault(parameter, [])
  const hits: Hit[] = []
  for (const candidate of tried) {
    const matcher = matchers.get(candidate.match)
    if (!matcher) continue
    hits.push({ candidate, matcher })
    if (!parameter.mergeOverrides) return first(hits, matcher)
  }
  return parameter.mergeOverrides ? merged(parameter, hits) : ofDefault(parameter, [])
}

// The first that matches decides, also when it says that there is nothing (smart-parameters §4.6; notes C3: null is no
// value).
function first(hits: readonly Hit[], { omit, value }: Matcher): Choice {
  const source = { hits, usesDefault: false, merged: false }
  if (omit) return { source, choice: OMITTED }
  return { source, choice: value === null ? NOTHING : { kind: 'value', value } }
}

function ofDefault(parameter: Parameter, hits: readonly Hit[], merged = false): Choice {
  const choice = parameter.omit ? OMITTED : ({ kind: 'value', value: parameter.defaultValue } as const)
  return { source: { hits, usesDefault: !parameter.omit, merged }, choice }
}

function merged(parameter: Parameter, hits: readonly Hit[]): Choice {
  const parts = hits.filter(({ matcher }) => !matcher.omit && matcher.value !== null)
  const usesDefault = parameter.mergeDefault && parameter.defaultValue !== null
  const result = merge(
    parameter,
    parts.map(({ matcher }) => matcher),
  )
  if ('fault' in result) {
    const message = `${titled(parameter)} cannot be merged: ${result.fault}`
    return { source: { hits, usesDefault, merged: true }, choice: { kind: 'failure', reason: 'merge', message } }
  }
  if (result.value === null) return ofDefault(parameter, hits, true)
  return { source: { hits, usesDefault, merged: true }, choice: { kind: 'value', value: result.value } }
}

function finished(parameter: Parameter, stored: Value, rules: Rules): Outcome {
  if (stored === null) return emptyDefault(parameter)
  const { type } = parameter
  try {
    if (isTemplate(stored)) {
      const value = cast(type, rules.render ? rendered(stored, rules.render) : stored)
      return value === null ? NOTHING : (refusal(parameter, value) ?? { kind: 'value', value })
    }
    const value = rules.render ? renderedWithin(stored, rules.render) : stored
    // A text is a value of these types by itself; of others it may be one that was stored while nothing was cast.
    const settled = type === 'yaml' || type === 'json' ? value : cast(type, value)
    return settled === null ? NOTHING : { kind: 'value', value: settled }
  } catch (error) {
    return failed(parameter, error)
  }
}

// smart-parameters §4.8: without any value a string is empty and a boolean is false; a required one has none.
function emptyDefault({ type, required }: Parameter): Outcome {
  if (required || (type !== 'string' && type !== 'boolean')) return NOTHING
  return { kind: 'value', value: type === 'string' ? '' : false }
}

class TemplateFault extends Error {}

function rendered(text: string, render: (text: string) => string): string {
  try {
    return render(text)
  } catch (error) {
    throw new TemplateFault(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

// Texts inside lists and maps are rendered where they stand; they stay texts.
function renderedWithin(value: Value, render: (text: string) => string): Value {
  if (typeof value === 'string') return isTemplate(value) ? rendered(value, render) : value
  if (value === null || typeof value !== 'object') return value
  if (isMap(value)) return new Map([...value].map(([key, item]) => [key, renderedWithin(item, render)]))
  return value.map((item) => renderedWithin(item, render))
}

// What a template yields is only known now, so it is validated now (smart-parameters §4.8).
function refusal({ id, name, validator }: Parameter, value: Value): Outcome | null {
  if (!validator || compileValidator(validator)(value) === null) return null
  return {
    kind: 'failure',
    reason: 'validator',
    message: `Invalid value '${textOf(value)}' of parameter ${id} '${name}'`,
  }
}

function failed(parameter: Parameter, error: unknown): Outcome {
  if (error instanceof Unfit && error.kind === 'type')
    return { kind: 'absent', reason: 'unfit', message: error.message }
  const reason = reasonOf(error)
  if (reason === null || !(error instanceof Error)) throw error
  return { kind: 'failure', reason, message: `${titled(parameter)} cannot be resolved: ${error.message}` }
}

function reasonOf(error: unknown): 'syntax' | 'template' | 'validator' | null {
  if (error instanceof Unfit) return 'syntax'
  if (error instanceof TemplateFault) return 'template'
  return error instanceof RuleError ? 'validator' : null
}

// Spec 2.8: left out on purpose is fine, without a value is not.
function insisted(parameter: Parameter, outcome: Outcome): Outcome {
  if (!parameter.required || outcome.kind !== 'absent' || outcome.reason === 'omitted') return outcome
  const why = outcome.message ? `: its value ${outcome.message}` : ''
  return { kind: 'failure', reason: 'required', message: `${titled(parameter)} is required and has no value${why}` }
}

function titled({ name, className }: Parameter): string {
  return `Parameter '${name}' of class '${className}'`
}
