import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { spawn } from '../support/processes.ts'

/** What `npm start` runs: prepare-program.ts has made it of the sources before the first test. */
export const PROGRAM = resolve('.build/main.js')

/** The program as a person starts it: arguments, and an environment without this test run's own settings. */
export interface Program {
  readonly process: ChildProcess
  stdout(): string
  stderr(): string
  /** Resolves with the exit code once the process and its output have ended. */
  readonly ended: Promise<number | null>
}

export interface Finished {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Starts the program in `directory`. */
export function start(args: readonly string[], directory: string, env: Record<string, string> = {}): Program {
  const { PATH, HOME } = process.env
  const child = spawn(resolve('node_modules/.bin/node'), [PROGRAM, ...args], {
    cwd: directory,
    env: { PATH, HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return programOf(child)
}

/** A process that was started otherwise. */
export function programOf(child: ChildProcess): Program {
  if (!child.stdout || !child.stderr) throw new Error('its output is not to be read')
  const stdout = collected(child.stdout)
  const stderr = collected(child.stderr)
  const ended = once(child, 'close').then(([code]) => code as number | null) // the first argument of the event
  return { process: child, stdout, stderr, ended }
}

/** Runs the program to its end. */
export async function run(
  args: readonly string[],
  directory: string,
  env: Record<string, string> = {},
): Promise<Finished> {
  const program = start(args, directory, env)
  const code = await program.ended
  return { code, stdout: program.stdout(), stderr: program.stderr() }
}

/** The address of the service, once the program has printed it. Fails with its output when it ends before. */
export async function ready(program: Program): Promise<string> {
  for (;;) {
    const address = /Address +(\S+)[\s\S]*\/api\//.exec(program.stdout())?.[1]
    if (address) return address
    const ended = await Promise.race([program.ended, once(program.process.stdout ?? program.process, 'data')])
    if (!Array.isArray(ended)) throw new Error(`ended with ${ended}: ${program.stdout()}${program.stderr()}`)
  }
}

/** What its log has told that somebody should look at. */
export function troubles(program: Program): string[] {
  const lines = program.stderr().matchAll(/^\{.*\}$/gm)
  const told = Array.from(lines, ([line]) => JSON.parse(line) as { level: string; msg: string }) // what pino writes
  return told.filter(({ level }) => level === 'warn' || level === 'error').map(({ msg }) => msg)
}

function collected(stream: NodeJS.ReadableStream): () => string {
  let text = ''
  stream.setEncoding('utf8')
  stream.on('data', (chunk: string) => {
    text += chunk
  })
  return () => text
}
