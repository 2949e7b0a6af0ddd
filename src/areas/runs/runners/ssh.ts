import { buildExitTrouble, buildStartTrouble, buildTimeoutTrouble, problemOfKey } from '../../proxies/index.ts'
import { type ProcessEnd, runProcess } from '../process.ts'
import { locateProgram } from '../program.ts'
import { buildCancellation, buildFailure, buildSuccess } from './outcome.ts'
import type { RunOptions, RunOutcome, RunTarget, SshRunner } from './runner.ts'
import { makeSshFiles, type SshFiles } from './ssh-files.ts'
import { parseSshLog, type SshReport } from './ssh-log.ts'

/** Time limit of connecting, including the greetings of the protocol. */
const CONNECT_SECONDS = 30

/** Executes a command on a host with the ssh client of this machine. */
export async function runOverSsh(runner: SshRunner, target: RunTarget, options: RunOptions): Promise<RunOutcome> {
  const problem = problemOfSettings(runner)
  if (problem) return buildFailure({ reason: 'settings', detail: problem })
  const keyProblem = problemOfKey(runner.privateKey)
  if (keyProblem) return buildFailure({ reason: keyProblem })
  const program = await locateProgram('ssh')
  if (typeof program === 'string') return buildFailure({ reason: 'ssh_missing' })
  const made = await makeSshFiles(runner.privateKey, runner.knownHosts).catch((error: NodeJS.ErrnoException) => error)
  if (made instanceof Error) return buildFailure({ reason: 'no_resources', detail: `temporary files: ${made.code}` })
  await using files = made
  const command = [program.path, ...buildArguments(runner, target.host, files)]
  const end = await runProcess({ ...options, command, timeoutMs: runner.timeoutMs })
  return outcomeOf(end, parseSshLog(await files.readLog()), runner)
}

function problemOfSettings({ user, port, command }: SshRunner): string | null {
  if (!/^[A-Za-z0-9_][A-Za-z0-9_.@\\+$-]*$/.test(user)) return 'the user has characters that are not allowed'
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return 'the port is not a number from 1 to 65535'
  if (command.trim() === '' || command.includes('\0')) return 'the command is empty or contains NUL'
  return null
}

/** The arguments of ssh: no configuration files, agents, terminal or questions. */
function buildArguments({ user, port, command, timeoutMs }: SshRunner, host: string, files: SshFiles): string[] {
  // Shorter than the whole time limit, so that ssh can report the reason.
  const connectSeconds = Math.max(1, Math.min(CONNECT_SECONDS, Math.ceil(timeoutMs / 1000) - 1))
  const settings = {
    BatchMode: 'yes',
    StrictHostKeyChecking: 'yes',
    UserKnownHostsFile: quotePath(files.knownHosts),
    GlobalKnownHostsFile: 'none',
    UpdateHostKeys: 'no',
    IdentitiesOnly: 'yes',
    IdentityAgent: 'none',
    IdentityFile: quotePath(files.key),
    PreferredAuthentications: 'publickey',
    ClearAllForwardings: 'yes',
    ForwardAgent: 'no',
    ForwardX11: 'no',
    RequestTTY: 'no',
    ConnectTimeout: String(connectSeconds),
    ServerAliveInterval: '15',
    ServerAliveCountMax: '4',
    // The log is in a file of its own: otherwise its lines could not be told from the output of the command.
    LogLevel: 'DEBUG1',
  }
  const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`])
  return ['-F', 'none', '-E', files.log, ...options, '-l', user, '-p', String(port), '--', host, command]
}

/** Quotes a path for a setting of ssh, which splits at spaces and replaces percent signs. */
function quotePath(path: string): string {
  return `"${path.replaceAll('%', '%%')}"`
}

function outcomeOf(end: ProcessEnd, report: SshReport, runner: SshRunner): RunOutcome {
  const { successStatuses = [0], timeoutMs } = runner
  switch (end.how) {
    case 'unstarted':
      return buildFailure(buildStartTrouble(end.code))
    case 'stopped':
      if (end.why === 'cancelled') return buildCancellation(report.hasBegun, GOES_ON)
      return buildFailure(buildTimeoutTrouble(timeoutMs, report.hasBegun, report.hasBegun ? GOES_ON : undefined))
    case 'killed':
      return buildFailure({ reason: 'killed', detail: `${end.by}, ssh itself`, retryable: !report.hasBegun })
    case 'exited':
      return end.status === SSH_FAILED ? outcomeOfFailure(report, runner) : outcomeOfStatus(end.status, successStatuses)
  }
}

/**
 * The exit status of ssh when ssh itself fails, when a signal ended the command, and when the command exits with 255.
 */
const SSH_FAILED = 255
const GOES_ON = 'what has begun on the host may go on there'

function outcomeOfFailure({ hasBegun, end, trouble }: SshReport, { successStatuses = [0] }: SshRunner): RunOutcome {
  if (!hasBegun || end === null) return buildFailure(trouble)
  if (end === 'signal') return buildFailure({ reason: 'killed', detail: 'the command on the host' })
  return outcomeOfStatus(SSH_FAILED, successStatuses)
}

function outcomeOfStatus(status: number, successStatuses: readonly number[]): RunOutcome {
  return successStatuses.includes(status) ? buildSuccess(status) : buildFailure(buildExitTrouble(status))
}
