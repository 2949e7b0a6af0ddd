import { loadNodes } from '../../src/areas/configuration/node/node.ts'
import { rows } from '../../src/database/sql.ts'
import { connect } from '../../src/postgresql/connect.ts'
import { sql } from '../../src/sql.ts'
import { UNKNOWN_KEYS } from '../../test/support/encryption.ts'
import { quiet, testConfig } from '../../test/support/settings.ts'
import { type ClassesSize, fillClasses } from '../classes.ts'
import { computeQuantile, get, type Pace } from '../measure.ts'
import { type Generator, type Load, startGenerator, startService } from '../processes.ts'
import type { Stages } from '../stages.ts'
import type { Line } from '../table.ts'

/**
 * The load of a million hosts: each requests a document and uploads facts every half hour; and a hundred users of the
 * console.
 */
const HOSTS = 1_000_000
const EACH_PER_SECOND = HOSTS / 1800
const PAGES_PER_SECOND = 20
const NEEDED = 2 * EACH_PER_SECOND + PAGES_PER_SECOND
/** The number of facts of a host, of which one changes each time. */
const FACTS = 100
/** The classes of the hosts. */
const CONFIGURED: ClassesSize = { classes: 50, parameters: 500, matchers: 2000 }
/** The number of hosts that take part in a burst. */
const ASKING = 2000

const common = { row: 'million', database: 'PostgreSQL' } as const

/** Measures how much of that load one process handles, for each kind of request and for the mix. */
export async function measureMillion(stages: Stages, pace: Pace): Promise<Line[]> {
  const { url, env, people, size } = await stages.million()
  const hosts = await loadAskingHosts(url)
  await using generator = startGenerator()
  await using service = await startService(stages.folder, { ...env, MILLWRIGHT_TRUSTED_PROXIES: '127.0.0.1' })
  const buildFactRequests = (round: number) => hosts.map(({ name }) => formatUpload(name, round))
  const known = hosts.map(({ id, etag }) => formatDocumentRequest(id, `If-None-Match: ${etag}\r\n`))
  const whole = hosts.map(({ id }) => formatDocumentRequest(id, ''))
  const pages = hosts.map(({ name }, at) => get(PAGES[at % PAGES.length]?.replace('NAME', name) ?? '', people.viewer))
  const fleet = `${size.hosts.toLocaleString('en')} hosts`
  const run = (requests: (round: number) => readonly string[]) => measureSpeed(generator, service.port, requests, pace)
  const buildMixedRequests = (round: number) => mixedOf({ known, facts: buildFactRequests(round + 100), pages })
  return [
    { ...common, work: `${fleet}: documents`, ...computeNeed(EACH_PER_SECOND, await run(() => whole)) },
    {
      ...common,
      work: `${fleet}: documents, nothing changed`,
      ...computeNeed(EACH_PER_SECOND, await run(() => known)),
    },
    {
      ...common,
      work: `${fleet}: ${FACTS} facts, one of them new`,
      ...computeNeed(EACH_PER_SECOND, await run(buildFactRequests)),
    },
    { ...common, work: `${fleet}: pages of the console`, ...computeNeed(PAGES_PER_SECOND, await run(() => pages)) },
    { ...common, work: `${fleet}: all of it as it comes`, ...computeNeed(NEEDED, await run(buildMixedRequests)) },
  ]
}

/** Computes the number of processes that the load needs, if the database keeps up. */
function computeNeed(perSecond: number, measured: Pick<Line, 'requestsPerSecond' | 'p50' | 'p99'>) {
  return { ...measured, ratio: perSecond / (measured.requestsPerSecond ?? 0), to: `of ${Math.round(perSecond)}/s` }
}

const PAGES = [
  '/api/hosts?per_page=20',
  '/api/hosts?search=name+%3D+NAME',
  '/api/hosts/NAME',
  '/api/hosts?search=facts.kernel+%3D+Linux&per_page=20&page=3',
]

async function loadAskingHosts(url: string | null): Promise<{ id: number; name: string; etag: string }[]> {
  await using database = await connect(testConfig({ url, statementTimeoutMs: 600_000 }), quiet)
  await fillClasses(database.db, CONFIGURED)
  const found = await rows<{ id: number; name: string }>(
    database.db,
    sql`select id, name from hosts where id % (select greatest(count(*) / ${ASKING}::int, 1) from hosts) = 0 order by id limit ${ASKING}::int`,
  )
  const names = new Map(found.map(({ id, name }) => [id, name]))
  const prepared = await loadNodes({ db: database.db, encryption: UNKNOWN_KEYS }, [...names.keys()])
  return prepared.map(({ inputs: { id }, digest }) => ({ id, name: names.get(id) ?? '', etag: `"${digest}-yml"` }))
}

const CERTIFIED = 'SSL_CLIENT_VERIFY: SUCCESS\r\nSSL_CLIENT_S_DN: CN=proxy1.example.test\r\n'

function formatDocumentRequest(id: number, condition: string): string {
  return `GET /node/${id}?format=yml HTTP/1.1\r\nHost: localhost\r\n${CERTIFIED}${condition}\r\n`
}

function formatUpload(name: string, round: number): string {
  const facts = Object.fromEntries(Array.from({ length: FACTS - 1 }, (_, at) => [`bench_fact_${at}`, `value ${at}`]))
  const body = JSON.stringify({ name, facts: { ...facts, uptime_of_bench: `${round} hours` } })
  const head = `POST /api/hosts/facts HTTP/1.1\r\nHost: localhost\r\n${CERTIFIED}Content-Type: application/json\r\n`
  return `${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

/** Mixes the requests by their shares of the load. */
function mixedOf({ known, facts, pages }: Record<'known' | 'facts' | 'pages', readonly string[]>): string[] {
  const everyPage = Math.round(EACH_PER_SECOND / PAGES_PER_SECOND)
  return known.flatMap((request, at) => [
    request,
    facts[at] ?? '',
    ...(at % everyPage === 0 ? [pages[at % pages.length] ?? ''] : []),
  ])
}

async function measureSpeed(
  generator: Generator,
  port: number,
  requests: (round: number) => readonly string[],
  { connections, rounds, seconds }: Pace,
): Promise<Pick<Line, 'requestsPerSecond' | 'p50' | 'p99'>> {
  const loads: Load[] = []
  for (let round = 0; round <= rounds; round++) {
    const load = await generator.run({ port, requests: requests(round), connections, seconds: seconds * 2 })
    if (round > 0) loads.push(load) // the first round warms up
  }
  const latencies = loads.flatMap((load) => load.latencies)
  return {
    requestsPerSecond: computeQuantile(
      loads.map((load) => load.requestsPerSecond),
      0.5,
    ),
    p50: computeQuantile(latencies, 0.5),
    p99: computeQuantile(latencies, 0.99),
  }
}
