import { setImmediate } from 'node:timers/promises'
import { answerNode } from '../../src/areas/configuration/node/answer.ts'
import type { NodeContext } from '../../src/areas/configuration/node/catalog.ts'
import { type Classification, computeClassification } from '../../src/areas/configuration/node/classify.ts'
import { loadNodeInputs } from '../../src/areas/configuration/node/inputs.ts'
import { loadConsistently } from '../../src/areas/configuration/node/keeping.ts'
import { loadNodes } from '../../src/areas/configuration/node/node.ts'
import { EVERYTHING, prepareNode } from '../../src/areas/configuration/node/prepare.ts'
import { formatNodeYaml } from '../../src/classification/output.ts'
import type { Database } from '../../src/database/database.ts'
import { rows } from '../../src/database/sql.ts'
import { connect } from '../../src/postgresql/connect.ts'
import { sql } from '../../src/sql.ts'
import { UNKNOWN_KEYS } from '../../test/support/encryption.ts'
import { quiet, testConfig } from '../../test/support/settings.ts'
import { type ClassesSize, fillClasses } from '../classes.ts'
import { compare, computeQuantile, type Pace } from '../measure.ts'
import { startBytes, startGenerator, startService } from '../processes.ts'
import type { Stages } from '../stages.ts'
import type { Line } from '../table.ts'

const SIZE: ClassesSize = { classes: 50, parameters: 500, matchers: 2000 }
const COMPUTING_MS = 2
const KNOWN_MS = 0.3
const PER_SECOND = 1000

/** The number of hosts whose documents are requested one after another. */
const ASKED = 1000
const SERVED = 2000
const SERVED_TO_USERS = 1000
const UNCHANGED = 8000
const P99_MS = 10

const common = { row: 'classify', database: 'PostgreSQL' } as const
const CONFIGURED = `${SIZE.classes} classes, ${SIZE.parameters} parameters, ${SIZE.matchers.toLocaleString('en')} matchers`

/** Row 3: the document of a host as a smart proxy requests it, and a fleet of 10,000 in one process. */
export async function classify(stages: Stages, pace: Pace): Promise<Line[]> {
  const { url, env, size, people } = await stages.fleet()
  await using database = await connect(testConfig({ url }), quiet)
  await fillClasses(database.db, SIZE)
  const ids = (await rows<{ id: number }>(database.db, sql`select id from hosts order by id`)).map(({ id }) => id)
  const lines = [...(await measureComputing(database, ids)), await measureFleet(database, ids, size.hosts)]
  return [...lines, ...(await measureServed(stages, env, people.viewer, database, ids, pace))]
}

const createContext = (database: Database) => ({
  db: database.db,
  encryption: UNKNOWN_KEYS,
})

/** Measures what the process itself computes for one host, once it has its rows. */
async function measureComputing(database: Database, ids: readonly number[]): Promise<Line[]> {
  const ctx = createContext(database)
  const some = ids.filter((_, index) => index % 10 === 0)
  const { catalog, inputs } = await loadConsistently(ctx, (at, facts) => loadNodeInputs(at, some, facts))
  const took: { whole: number[]; known: number[] } = { whole: [], known: [] }
  for (const each of inputs) {
    const start = performance.now()
    const prepared = prepareNode(each, catalog, EVERYTHING)
    const { document, failures } = computeClassification(prepared, ctx.encryption.decrypt)
    if (document === null) throw new Error(failures.join('\n'))
    formatNodeYaml(document)
    took.whole.push(performance.now() - start)
    const again = performance.now()
    const { status } = answerNode(
      ctx,
      prepareNode(each, catalog, EVERYTHING),
      { format: 'yml', called: (name) => name },
      `"${prepared.digest}-yml"`,
    )
    took.known.push(performance.now() - again)
    if (status !== 304) throw new Error(`answered ${status} to what was known`)
  }
  const buildLine = (work: string, times: readonly number[], limit: number): Line => {
    const p50 = computeQuantile(times, 0.5)
    const budget = { text: `p50 <= ${limit} ms`, met: p50 <= limit }
    return { ...common, work, p50, p99: computeQuantile(times, 0.99), budget }
  }
  return [
    buildLine(`classify: computing, ${CONFIGURED}`, took.whole, COMPUTING_MS),
    buildLine('classify: computing, nothing changed', took.known, KNOWN_MS),
  ]
}

async function measureFleet(database: Database, ids: readonly number[], hosts: number): Promise<Line> {
  const start = performance.now()
  let count = 0
  for await (const { document } of classifyHosts(createContext(database), ids)) if (document !== null) count++
  const milliseconds = performance.now() - start
  if (count !== hosts) throw new Error(`${count} hosts were classified instead of ${hosts}`)
  const requestsPerSecond = (count * 1000) / milliseconds
  const budget = { text: `>= ${PER_SECOND.toLocaleString('en')}/s`, met: requestsPerSecond >= PER_SECOND }
  const work = `classify: ${hosts.toLocaleString('en')} hosts in one process`
  return { ...common, work, requestsPerSecond, milliseconds, budget }
}

