import type { AfterWrites } from './after-writes.ts'
import type { Difference } from './compare.ts'

/** One request that both servers have answered. */
export interface Compared {
  readonly pattern: string
  /** The program that asked, by its own words. */
  readonly client: string
  readonly differences: readonly Difference[]
  /** How long each server took, in milliseconds. */
  readonly times: { readonly upstream: number; readonly here: number }
}

interface Score {
  compared: number
  equal: number
}

interface RouteScore extends Score {
  readonly upstream: number[]
  readonly here: number[]
}

interface Cause extends Difference {
  readonly route: string
  count: number
  readonly clients: Set<string>
}

/** What a shadow has found so far. */
export interface Comparison {
  readonly add: (compared: Compared) => void
  /** Counts a difference that says nothing, by its reason. */
  readonly ignore: (reason: string) => void
  /** Counts a request that was not compared, by the reason. */
  readonly skip: (reason: string) => void
  readonly countWrite: () => void
  readonly report: () => Report
}

/** The report of a shadow: scores by route and by client, differences by cause, and counts of ignored differences and skipped requests. */
export interface Report {
  readonly since: string
  readonly upstream: string
  readonly compared: number
  readonly equal: number
  /** Writes that the old server has accepted. Only an import brings them here. */
  readonly writes: number
  /** The command that runs after writes; null without one. */
  readonly after_writes: AfterWrites | null
  readonly routes: readonly (Score & { readonly route: string; readonly milliseconds: Milliseconds })[]
  readonly clients: readonly (Score & { readonly client: string })[]
  readonly differences: readonly (Difference & {
    readonly route: string
    readonly count: number
    readonly clients: readonly string[]
  })[]
  readonly ignored: Readonly<Record<string, number>>
  readonly not_compared: Readonly<Record<string, number>>
}

type Milliseconds = Readonly<Record<'upstream' | 'here', { readonly p50: number; readonly p95: number } | null>>

/** The most entries of each list, and the most times of a route, that a report keeps. */
const MOST = { routes: 1000, clients: 200, causes: 5000, times: 1000, reasons: 200 }

/** Creates an empty comparison with the server at a URL. `afterWrites` yields what its report says of the command after writes. */
export function createComparison(upstream: string, afterWrites?: () => AfterWrites): Comparison {
  const since = new Date().toISOString()
  const routes = new Map<string, RouteScore>()
  const clients = new Map<string, Score>()
  const causes = new Map<string, Cause>()
  const [ignored, skipped] = [new Map<string, number>(), new Map<string, number>()]
  const all: Score = { compared: 0, equal: 0 }
  let writes = 0
  return {
    add({ pattern, client, differences, times }) {
      const isEqual = differences.length === 0
      const route = putIfRoom(routes, pattern, MOST.routes, () => ({ compared: 0, equal: 0, upstream: [], here: [] }))
      const asked = putIfRoom(clients, client, MOST.clients, () => ({ compared: 0, equal: 0 }))
      for (const score of [all, route, asked]) {
        if (!score) continue
        score.compared++
        if (isEqual) score.equal++
      }
      for (const side of ['upstream', 'here'] as const) if (route) keepTime(route[side], route.compared, times[side])
      for (const difference of differences) {
        const key = [pattern, difference.kind, difference.path].join(' ')
        const cause = putIfRoom(causes, key, MOST.causes, () => ({
          ...difference,
          route: pattern,
          count: 0,
          clients: new Set(),
        }))
        if (!cause) continue
        cause.count++
        if (cause.clients.size < 20) cause.clients.add(client)
      }
    },
    ignore: (reason) => count(ignored, reason),
    skip: (reason) => count(skipped, reason),
    countWrite: () => void writes++,
    report: () => ({
      since,
      upstream,
      ...all,
      writes,
      after_writes: afterWrites?.() ?? null,
      routes: [...routes]
        .map(([route, { compared, equal, upstream: theirs, here }]) => ({
          route,
          compared,
          equal,
          milliseconds: { upstream: quantilesOf(theirs), here: quantilesOf(here) },
        }))
        .toSorted((a, b) => a.equal / a.compared - b.equal / b.compared || b.compared - a.compared),
      clients: [...clients]
        .map(([client, score]) => ({ client, ...score }))
        .toSorted((a, b) => b.compared - a.compared),
      differences: [...causes.values()]
        .map((cause) => ({ ...cause, clients: [...cause.clients] }))
        .toSorted((a, b) => b.count - a.count),
      ignored: Object.fromEntries(ignored),
      not_compared: Object.fromEntries(skipped),
    }),
  }
}

function putIfRoom<Value>(map: Map<string, Value>, key: string, most: number, make: () => Value): Value | null {
  const found = map.get(key)
  if (found !== undefined) return found
  if (map.size >= most) return null
  const made = make()
  map.set(key, made)
  return made
}

function count(map: Map<string, number>, reason: string): void {
  const key = map.has(reason) || map.size < MOST.reasons ? reason : 'other reasons'
  map.set(key, (map.get(key) ?? 0) + 1)
}

/** Keeps the last times of a route. */
function keepTime(times: number[], number: number, milliseconds: number): void {
  times[(number - 1) % MOST.times] = milliseconds
}

function quantilesOf(times: readonly number[]): { readonly p50: number; readonly p95: number } | null {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => Math.round((sorted[Math.floor((sorted.length - 1) * share)] ?? 0) * 10) / 10
  return sorted.length === 0 ? null : { p50: at(0.5), p95: at(0.95) }
}
