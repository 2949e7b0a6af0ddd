import { candidates, parseMatch, type Subject } from '../matchers.ts'
import type { Parameter } from '../parameter.ts'
import { type CompiledParameter, type Outcome, type Resolution, type Rules, resolveParameter } from '../resolve.ts'
import { identityOf } from '../values.ts'

/** A parameter with the class it belongs to, for hosts that have both; null for hosts that do not, or while it is not managed. */
export type Version = CompiledParameter | null

/** What a write makes of a parameter for one host; null where the host has none. */
export interface Change<Host> {
  readonly host: Host
  readonly before: Resolution | null
  readonly after: Resolution | null
}

/** The hosts for which the parameter yields something else after a write, in the order given. */
export function affected<Host extends { readonly subject: Subject; readonly rules: Rules }>(
  before: Version,
  after: Version,
  hosts: Iterable<Host>,
): Change<Host>[] {
  if (isSameVersion(before, after)) return []
  return [...hosts].flatMap((host) => {
    const change = { host, before: resolved(before, host), after: resolved(after, host) }
    return isSameOutcome(change.before?.outcome, change.after?.outcome) ? [] : [change]
  })
}

/**
 * Whether two outcomes are the same for a host: the same value, nothing for whatever reason, or the same failure. A host
 * that the parameter does not reach gets nothing.
 */
export function isSameOutcome(left: Outcome | undefined, right: Outcome | undefined): boolean {
  return outcomeText(left) === outcomeText(right)
}

/** A text that the same outcomes share and others do not. */
export function outcomeText(outcome: Outcome | undefined): string {
  if (!outcome || outcome.kind === 'absent') return 'absent'
  return outcome.kind === 'value' ? `value ${identityOf(outcome.value)}` : `failure ${outcome.message}`
}

/**
 * What the versions ask of hosts: the values that matchers name, by attribute. Hosts whose answers to these are the same
 * get the same, unless templates are rendered for them; lines of an order that no matcher is for do not count.
 */
export function questions(versions: readonly Version[]): ReadonlyMap<string, ReadonlySet<string>> {
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

function resolved(version: Version, { subject, rules }: { readonly subject: Subject; readonly rules: Rules }) {
  if (!version) return null
  return resolveParameter(version, candidates(version.order, subject, rules.inheritance), rules)
}

/** Whether hosts get the same from both, whoever they are. */
export function isSameVersion(before: Version, after: Version): boolean {
  if (!before || !after) return before === after
  return described(before.parameter) === described(after.parameter)
}

/** Everything about a parameter that a value can depend on. */
function described({ defaultValue, matchers, ...facts }: Parameter): string {
  const values = matchers.map(({ match, value, omit }) => [match, identityOf(value), omit])
  return JSON.stringify([facts, identityOf(defaultValue), values.sort()])
}
