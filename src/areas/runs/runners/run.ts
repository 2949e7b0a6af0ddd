import { buildExitTrouble, buildStartTrouble, buildTimeoutTrouble, formatPrintable } from '../../proxies/index.ts'
import { type ProcessEnd, runProcess } from '../process.ts'
import { locateProgram } from '../program.ts'
import { buildCancellation, buildFailure, buildSuccess } from './outcome.ts'
import { runThroughProxy } from './proxy.ts'
import type { CommandRunner, Runner, RunOptions, RunOutcome, RunTarget } from './runner.ts'
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

const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** Whether text is a valid host name; other text must not get into command lines or requests to proxies. */
function isHostName(name: string): boolean {
  return name.length <= 253 && name.split('.').every((label) => LABEL.test(label))
}

/** Stands for the host in the arguments of a command. */
const HOST = '%{host}'

/** Executes a program of this machine for a host. */
async function runCommand(runner: CommandRunner, target: RunTarget, options: RunOptions): Promise<RunOutcome> {
  const [program = '', ...args] = runner.command
  if (runner.command.some((word) => word.includes('\0')))
    return buildFailure({ reason: 'settings', detail: 'NUL in the command' })
  const found = await locateProgram(program)
  if (found === 'missing') return buildFailure({ reason: 'command_missing', detail: program })
  if (found === 'not executable') return buildFailure({ reason: 'command_not_executable', detail: program })
  const command = [found.path, ...withHost(args, target.host)]
  const end = await runProcess({ ...options, command, timeoutMs: runner.timeoutMs })
  return outcomeOf(end, runner)
}

function withHost(args: readonly string[], host: string): string[] {
  return args.includes(HOST) ? args.map((arg) => (arg === HOST ? host : arg)) : [...args, host]
}

function outcomeOf(end: ProcessEnd, { successStatuses = [0], timeoutMs }: CommandRunner): RunOutcome {
  switch (end.how) {
    case 'exited':
      return successStatuses.includes(end.status)
        ? buildSuccess(end.status)
        : buildFailure(buildExitTrouble(end.status))
    case 'killed':
      return buildFailure({ reason: 'killed', detail: end.by })
    case 'unstarted':
      return buildFailure(buildStartTrouble(end.code))
    case 'stopped': {
      const remark = end.survived ? SURVIVED : undefined
      return end.why === 'cancelled'
        ? buildCancellation(true, remark)
        : buildFailure(buildTimeoutTrouble(timeoutMs, true, remark))
    }
  }
}

const SURVIVED = 'a part of it runs as another user, could not be ended and may go on'
