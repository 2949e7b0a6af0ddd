import { capture } from '../capture.ts'
import { compare, get, type Pace, type Speed } from '../measure.ts'
import { startBare, startGenerator, startService } from '../processes.ts'
import type { Stages } from '../stages.ts'
import type { Line } from '../table.ts'

const AT_LEAST = 0.5

/** What is asked for, by a user with a role who belongs to a location and an organization, with a token. */
const WORK = [
  { work: 'show an architecture', path: '/api/architectures/7' },
  { work: 'list 20 architectures', path: '/api/architectures' },
  { work: 'show a user (scoped)', path: '/api/users/100' },
  { work: 'list 20 users (scoped)', path: '/api/users' },
]

/** Row 1: the service beside a handler that does nothing but run the same statement and write the same JSON. */
export async function speed(stages: Stages, pace: Pace): Promise<Line[]> {
  const lines = [...(await onPostgresql(stages, pace)), ...(await onEmbedded(stages, pace))]
  return lines
}

async function onPostgresql(stages: Stages, pace: Pace): Promise<Line[]> {
  const stage = await stages.small()
  const { env, url, people } = stage
  if (url === null) throw new Error('the baseline needs a server')
  const answers = await capture(
    stage,
    WORK.map(({ path }) => path),
    'longest', // what lists of links leave out takes another one
  )
  await using generator = startGenerator()
  await using service = await startService(stages.folder, env)
  await using bare = await startBare({ databaseUrl: url, poolSize: 10, answers })
  const lines: Line[] = []
  for (const { work, path } of WORK) {
    await requireSameAnswer(service.port, bare.port, path, people.viewer)
    const requests = [get(path, people.viewer)]
    const [ours, theirs] = await compare(
      generator,
      [service, bare].map(({ port }) => ({ port, requests })),
      pace,
    )
    if (!ours || !theirs) throw new Error('nothing was measured')
    const ratio = ours.requestsPerSecond / theirs.requestsPerSecond
    lines.push(
      {
        row: 'speed',
        work,
        database: 'PostgreSQL',
        ...ours,
        ratio,
        to: 'bare handler',
        budget: { text: `ratio >= ${AT_LEAST}`, met: ratio >= AT_LEAST },
      },
      { row: 'speed', work: `  bare handler`, database: 'PostgreSQL', ...theirs },
    )
  }
  return lines
}

/** There is no driver to write a bare handler with, so the embedded database is shown without a ratio. */
async function onEmbedded(stages: Stages, pace: Pace): Promise<Line[]> {
  const { env, people } = await stages.embedded()
  await using generator = startGenerator()
  await using service = await startService(stages.folder, env)
  const lines: Line[] = []
  for (const { work, path } of WORK) {
    const [ours] = await compare(generator, [{ port: service.port, requests: [get(path, people.viewer)] }], pace)
    lines.push({ row: 'speed', work, database: 'embedded', ...(ours as Speed) }) // one subject, one result
  }
  return lines
}

/** A baseline that answers something else would prove nothing. */
async function requireSameAnswer(ours: number, theirs: number, path: string, token: string): Promise<void> {
  const [service, bare] = await Promise.all(
    [ours, theirs].map(async (port) => {
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${token}` } })
      return answer.text()
    }),
  )
  if (service !== bare) throw new Error(`${path}: the service answers ${service}, the bare handler ${bare}`)
}