/** After so many hosts other work of the process gets its turn. */
const AT_ONCE = 10

/**
 * Classifies many hosts, some hundreds at a time, each for itself: errors are among the failures of their host. The
 * next hosts are loaded while these are computed.
 */
async function* classifyHosts(
  { db, encryption }: NodeContext,
  ids: readonly number[],
  batch = 250,
): AsyncGenerator<Classification> {
  const read = (from: number) => {
    const reading =
      from < ids.length ? loadNodes({ db, encryption }, ids.slice(from, from + batch)) : Promise.resolve([])
    reading.catch(() => undefined) // the error is thrown where the result is awaited
    return reading
  }
  let next = read(0)
  for (let from = batch; from < ids.length + batch; from += batch) {
    const current = await next
    next = read(from)
    for (const [index, prepared] of current.entries()) {
      if (index % AT_ONCE === 0) await setImmediate()
      yield computeClassification(prepared, encryption.decrypt)
    }
  }
}

/** Measures requests over HTTP as a front end forwards them, beside a handler that sends equal bytes. */
async function measureServed(
  stages: Stages,
  env: Readonly<Record<string, string>>,
  token: string,
  database: Database,
  ids: readonly number[],
  pace: Pace,
): Promise<Line[]> {
  await using generator = startGenerator()
  await using service = await startService(stages.folder, { ...env, MILLWRIGHT_TRUSTED_PROXIES: '127.0.0.1' })
  const prepared = await loadNodes(createContext(database), ids.slice(0, ASKED))
  const asked = prepared.map(({ inputs, digest }) => ({ id: inputs.id, etag: `"${digest}-yml"` }))
  const answer = await fetch(`http://127.0.0.1:${service.port}/node/${asked[0]?.id}?format=yml`, { headers: CERTIFIED })
  if (answer.status !== 200) throw new Error(`the service answered ${answer.status}: ${await answer.text()}`)
  await using bare = await startBytes(await answer.text())
  const whole = asked.map(({ id }) => formatRequest(id, CERTIFIED, ''))
  const known = asked.map(({ id, etag }) => formatRequest(id, CERTIFIED, `If-None-Match: ${etag}\r\n`))
  const user = { Authorization: `Bearer ${token}` }
  const wholeOfUser = asked.map(({ id }) => formatRequest(id, user, ''))
  const knownOfUser = await Promise.all(
    asked.map(async ({ id }) => {
      const { headers } = await fetch(`http://127.0.0.1:${service.port}/node/${id}?format=yml`, { headers: user })
      return formatRequest(id, user, `If-None-Match: ${headers.get('etag')}\r\n`)
    }),
  )
  const [served, unchanged, servedToUser, unchangedOfUser, bytes] = await compare(
    generator,
    [
      { port: service.port, requests: whole },
      { port: service.port, requests: known },
      { port: service.port, requests: wholeOfUser },
      { port: service.port, requests: knownOfUser },
      { port: bare.port, requests: whole },
    ],
    pace,
  )
  return [
    { ...common, work: 'classify: /node over HTTP', ...served, budget: served && buildBudget(SERVED, served) },
    {
      ...{ ...common, work: 'classify: /node over HTTP, nothing changed', ...unchanged },
      budget: unchanged && buildBudget(UNCHANGED, unchanged),
    },
    {
      ...{ ...common, work: 'classify: /node over HTTP for a user', ...servedToUser },
      budget: servedToUser && buildBudget(SERVED_TO_USERS, servedToUser),
    },
    {
      ...{ ...common, work: 'classify: /node over HTTP for a user, nothing changed', ...unchangedOfUser },
      budget: unchangedOfUser && buildBudget(SERVED_TO_USERS, unchangedOfUser),
    },
    { ...common, work: 'classify: a bare handler sending the same bytes', ...bytes },
  ]
}

function buildBudget(
  wanted: number,
  { requestsPerSecond, p99 }: Pick<Line, 'requestsPerSecond' | 'p99'>,
): Line['budget'] {
  const met = (requestsPerSecond ?? 0) >= wanted && (p99 ?? Number.POSITIVE_INFINITY) <= P99_MS
  return { text: `>= ${wanted.toLocaleString('en')}/s, p99 <= ${P99_MS} ms`, met }
}

const CERTIFIED = { SSL_CLIENT_VERIFY: 'SUCCESS', SSL_CLIENT_S_DN: 'CN=proxy1.example.test' }

function formatRequest(id: number, credentials: Readonly<Record<string, string>>, condition: string): string {
  const headers = Object.entries(credentials).map(([name, value]) => `${name}: ${value}\r\n`)
  return `GET /node/${id}?format=yml HTTP/1.1\r\nHost: localhost\r\n${headers.join('')}${condition}\r\n`
}
