import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { startWrk } from './wrk.ts'

/** A burst of load: the requests in turn, the number of connections, and the duration. */
export interface Burst {
  readonly port: number
  /** Requests as raw HTTP/1.1. */
  readonly requests: readonly string[]
  readonly connections: number
  readonly seconds: number
}

export interface Load {
  readonly requestsPerSecond: number
  /** Latencies in milliseconds. */
  readonly latencies: readonly number[]
}

/** A statement for the driver. */
export interface BareStatement {
  readonly text: string
  readonly values: readonly (string | null)[]
}

/** The answer of the bare handler on one path. */
export interface BareAnswer {
  readonly path: string
  /** Sent one after another; the longest yields the rows. */
  readonly statements: readonly BareStatement[]
  /** The keys of a record; times are formatted as in the view. */
  readonly keys: readonly { readonly key: string; readonly time: boolean }[]
  /** The keys between the totals and the results of a list; null for a single record. */
  readonly envelope: Readonly<Record<string, unknown>> | null
  /** The total that the service has cached. */
  readonly total: number | null
  readonly subtotal: number | null
  /** A statement that counts concurrently instead: `count`, and `subtotal` where it differs. */
  readonly count: BareStatement | null
}

/** The database of the bare handler. */
export interface BareDatabase {
  readonly url: string
  readonly poolSize: number
}

export interface BareServer {
  readonly database: BareDatabase
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

/** The service, with the port of the vendor dialect, 0 where it is off. */
export interface RunningService extends Running {
  readonly vendorPort: number
}

/** Starts the service as `npm start` does, with its log in a file. */
export async function startService(
  folder: string,
  env: Readonly<Record<string, string>>,
  program = makeProgram(),
): Promise<RunningService> {
  const log = join(folder, 'service.log')
  const start = performance.now()
  const flags = ['--max-semi-space-size=8', '--no-concurrent-recompilation']
  const child = spawn(process.execPath, [...flags, program, 'serve', '--port', '0'], {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', openSync(log, 'a')],
  })
  const { address, vendor } = await readAddresses(child, log)
  const answer = await fetch(`${address}/api/ping`)
  if (answer.status !== 200) throw new Error(`the service answered ${answer.status}`)
  await answer.arrayBuffer()
  const startMs = performance.now() - start
  const vendorPort = vendor === undefined ? 0 : Number(new URL(vendor).port)
  return { port: Number(new URL(address).port), vendorPort, pid: child.pid ?? 0, startMs, ...endWith(child) }
}

/** Bundles the program before timing starts, because the sources may have changed since the last start. */
export function makeProgram(): string {
  execFileSync(process.execPath, ['scripts/bundle.ts', 'for a benchmark'], { cwd: ROOT })
  return '.build/main.js'
}

/** Starts the baseline with the statements for its answers. */
export async function startBare(server: BareServer): Promise<Running> {
  const start = performance.now()
  const child = fork(new URL('./bare.ts', import.meta.url))
  child.send(server)
  const [address] = (await once(child, 'message')) as [AddressInfo]
  return { port: address.port, pid: child.pid ?? 0, startMs: performance.now() - start, ...endWith(child) }
}

/** Starts the expert's handler of single writes. */
export async function startWriting(databaseUrl: string): Promise<Running> {
  const start = performance.now()
  const child = fork(new URL('./writing.ts', import.meta.url))
  child.send(databaseUrl)
  const [address] = (await once(child, 'message')) as [AddressInfo]
  return { port: address.port, pid: child.pid ?? 0, startMs: performance.now() - start, ...endWith(child) }
}

/** Starts a server that sends a constant text. */
export async function startBytes(text: string): Promise<Running> {
  const start = performance.now()
  const child = fork(new URL('./bytes.ts', import.meta.url))
  child.send(text)
  const [address] = (await once(child, 'message')) as [AddressInfo]
  return { port: address.port, pid: child.pid ?? 0, startMs: performance.now() - start, ...endWith(child) }
}

/** Starts the load generator: wrk where it is installed, otherwise our own. One burst at a time. */
export function startGenerator(): Generator {
  return startWrk() ?? startOwnGenerator()
}

function startOwnGenerator(): Generator {
  const child = fork(new URL('./load.ts', import.meta.url))
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('the load generator ended')))
  ended.catch(() => undefined) // nobody may be waiting for the end
  return {
    async run(burst) {
      child.send(burst)
      const [result] = await Promise.race([once(child, 'message') as Promise<[Load]>, ended])
      return result
    },
    ...endWith(child),
  }
}

/** Reads the memory of a process and of those it has started, in MiB: pages that several have in common count once (PSS). */
export function readMemoryMiB(pid: number): number {
  const kilobytes = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
  return Number(kilobytes) / 1024 + children.reduce((sum, child) => sum + readMemoryMiB(Number(child)), 0)
}

function readAddresses(child: ChildProcess, log: string): Promise<{ address: string; vendor: string | undefined }> {
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

function endWith(child: ChildProcess): AsyncDisposable {
  return {
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}
