/** What is remembered of failures, so that an outage costs its own users a clear error and nobody any waiting. */
import { type DirectoryError, isAccountRefusal, isOutage } from './errors.ts'
import { type Server, written } from './servers.ts'

export interface ServerHealth {
  /** Servers that failed a moment ago come last. */
  ordered(servers: readonly Server[]): Server[]
  succeeded(server: Server): void
  failed(server: Server): void
}

/** A directory that just failed is not asked again for a while; then one request tries, and the others wait for its luck. */
export interface Breaker {
  /** Throws what the directory failed with when it is not to be asked now. */
  enter(): void
  succeeded(): void
  failed(error: unknown): void
  /** Whether it failed the last time it was asked. */
  isOpen(): boolean
}

const SERVER_PENALTY_MS = 30_000
const OUTAGE_MS = 5_000
/** Directories lock accounts after a few wrong passwords. */
const ACCOUNT_REFUSAL_MS = 30_000

/** Remembers per server when it failed. */
export function serverHealth(now: () => number): ServerHealth {
  const failures = new Map<string, number>()
  const isIll = (server: Server) => now() - (failures.get(written(server)) ?? -Infinity) < SERVER_PENALTY_MS
  return {
    ordered: (servers) => [...servers.filter((server) => !isIll(server)), ...servers.filter(isIll)],
    succeeded: (server) => void failures.delete(written(server)),
    failed: (server) => void failures.set(written(server), now()),
  }
}

/** A circuit breaker; `tripped` is called with every failure that opens it. */
export function circuitBreaker(now: () => number, tripped: (error: DirectoryError) => void): Breaker {
  let reason: DirectoryError | null = null
  let closedUntil = 0
  let probing = false
  return {
    isOpen: () => reason !== null,
    enter() {
      if (!reason) return
      if (now() < closedUntil || probing) throw reason
      probing = true
    },
    succeeded() {
      reason = null
      probing = false
    },
    failed(error) {
      probing = false
      if (!isOutage(error) && !isAccountRefusal(error)) {
        reason = null
        return
      }
      reason = error
      closedUntil = now() + (isOutage(error) ? OUTAGE_MS : ACCOUNT_REFUSAL_MS)
      tripped(error)
    },
  }
}
