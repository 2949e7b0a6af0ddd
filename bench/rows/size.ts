import { createHash } from 'node:crypto'
import { capture } from '../capture.ts'
import type { Stage } from '../data.ts'
import { compare, computeQuantile, get, type Pace } from '../measure.ts'
import { type Running, startBare, startGenerator, startService } from '../processes.ts'
import type { Stages } from '../stages.ts'
import type { Line } from '../table.ts'

const AT_MOST = 3

interface Work {
  readonly work: string
  readonly who: 'viewer' | 'limited'
  readonly paths: (stage: Stage) => readonly string[]
}

/** Requests for the small and the large database. The names are those of data.ts and exist in both. */
const WORK: readonly Work[] = [
  { work: 'list, first page', who: 'viewer', paths: () => ['/api/architectures'] },
  { work: 'list, page 40', who: 'viewer', paths: () => ['/api/architectures?page=40'] },
  { work: 'search name = x', who: 'viewer', paths: () => names.map((name) => buildSearchPath(`name = ${name}`)) },
  {
    work: 'search name ~ rare part',
    who: 'viewer',
    paths: () => names.map((name) => buildSearchPath(`name ~ ${name.slice(3, 10)}`)),
  },
  { work: 'search name ~ common part', who: 'viewer', paths: () => [buildSearchPath('name ~ 3e')] },
  { work: "list under a filter's search", who: 'limited', paths: () => ['/api/architectures'] },
  { work: "search under a filter's search", who: 'limited', paths: () => [buildSearchPath('name ~ 3e')] },
  { work: 'list users of the own location', who: 'viewer', paths: () => ['/api/users'] },
  {
    work: 'list users of a named location',
    who: 'viewer',
    paths: ({ location }) => [`/api/users?location_id=${location}`],
  },
]

const names = Array.from({ length: 50 }, (_, n) =>
  createHash('md5')
    .update(String(n + 1))
    .digest('hex')
    .slice(0, 16),
)

function buildSearchPath(search: string): string {
  return `/api/architectures?search=${encodeURIComponent(search)}`
}

/** Row 2: equal requests to a small and a large database, totals included; and the cost of counting rows. */
export async function measureSize(stages: Stages, pace: Pace): Promise<Line[]> {
  const small = await stages.small()
  const large = await stages.large()
  await using generator = startGenerator()
  await using little = await startService(stages.folder, small.env)
  await using big = await startService(stages.folder, large.env)
  const pairs = [
    { stage: small, server: little },
    { stage: large, server: big },
  ]
  const lines: Line[] = []
  for (const { work, who, paths } of WORK) {
    const subjects = pairs.map(({ stage, server }) => ({
      port: server.port,
      requests: paths(stage).map((path) => get(path, stage.people[who])),
    }))
    lines.push(...buildPairLines(work, pairs, await compare(generator, subjects, pace), true))
  }
  const afterWrite = []
  for (const { stage, server } of pairs) afterWrite.push({ p50: await measureAfterWrites(server, stage) })
  lines.push(...buildPairLines("list under a filter's search, after a write", pairs, afterWrite, false))
  await using counting = await startCounting(small)
  await using countingMore = await startCounting(large)
  const subjects = [counting, countingMore].map(({ port }) => ({ port, requests: [get('/api/architectures', '')] }))
  lines.push(...buildPairLines('bare handler with count(*)', pairs, await compare(generator, subjects, pace), false))
  return lines
}

type Figures = Pick<Line, 'requestsPerSecond' | 'p50' | 'p99'>

/** Builds a line for each size; the second tells how much slower it is. */
function buildPairLines(
  work: string,
  pairs: readonly { stage: Stage }[],
  figures: readonly Figures[],
  bounded: boolean,
): Line[] {
  const ratio = (figures[1]?.p50 ?? 0) / (figures[0]?.p50 ?? 1)
  return figures.map((figure, index) => {
    const { architectures, users } = pairs[index]?.stage.size ?? { architectures: 0, users: 0 }
    const rows = (work.includes('users') ? users / 2 : architectures).toLocaleString('en')
    const compared = index === 1 && { ratio, to: 'p50 of the small' }
    const budget = compared && bounded && { budget: { text: `p50 <= ${AT_MOST} times`, met: ratio <= AT_MOST } }
    return { row: 'size', work: `${work}, ${rows} rows`, database: 'PostgreSQL', ...figure, ...compared, ...budget }
  })
}

/** Measures the median milliseconds of the first list after a write: every total with a condition is counted again. */
async function measureAfterWrites({ port }: Running, { people, env }: Stage): Promise<number> {
  const address = `http://127.0.0.1:${port}/api/architectures`
  const admin = `Basic ${Buffer.from(`admin:${env.MILLWRIGHT_ADMIN_PASSWORD}`).toString('base64')}`
  const latencies: number[] = []
  for (let turn = 0; turn < 11; turn++) {
    const headers = { authorization: admin, 'content-type': 'application/json' }
    const created = await fetch(address, { method: 'POST', headers, body: JSON.stringify({ name: `written-${turn}` }) })
    const { id } = (await created.json()) as { id: number } // an architecture
    const start = performance.now()
    const listed = await fetch(address, { headers: { authorization: `Bearer ${people.limited}` } })
    await listed.arrayBuffer()
    latencies.push(performance.now() - start)
    await fetch(`${address}/${id}`, { method: 'DELETE', headers })
  }
  return computeQuantile(latencies, 0.5)
}

/** Starts the bare handler with counting of rows for its total, as most programs do. */
async function startCounting(stage: Stage): Promise<Running> {
  const { url } = stage
  if (url === null) throw new Error('the baseline needs a server')
  const answers = await capture(stage, ['/api/architectures'])
  const count = { text: 'select count(*) as count from architectures', values: [] }
  return startBare({ database: { url, poolSize: 10 }, answers: answers.map((answer) => ({ ...answer, count })) })
}
