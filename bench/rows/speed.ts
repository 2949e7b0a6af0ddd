import pg from 'pg'
import { connect } from '../../src/postgresql/connect.ts'
import { quiet, testConfig } from '../../test/support/settings.ts'
import { capture } from '../capture.ts'
import type { Stage } from '../data.ts'
import {
  type ExpertQuery,
  LIST_ARCHITECTURES,
  LIST_HOSTS,
  LIST_USERS,
  SEARCH_ARCHITECTURES,
  SHOW_ARCHITECTURE,
} from '../expert.ts'
import { compare, get, type Pace } from '../measure.ts'
import { type BareAnswer, type BareStatement, startBare, startGenerator, startService } from '../processes.ts'
import type { Stages } from '../stages.ts'
import type { Line } from '../table.ts'

/** One kind of request, by a user with a role, an organization and a location, with a token. */
interface Work {
  readonly work: string
  /** The requests in turn; there are several, so that no single cached answer is measured. */
  readonly requests: readonly Asked[]
  readonly expert: ExpertQuery
  /** The required part of the speed of the expert's handler. */
  readonly atLeast: number
}

interface Asked {
  readonly path: string
  /** The value of the expert's query that differs between requests. */
  readonly value: string
}

/** The caller's organizations and locations, as values of a statement. */
interface Places {
  readonly organizations: string
  readonly locations: string
}

const CONNECTIONS = 16
const POOL = 1000
/** So long the service answers each kind of request before the first is measured. */
const FIRST_SECONDS = 5

function workIn({ architectures }: Names): Work[] {
  const listNumbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
  const listPages = (path: string, count: number) =>
    listNumbers(count).map((page) => ({ path: `${path}?page=${page}`, value: String((page - 1) * 20) }))
  return [
    {
      work: 'show an architecture',
      requests: listNumbers(POOL).map((id) => ({ path: `/api/architectures/${id}`, value: String(id) })),
      expert: SHOW_ARCHITECTURE,
      atLeast: 0.5,
    },
    {
      work: 'list 20 architectures',
      requests: listPages('/api/architectures', 50),
      expert: LIST_ARCHITECTURES,
      atLeast: 0.7,
    },
    {
      work: 'search name = x',
      requests: architectures.map((value) => ({ path: `/api/architectures?search=name+%3D+${value}`, value })),
      expert: SEARCH_ARCHITECTURES,
      atLeast: 0.6,
    },
    { work: 'list 20 users (scoped)', requests: listPages('/api/users', 50), expert: LIST_USERS, atLeast: 0.6 },
    {
      work: 'list 20 hosts, all keys (scoped)',
      requests: listPages('/api/hosts', 250),
      expert: LIST_HOSTS,
      atLeast: 0.6,
    },
  ]
}

/**
 * Row 1: the service beside two handlers that only query and write equal JSON: one sends the statements of the service, the
 * other those that an expert would write for this answer alone.
 */
export async function measureSpeed(stages: Stages, pace: Pace): Promise<Line[]> {
  const lines = [...(await measureOnPostgresql(stages, pace)), ...(await measureOnBundled(stages, pace))]
  return lines
}

async function measureOnPostgresql(stages: Stages, pace: Pace): Promise<Line[]> {
  const stage = await stages.small()
  const { env, url, people } = stage
  if (url === null) throw new Error('the baseline needs a server')
  const names = await loadNames(url, stage)
  await using generator = startGenerator()
  await using service = await startService(stages.folder, env)
  // The service is made of more code than a handler for one answer, all of which is compiled while it answers: without this
  // the first kind of request would be measured meanwhile.
  for (const { requests } of workIn(names)) {
    const sent = requests.map(({ path }) => get(path, people.viewer))
    await generator.run({ port: service.port, requests: sent, connections: CONNECTIONS, seconds: FIRST_SECONDS })
  }
  const lines: Line[] = []
  for (const { work, requests, expert, atLeast } of workIn(names)) {
    const answers = await capture(
      stage,
      requests.map(({ path }) => path),
    )
    const written = answers.map((answer, index) => byExpert(answer, expert, requests[index]?.value ?? '', names))
    await using ours = await startBare({ database: { url, poolSize: 10 }, answers })
    await using experts = await startBare({ database: { url, poolSize: 10 }, answers: written })
    for (const { path } of requests.filter((_, index) => index % 25 === 0))
      for (const { port } of [ours, experts]) await requireSameAnswer(service.port, port, path, people.viewer)
    const sent = requests.map(({ path }) => get(path, people.viewer))
    const subjects = [service, ours, experts].map(({ port }) => ({ port, requests: sent }))
    const [served, bare, best] = await compare(generator, subjects, { ...pace, connections: CONNECTIONS })
    if (!served || !bare || !best) throw new Error('nothing was measured')
    const common = { row: 'speed', database: 'PostgreSQL' } as const
    const toExpert = served.requestsPerSecond / best.requestsPerSecond
    const budget = { text: `ratio >= ${atLeast}`, met: toExpert >= atLeast }
    lines.push(
      { ...common, work, ...served, ratio: toExpert, to: "expert's handler", budget },
      {
        ...common,
        work: '  our SQL alone',
        ...bare,
        ratio: served.requestsPerSecond / bare.requestsPerSecond,
        to: 'our SQL',
      },
      { ...common, work: "  expert's SQL alone", ...best },
    )
  }
  return lines
}

