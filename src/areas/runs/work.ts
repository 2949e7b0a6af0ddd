import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Db } from '../../database/sql.ts'
import { withSpan } from '../../tracing.ts'
import { type ClaimedRun, concludeRun, launchRun, type RunConclusion } from './queue.ts'
import { type Recording, startRecording } from './recording.ts'
import { buildRunner, type RunnerSettings } from './runner-of.ts'
import { runOnHost } from './runners/run.ts'
import type { Runner, RunOutcome } from './runners/runner.ts'

/** Why a run is to end before its time. */
export type Interruption =
  /** Somebody wants it. */
  | 'cancelled'
  /** The lease is gone, and with it the right to say how the run ended. */
  | 'lost'
  /** The service stops. */
  | 'stopping'

/** Where a worker does its work. */
export interface RunWorkplace {
  readonly db: Db
  readonly log: Logger
  readonly worker: string
  readonly settings: () => RunnerSettings
  /** The first wait before a run is tried again; every further one is four times as long. */
  readonly backOffMs: number
}

/** How long to wait for a database that is away. */
const RETRY_MS = 1000

/** Does one claimed run from its launch to the moment that its end is stored. The signal's reason is an Interruption. */
export function executeRun(place: RunWorkplace, claimed: ClaimedRun, signal: AbortSignal): Promise<void> {
  const { id, attempt, traceparent: parent } = claimed
  const facts = { 'millwright.config_run': id, 'millwright.attempt': attempt }
  return withSpan(
    () => ({ name: 'configuration run', kind: 'works', facts, parent }),
    () => execute(place, claimed, signal),
  )
}

async function execute(place: RunWorkplace, claimed: ClaimedRun, signal: AbortSignal): Promise<void> {
  const log = place.log.child({ configRun: claimed.id })
  const row = await launchRun(place.db, claimed.id, place.worker)
  if (!row) return
  const output = await startRecording(place.db, claimed.id, log)
  const { host } = row
  const runner = buildRunner(row, place.settings())
  const outcome =
    typeof runner === 'string' || host === null
      ? refused(String(runner))
      : await tracedRun(runner, () => runOnHost(runner, { host }, { signal, write: output.write }))
  await output.stop()
  if (signal.reason === 'lost') return log.warn('lost the lease of a configuration run')
  const settlement = settlementOf(place, claimed, typeof runner === 'string' ? null : runner.kind, outcome, signal)
  if (settlement.status === 'queued' && settlement.message !== null) {
    output.write('service', `${settlement.message}; trying again in ${Math.round(settlement.delayMs / 1000)} s\n`)
  }
  await settleSurely(place, claimed, settlement, output, signal, log)
  log.info({ status: settlement.status, runner: row.runner }, 'configuration run ended')
}

function tracedRun(runner: Runner, work: () => Promise<RunOutcome>): Promise<RunOutcome> {
  return withSpan(() => ({ name: `runner ${runner.kind}`, kind: 'asks' }), work)
}

function refused(message: string): RunOutcome {
  return { status: 'failed', reason: 'settings', exitStatus: null, message, retryable: false }
}

/**
 * What becomes of a run after its runner is done. What certainly did not begin is tried again; a run that the stop of the
 * service ended goes on in another process when it is certain that nothing of it runs any more.
 */
function settlementOf(
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

/** Stores the end of a run, however long the database is away, until the run is no longer this worker's. */
async function settleSurely(
  { db, worker }: RunWorkplace,
  claimed: ClaimedRun,
  settlement: RunConclusion,
  output: Recording,
  signal: AbortSignal,
  log: Logger,
): Promise<void> {
  for (;;) {
    try {
      const stored = await concludeRun(db, claimed, worker, settlement, output.rest(), output.printed())
      if (!stored) log.warn('the end of a configuration run came too late')
      return
    } catch (err) {
      log.warn({ err }, 'the end of a configuration run could not be stored yet')
      await sleep(RETRY_MS)
      if (signal.reason === 'lost') return
    }
  }
}
