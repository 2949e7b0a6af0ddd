import { printable } from '../printable.ts'
import { runCommand } from './command.ts'
import { isHostName } from './host-name.ts'
import { cancelled, failed } from './outcomes.ts'
import { askProxy } from './proxy.ts'
import type { Runner, RunOptions, RunOutcome, RunTarget } from './runner.ts'
import { runOverSsh } from './ssh.ts'

/**
 * Runs the configuration of one host and tells how that ended: it does not fail because a run does. Every runner ends
 * within its time limit, and a few seconds after the signal. Output goes to `write` while it comes.
 */
export async function run(runner: Runner, target: RunTarget, options: RunOptions): Promise<RunOutcome> {
  if (options.signal.aborted) return cancelled(false)
  if (!isHostName(target.host)) return failed({ reason: 'host_name', detail: JSON.stringify(printable(target.host)) })
  if (runner.kind === 'proxy') return askProxy(runner, target, options)
  if (runner.kind === 'ssh') return runOverSsh(runner, target, options)
  return runCommand(runner, target, options)
}
