import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Burst, Generator, Load } from './processes.ts'

const run = promisify(execFile)

/** Starts wrk, which takes less of the two cores than a generator in JavaScript; null where it is not installed. */
export function startWrk(): Generator | null {
  if (spawnSync('wrk', ['--version']).error) return null
  return { run: (burst) => loadBy(burst), [Symbol.asyncDispose]: async () => undefined }
}

async function loadBy({ port, requests, connections, seconds }: Burst): Promise<Load> {
  const folder = await mkdtemp(join(tmpdir(), 'millwright-wrk-'))
  try {
    const file = join(folder, 'requests')
    await writeFile(file, requests.join('\u0001'))
    const script = new URL('./load.lua', import.meta.url).pathname
    const duration = ['--duration', `${Math.max(1, Math.round(seconds))}s`, '--timeout', '30s']
    const size = ['--threads', '1', '--connections', String(connections)]
    const { stdout } = await run('wrk', [...size, ...duration, '--script', script, `http://127.0.0.1:${port}`, file])
    return readLoad(stdout)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Parses the output of wrk; latencies are its per-mille quantiles. */
function readLoad(output: string): Load {
  const [count = 0, microseconds = 0, failed = 0, ...latencies] =
    /^LOAD (.*)$/m.exec(output)?.[1]?.split(' ').map(Number) ?? []
  if (microseconds === 0 || failed > 0) throw new Error(`wrk: ${failed} of ${count} requests failed\n${output}`)
  if (count === 0) return { requestsPerSecond: 0, latencies: [microseconds / 1000] }
  return { requestsPerSecond: (count * 1e6) / microseconds, latencies: latencies.map((each) => each / 1000) }
}
