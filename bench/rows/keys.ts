import { capture } from '../capture.ts'
import type { Stage } from '../data.ts'
import { compare, get, type Pace } from '../measure.ts'
import { startBare, startGenerator, startService } from '../processes.ts'
import type { Stages } from '../stages.ts'
import type { Line } from '../table.ts'

const AT_LEAST = 0.5
const AT_MOST = 3

/**
 * The budgets of lists on activation keys: beside a handler that runs an equal statement, and beside a hundredth of the
 * records.
 */
export async function measureKeys(stages: Stages, pace: Pace): Promise<Line[]> {
  const small = await stages.small()
  const large = await stages.large()
  await using generator = startGenerator()
  await using little = await startService(stages.folder, small.env)
  await using big = await startService(stages.folder, large.env)
  const lines: Line[] = []
  for (const [work, path] of workIn(large)) {
    const subjects = [
      { port: little.port, requests: [get(path, small.people.viewer)] },
      { port: big.port, requests: [get(path, large.people.viewer)] },
    ]
    const [few, many] = await compare(generator, subjects, pace)
    const ratio = (many?.p50 ?? 0) / (few?.p50 ?? 1)
    lines.push({ row: 'keys', work: `${work}, ${formatKeyCount(small)}`, database: 'PostgreSQL', ...few })
    lines.push({
      ...{
        row: 'keys',
        work: `${work}, ${formatKeyCount(large)}`,
        database: 'PostgreSQL',
        ...many,
        ratio,
        to: 'p50 of the small',
      },
      budget: { text: `p50 <= ${AT_MOST} times`, met: ratio <= AT_MOST },
    })
  }
  const [[work, path] = ['', '']] = workIn(large)
  const { url, people } = large
  if (url === null) throw new Error('the baseline needs a server')
  const answers = await capture(large, [path])
  await using bare = await startBare({ database: { url, poolSize: 10 }, answers })
  const requests = [get(path, people.viewer)]
  const [ours, theirs] = await compare(
    generator,
    [big, bare].map(({ port }) => ({ port, requests })),
    pace,
  )
  const ratio = (ours?.requestsPerSecond ?? 0) / (theirs?.requestsPerSecond ?? 1)
  return [
    ...lines,
    {
      ...{
        row: 'keys',
        work: `${work}, ${formatKeyCount(large)}`,
        database: 'PostgreSQL',
        ...ours,
        ratio,
        to: 'bare handler',
      },
      budget: { text: `ratio >= ${AT_LEAST}`, met: ratio >= AT_LEAST },
    },
    { row: 'keys', work: '  bare handler', database: 'PostgreSQL', ...theirs },
  ]
}

function workIn({ organization }: Stage): readonly (readonly [string, string])[] {
  const list = `/content/api/activation_keys?organization_id=${organization}`
  return [
    ['list 20 activation keys', list],
    ['list 20 activation keys, page 40', `${list}&page=40`],
    ['search keys: name ~ rare part', `${list}&search=${encodeURIComponent('name ~ key-c4ca')}`],
    ['search keys: environment = Library', `${list}&search=${encodeURIComponent('environment = Library')}`],
  ]
}

function formatKeyCount({ size }: Stage): string {
  return `${size.keys.toLocaleString('en')} keys`
}
