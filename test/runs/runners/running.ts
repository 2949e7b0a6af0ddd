import { readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { runOnHost } from '../../../src/areas/runs/runners/run.ts'
import type { Runner, RunOptions, RunOutcome, RunStream } from '../../../src/areas/runs/runners/runner.ts'

export interface Ran {
  readonly outcome: RunOutcome
  readonly stdout: string
  readonly stderr: string
  readonly service: string
}

/** Executes a run to its end and collects the output. */
export async function ran(runner: Runner, host = 'localhost', options: Partial<RunOptions> = {}): Promise<Ran> {
  const chunks: Record<RunStream, Buffer[]> = { stdout: [], stderr: [], service: [] }
  const write: RunOptions['write'] = (stream, chunk) => chunks[stream].push(Buffer.from(chunk))
  const outcome = await runOnHost(runner, { host }, { signal: new AbortController().signal, write, ...options })
  const text = (stream: RunStream) => Buffer.concat(chunks[stream]).toString()
  return { outcome, stdout: text('stdout'), stderr: text('stderr'), service: text('service') }
}

/** Starts a run, and cancels it when its output contains this text. */
export async function cancelledAt(runner: Runner, sign: string, host = 'localhost'): Promise<Ran> {
  const cancelling = new AbortController()
  let seen = ''
  let rest: Partial<Ran> = {}
  const write: RunOptions['write'] = (stream, chunk) => {
    seen += Buffer.from(chunk).toString()
    rest = {
      ...rest,
      [stream]: (rest[stream === 'service' ? 'service' : stream] ?? '') + Buffer.from(chunk).toString(),
    }
    if (seen.includes(sign)) cancelling.abort()
  }
  const { outcome } = await ran(runner, host, { signal: cancelling.signal, write })
  return { stdout: '', stderr: '', service: '', ...rest, outcome }
}

/** Tells whether a process runs; a zombie does not. */
export function isAlive(pid: number): boolean {
  try {
    return !/^State:\s*[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** Lists the existing folders with keys. */
export function keyFolders(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith('millwright-ssh-'))
}
