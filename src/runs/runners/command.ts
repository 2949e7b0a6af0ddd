import { type ProcessEnd, runProcess } from '../process.ts'
import { findProgram } from '../program.ts'
import { cancelled, exited, failed, succeeded, timedOut, unstarted } from './outcomes.ts'
import type { CommandRunner, RunOptions, RunOutcome, RunTarget } from './runner.ts'

/** What stands for the host in the arguments of a command. */
const HOST = '%{host}'

/** Runs a program of this machine for a host. */
export async function runCommand(runner: CommandRunner, target: RunTarget, options: RunOptions): Promise<RunOutcome> {
  const [program = '', ...args] = runner.command
  if (runner.command.some((word) => word.includes('\0')))
    return failed({ reason: 'settings', detail: 'NUL in the command' })
  const found = await findProgram(program)
  if (found === 'missing') return failed({ reason: 'command_missing', detail: program })
  if (found === 'not executable') return failed({ reason: 'command_not_executable', detail: program })
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
      return successStatuses.includes(end.status) ? succeeded(end.status) : failed(exited(end.status))
    case 'killed':
      return failed({ reason: 'killed', detail: end.by })
    case 'unstarted':
      return failed(unstarted(end.code))
    case 'stopped': {
      const remark = end.survived ? SURVIVED : undefined
      return end.why === 'cancelled' ? cancelled(true, remark) : failed(timedOut(timeoutMs, true, remark))
    }
  }
}

const SURVIVED = 'a part of it runs as another user, could not be ended and may go on'
