import {
  attributeTextOf,
  type Candidate,
  INHERITED,
  isSecret,
  listCandidates,
  parseMatch,
  type Subject,
} from './matchers.ts'
import { isListed, merge } from './merge.ts'
import type { Matcher } from './parameter.ts'
import { type CompiledParameter, type Resolution, type Rules, resolveParameter } from './resolve.ts'
import type { Value } from './values.ts'

/** Why a host gets the value it gets for a parameter. The resolved value equals that of {@link resolveParameter}. */
export interface Explanation {
  readonly resolution: Resolution
  /** The match texts of the host in the order in which they are tried, each with the matcher that has this text. */
  readonly tried: readonly { readonly candidate: Candidate; readonly matcher: Matcher | null }[]
  /** Every matcher of the parameter: first those that match, in the order of precedence, then the others in stored order. */
  readonly matchers: readonly Verdict[]
  /** The steps of merging in their order, each with the value after it; empty when nothing was merged. */
  readonly steps: readonly Step[]
}

/**
 * What became of a matcher, and the reason in words. `position` is that of its text among the host's match texts, counted
 * from 1; null when it does not match.
 */
export interface Verdict {
  readonly matcher: Matcher
  readonly position: number | null
  readonly fate: 'chosen' | 'merged' | 'left out' | 'outranked' | 'no match'
  readonly reason: string
}

/** One step of merging: a matcher (null for the default value), and the merged value after this step. */
export interface Step {
  readonly matcher: Matcher | null
  readonly value: Value
}

/** Resolves one parameter for a real or supposed host, and explains how the value came about. */
export function explain(compiled: CompiledParameter, subject: Subject, rules: Rules): Explanation {
  const texts = listCandidates(compiled.order, subject, rules.inheritance)
  const resolution = resolveParameter(compiled, texts, rules)
  const tried = texts.map((candidate) => ({ candidate, matcher: compiled.matchers.get(candidate.match) ?? null }))
  const matching = tried.flatMap(({ matcher }, index) =>
    matcher ? [decideVerdict(matcher, index + 1, resolution)] : [],
  )
  const others = compiled.parameter.matchers.filter((matcher) => !matching.some((found) => found.matcher === matcher))
  const misses = others.map((matcher): Verdict => {
    return { matcher, position: null, fate: 'no match', reason: explainMissing(compiled, matcher, subject, rules) }
  })
  return { resolution, tried, matchers: [...matching, ...misses], steps: steps(compiled, resolution) }
}

function decideVerdict(matcher: Matcher, position: number, { parameter, source }: Resolution): Verdict {
  const { mergeOverrides } = parameter
  const [best] = source.hits
  if (mergeOverrides && matcher.omit)
    return { matcher, position, fate: 'left out', reason: 'matches, and is left out of merging' }
  if (mergeOverrides && matcher.value === null)
    return { matcher, position, fate: 'left out', reason: 'matches, and has no value to merge' }
  if (mergeOverrides) return { matcher, position, fate: 'merged', reason: 'matches, and is merged' }
  if (best?.matcher !== matcher)
    return { matcher, position, fate: 'outranked', reason: `matches, but ${best?.matcher.match} comes before it` }
  const reason = matcher.omit ? 'matches first, and says that there is no value' : 'matches first'
  return { matcher, position, fate: 'chosen', reason }
}

function explainMissing(
  compiled: CompiledParameter,
  { match }: Matcher,
  subject: Subject,
  { inheritance }: Rules,
): string {
  const { attributes, values, complete, text } = parseMatch(match)
  const name = attributes.join()
  if (!complete || text !== match) return 'is no match text: each part is an attribute, an equals sign and a value'
  if (!compiled.order.some((line) => line.join() === name)) return `the order has no line ${name}`
  const index = attributes.findIndex((attribute, at) => !isNear(subject, attribute, values[at] ?? '', inheritance))
  if (index < 0)
    return 'each part fits, but parents are tried only one after the other: host group, organization, location'
  const attribute = attributes[index] ?? ''
  const own = attributeTextOf(subject, attribute)
  if (own === '') return `the host has no ${attribute}`
  return isSecret(subject, attribute) ? `${attribute} of the host is another one` : `${attribute} of the host is ${own}`
}

function isNear(subject: Subject, attribute: string, value: string, inheritance: boolean): boolean {
  const own = attributeTextOf(subject, attribute)
  return own === value || (inheritance && INHERITED.includes(attribute) && own.startsWith(`${value}/`))
}

// Lists are joined from the best matcher to the last; maps are overwritten from the last matcher to the best.
function steps({ parameter }: CompiledParameter, { source }: Resolution): Step[] {
  if (!source.merged) return []
  const { type, mergeDefault, defaultValue } = parameter
  const parts = source.hits.map(({ matcher }) => matcher).filter(({ omit, value }) => !omit && value !== null)
  const lists = isListed(
    type,
    parts.map(({ value }) => value),
  )
  const found: Step[] = mergeDefault && defaultValue !== null ? [{ matcher: null, value: defaultValue }] : []
  for (const index of parts.keys()) {
    const taken = lists ? parts.slice(0, index + 1) : parts.slice(-1 - index)
    const matcher = (lists ? taken.at(-1) : taken[0]) ?? null
    const result = merge(parameter, taken)
    if ('value' in result && result.value !== null) found.push({ matcher, value: result.value })
  }
  return found
}
