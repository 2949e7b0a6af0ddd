import { type ChildProcess, spawn } from 'node:child_process'
import { accessSync, constants, readFileSync, readlinkSync, realpathSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Programs } from './programs.ts'

/** How a PostgreSQL is started. */
export interface PostmasterOptions {
  readonly programs: Programs
  /** The folder of its files. */
  readonly directory: string
  /** The folder of its socket, the only way to reach it. */
  readonly socketFolder: string
  /** Whether commits wait for the disk. */
  readonly fsync: boolean
  readonly log: Logger
}

/**
 * Starts PostgreSQL in its folder, and restarts it whenever it ends by itself; disposing stops it. It also stops when
 * this process ends in any way. {@throws Error} with the message of PostgreSQL if it does not start
 */
export async function startPostmaster(options: PostmasterOptions): Promise<AsyncDisposable> {
  const { log, directory } = options
  let isClosing = false
  await endFormer(directory)
  let running = launch(options)
  await running.ready
  void keepRunning()
  return {
    async [Symbol.asyncDispose]() {
      isClosing = true
      await running.stop()
    },
  }

  async function keepRunning(): Promise<void> {
    let isReady = true
    for (let pause = FIRST_PAUSE_MS; ; pause = isReady ? FIRST_PAUSE_MS : Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      const reason = await running.ended
      if (isClosing) return
      // Where it does not start, as on a full disk, the first line says why.
      log[isReady ? 'error' : 'debug']({ reason }, 'the bundled database ended, and is started again')
      await sleep(pause, undefined, { ref: false })
      await endFormer(directory).catch((err: unknown) => log.error({ err }, 'the bundled database cannot be started'))
      if (isClosing) return
      running = launch(options)
      isReady = await running.ready.then(
        () => true,
        () => false,
      )
      if (isReady) log.info('the bundled database runs again')
    }
  }
}

const FIRST_PAUSE_MS = 50
const LONGEST_PAUSE_MS = 1000

interface Launched {
  readonly ready: Promise<void>
  /** Resolves with the last lines that it said when it has ended. */
  readonly ended: Promise<string>
  readonly stop: () => Promise<void>
}

function launch({ programs, directory, socketFolder, fsync, log }: PostmasterOptions): Launched {
  const settings = listSettings(socketFolder, fsync, Number.parseInt(programs.version, 10))
  const postgres = [join(programs.folder, 'postgres'), '-D', directory, ...settings.flatMap((one) => ['-c', one])]
  const [program = '', ...words] = [...programs.prefix, '/bin/sh', '-c', WATCHED, 'sh', ...postgres]
  const child = spawn(program, words, {
    env: programs.env,
    stdio: ['pipe', 'ignore', 'pipe'],
    detached: true, // Ctrl-C in a terminal is for the service, which then stops this
    ...programs.account,
  })
  child.stdin?.on('error', () => undefined) // it has ended
  const last: string[] = []
  const ready = new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', () => reject(new Error(last.join('; ') || 'PostgreSQL ended')))
    if (!child.stderr) return
    createInterface(child.stderr).on('line', (line) => {
      if (last.push(line.trim()) > 5) last.shift()
      logLine(log, line)
      if (line.includes('ready to accept connections')) resolve()
    })
  })
  ready.catch(() => undefined) // `ended` tells of it as well
  return { ready, ended: awaitEnd(child).then(() => last.join('; ')), stop: () => stop(child, directory) }
}

/** Runs PostgreSQL until the standard input ends, which is when the process that started this has ended or wants it. */
const WATCHED = `exec 3<&0 </dev/null
"$@" 3<&- & pid=$!
{ read -r line <&3; kill -INT $pid; } 2>/dev/null & watcher=$!
exec 3<&-
wait $pid; code=$?
kill $watcher
exit $code`

function listSettings(socketFolder: string, fsync: boolean, major: number): readonly string[] {
  return [
    'listen_addresses=',
    `unix_socket_directories="${socketFolder.replaceAll('"', '""')}"`,
    'unix_socket_permissions=0700',
    'shared_buffers=64MB',
    'max_wal_size=512MB',
    'jit=off',
    ...(major >= 18 ? ['io_method=sync'] : []), // workers for reading cost more memory than they save time here
    'max_logical_replication_workers=0',
    'log_min_messages=log', // refused statements are answered, not logged
    'log_checkpoints=off',
    'log_line_prefix=',
    'logging_collector=off',
    'log_destination=stderr',
    'lc_messages=C',
    'log_timezone=UTC',
    ...(fsync ? [] : ['fsync=off', 'full_page_writes=off']),
    ...(isSharedMemoryClosed() ? ['dynamic_shared_memory_type=sysv'] : []),
  ]
}

/**
 * Tells whether the folder of Linux for shared memory is closed, as in some containers. The files of PostgreSQL say which kind
 * could be used where they were made, which may have been on another machine.
 */
function isSharedMemoryClosed(): boolean {
  if (process.platform !== 'linux') return false
  try {
    accessSync('/dev/shm', constants.W_OK)
    return (statSync('/dev/shm').mode & 0o002) === 0 // another account may run PostgreSQL
  } catch {
    return true
  }
}

/** Puts a line of PostgreSQL into the log, at the level that its first word says. */
function logLine(log: Logger, line: string): void {
  const [, severity = '', text = line] = /^([A-Z]+): +(.*)$/.exec(line) ?? []
  // FATAL is about one connection; what ends the database itself is logged with its end.
  const level = ({ PANIC: 'error', WARNING: 'warn' } as const)[severity] ?? 'debug'
  log[level]({ part: 'postgresql' }, text)
}

function awaitEnd(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('close', () => resolve())
    child.once('error', () => resolve())
  })
}

/** Stops PostgreSQL: connections are closed, and what is in memory is written to the files. */
async function stop(child: ChildProcess, directory: string): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = awaitEnd(child)
  child.stdin?.destroy()
  const isEnded = await Promise.race([ended.then(() => true), sleep(STOP_MS, false, { ref: false })])
  if (isEnded) return
  signal(readFormer(directory), 'SIGQUIT') // the next start recovers
  await ended
}

const STOP_MS = 60_000

/**
 * Ends a PostgreSQL of this folder that a former process has left, and takes away its file where another process has got its
 * number. The caller holds the lock of the data directory. {@throws Error} when it does not end
 */
export async function endFormer(directory: string): Promise<void> {
  for (let waited = 0; ; waited += POLL_MS) {
    const pid = readFormer(directory)
    if (pid === null) return
    const at = findFolderOf(pid)
    if (at === null) return // PostgreSQL finds out whether the process is one of its own
    if (at !== realpathSync(directory)) return rmSync(join(directory, 'postmaster.pid'), { force: true })
    if (waited > 2 * STOP_MS) throw new Error(`the PostgreSQL of an earlier start does not stop: process ${pid}`)
    if (waited % STOP_MS === 0) signal(pid, waited === 0 ? 'SIGINT' : 'SIGQUIT')
    await sleep(POLL_MS)
  }
}

const POLL_MS = 20

/** Reads which process has the folder; null where there is none. */
function readFormer(directory: string): number | null {
  try {
    return Number.parseInt(readFileSync(join(directory, 'postmaster.pid'), 'utf8'), 10) || null
  } catch {
    return null
  }
}

/** Finds the folder in which a process works; null where it has ended, or the system does not tell. */
function findFolderOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return null
  }
}

function signal(pid: number | null, name: NodeJS.Signals): void {
  try {
    if (pid !== null) process.kill(pid, name)
  } catch {
    // It has ended meanwhile.
  }
}
