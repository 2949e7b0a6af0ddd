import { request } from 'node:http'
import { assembleResources } from '../../src/areas/index.ts'
import { ALWAYS_ASKED, compileSearch, MAX_CONDITIONS } from '../../src/search/index.ts'
import { SETTINGS } from '../../src/settings/settings.ts'
import type { Stage } from '../data.ts'
import { computeQuantile } from '../measure.ts'
import { startService } from '../processes.ts'
import type { Stages } from '../stages.ts'
import type { Line } from '../table.ts'

const AT_MOST_MS = 1000
const TURNS = 3

/** One condition of each kind that matches as many hosts as possible; `@` is a different number in each. */
const KINDS: readonly (readonly [string, string])[] = [
  ['own column', 'managed = true'],
  ['own column, part of a text', 'name ~ example'],
  ['relation', 'hostgroup ~ g'],
  ['relation, two tables', 'domain ~ d'],
  ['relation of one in many', 'ip ~ 10'],
  ['relation to many', 'has_ip ~ 10'],
  ['key and value, equal', 'facts.kernel = Linux'],
  ['key and value, part', 'facts.kernel ~ inu'],
  ['key and value, different', 'facts.uptime != "@ days"'],
  ['value of any level', 'params.tier ~ o'],
  ['tree', 'parent_hostgroup = g1'],
  ['presence', 'has facts.kernel'],
  ['free text', 'd@.example'],
]

const JOINED = [' and ', ' or ', ' and not '] as const

/**
 * Measures for each kind of field the most expensive search that the service accepts with 100,000 hosts, joined with "and"
 * and "or": the median of a few answers. Values change each time, so that no cached count is used.
 */
export async function measureCosts(stages: Stages): Promise<Line[]> {
  return [
    ...(await onDatabase(stages, await stages.many(), 'PostgreSQL')),
    ...(await onDatabase(stages, await stages.manyBundled(), 'bundled')),
  ]
}

async function onDatabase(stages: Stages, stage: Stage, database: Line['database']): Promise<Line[]> {
  await using service = await startService(stages.folder, stage.env)
  const lines: Line[] = []
  for (const [kind, condition] of KINDS) {
    for (const joined of JOINED) {
      const many = findLargestAccepted(condition, stage.size.hosts)
      const more = await askSearch(service.port, stage, searchOf(condition, many + 1, joined, 0))
      if (more.status !== 400) throw new Error(`${many + 1} times ${condition} was answered ${more.status}`)
      const took: number[] = []
      for (let turn = 1; turn <= TURNS; turn++) {
        const { status, milliseconds } = await askSearch(service.port, stage, searchOf(condition, many, joined, turn))
        if (status !== 200) throw new Error(`${many} times ${condition} was answered ${status}`)
        took.push(milliseconds)
      }
      const milliseconds = computeQuantile(took, 0.5)
      const budget = { text: `<= ${AT_MOST_MS} ms`, met: milliseconds <= AT_MOST_MS }
      const work = `costs: ${kind}, ${many} times${joined}(${condition})`
      lines.push({ row: 'costs', work, database, milliseconds, budget })
    }
  }
  return lines
}

/** Finds by the declared costs the largest number of conditions that is accepted. */
function findLargestAccepted(condition: string, hosts: number): number {
  const schema = assembleResources().get('host')?.searchSchema
  if (!schema) throw new Error('no resource is named host')
  const { cost } = compileSearch(schema, condition, { now: new Date(), zone: 'UTC', root: 't' })
  const most = Math.floor((SETTINGS.search_comparisons_limit.default * 1_000_000) / hosts / cost)
  return Math.min(MAX_CONDITIONS, Math.max(most, ALWAYS_ASKED))
}

function searchOf(condition: string, many: number, joined: string, turn: number): string {
  const different = Array.from({ length: many }, (_, index) => condition.replaceAll('@', String(index)))
  return [...different, ...(turn === 0 ? [] : [`id != ${turn}`])].slice(-many).join(joined)
}

/** Sends a search in a body, which has no limit like that of a URL. */
function askSearch(port: number, { people }: Stage, search: string): Promise<{ status: number; milliseconds: number }> {
  const start = performance.now()
  const body = JSON.stringify({ search })
  const headers = {
    authorization: `Bearer ${people.viewer}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body), // node:http says none of a GET's
  }
  return new Promise((resolve, reject) => {
    const sent = request({ port, path: '/api/hosts?thin=true', method: 'GET', headers }, (answer) => {
      answer.resume()
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, milliseconds: performance.now() - start }))
    })
    sent.once('error', reject)
    sent.end(body)
  })
}
