import { cast, isTemplate, type Type } from '../../src/classification/cast.ts'
import { type CheckedMatcher, checkMatcher, type MatcherContext } from '../../src/classification/check-matcher.ts'
import { type ParameterFields, type Revision, reviseParameter } from '../../src/classification/check-parameter.ts'
import { parseOrder } from '../../src/classification/matchers.ts'
import { formatRefusal } from '../../src/classification/refusals.ts'
import { RuleError, type ValidatorRule } from '../../src/classification/validate.ts'
import { identityOf, Unfit, type Value } from '../../src/classification/values.ts'
import type { Answer } from './answers.ts'
import { differences } from './differ.ts'
import {
  fromNotation,
  type Notation,
  type RecordedMatch,
  type RecordedMatcher,
  type RecordedMessages,
  type RecordedState,
  type RecordedUpdate,
} from './recorded.ts'

const DEFAULT_ORDER = 'fqdn\nhostgroup\nos\ndomain'

/** A save of ours, and whether it left what was recorded. */
export interface Save {
  readonly answer: Answer
  readonly isSame: boolean
}

/** Saving a matcher with the recorded hosts, host groups and other matchers around it. */
export function matcherSave(record: RecordedMatch): Save {
  const { input, existing_matches: taken, outcome, outcome_later: later } = record
  const { match = null, value = null, omit = false } = input
  const text = match === null || typeof match === 'string' ? match : String(match)
  const checked = checking(() =>
    checkMatcher({ match: text, value: fromNotation(value), omit }, surroundings(record, taken)),
  )
  const answer = answerOf(checked)
  const isSame = [outcome, later].some((recorded) => {
    if (!recorded || !sameMessages(recorded, answer)) return false
    if (answer.messages?.length !== 0 || !('match' in checked) || !recorded.stored) return true
    const stored = differences(recorded.stored.value ?? null, checked.value)
    return recorded.normalized === checked.match && stored.length === 0
  })
  return { answer, isSame }
}

/** Updating a parameter with its matchers, or one of its matchers. */
export function updateSave(record: RecordedUpdate): Save {
  return record.target === 'parameter' ? parameterSave(record) : overrideSave(record)
}

function parameterSave({ before, update, matchers_entered, outcome }: RecordedUpdate): Save {
  const matchers = matchers_entered.map((matcher) => entered(matcher, before))
  const policy = { defaultOrder: DEFAULT_ORDER, templates: true }
  const revision = checking(() => reviseParameter(stateOf(before), sentOf(update), matchers, policy))
  const answer = answerOf(revision)
  if (!sameMessages(outcome, answer) || !outcome.after || !('parameter' in revision))
    return { answer, isSame: sameMessages(outcome, answer) }
  const isSaved = answer.messages?.length === 0
  const left = isSaved ? revision : { parameter: stateOf(before), matchers }
  return { answer: { ...answer, value: left.parameter.defaultValue }, isSame: isSameState(left, outcome) }
}

function overrideSave({ before, target, update, matchers_entered, outcome }: RecordedUpdate): Save {
  const matchers = matchers_entered.map((matcher) => entered(matcher, before))
  const index = Number(target.split(' ').at(-1))
  const own = matchers[index] ?? { match: '', value: null, omit: false }
  const omit = 'omit' in update ? String(update['omit']) === 'true' : own.omit
  const sent = {
    match: 'match' in update ? String(update['match']) : own.match,
    value: fromNotation(update['value'] ?? ('value' in update ? null : (matchers_entered[index]?.value ?? null))),
    omit,
    isStored: !('value' in update) && !own.omit,
  }
  const value = sent.isStored || omit === own.omit ? ('value' in update ? sent.value : own.value) : sent.value
  const taken = matchers.filter((matcher) => matcher !== own).map(({ match }) => match)
  const world = { hosts: ['n1.lab.test'], hostgroups: [] }
  const around = surroundings(
    {
      parameter: { ...before, type: before.parameter_type as Type | null },
      order: { effective: before.path ?? DEFAULT_ORDER },
      world,
    },
    taken,
  ) // recorded types are ours
  const checked = checking(() => checkMatcher({ ...sent, value }, around))
  const answer = answerOf(checked)
  const after = outcome.matchers_after?.[index]
  if (!sameMessages(outcome, answer) || answer.messages?.length !== 0 || !('match' in checked) || !after)
    return { answer, isSame: sameMessages(outcome, answer) }
  const isSame = after.match === checked.match && differences(after.value, checked.value).length === 0
  return { answer: { ...answer, value: checked.value }, isSame }
}

