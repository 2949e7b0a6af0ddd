import { createHash } from 'node:crypto'
import type { Stage } from '../data.ts'
import { compare, computeQuantile, get, type Pace } from '../measure.ts'
import { type Running, startGenerator, startService } from '../processes.ts'
import type { Stages } from '../stages.ts'
import type { Line } from '../table.ts'

const AT_MOST = 3
const EXPORT_MS = 1000

const WORK: readonly (readonly [string, string])[] = [
  ['list, first page', '/api/hosts'],
  ['list, page 40', '/api/hosts?page=40'],
  ['list, thin', '/api/hosts?thin=true'],
  ['list with all_parameters', '/api/hosts?include=all_parameters'],
  ['search name ~ rare part', buildSearchPath('name ~ h12345')],
  ['search hostgroup_fullname ~ g17/', buildSearchPath('hostgroup_fullname ~ g17/')],
  ['search environment = env3', buildSearchPath('environment = env3')],
  ['search domain = d7.example.test', buildSearchPath('domain = d7.example.test')],
  ['search facts.uptime = "1234 days"', buildSearchPath('facts.uptime = "1234 days"')],
  ['search params.tier = silver', buildSearchPath('params.tier = silver')],
  ['list host groups, inherited values', '/api/hostgroups'],
]

/** As fleet.ts names its hosts. */
function nameOf(n: number): string {
  const digits = createHash('md5').update(String(n)).digest('hex').slice(0, 10)
  return `h${digits}-${n}.d${(n % 10) + 1}.example.test`
}

function buildSearchPath(search: string): string {
  return `/api/hosts?search=${encodeURIComponent(search)}`
}

/** What a fleet of 1,000,000 is asked beside that: by the end of an index, by a fact of many values. */
const WIDE: typeof WORK = [
  ...WORK,
  ['search name = one', buildSearchPath(`name = ${nameOf(1234)}`)],
  ['search facts.measured::42 = v42', buildSearchPath('facts.measured::42 = v42')],
]

/** What reads every host, however it is planned: not as fast as with few, but within this many milliseconds. */
const BOUNDED: readonly (readonly [string, string, number])[] = [
  ['sorted by host group', '/api/hosts?order=hostgroup', 2000],
  ['free words that find nothing', buildSearchPath('nowhereatall'), 5000],
]

/** The budgets of lists and searches on hosts in nested groups, and row 4: the export of a fleet of 5,000. */
export async function measureHosts(stages: Stages, pace: Pace): Promise<Line[]> {
  const [small, large] = [await stages.small(), await stages.large()]
  await using little = await startService(stages.folder, small.env)
  const line = await measureExport(little, small)
  return [line, ...(await compareFleets(stages, { row: 'hosts', small, large, work: WORK }, pace))]
}

/** 1,000,000 hosts with 100 facts each beside 5,000. */
export async function scale(stages: Stages, pace: Pace): Promise<Line[]> {
  const [small, large] = [await stages.factual(), await stages.wide()]
  // Few at a time, and for long: a search through all of them takes longer than a burst.
  const patient = { ...pace, connections: 2, seconds: 4 }
  const fleets = { row: 'scale', small, large } as const
  const lines = await compareFleets(stages, { ...fleets, work: WIDE }, patient)
  for (const [work, path, limit] of BOUNDED) {
    const [few, many] = await compareFleets(stages, { ...fleets, work: [[work, path]] }, patient)
    if (!few || !many) throw new Error(`${work} was not measured`)
    lines.push(few, {
      ...many,
      budget: { text: `p50 <= ${limit} ms`, met: (many.p50 ?? Number.POSITIVE_INFINITY) <= limit },
    })
  }
  return lines
}

interface Fleets {
  readonly row: 'hosts' | 'scale'
  readonly small: Stage
  readonly large: Stage
  readonly work: typeof WORK
}

async function compareFleets(stages: Stages, { row, small, large, work: all }: Fleets, pace: Pace): Promise<Line[]> {
  await using generator = startGenerator()
  await using little = await startService(stages.folder, small.env)
  await using big = await startService(stages.folder, large.env)
  const lines: Line[] = []
  for (const [work, path] of all) {
    const subjects = [
      { port: little.port, requests: [get(path, small.people.viewer)] },
      { port: big.port, requests: [get(path, large.people.viewer)] },
    ]
    const [few, many] = await compare(generator, subjects, pace)
    const ratio = (many?.p50 ?? 0) / (few?.p50 ?? 1)
    const nameWork = (stage: Stage) => `hosts: ${work}, ${stage.size.hosts.toLocaleString('en')} hosts`
    lines.push({ row, work: nameWork(small), database: 'PostgreSQL', ...few })
    lines.push({
      row,
      work: nameWork(large),
      database: 'PostgreSQL',
      ...many,
      ratio,
      to: 'p50 of the small',
      budget: { text: `p50 <= ${AT_MOST} times`, met: ratio <= AT_MOST },
    })
  }
  return lines
}

/** Exports every host with all keys of the list in one answer: the median of five. */
async function measureExport({ port }: Running, { people, size }: Stage): Promise<Line> {
  const took: number[] = []
  for (let turn = 0; turn < 5; turn++) {
    const start = performance.now()
    const answer = await fetch(`http://127.0.0.1:${port}/api/hosts?per_page=all`, {
      headers: { authorization: `Bearer ${people.viewer}` },
    })
    const { results } = (await answer.json()) as { results: unknown[] } // the envelope of lists
    if (results.length !== size.hosts) throw new Error(`${results.length} hosts came instead of ${size.hosts}`)
    took.push(performance.now() - start)
  }
  const milliseconds = computeQuantile(took, 0.5)
  return {
    row: 'hosts',
    work: `hosts: export of ${size.hosts.toLocaleString('en')}`,
    database: 'PostgreSQL',
    milliseconds,
    budget: { text: `<= ${EXPORT_MS} ms`, met: milliseconds <= EXPORT_MS },
  }
}
