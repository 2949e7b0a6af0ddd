/** Remembers failures, so that an outage yields clear errors at once instead of waiting. */
import { type DirectoryError, isAccountRefusal, isOutage, isWrongSetting } from './errors.ts'
import { formatServer, type Server } from './servers.ts'

/** Remembers which servers of a directory have failed. */
export interface ServerHealth {
  /** Orders servers so that those that failed a moment ago come last. */
  ordered(servers: readonly Server[]): Server[]
  succeeded(server: Server): void
  failed(server: Server): void
}

/**
 * Keeps a directory that has just failed from being asked for a while; then one request tries, and the others wait for its
 * result.
 */
export interface Breaker {
  /** Throws the last error of the directory while it must not be asked. */
  enter(): void
  succeeded(): void
  failed(error: unknown): void
  /** Tells whether the last request failed. */
  isOpen(): boolean
  /** Tells how the last contact ended. */
  contact(): Contact
}

/** How the last contact of this process with another machine ended; ill: since the first of the failures in a row. */
export type Contact =
  | { readonly state: 'well' | 'unknown'; readonly since: null; readonly message: null }
  | { readonly state: 'ill'; readonly since: Date; readonly message: string }

/** The contact with a machine that answered. */
const WELL: Contact = { state: 'well', since: null, message: null }

/** The contact with a machine that was not asked. */
const UNKNOWN: Contact = { state: 'unknown', since: null, message: null }

/** Computes the contact after a failure, from the contact before. */
function computeIllness(before: Contact, message: string): Contact {
  return { state: 'ill', since: before.since ?? new Date(), message }
}

const SERVER_PENALTY_MS = 30_000
const OUTAGE_MS = 5_000

/** Milliseconds to wait after the account was refused, because directories lock accounts after a few wrong passwords. */
const ACCOUNT_REFUSAL_MS = 30_000

/** Remembers for each server when it failed. */
export function createServerHealth(now: () => number): ServerHealth {
  const failures = new Map<string, number>()
  const isIll = (server: Server) => now() - (failures.get(formatServer(server)) ?? -Infinity) < SERVER_PENALTY_MS
  return {
    ordered: (servers) => [...servers.filter((server) => !isIll(server)), ...servers.filter(isIll)],
    succeeded: (server) => void failures.delete(formatServer(server)),
    failed: (server) => void failures.set(formatServer(server), now()),
  }
}

/** Creates a circuit breaker; `tripped` is called with every failure that opens it. */
export function createCircuitBreaker(now: () => number, tripped: (error: DirectoryError) => void): Breaker {
  let reason: DirectoryError | null = null
  let contact = UNKNOWN
  let closedUntil = 0
  let probing = false
  return {
    isOpen: () => reason !== null,
    contact: () => contact,
    enter() {
      if (!reason) return
      if (now() < closedUntil || probing) throw reason
      probing = true
    },
    succeeded() {
      reason = null
      contact = WELL
      probing = false
    },
    failed(error) {
      probing = false
      const isIll = isOutage(error) || isAccountRefusal(error) || isWrongSetting(error)
      contact = isIll ? computeIllness(contact, error.message) : WELL
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
