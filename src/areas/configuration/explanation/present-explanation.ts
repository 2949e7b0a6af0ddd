import { type Flip, flips } from '../../../classification/explain/flips.ts'
import { UNSEEN_ID, withUnseen } from '../../../classification/explain/unseen.ts'
import { explain, type Step, type Verdict } from '../../../classification/explain.ts'
import { type Candidate, isSecret, type Subject } from '../../../classification/matchers.ts'
import type { Matcher } from '../../../classification/parameter.ts'
import type { CompiledParameter, MatcherOutcome, Rules } from '../../../classification/resolve.ts'
import type { Value } from '../../../classification/values.ts'
import type { Row } from '../../../kernel/index.ts'
import { HIDDEN } from '../../../requests/masks.ts'
import { toField } from '../smart-class-parameter/values.ts'
import type { Author, Authors } from './authors.ts'

/** Whether and why a host gets a parameter, whatever its value. */
export interface Applicability {
  readonly applies: boolean
  readonly reason: string
}

/** What an explanation of a parameter may show, and who set its values. */
interface Showing {
  /** Whether the values of the parameter are hidden from the caller. */
  readonly masked: boolean
  readonly authors: Authors
  /** Ids of overrides that the caller may not see. */
  readonly unseen: ReadonlySet<number>
}

/** Presents the explanation of a parameter for a real or supposed host (docs/classification.md). */
export function presentExplanation(
  stored: CompiledParameter,
  subject: Subject,
  rules: Rules,
  reach: Applicability,
  { masked, authors, unseen }: Showing,
): Row {
  const compiled = withUnseen(stored, subject, rules, unseen)
  const { parameter } = compiled
  const { resolution, tried, matchers, steps } = explain(compiled, subject, rules)
  const { source } = resolution
  const show = (value: Value) => presentValue(value, masked)
  // Another outcome might reveal the value of an override that the caller may not see.
  const flipsMasked = masked || matchers.some(({ matcher }) => idOf(matcher) === null)
  const texts = tried.map(({ candidate }) => presentMatch(candidate, subject))
  const byAttribute = compiled.order.map((line) => line.join())
  return {
    ...presentParameterKeys(compiled),
    applies: reach.applies,
    reason: reach.reason,
    ...(reach.applies ? presentOutcome(resolution.outcome, masked) : { status: 'absent', value: null, message: null }),
    source: source.merged ? 'merge' : source.hits.length > 0 ? 'override' : 'default',
    default: {
      value: show(parameter.defaultValue),
      omit: parameter.omit,
      used: source.usesDefault,
      set_by: authorOf(authors.defaults.get(parameter.id)),
    },
    order: byAttribute,
    tried: tried.map(({ candidate: { line }, matcher }, index) => ({
      position: index + 1,
      line: byAttribute[line] ?? '',
      match: texts[index] ?? '',
      override_value_id: idOf(matcher),
    })),
    override_values: matchers
      .filter(({ matcher, fate }) => idOf(matcher) !== null || fate !== 'outranked')
      .map((verdict) => presentVerdict(verdict, show, authors)),
    steps: steps.map((step) => presentStep(step, show)),
    flips: flips(compiled, subject, rules).map((flip) => presentFlip(flip, { masked: flipsMasked, texts, subject })),
  }
}

/** Presents the keys that name a parameter. */
export function presentParameterKeys({ parameter }: Pick<CompiledParameter, 'parameter'>): Row {
  return {
    id: parameter.id,
    parameter: parameter.name,
    configclass_id: parameter.classId,
    configclass_name: parameter.className,
    parameter_type: parameter.type,
    required: parameter.required,
    merge_overrides: parameter.mergeOverrides,
    merge_default: parameter.mergeDefault,
    avoid_duplicates: parameter.avoidDuplicates,
  }
}

/** Presents an outcome: a value, nothing, or a failure that refuses the whole classification. */
export function presentOutcome(outcome: MatcherOutcome | undefined, masked: boolean): Row {
  if (!outcome) return { status: 'absent', value: null, message: null }
  if (outcome.kind === 'value') return { status: 'value', value: presentValue(outcome.value, masked), message: null }
  if (outcome.kind === 'absent') return { status: 'absent', value: null, message: ABSENT[outcome.reason] }
  // The message of a failure could reveal a hidden value.
  return { status: 'failure', value: null, message: masked ? FAILED[outcome.reason] : outcome.message }
}

const ABSENT = {
  omitted: 'left out on purpose: the value of the manifest counts',
  no_value: 'there is no value',
  unfit: 'its value is not of the type',
} as const

const FAILED = {
  template: 'a template in its value cannot be rendered',
  merge: 'its values cannot be merged',
  syntax: 'its value cannot be read as its type',
  validator: 'its value is refused by the validator',
  required: 'it is required and has no value',
} as const

/** The value for answers; an absent value is not masked. */
function presentValue(value: Value, masked: boolean): unknown {
  return masked && value !== null ? HIDDEN : toField(value)
}

function presentVerdict(
  { matcher, position, fate, reason }: Verdict,
  show: (value: Value) => unknown,
  { overrides }: Authors,
): Row {
  const { id, match, value, omit } = matcher
  if (id === UNSEEN_ID) return { id: null, match, value: null, omit, position: null, fate, reason, set_by: null }
  return { id, match, value: show(value), omit, position, fate, reason, set_by: authorOf(overrides.get(id)) }
}

function presentStep({ matcher, value }: Step, show: (value: Value) => unknown): Row {
  return { ...presentName(matcher), value: show(value) }
}

/** The match text of a host, with values of hidden parameters masked. */
function presentMatch({ attributes, values }: Candidate, subject: Subject): string {
  return attributes.map((name, index) => `${name}=${isSecret(subject, name) ? HIDDEN : values[index]}`).join()
}

interface FlipShowing {
  readonly masked: boolean
  /** Presented match texts of the host, by position. */
  readonly texts: readonly string[]
  readonly subject: Subject
}

function presentFlip(flip: Flip, { masked, texts, subject }: FlipShowing): Row {
  const { kind } = flip
  if (kind === 'add') return { change: kind, match: texts[flip.position - 1] ?? flip.match, position: flip.position }
  const result = presentOutcome(flip.outcome, masked)
  if (kind === 'remove') return { change: 'remove', override_values: flip.matchers.map(presentName), result }
  const { attribute, to } = flip
  const from = isSecret(subject, attribute) ? HIDDEN : flip.from
  return { change: 'attribute', attribute, from, to, ...presentName(flip.matcher), result }
}

function presentName(matcher: Matcher | null): Row {
  return { override_value_id: idOf(matcher), match: matcher?.match ?? null }
}

function idOf(matcher: Matcher | null): number | null {
  return matcher?.id || null
}

function authorOf(author: Author | undefined): Author | null {
  return author ?? null
}
