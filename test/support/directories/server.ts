import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawn } from '../processes.ts'
import { answers, type Endpoint } from './forward.ts'

export interface Launch {
  readonly program: string
  readonly args: readonly string[]
  /** Accept connections when the server is ready. */
  readonly addresses: readonly Endpoint[]
  /** Files outside its folder that it does not remove itself. */
  readonly leavesBehind?: readonly string[]
}

/** A program that serves from a folder; it ends when this process ends in any way. */
export interface Server extends AsyncDisposable {
  start(): Promise<void>
  stop(): Promise<void>
  restart(): Promise<void>
  /** Suspends the program, and returns when it is: connections are accepted, nothing is answered. */
  freeze(): Promise<void>
  thaw(): void
  /** Yields the output of the program. */
  log(): string
}

const SECONDS_TO_START = 30

/**
 * Creates a folder for a server, with a short path because of the limit for socket names; it is removed with this process.
 */
export function makeFolder(): string {
  removeForgotten()
  const folder = mkdtempSync(join(tmpdir(), `directory-${process.pid}-`))
  onExit(() => removeFolder(folder))
  return folder
}

const endings = new Set<() => void>()
const endAll = () => {
  for (const end of endings) end()
}

/** Calls `end` when this process ends, unless the returned function is called before. */
export function onExit(end: () => void): () => void {
  if (!process.listeners('exit').includes(endAll)) process.once('exit', endAll)
  endings.add(end)
  return () => void endings.delete(end)
}

/** Removes folders of test processes that were killed. */
function removeForgotten(): void {
  const tenMinutesAgo = Date.now() - 600_000
  for (const name of readdirSync(tmpdir()).filter((each) => /^directory-\d+-\w+$/.test(each))) {
    const folder = join(tmpdir(), name)
    const found = statSync(folder, { throwIfNoEntry: false })
    const isOld = found && found.uid === process.getuid?.() && found.mtimeMs < tenMinutesAgo
    if (isOld && !isAlive(Number(name.split('-')[1]))) removeFolder(folder)
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Starts a program whose output goes to `server.log` in its folder. {@throws} EarlyEnd, with the end of that log */
export async function openServer(folder: string, launch: Launch): Promise<Server> {
  const logFile = join(folder, 'server.log')
  let child: ChildProcess | null = null
  const removeAll = () => {
    for (const each of [folder, ...(launch.leavesBehind ?? [])]) removeFolder(each)
  }
  const killAtExit = () => {
    child?.kill('SIGKILL')
    removeAll()
  }
  const log = () => (existsSync(logFile) ? readFileSync(logFile, 'utf8') : '')

  async function start(): Promise<void> {
    if (child) return
    const output = openSync(logFile, 'a')
    const started = spawn(launch.program, [...launch.args], { cwd: folder, stdio: ['ignore', output, output] })
    closeSync(output)
    child = started
    let problem: Error | null = null
    const ended = new Promise<void>((resolve) => {
      started.once('error', (error) => {
        problem = error
        resolve()
      })
      started.once('exit', (code, signal) => {
        problem = new EarlyEnd(`${launch.program} ended with ${code ?? signal}: ${log().slice(-3000)}`)
        resolve()
      })
    })
    const patience = AbortSignal.timeout(SECONDS_TO_START * 1000)
    for (const address of launch.addresses) {
      while (!problem && !(await answers(address))) {
        if (patience.aborted) problem = new Error(`${launch.program} does not listen: ${log().slice(-3000)}`)
        await Promise.race([ended, pause(10)])
      }
    }
    if (!problem) return
    await stop('SIGKILL')
    throw problem
  }

  async function stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const ending = child
    child = null
    if (!ending?.pid || ending.exitCode !== null || ending.signalCode !== null) return
    const exit = once(ending, 'exit')
    ending.kill(signal)
    ending.kill('SIGCONT')
    await exit
  }

  // The signal is delivered to one thread, which stops the others when it is its turn to run: on a busy machine they answer
  // for a while longer.
  async function freeze(): Promise<void> {
    if (!child?.pid) return
    child.kill('SIGSTOP')
    while (!isStopped(child.pid)) await pause(1)
  }

  const forget = onExit(killAtExit)
  try {
    await start()
  } catch (error) {
    forget()
    throw error
  }
  return {
    start,
    stop,
    log,
    restart: async () => {
      await stop()
      await start()
    },
    freeze,
    thaw: () => void child?.kill('SIGCONT'),
    async [Symbol.asyncDispose]() {
      await stop('SIGKILL') // its data is deleted with the folder
      forget()
      removeAll()
    },
  }
}

/** Whether no thread of a process runs: its state in `/proc` follows the name of the program, which stands in parentheses. */
function isStopped(pid: number): boolean {
  const threads = readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}/stat`)
  return threads.every((file) => / T [^)]*$/.test(existsSync(file) ? readFileSync(file, 'utf8') : ''))
}

/** The program ended before it served, e.g. because its port was taken meanwhile. */
class EarlyEnd extends Error {}

/**
 * Calls `start` with free ports on 127.0.0.1, and again with others when the server ends early: another process may take a
 * port.
 */
export async function withFreePorts<T>(count: number, start: (...ports: number[]) => Promise<T>): Promise<T> {
  for (let left = 2; ; left--) {
    try {
      return await start(...(await freePorts(count)))
    } catch (error) {
      if (left === 0 || !(error instanceof EarlyEnd || isTaken(error))) throw error
    }
  }
}

const isTaken = (error: unknown) => error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'

/** Waits for the setup of a server, and ends the server when it fails. */
export async function endIfThisFails(server: Server, work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (error) {
    await server[Symbol.asyncDispose]()
    throw error
  }
}

export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => {
    const address = server.address()
    return address !== null && typeof address === 'object' ? address.port : 0
  })
  await Promise.all(servers.map((server) => once(server.close(), 'close')))
  return ports
}

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds))
