import { formatPrintable } from '../../proxies/index.ts'
import { runCommand } from './command.ts'
import { isHostName } from './host-name.ts'
import { buildCancellation, buildFailure } from './outcome.ts'
import { runThroughProxy } from './proxy.ts'
import type { Runner, RunOptions, RunOutcome, RunTarget } from './runner.ts'
import { runOverSsh } from './ssh.ts'

/**
 * Runs the configuration of one host and resolves with the outcome, also with that of a failure. Every runner ends within
 * its time limit, and within a few seconds after the signal. Output goes to `write` as it comes.
 */
export async function runOnHost(runner: Runner, target: RunTarget, options: RunOptions): Promise<RunOutcome> {
  if (options.signal.aborted) return buildCancellation(false)
  if (!isHostName(target.host))
    return buildFailure({ reason: 'host_name', detail: JSON.stringify(formatPrintable(target.host)) })
  if (runner.kind === 'proxy') return runThroughProxy(runner, target, options)
  if (runner.kind === 'ssh') return runOverSsh(runner, target, options)
  return runCommand(runner, target, options)
}
