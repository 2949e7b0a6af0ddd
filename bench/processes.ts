import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { startWrk } from './wrk.ts'

/** One burst of load: the requests in turn, over so many connections, for so long. */
export interface Burst {
  readonly port: number
  /** Raw HTTP/1.1. */
  readonly requests: readonly string[]
  readonly connections: number
  readonly seconds: number
}

export interface Load {
  readonly requestsPerSecond: number
  /** Milliseconds. */
  readonly latencies: readonly number[]
}

/** A statement as the driver takes it. */
export interface BareStatement {
  readonly text: string
  readonly values: readonly (string | null)[]
}

/** What the bare handler answers on one path. */
export interface BareAnswer {
  readonly path: string
  /** Sent one after the other; the longest has the rows. */
  readonly statements: readonly BareStatement[]
  /** Keys of a record; times are written in the format of the view. */
  readonly keys: readonly { readonly key: string; readonly time: boolean }[]
  /** What stands between the totals and the results of a list; null for a single record. */
  readonly envelope: Readonly<Record<string, unknown>> | null
  /** The totals that the service remembers. */
  readonly total: number | null
  readonly subtotal: number | null
  /** A statement that counts instead, at the same time: `count`, and `subtotal` where that is another number. */
  readonly count: BareStatement | null
}

export interface BareServer {
  readonly databaseUrl: string
  readonly poolSize: number
  readonly answers: readonly BareAnswer[]
}

/** A server under load. */
export interface Running extends AsyncDisposable {
  readonly port: number
  readonly pid: number
  /** Milliseconds from the start of the process to its first answer. */
  readonly startMs: number
}

export interface Generator extends AsyncDisposable {
  readonly run: (burst: Burst) => Promise<Load>
}

export const ROOT = join(import.meta.dirname, '..')

/** The service, and the port that it speaks the vendor dialect on, 0 where it does not. */
export interface RunningService extends Running {
  readonly vendorPort: number
}

/** The service as `npm start` runs it, logging to a file. */
export async function startService(
  folder: string,
  env: Readonly<Record<string, string>>,
  program = makeProgram(),
): Promise<RunningService> {
  const log = join(folder, 'service.log')
  const start = performance.now()
  const child = spawn(process.execPath, ['--max-semi-space-size=4', program, 'serve', '--port', '0'], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', openSync(log, 'a')],
  })
  const { address, vendor } = await addressesPrinted(child, log)
  const answer = await fetch(`${address}/api/ping`)
  if (answer.status !== 200) throw new Error(`the service answered ${answer.status}`)
  await answer.arrayBuffer()
  const startMs = performance.now() - start
  const vendorPort = vendor === undefined ? 0 : Number(new URL(vendor).port)
  return { port: Number(new URL(address).port), vendorPort, pid: child.pid ?? 0, startMs, ...ending(child) }
}

/** Made anew, without being timed: the sources may have changed since somebody started the service here. */
export function makeProgram(): string {
  execFileSync(process.execPath, ['scripts/bundle.ts', 'for a benchmark'], { cwd: ROOT })
  return '.build/main.js'
}

/** The baseline, with the statements it answers from. */
export async function startBare(server: BareServer): Promise<Running> {
  const start = performance.now()
  const child = fork(new URL('./bare.ts', import.meta.url))
  child.send(server)
  const [address] = (await once(child, 'message')) as [AddressInfo]
  return { port: address.port, pid: child.pid ?? 0, startMs: performance.now() - start, ...ending(child) }
}

/** A server that sends the same text to everybody. */
export async function startBytes(text: string): Promise<Running> {
  const start = performance.now()
  const child = fork(new URL('./bytes.ts', import.meta.url))
  child.send(text)
  const [address] = (await once(child, 'message')) as [AddressInfo]
  return { port: address.port, pid: child.pid ?? 0, startMs: performance.now() - start, ...ending(child) }
}

/** The load generator: wrk where it is there, else one of our own. One burst at a time. */
export function startGenerator(): Generator {
  return startWrk() ?? startOwnGenerator()
}

function startOwnGenerator(): Generator {
  const child = fork(new URL('./load.ts', import.meta.url))
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('the load generator ended')))
  ended.catch(() => undefined) // it also ends when nobody waits for it
  return {
    async run(burst) {
      child.send(burst)
      const [result] = await Promise.race([once(child, 'message') as Promise<[Load]>, ended])
      return result
    },
    ...ending(child),
  }
}

/** Resident memory of a process in MiB, as Linux tells it. */
export function residentMiB(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

function addressesPrinted(child: ChildProcess, log: string): Promise<{ address: string; vendor: string | undefined }> {
  return new Promise((resolve, reject) => {
    let output = ''
    child.stdout?.on('data', (chunk) => {
      output += chunk
      const address = /Address\s+(http:\S+)/.exec(output)?.[1]
      if (address) resolve({ address, vendor: /Vendor\s+(http:\S+)/.exec(output)?.[1] })
    })
    child.once('error', reject)
    child.once('exit', (code) =>
      reject(new Error(`the service ended with ${code}: ${readFileSync(log, 'utf8').slice(-2000)}`)),
    )
  })
}

function ending(child: ChildProcess): AsyncDisposable {
  return {
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}
