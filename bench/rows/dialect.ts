import { compare, get, type Pace } from '../measure.ts'
import { startGenerator, startService } from '../processes.ts'
import type { Stages } from '../stages.ts'
import type { Line } from '../table.ts'

const AT_MOST = 1.15

/** Requests for both listeners. Hosts and host groups have many words that clients name differently. */
const WORK: readonly { readonly work: string; readonly path: string }[] = [
  { work: 'show an architecture', path: '/api/architectures/7' },
  { work: 'list 20 architectures', path: '/api/architectures' },
  { work: 'list 20 hosts', path: '/api/hosts' },
  { work: 'list host groups', path: '/api/hostgroups' },
  { work: 'search hosts', path: buildSearchPath('environment = env3 and name ~ h1') },
]

/** Measures the cost of translating to existing clients' words: both listeners of one process, in turns. */
export async function measureDialect(stages: Stages, pace: Pace): Promise<Line[]> {
  const { env, people } = await stages.small()
  await using generator = startGenerator()
  await using service = await startService(stages.folder, { ...env, MILLWRIGHT_VENDOR_PORT: '0' })
  const lines: Line[] = []
  for (const { work, path } of WORK) {
    const subjects = [
      { port: service.port, requests: [get(path, people.viewer)] },
      { port: service.vendorPort, requests: [get(path, people.viewer)] },
    ]
    const [plain, worded] = await compare(generator, subjects, pace)
    const ratio = (worded?.p50 ?? 0) / (plain?.p50 ?? 1)
    lines.push({ row: 'dialect', work: `${work}, as specified`, database: 'PostgreSQL', ...plain })
    lines.push({
      row: 'dialect',
      work: `${work}, vendor words`,
      database: 'PostgreSQL',
      ...worded,
      ratio,
      to: 'p50 as specified',
      budget: { text: `p50 <= ${AT_MOST} times`, met: ratio <= AT_MOST },
    })
  }
  return lines
}

function buildSearchPath(search: string): string {
  return `/api/hosts?search=${encodeURIComponent(search)}`
}
