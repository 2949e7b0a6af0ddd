import { LONGEST_MATCH } from '../check-matcher.ts'
import { attributeTextOf, listCandidates, parseMatch, type Subject } from '../matchers.ts'
import type { Matcher } from '../parameter.ts'
import { isSameOutcome } from '../preview/affected.ts'
import {
  type CompiledParameter,
  type MatcherOutcome,
  type Resolution,
  type Rules,
  resolveParameter,
} from '../resolve.ts'

/**
 * A change that gives the host another outcome: a new matcher for this text with any other value; another value of one
 * attribute of the host; or the removal of these matchers, all of which have to go.
 */
export type Flip =
  | { readonly kind: 'add'; readonly match: string; readonly position: number }
  | {
      readonly kind: 'attribute'
      readonly attribute: string
      readonly from: string
      readonly to: string
      readonly matcher: Matcher
      readonly outcome: MatcherOutcome
    }
  | { readonly kind: 'remove'; readonly matchers: readonly Matcher[]; readonly outcome: MatcherOutcome }

/**
 * Finds the smallest changes of each kind, preferring those that affect the fewest hosts: a matcher for as few hosts as
 * possible, one attribute of this host alone, or the removal of matchers that other hosts may share. Each change is verified
 * by resolving again; templates are rendered for the host as it is.
 */
export function flips(compiled: CompiledParameter, subject: Subject, rules: Rules): Flip[] {
  const texts = listCandidates(compiled.order, subject, rules.inheritance)
  const now = resolveParameter(compiled, texts, rules)
  return [
    ...listAddition(
      compiled,
      texts.map(({ match }) => match),
      now,
    ),
    ...listAttributeChanges(compiled, subject, rules, now),
    ...listRemoval(compiled, (left) => resolveParameter({ ...compiled, matchers: left }, texts, rules), now),
  ]
}

// An earlier line of the order names fewer hosts, so the first free text that takes precedence over the winner is suggested.
function listAddition({ parameter, matchers }: CompiledParameter, texts: readonly string[], now: Resolution): Flip[] {
  const { outcome, source } = now
  if (outcome.kind === 'failure' && outcome.reason === 'merge') return []
  const winner = source.merged ? undefined : source.hits[0]?.candidate.match
  const before = winner === undefined ? texts : texts.slice(0, texts.indexOf(winner))
  const index = before.findIndex((match) => !matchers.has(match) && match.length <= LONGEST_MATCH)
  const match = before[index]
  const isMergeable = !parameter.mergeOverrides || parameter.type === 'array' || parameter.type === 'hash'
  return match === undefined || !isMergeable ? [] : [{ kind: 'add', match, position: index + 1 }]
}

const MOST = 3

/** Attributes that a host can hardly change, or that only follow from others. */
const FIXED = new Set(['fqdn', 'name', 'hostname', 'shortname', 'certname', 'operatingsystem_name', 'owner_name'])

function listAttributeChanges(compiled: CompiledParameter, subject: Subject, rules: Rules, now: Resolution): Flip[] {
  const lines = compiled.order.map((line) => line.join())
  const near = [...compiled.matchers.values()]
    .flatMap((matcher) => {
      const missed = findOnlyDifference(matcher, subject)
      const line = lines.indexOf(parseMatch(matcher.match).attributes.join())
      return missed && line >= 0 && !FIXED.has(missed.attribute) ? [{ matcher, line, ...missed }] : []
    })
    .sort((a, b) => a.line - b.line)
  const found: Flip[] = []
  for (const { matcher, attribute, from, to } of near) {
    if (found.length === MOST) break
    const changed = withAttribute(subject, attribute, to)
    const tried = listCandidates(compiled.order, changed, rules.inheritance)
    const { outcome } = resolveParameter(compiled, tried, rules)
    const isKnown = found.some((flip) => flip.kind === 'attribute' && flip.attribute === attribute && flip.to === to)
    if (!isKnown && !isSameOutcome(outcome, now.outcome))
      found.push({ kind: 'attribute', attribute, from, to, matcher, outcome })
  }
  return found
}

/** Yields the one attribute that keeps the matcher from matching; null when there is none, or more than one. */
function findOnlyDifference(
  { match }: Matcher,
  subject: Subject,
): { readonly attribute: string; readonly from: string; readonly to: string } | null {
  const { attributes, values } = parseMatch(match)
  const different = attributes.flatMap((attribute, index) => {
    const [from, to] = [attributeTextOf(subject, attribute), values[index] ?? '']
    return from === to ? [] : [{ attribute, from, to }]
  })
  return different.length === 1 ? (different[0] ?? null) : null
}

/** Yields the subject with another value of the attribute. */
function withAttribute(subject: Subject, attribute: string, to: string): Subject {
  const { attributes, parameters, facts } = subject
  if (attributes.has(attribute)) {
    const also = attribute === 'operatingsystem' ? 'os' : attribute === 'os' ? 'operatingsystem' : `${attribute}_name`
    const changed = new Map(attributes).set(attribute, to)
    return { ...subject, attributes: attributes.has(also) ? changed.set(also, to) : changed }
  }
  if (parameters.has(attribute)) return { ...subject, parameters: new Map(parameters).set(attribute, to) }
  return { ...subject, facts: new Map(facts).set(attribute, to) }
}

// Removes the best matchers one after another until the outcome changes, then puts back those that are not needed for it.
function listRemoval(
  { matchers }: CompiledParameter,
  resolve: (left: ReadonlyMap<string, Matcher>) => Resolution,
  now: Resolution,
): Flip[] {
  const without = (gone: readonly Matcher[]) => {
    const left = [...matchers].filter(([, matcher]) => !gone.includes(matcher))
    return resolve(new Map(left)).outcome
  }
  const flipsWithout = (gone: readonly Matcher[]) => !isSameOutcome(without(gone), now.outcome)
  const hits = now.source.merged ? now.source.hits.map(({ matcher }) => matcher) : listMatching(now, resolve, matchers)
  const single = hits.find((matcher) => flipsWithout([matcher]))
  if (single) return [{ kind: 'remove', matchers: [single], outcome: without([single]) }]
  const end = hits.findIndex((_, index) => flipsWithout(hits.slice(0, index + 1)))
  if (end < 0) return []
  const needed = hits.slice(0, end + 1).reduceRight(
    (kept, matcher) => {
      const fewer = kept.filter((one) => one !== matcher)
      return flipsWithout(fewer) ? fewer : kept
    },
    hits.slice(0, end + 1),
  )
  return [{ kind: 'remove', matchers: needed, outcome: without(needed) }]
}

/** Lists the matcher that wins, the one that would win without it, and so on. */
function listMatching(
  now: Resolution,
  resolve: (left: ReadonlyMap<string, Matcher>) => Resolution,
  matchers: ReadonlyMap<string, Matcher>,
): Matcher[] {
  const found: Matcher[] = []
  const left = new Map(matchers)
  for (let [hit] = now.source.hits; hit; [hit] = resolve(left).source.hits) {
    found.push(hit.matcher)
    left.delete(hit.candidate.match)
  }
  return found
}
