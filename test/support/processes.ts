import * as original from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'

// Tests start every process by one of these, which are called as those of node:child_process are: whatever they start ends
// with the process that started it, however that ends. One that is killed cannot see to it, so somebody else watches.

/** Starts a program in a process group of its own, which ends as a whole: programs start others. */
export const spawn = ((program: string, ...rest: [readonly string[], original.SpawnOptions?]) => {
  const [args, options] = rest
  watchdog ??= startWatchdog()
  const child = original.spawn(program, args, { ...options, detached: true })
  if (child.pid) watch(-child.pid, child)
  return child
}) as typeof original.spawn // its overloads say which streams there are

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

/** Runs a program to its end; one that is not there ends with 127. */
export const execFileSync = ((program: string, args: string[], options: object) => {
  const [wrapper = '', ...words] = endingWithUs([program, ...args])
  return original.execFileSync(wrapper, words, options)
}) as typeof original.execFileSync // its overloads say what the output is

export const spawnSync = ((program: string, args: string[], options: object) => {
  const [wrapper = '', ...words] = endingWithUs([program, ...args])
  return original.spawnSync(wrapper, words, options)
}) as typeof original.spawnSync // its overloads say what the output is

/** The command, so that the kernel ends it with us: who waits for it tells nobody that it has begun. */
export function endingWithUs(command: readonly string[]): readonly string[] {
  const setpriv = '/usr/bin/setpriv'
  return existsSync(setpriv) ? [setpriv, '--pdeathsig', 'KILL', '--', ...command] : command
}

/** What has been started and not ended, as `kill` names it: a process, or a group by its negative. */
const watched = new Set<number>()
let watchdog: ((line: string) => void) | null = null

/** Ends whatever is left. */
export function endProcesses(): void {
  for (const id of watched) {
    if (isThere(id)) process.kill(id, 'SIGKILL')
    forget(id)
  }
}

function watch(id: number, child: original.ChildProcess): void {
  watched.add(id)
  watchdog?.(`+ ${id}\n`)
  // Where others of its group go on, nobody else gets the number.
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

/** Started before the first of them. A shell that is told what there is, and ends that when nobody can tell it any more. */
function startWatchdog(): (line: string) => void {
  const shell = original.spawn('/bin/sh', ['-c', WATCHDOG], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  const { stdin } = shell
  stdin.on('error', () => undefined) // it was killed itself
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