interface Names extends Places {
  /** As many names as there are different requests. */
  readonly architectures: readonly string[]
}

const ARCHITECTURE_NAMES = 'select name from architectures order by id limit $1'
const LOCATIONS_INSIDE = 'select id from locations where id = $1 or $1 = any (ancestor_ids) order by id'

async function loadNames(url: string, { organization, location }: Stage): Promise<Names> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const architectures = await client.query(ARCHITECTURE_NAMES, [POOL])
    const locations = await client.query(LOCATIONS_INSIDE, [location])
    return {
      architectures: architectures.rows.map(({ name }) => name),
      organizations: `{${organization}}`,
      locations: `{${locations.rows.map(({ id }) => id)}}`,
    }
  } finally {
    await client.end()
  }
}

/**
 * Replaces the statements of an answer by the expert's; those with $2 and $3 take the caller's organizations and locations.
 */
function byExpert(answer: BareAnswer, { text, count }: ExpertQuery, value: string, places: Places): BareAnswer {
  const all = [value, places.organizations, places.locations]
  const counted = count?.includes('$2') ? all.slice(1) : [value]
  const takeStatement = (query: string, values: readonly string[]): BareStatement => ({
    text: query,
    values: values.slice(0, new Set(query.match(/\$\d/g)).size),
  })
  return {
    ...answer,
    statements: [takeStatement(text, all)],
    count: count === null ? null : takeStatement(count, counted),
  }
}

/** The service with the bundled database beside the same with a server, on equal data. */
async function measureOnBundled(stages: Stages, pace: Pace): Promise<Line[]> {
  const [server, bundled] = [await stages.small(), await stages.bundled()]
  if (server.url === null) throw new Error('the comparison needs a server')
  const works = [workIn(await loadNames(server.url, server)), workIn(await loadNamesOfBundled(bundled))] as const
  await using generator = startGenerator()
  await using onServer = await startService(stages.folder, server.env)
  await using onBundled = await startService(stages.folder, bundled.env)
  const lines: Line[] = []
  for (const [at, { work }] of works[0].entries()) {
    const subjects = [
      { port: onServer.port, stage: server, requests: works[0][at]?.requests ?? [] },
      { port: onBundled.port, stage: bundled, requests: works[1][at]?.requests ?? [] },
    ].map(({ port, stage, requests }) => ({
      port,
      requests: requests.map(({ path }) => get(path, stage.people.viewer)),
    }))
    const [best, served] = await compare(generator, subjects, { ...pace, connections: CONNECTIONS })
    if (!served || !best) throw new Error('nothing was measured')
    const ratio = served.requestsPerSecond / best.requestsPerSecond
    const budget = { text: `ratio >= ${OF_SERVER}`, met: ratio >= OF_SERVER }
    lines.push({ row: 'speed', database: 'bundled', work, ...served, ratio, to: 'the same with a server', budget })
  }
  return lines
}

/** The required part of the speed with a server. */
const OF_SERVER = 0.9

async function loadNamesOfBundled({ env, ...stage }: Stage): Promise<Names> {
  await using database = await connect(testConfig({ dataDir: env.MILLWRIGHT_DATA_DIR ?? '' }), quiet)
  return await loadNames(database.url, { env, ...stage }) // before the database is closed
}

/** Fails unless the baseline's answer equals that of the service. */
async function requireSameAnswer(ours: number, theirs: number, path: string, token: string): Promise<void> {
  const ask = async (port: number): Promise<string> => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${token}` } })
    return answer.text()
  }
  const [service, bare] = await Promise.all([ask(ours), ask(theirs)])
  if (service !== bare)
    throw new Error(`${path}: the service answers ${service.slice(0, 400)}, the bare handler ${bare.slice(0, 400)}`)
}
