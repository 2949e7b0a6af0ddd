import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { computeQuantile, type Pace } from '../measure.ts'
import { startService } from '../processes.ts'
import type { Stages } from '../stages.ts'
import type { Line } from '../table.ts'

const CLICK_MS = 200
const COLD_MS = 1000
const BLOCKED_MS = 50
const FRAMES = 50
const SCRIPT_BYTES = 200_000

/** The figures that web/bench/measure.ts prints. */
interface Figures {
  readonly scriptBytes: number
  readonly clicks: readonly number[]
  readonly colds: readonly number[]
  readonly blockedMs: number
  readonly blockedByManyMs: number
  readonly framesPerSecond: number
}

/** Measures the console in a browser with 100,000 hosts: waiting times, and whether scrolling is smooth. */
export async function measureConsole(stages: Stages, pace: Pace): Promise<Line[]> {
  const { env, size } = await stages.many()
  await using service = await startService(stages.folder, env)
  const found = await measureInBrowser(`http://127.0.0.1:${service.port}`, pace)
  const hosts = `${size.hosts.toLocaleString('en')} hosts`
  const buildTimeLine = (work: string, milliseconds: number, most: number): Line => ({
    ...{ row: 'console', work, database: 'PostgreSQL', milliseconds },
    budget: { text: `<= ${most} ms`, met: milliseconds <= most },
  })
  const buildCountLine = (work: string, figure: string, text: string, met: boolean): Line => ({
    ...{ row: 'console', work, database: 'PostgreSQL', figure, budget: { text, met } },
  })
  const { framesPerSecond, scriptBytes } = found
  return [
    buildTimeLine(`first row after the click, ${hosts}`, computeQuantile(found.clicks, 0.5), CLICK_MS),
    buildTimeLine(`first row from a cold load, ${hosts}`, computeQuantile(found.colds, 0.5), COLD_MS),
    buildTimeLine('longest block while a search is typed, 20 rows', found.blockedMs, BLOCKED_MS),
    buildTimeLine('longest block while a search is typed, 10,000 rows', found.blockedByManyMs, BLOCKED_MS),
    buildCountLine(
      'scrolling 10,000 rows',
      `${framesPerSecond.toFixed(1)} /s`,
      `>= ${FRAMES} frames/s`,
      framesPerSecond >= FRAMES,
    ),
    buildCountLine(
      'script of the first page',
      `${Math.round(scriptBytes / 1000)} KB`,
      '<= 200 KB',
      scriptBytes <= SCRIPT_BYTES,
    ),
  ]
}

/** Measures in a separate process, because browser types belong to the console; as a user who is not an administrator. */
async function measureInBrowser(address: string, { rounds, seconds }: Pace): Promise<Figures> {
  const words = [address, 'viewer', 'bench-password', String(rounds * 3), String(seconds * 4)]
  const { stdout } = await promisify(execFile)(process.execPath, ['web/bench/measure.ts', ...words])
  return JSON.parse(stdout)
}
