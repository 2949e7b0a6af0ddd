import * as original from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'

// Tests start every process with these functions, which have the signatures of node:child_process: what they start ends with
// the process that started it, however it ends. A watchdog takes care of this when the process is killed.

/** Starts a program in its own process group, which is ended as a whole, because programs start others. */
export const spawn = ((program: string, ...rest: [readonly string[], original.SpawnOptions?]) => {
  const [args, options] = rest
  watchdog ??= startWatchdog()
  const child = original.spawn(program, args, { ...options, detached: true })
  if (child.pid) watch(-child.pid, child)
  return child
}) as typeof original.spawn // its overloads determine the streams

/** Runs a program to its end. */
export const execFile: typeof original.execFile = Object.assign(
  (...call: unknown[]) => {
    watchdog ??= startWatchdog()
    const child: original.ChildProcess = Reflect.apply(original.execFile, null, call)
    if (child.pid) watch(child.pid, child)
    return child
  },
  {
    __promisify__: original.execFile.__promisify__,
    [promisify.custom]: (...call: unknown[]) => {
      watchdog ??= startWatchdog()
      const ending: original.PromiseWithChild<unknown> = Reflect.apply(promisify(original.execFile), null, call)
      if (ending.child.pid) watch(ending.child.pid, ending.child)
      return ending
    },
  },
)

/** Runs a program to its end; a missing one yields 127. */
export const execFileSync = ((program: string, args: string[], options: object) => {
  const [wrapper = '', ...words] = endingWithUs([program, ...args])
  return original.execFileSync(wrapper, words, options)
}) as typeof original.execFileSync // its overloads determine the type of the output

export const spawnSync = ((program: string, args: string[], options: object) => {
  const [wrapper = '', ...words] = endingWithUs([program, ...args])
  return original.spawnSync(wrapper, words, options)
}) as typeof original.spawnSync // its overloads determine the type of the output

/**
 * Prefixes a command so that the kernel ends it with this process; meant for commands that nothing else could end in time.
 */
export function endingWithUs(command: readonly string[]): readonly string[] {
  const setpriv = '/usr/bin/setpriv'
  return existsSync(setpriv) ? [setpriv, '--pdeathsig', 'KILL', '--', ...command] : command
}

/** Processes that are running, as `kill` names them: a process, or a group by its negative id. */
const watched = new Set<number>()
let watchdog: ((line: string) => void) | null = null

/** Ends all running processes. */
export function endProcesses(): void {
  for (const id of watched) {
    if (isThere(id)) process.kill(id, 'SIGKILL')
    forget(id)
  }
}

function watch(id: number, child: original.ChildProcess): void {
  watched.add(id)
  watchdog?.(`+ ${id}\n`)
  // While others of its group run, the id is not used again.
  child.once('exit', () => {
    if (!isThere(id)) forget(id)
  })
}

function forget(id: number): void {
  if (watched.delete(id)) watchdog?.(`- ${id}\n`)
}

function isThere(id: number): boolean {
  try {
    return process.kill(id, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/**
 * Starts the watchdog before the first process: a shell that is told which processes run, and ends them when this process is
 * gone.
 */
function startWatchdog(): (line: string) => void {
  const shell = original.spawn('/bin/sh', ['-c', WATCHDOG], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  const { stdin } = shell
  stdin.on('error', () => undefined) // the watchdog itself was killed
  shell.unref()
  if ('unref' in stdin && typeof stdin.unref === 'function') stdin.unref()
  return (line) => void stdin.write(line)
}

const WATCHDOG = `
all=' '
while read -r change id; do
  case $change in
    +) all="$all$id " ;;
    -) all="\${all%%" $id "*} \${all#*" $id "}" ;;
  esac
done
for id in $all; do kill -KILL "$id"; done`
