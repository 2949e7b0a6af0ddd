import { printJson } from '../json.ts'
import { listCandidates, parseMatch, type Subject } from '../matchers.ts'
import type { Parameter } from '../parameter.ts'
import {
  type CompiledParameter,
  type MatcherOutcome,
  type Resolution,
  type Rules,
  resolveParameter,
} from '../resolve.ts'

/** A parameter with the class it belongs to; null when it does not exist or is not managed. */
export type Version = CompiledParameter | null

/** The effect of a write on one parameter of one host; an outcome is null where the host does not get the parameter. */
export interface Change<Host> {
  readonly host: Host
  readonly before: Resolution | null
  readonly after: Resolution | null
}

/** Yields the hosts that get another outcome for the parameter after a write, in the order given. */
export function listAffected<Host extends { readonly subject: Subject; readonly rules: Rules }>(
  before: Version,
  after: Version,
  hosts: Iterable<Host>,
): Change<Host>[] {
  if (isSameVersion(before, after)) return []
  return [...hosts].flatMap((host) => {
    const change = { host, before: resolveVersion(before, host), after: resolveVersion(after, host) }
    return isSameOutcome(change.before?.outcome, change.after?.outcome) ? [] : [change]
  })
}

/**
 * Tells whether two outcomes are equal for a host: the same value, no value for whatever reason, or the same failure.
 * Undefined means that the parameter does not apply to the host, which counts as no value.
 */
export function isSameOutcome(left: MatcherOutcome | undefined, right: MatcherOutcome | undefined): boolean {
  return formatOutcome(left) === formatOutcome(right)
}

/** Yields a text that is equal for equal outcomes and differs for different ones. */
export function formatOutcome(outcome: MatcherOutcome | undefined): string {
  if (!outcome || outcome.kind === 'absent') return 'absent'
  return outcome.kind === 'value' ? `value ${printJson(outcome.value)}` : `failure ${outcome.message}`
}

/**
 * Collects what the versions ask of hosts: the values that matchers name, by attribute. Hosts with equal answers get equal
 * outcomes, unless templates are rendered for them. Lines of an order without a matcher are ignored.
 */
export function collectQuestions(versions: readonly Version[]): ReadonlyMap<string, ReadonlySet<string>> {
  const named = new Map<string, Set<string>>()
  for (const version of versions) {
    if (!version) continue
    const lines = new Set(version.order.map((line) => line.join()))
    for (const match of version.matchers.keys()) {
      const { attributes, values } = parseMatch(match)
      if (!lines.has(attributes.join())) continue
      for (const [index, attribute] of attributes.entries())
        named.set(attribute, (named.get(attribute) ?? new Set()).add(values[index] ?? ''))
    }
  }
  return named
}

/** Resolves a version of a parameter for a host; null where the version does not exist. */
export function resolveVersion(
  version: Version,
  { subject, rules }: { readonly subject: Subject; readonly rules: Rules },
) {
  if (!version) return null
  return resolveParameter(version, listCandidates(version.order, subject, rules.inheritance), rules)
}

/** Tells whether every possible host gets the same from both versions. */
export function isSameVersion(before: Version, after: Version): boolean {
  if (!before || !after) return before === after
  return describeParameter(before.parameter) === describeParameter(after.parameter)
}

/** Yields a text of everything in a parameter that an outcome can depend on. */
function describeParameter({ defaultValue, matchers, ...facts }: Parameter): string {
  const values = matchers.map(({ match, value, omit }) => [match, printJson(value), omit])
  return JSON.stringify([facts, printJson(defaultValue), values.sort()])
}