type World = {
  readonly parameter: {
    readonly type: Type | null
    readonly validator_type: string | null
    readonly validator_rule: string | null
  }
  readonly order: { readonly effective: string }
  readonly world: RecordedMatch['world']
  readonly settings?: RecordedMatch['settings']
}

function surroundings({ parameter, order, world, settings }: World, taken: readonly string[]): MatcherContext {
  const hosts = new Set(world.hosts)
  const hostgroups = new Set(world.hostgroups.flatMap((title) => [title, title.split('/').at(-1) ?? title]))
  return {
    type: parameter.type,
    validator: validator(parameter.validator_type, parameter.validator_rule),
    order: parseOrder(order.effective),
    taken: new Set(taken),
    isHost: (name) => hosts.has(name),
    isHostgroup: (name) => hostgroups.has(name),
    templates: settings?.interpolate_erb_in_parameters !== false,
  }
}

function validator(type: string | null, rule: string | null): ValidatorRule | null {
  return type === 'list' || type === 'regexp' ? { type, rule: rule ?? '' } : null
}

function checking<Result>(check: () => Result): Result | { readonly failure: string } {
  try {
    return check()
  } catch (error) {
    if (error instanceof RuleError) return { failure: error.message }
    throw error
  }
}

function answerOf(result: CheckedMatcher | Revision | { readonly failure: string }): Answer {
  return 'failure' in result ? { failure: result.failure } : { messages: result.refusals.map(formatRefusal) }
}

// A regexp that cannot be read is an error in the engine's own words.
function sameMessages({ messages, exception }: RecordedMessages, answer: Answer): boolean {
  if (exception) return exception.kind === 'regexp' && answer.failure !== undefined
  return answer.messages !== undefined && JSON.stringify(messages) === JSON.stringify(answer.messages)
}

function isSameState(left: Pick<Revision, 'parameter' | 'matchers'>, outcome: RecordedUpdate['outcome']): boolean {
  if (!outcome.after) return false
  const facts = (state: ParameterFields) => JSON.stringify({ ...state, defaultValue: null })
  return (
    facts(left.parameter) === facts(stateOf(outcome.after)) &&
    differences(outcome.after.default_value, left.parameter.defaultValue).length === 0 &&
    (outcome.matchers_after ?? []).every(({ value }, index) => {
      const own = left.matchers[index]
      return own !== undefined && differences(value, own.value).length === 0
    })
  )
}

function stateOf(state: RecordedState): ParameterFields {
  return {
    override: state.override,
    description: state.description,
    type: state.parameter_type,
    defaultValue: fromNotation(state.default_value),
    hidden: state.hidden_value,
    omit: state.omit === true,
    required: state.required,
    mergeOverrides: state.merge_overrides,
    mergeDefault: state.merge_default,
    avoidDuplicates: state.avoid_duplicates,
    order: state.path,
    validatorType: state.validator_type,
    validatorRule: state.validator_rule,
  }
}

const NAMES: Readonly<Record<string, keyof ParameterFields>> = {
  override: 'override',
  description: 'description',
  parameter_type: 'type',
  default_value: 'defaultValue',
  omit: 'omit',
  required: 'required',
  merge_overrides: 'mergeOverrides',
  merge_default: 'mergeDefault',
  avoid_duplicates: 'avoidDuplicates',
  override_value_order: 'order',
  validator_type: 'validatorType',
  validator_rule: 'validatorRule',
}

function sentOf(update: RecordedUpdate['update']): Partial<ParameterFields> {
  const entries = Object.entries(update).filter(([name, value]) => name !== 'override_value_order' || value !== null)
  return Object.fromEntries(
    entries.map(([name, value]) => [
      NAMES[name],
      name === 'default_value' ? fromNotation(value) : (value ?? (name === 'omit' ? false : null)),
    ]),
  )
}

// Matchers are recorded as they were typed.
function entered(
  { match, value, omit }: RecordedMatcher,
  before: RecordedState,
): { match: string; value: Value; omit: boolean } {
  const typed = fromNotation(value as Notation)
  return {
    match,
    value: omit || isTemplate(typed) ? typed : castOr(before.parameter_type as Type | null, typed),
    omit: omit === true,
  } // recorded types are ours
}

function castOr(type: Type | null, value: Value): Value {
  try {
    return cast(type, value)
  } catch (error) {
    if (error instanceof Unfit) return value
    throw error
  }
}

/** A value in short, for lists of what differs. */
export function shownAnswer({ value, refused, absent, failure, messages }: Answer): string {
  if (messages) return messages.join(', ') || `saved ${value === undefined ? '' : identityOf(value)}`
  return failure ?? refused ?? absent ?? (value === undefined ? '' : identityOf(value)).slice(0, 120)
}
