import { formatTrouble, isRetryable, type RunReason, type Trouble } from '../../proxies/index.ts'
import type { RunOutcome } from './runner.ts'

/** The run did what it was to do; the exit status where a command had one. */
export function buildSuccess(exitStatus: number | null = null): RunOutcome {
  return { status: 'succeeded', reason: null, exitStatus, message: null, retryable: false }
}

/** The run failed; `frame` puts the sentence into a longer one. */
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

/** The run was cancelled; what may go on elsewhere is told after it. */
export function buildCancellation(begun: boolean, remark?: string): RunOutcome {
  const message = remark && begun ? `cancelled; ${remark}` : 'cancelled'
  return { status: 'cancelled', reason: null, exitStatus: null, message, retryable: !begun }
}
