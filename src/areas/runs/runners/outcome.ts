import { formatTrouble, isRetryable, type RunReason, type Trouble } from '../../proxies/index.ts'
import type { RunOutcome } from './runner.ts'

/** Builds the outcome of a successful run, with the exit status if there was a command. */
export function buildSuccess(exitStatus: number | null = null): RunOutcome {
  return { status: 'succeeded', reason: null, exitStatus, message: null, retryable: false }
}

/** Builds the outcome of a failed run; `frame` makes its message from the sentence about the trouble. */
export function buildFailure(
  trouble: Trouble,
  frame: (sentence: string, reason: RunReason) => string = (sentence) => sentence,
): RunOutcome {
  return {
    status: 'failed',
    reason: trouble.reason,
    exitStatus: trouble.exitStatus ?? null,
    message: frame(formatTrouble(trouble), trouble.reason),
    retryable: isRetryable(trouble),
  }
}

/** Builds the outcome of a cancelled run; for a started one, the remark describes work that may continue elsewhere. */
export function buildCancellation(begun: boolean, remark?: string): RunOutcome {
  const message = remark && begun ? `cancelled; ${remark}` : 'cancelled'
  return { status: 'cancelled', reason: null, exitStatus: null, message, retryable: !begun }
}
