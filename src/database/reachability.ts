import { unreachable } from './failures.ts'
import type { Outages } from './outages.ts'

/** Whether the server can be reached, as far as this process knows. */
export interface Reachability extends Disposable {
  /** {@throws Failure} 'unavailable' while the server does not answer */
  refuseWhileAway(): void
  /** Reports that a connection or a statement had no answer in time. */
  noticeSilence(cause: unknown): void
}

/**
 * Watches whether a server answers. A refused connection fails at once, but a silent server costs each request the
 * whole time-out. So the first time-out is reported here, and later requests fail without waiting until `probe`
 * succeeds again.
 */
export function watchReachability(probe: () => Promise<void>, onAway: () => void, outages: Outages): Reachability {
  let away: { readonly cause: unknown } | null = null
  let timer: NodeJS.Timeout | null = null
  return {
    refuseWhileAway() {
      if (away) throw unreachable(away.cause)
    },
    noticeSilence(cause) {
      if (away) return
      away = { cause }
      outages.notice(unreachable(cause))
      onAway()
      lookAgain()
    },
    [Symbol.dispose]() {
      if (timer) clearTimeout(timer)
      timer = null
      away = null
    },
  }

  function lookAgain(): void {
    timer = setTimeout(() => {
      void probe().then(
        () => {
          away = null
        },
        () => away && lookAgain(),
      )
    }, PROBE_MS).unref()
  }
}

const PROBE_MS = 500
