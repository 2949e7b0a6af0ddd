import type { Stage } from '../data.ts'
import { compare, computeQuantile, get, type Pace } from '../measure.ts'
import { startGenerator, startService } from '../processes.ts'
import { authenticateAdministrator, createAdministratorToken, timeWork } from '../sending.ts'
import type { Stages } from '../stages.ts'
import type { Line } from '../table.ts'

const AT_MOST = 3
const TURNS = 7

/** Requests of an administrator and of a viewer in one organization and location, by the number of events. */
const WORK: readonly (readonly [work: string, path: (count: number) => string])[] = [
  ['feed, 100 events at the end', (count) => `/api/events?after=${count - 100}&limit=100`],
  ['feed, 100 events of three years ago', () => '/api/events?after=0&limit=100'],
  ['feed, 100 events of a kind', (count) => `/api/events?after=${count - 1000}&limit=100&type=architecture.*`],
  ['history of a host', () => '/api/hosts/8/history'],
  ['audits, first page', () => '/api/audits'],
  ['audits, page 40', () => '/api/audits?page=40'],
  ['audits, user = x', () => searchAudits('user = person7')],
  ['audits, type = host', () => searchAudits('type = host')],
  ['audits, type = host and auditable_id = x', () => searchAudits('type = host and auditable_id = 8')],
  ['audits, host = x', () => searchAudits('host = h8f14e45fce')],
  ['audits, time > 1 day ago', () => searchAudits('time > "1 day ago"')],
  ['audits, free text of one in ten', () => searchAudits('ticket')],
]

function searchAudits(search: string): string {
  return `/api/audits?search=${encodeURIComponent(search)}`
}

/** 10,000,000 events beside 10,000: the feed, histories and searches, again and again and after a write. */
export async function measureAudits(stages: Stages, pace: Pace): Promise<Line[]> {
  const all = [await stages.audits(), await stages.manyAudits()]
  await using generator = startGenerator()
  await using little = await startService(stages.folder, all[0]?.env ?? {})
  await using big = await startService(stages.folder, all[1]?.env ?? {})
  const ports = [little.port, big.port]
  const lines: Line[] = []
  for (const who of ['administrator', 'viewer'] as const) {
    const tokens = await Promise.all(
      all.map((stage, at) =>
        who === 'viewer' ? stage.people.viewer : createAdministratorToken(ports[at] ?? 0, stage),
      ),
    )
    for (const [work, path] of WORK) {
      const requests = all.map(({ size }, at) => get(path(size.audits ?? 0), tokens[at] ?? ''))
      const subjects = requests.map((request, at) => ({ port: ports[at] ?? 0, requests: [request] }))
      const times = await compare(generator, subjects, { ...pace, connections: 2 })
      lines.push(...buildPair(`${work}, ${who}`, all, times, true))
    }
  }
  for (const [work, path] of WORK.filter(([, path]) => path(0).includes('search='))) {
    const times: Figures[] = []
    for (const [at, stage] of all.entries())
      times.push({ p50: await measureAfterWrite(ports[at] ?? 0, stage, path(0)) })
    lines.push(...buildPair(`${work}, after a write`, all, times, false))
  }
  return lines
}

/** Measures the first list after a write, whose total is counted anew. */
async function measureAfterWrite(port: number, stage: Stage, path: string): Promise<number> {
  const send = await authenticateAdministrator(port, stage)
  const times: number[] = []
  for (let turn = 0; turn < TURNS; turn++) {
    await send('POST', '/api/architectures', {
      architecture: { name: `${stage.size.audits}-${times.length}-${Date.now()}` },
    })
    await timeWork(times, () => send('GET', path))
  }
  return computeQuantile(times, 0.5)
}

/** Builds a line for each size; the second tells how many times longer it takes. */
function buildPair(work: string, all: readonly Stage[], figures: readonly Figures[], isBounded: boolean): Line[] {
  const ratio = (figures[1]?.p50 ?? 0) / (figures[0]?.p50 ?? 1)
  const budget = isBounded && { budget: { text: `p50 <= ${AT_MOST} times`, met: ratio <= AT_MOST } }
  return figures.map((figure, at) => {
    const count = all[at]?.size.audits?.toLocaleString('en')
    const compared = at === 1 && { ratio, to: 'p50 of the few', ...budget }
    return { row: 'audits', work: `${work}, ${count} events`, database: 'PostgreSQL', ...figure, ...compared }
  })
}

type Figures = Pick<Line, 'requestsPerSecond' | 'p50' | 'p99'>
