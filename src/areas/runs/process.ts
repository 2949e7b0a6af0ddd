/** Starts processes of runs without a shell, each in a group of its own, and stops them as a group. */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { buildProcessEnvironment, withServiceLifetime } from './program.ts'
import type { RunOptions } from './runners/runner.ts'

/** A command on this machine, and its time limit. */
export interface ProcessOptions extends Pick<RunOptions, 'signal' | 'write'> {
  /** Path of the program and its arguments. */
  readonly command: readonly string[]
  readonly timeoutMs: number
}

/** How a process ended. `survived`: parts of it belong to another user and cannot be signalled. */
export type ProcessEnd =
  | { readonly how: 'exited'; readonly status: number }
  | { readonly how: 'killed'; readonly by: string }
  | { readonly how: 'unstarted'; readonly code: string }
  | { readonly how: 'stopped'; readonly why: 'timeout' | 'cancelled'; readonly survived: boolean }

/** Milliseconds between SIGTERM and SIGKILL for a process group. */
const GRACE_MS = 5_000

/** Milliseconds for which pipes may be silent after the end of the process, when other processes hold them open. */
const SILENCE_MS = 2_000

/** The longest delay of a timer in Node, in milliseconds. */
const LONGEST_MS = 2 ** 31 - 1

/**
 * Executes a program until its end, its time limit or the signal. Its input is empty. Processes that it leaves in the
 * background are not touched, unless it is stopped. Rejects only with errors of `write`.
 */
export async function runProcess(order: ProcessOptions): Promise<ProcessEnd> {
  const started = start(order.command)
  if (typeof started === 'string') return { how: 'unstarted', code: started }
  const { child, problem } = started
  const stop = Promise.withResolvers<{ readonly because: 'timeout' | 'cancelled' | Error }>()
  const output = readOutput(child, order.write, (error) => stop.resolve({ because: error }))
  const ended = endOf(child)
  const cancel = () => stop.resolve({ because: 'cancelled' })
  const timer = setTimeout(() => stop.resolve({ because: 'timeout' }), Math.min(order.timeoutMs, LONGEST_MS))
  order.signal.addEventListener('abort', cancel, { once: true })
  if (order.signal.aborted) cancel()
  try {
    const code = await problem
    if (code !== null || child.pid === undefined) return { how: 'unstarted', code: code ?? 'unknown' }
    const first = await Promise.race([ended, stop.promise])
    if ('because' in first) {
      const survived = !(await endGroup(child.pid, ended))
      await output.rest(pause(SILENCE_MS, null, { ref: false }))
      if (first.because instanceof Error) throw first.because
      return { how: 'stopped', why: first.because, survived }
    }
    const rest = await output.rest(stop.promise)
    if (rest === 'stopped') await endGroup(child.pid, ended)
    if (rest === 'silent') order.write('service', 'The command left processes behind that hold its output.\n')
    return first
  } finally {
    clearTimeout(timer)
    order.signal.removeEventListener('abort', cancel)
  }
}

type Child = ChildProcessByStdio<null, Readable, Readable>

/** Starts the child. `problem` resolves with the error code if it does not start; some codes are known at once. */
function start(command: readonly string[]): { child: Child; problem: Promise<string | null> } | string {
  const [program = '', ...args] = withServiceLifetime(command)
  try {
    // Detached: in a session and process group of its own.
    const child = spawn(program, args, {
      cwd: '/',
      env: buildProcessEnvironment(),
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const problem = new Promise<string | null>((resolve) => {
      child.once('spawn', () => resolve(null))
      child.on('error', (error) => resolve(codeOf(error)))
    })
    return { child, problem }
  } catch (error) {
    return codeOf(error)
  }
}

function endOf(child: Child): Promise<Extract<ProcessEnd, { how: 'exited' | 'killed' }>> {
  return new Promise((resolve) => {
    child.once('exit', (status, by) =>
      resolve(status === null ? { how: 'killed', by: by ?? 'unknown' } : { how: 'exited', status }),
    )
  })
}

/** Passes output on. `rest` waits for the end of the output, at most until it is stopped or nothing has come for some time. */
function readOutput(child: Child, write: RunOptions['write'], fail: (error: Error) => void) {
  let chunks = 0
  let isBroken = false
  let isClosed = false
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].on('error', () => {}) // the stream closes next
    child[stream].on('data', (chunk: Buffer) => {
      chunks++
      if (isBroken) return
      try {
        write(stream, chunk)
      } catch (error) {
        isBroken = true
        fail(error instanceof Error ? error : new Error(String(error)))
      }
    })
  }
  const closed = new Promise<void>((resolve) => {
    child.once('close', () => {
      isClosed = true
      resolve()
    })
  })

  async function awaitRest(stop: Promise<unknown>): Promise<'closed' | 'silent' | 'stopped'> {
    let answer: 'silent' | 'stopped' | null = null
    const onStop = stop.then(() => {
      answer = 'stopped'
    })
    while (!isClosed && !answer) {
      const before = chunks
      await Promise.race([closed, onStop, pause(SILENCE_MS, null, { ref: false })])
      await nextTurn() // a busy process may read late what has already come
      if (chunks === before) answer ??= 'silent'
    }
    child.stdout.destroy()
    child.stderr.destroy()
    return isClosed ? 'closed' : (answer ?? 'silent')
  }
  return { rest: awaitRest }
}

/** Ends all processes of a group, first by SIGTERM. False when the service is not permitted to signal them. */
async function endGroup(group: number, leaderEnded: Promise<unknown>): Promise<boolean> {
  if (!signalGroup(group, 'SIGTERM')) return false
  const limit = performance.now() + GRACE_MS
  while (performance.now() < limit) {
    if (!isThere(group)) return true
    await pause(10)
  }
  const isEnded = signalGroup(group, 'SIGKILL')
  await Promise.race([leaderEnded, pause(1_000)])
  return isEnded
}

/** Signals a process group. True when the signal was sent or no process is left; false when signalling is not permitted. */
function signalGroup(group: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(-group, signal)
  } catch (error) {
    return codeOf(error) === 'ESRCH'
  }
}

function isThere(group: number): boolean {
  try {
    return process.kill(-group, 0)
  } catch (error) {
    return codeOf(error) !== 'ESRCH'
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}
