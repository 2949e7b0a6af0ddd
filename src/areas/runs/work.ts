import type { Logger } from 'pino'
import type { Db } from '../../database/sql.ts'
import { type Lease, storeWhileHeld } from '../../queue/lease.ts'
import { withSpan } from '../../tracing/tracing.ts'
import { type ClaimedRun, concludeRun, launchRun, type RunConclusion, refuseRun } from './queue.ts'
import { startRecording } from './recording.ts'
import { buildRunner, type RunnerSettings } from './runner-of.ts'
import { runOnHost } from './runners/run.ts'
import type { Runner, RunOutcome } from './runners/runner.ts'

/** The dependencies of the execution of runs. */
export interface RunWorkplace {
  readonly db: Db
  readonly log: Logger
  readonly settings: () => RunnerSettings
  /** Yields why a run that this user asked for must not begin; null where it may. */
  readonly refuses: (user: number | null) => Promise<string | null>
  /** The delay before the second attempt; each further delay is four times as long. */
  readonly backOffMs: number
}

/** Executes a claimed run, from its launch until its end is stored. */
export function executeRun(place: RunWorkplace, claimed: ClaimedRun, lease: Lease): Promise<void> {
  const { id, attempt, traceparent: parent } = claimed
  const facts = { 'millwright.config_run': id, 'millwright.attempt': attempt }
  return withSpan(
    () => ({ name: 'configuration run', kind: 'works', facts, parent }),
    () => execute(place, claimed, lease),
  )
}

async function execute(place: RunWorkplace, claimed: ClaimedRun, lease: Lease): Promise<void> {
  const { worker, signal, isLost } = lease
  const log = place.log.child({ configRun: claimed.id })
  const refusal = await place.refuses(claimed.user)
  if (refusal !== null) {
    log.info({ reason: refusal }, 'configuration run refused')
    return refuseRun(place.db, claimed, worker, refusal)
  }
  const row = await launchRun(place.db, claimed.id, worker)
  if (!row) return
  const output = await startRecording(place.db, claimed.id, log)
  const { host } = row
  const runner = buildRunner(row, place.settings())
  const outcome =
    typeof runner === 'string' || host === null
      ? buildRefusal(String(runner))
      : await traceRun(runner, () => runOnHost(runner, { host }, { signal, write: output.write }))
  await output.stop()
  if (isLost()) return log.warn('lost the lease of a configuration run')
  const conclusion = conclusionOf(place, claimed, typeof runner === 'string' ? null : runner.kind, outcome, signal)
  if (conclusion.status === 'queued' && conclusion.message !== null) {
    output.write('service', `${conclusion.message}; trying again in ${Math.round(conclusion.delayMs / 1000)} s\n`)
  }
  const stored = await storeWhileHeld(lease, log, () =>
    concludeRun(place.db, claimed, worker, conclusion, output.rest(), output.printed()),
  )
  if (!stored) return log.warn('the end of a configuration run came too late')
  log.info({ status: conclusion.status, runner: row.runner }, 'configuration run ended')
}

function traceRun(runner: Runner, work: () => Promise<RunOutcome>): Promise<RunOutcome> {
  return withSpan(() => ({ name: `runner ${runner.kind}`, kind: 'asks' }), work)
}

function buildRefusal(message: string): RunOutcome {
  return { status: 'failed', reason: 'settings', exitStatus: null, message, retryable: false }
}

/**
 * Computes how a run is concluded. If it failed, certainly did not begin and has attempts left, it is tried again. If the
 * service stopped it and nothing of it is running any more, another process begins it again.
 */
function conclusionOf(
  { backOffMs }: RunWorkplace,
  { attempt, attempts }: ClaimedRun,
  kind: Runner['kind'] | null,
  outcome: RunOutcome,
  signal: AbortSignal,
): RunConclusion {
  const { status, reason, exitStatus, message, retryable } = outcome
  if (status === 'cancelled' && signal.reason === 'stopping') {
    if (retryable || kind === 'command') return { status: 'queued', delayMs: 0, counted: false, message: STOPPED }
    return { status: 'failed', reason: 'service_stopped', exitStatus, message: STOPPED_THERE }
  }
  if (status === 'failed' && retryable && attempt < attempts && !signal.aborted) {
    return { status: 'queued', delayMs: backOffMs * 4 ** (attempt - 1), counted: true, message }
  }
  return { status, reason, exitStatus, message }
}

const STOPPED = 'the service was stopped'
const STOPPED_THERE = 'the service was stopped while it ran; whether it came to its end there is not known'
