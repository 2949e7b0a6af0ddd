import { ACCEPTED } from './accepted.ts'
import type { Outcome } from './replay.ts'
import { routeOf } from './routes.ts'
import type { Variations } from './versions.ts'

/** Whether an exchange matched, and if not, why. */
export interface Verdict {
  readonly outcome: Outcome
  readonly route: string
  /** Empty where it matched. */
  readonly reasons: readonly string[]
  /** Why all differences are accepted; null where one is not. */
  readonly explanation: string | null
}

/** The number of exchanges, of those that match, and of the others that are explained. */
export interface Tally {
  readonly exchanges: number
  readonly matched: number
  readonly explained: number
}

/** Compares status and shape, and names the differences. */
export function judge(outcome: Outcome, variations: Variations): Verdict {
  const route = routeOf(outcome.exchange)
  const reasons = reasonsOf(outcome, route, variations)
  const explanations = reasons.map(
    (reason) =>
      ACCEPTED.find(
        (each) =>
          each.route.test(route) &&
          each.reason.test(reason) &&
          (each.url?.test(outcome.exchange.url) ?? true) &&
          (each.by ?? outcome.exchange.by) === outcome.exchange.by,
      )?.why,
  )
  const explained = reasons.length > 0 && explanations.every((why) => why !== undefined)
  return { outcome, route, reasons, explanation: explained ? [...new Set(explanations)].join(' ') : null }
}

function reasonsOf(outcome: Outcome, route: string, variations: Variations): string[] {
  const { exchange, answer, differences, failures } = outcome
  if (!sameStatus(outcome, route, variations)) {
    const status = `status ${exchange.status} is ${answer.status}`
    if (isUnrouted(outcome)) return ['no route']
    return [failures.length > 0 ? `${status}, records cannot be made` : status]
  }
  const differing = differences.filter(
    ({ path, found }) => found === undefined || !variations.knowsType(route, path, found),
  )
  return differing.map(({ kind, path, text }) => {
    if (kind === 'empty') return failures.length > 0 ? 'no results, records cannot be made' : 'no results'
    if (kind === 'type') return `type of ${path || 'the answer'}: ${text}`
    return variations.varies(route, path) ? `key ${path} of some servers` : `key ${path} missing`
  })
}

/**
 * Tells whether statuses are equivalent: servers of other versions may answer 201 instead of 200; an answer without body is
 * different.
 */
function sameStatus({ exchange, answer }: Outcome, route: string, variations: Variations): boolean {
  if (answer.status === exchange.status) return true
  const hasBody = exchange.response !== null && answer.text !== ''
  return exchange.status < 300 && answer.status < 300 && hasBody && variations.knowsStatus(route, answer.status)
}

function isUnrouted({ answer }: Outcome): boolean {
  return answer.status === 404 && /^\{"status":404|Not Found/.test(answer.text)
}

/** Computes the figures of some verdicts. */
export function tallyOf(verdicts: readonly Verdict[]): Tally {
  return {
    exchanges: verdicts.length,
    matched: verdicts.filter(({ reasons }) => reasons.length === 0).length,
    explained: verdicts.filter(({ explanation }) => explanation !== null).length,
  }
}

/** Computes the figures by a property, in its order. */
export function talliesBy(verdicts: readonly Verdict[], name: (verdict: Verdict) => string): [string, Tally][] {
  return [...Map.groupBy(verdicts, name)]
    .map(([key, members]): [string, Tally] => [key, tallyOf(members)])
    .sort(([one], [other]) => (one < other ? -1 : 1))
}

/** Counts the exchanges that fail for each reason, the most frequent first. */
export function reasonCounts(verdicts: readonly Verdict[]): { reason: string; exchanges: number; routes: string[] }[] {
  const found = new Map<string, Verdict[]>()
  for (const verdict of verdicts) {
    for (const reason of new Set(verdict.reasons)) found.set(reason, [...(found.get(reason) ?? []), verdict])
  }
  return [...found]
    .map(([reason, members]) => ({
      reason,
      exchanges: members.length,
      routes: [...new Set(members.map(({ route }) => route))],
    }))
    .sort((one, other) => other.exchanges - one.exchanges || (one.reason < other.reason ? -1 : 1))
}

/** Computes the percentage, rounded down so that 100 means all. */
export function percent(part: number, whole: number): string {
  return `${(Math.floor((1000 * part) / whole) / 10).toFixed(1)} %`
}
