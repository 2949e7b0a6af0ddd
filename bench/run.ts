import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { describeMachine } from './machine.ts'
import { measureAudits } from './rows/audits.ts'
import { classify } from './rows/classify.ts'
import { measureCli } from './rows/cli.ts'
import { measureConsole as inBrowser } from './rows/console.ts'
import { measureCosts } from './rows/costs.ts'
import { measureDialect } from './rows/dialect.ts'
import { measureEvents } from './rows/events.ts'
import { measureHosts, scale } from './rows/hosts.ts'
import { measureImport } from './rows/import.ts'
import { measureKeys } from './rows/keys.ts'
import { kills } from './rows/kills.ts'
import { measureLogin } from './rows/login.ts'
import { measureMemory } from './rows/memory.ts'
import { measureMillion as simulation } from './rows/million.ts'
import { operate } from './rows/operate.ts'
import { preview } from './rows/preview.ts'
import { register } from './rows/register.ts'
import { measureReports } from './rows/reports.ts'
import { measureSize } from './rows/size.ts'
import { measureSpeed } from './rows/speed.ts'
import { start } from './rows/start.ts'
import { measureWriteRows } from './rows/writes.ts'
import { openStages } from './stages.ts'
import { formatTable, type Line, LONG, ROWS, type Row } from './table.ts'

// Measures the budgets of docs/benchmarks.md, prints one table, and fails when a budget is not kept.
// npm run bench -- [--only speed|size|hosts|costs|writes|classify|preview|keys|register|reports|dialect|memory|start|login|cli|console|operate|import|events|million|scale|audits|kills] [--quick]
// [--json FILE]

const { values } = parseArgs({
  options: { only: { type: 'string', multiple: true }, quick: { type: 'boolean' }, json: { type: 'string' } },
})
const isWanted = (row: Row) => (values.only === undefined ? !LONG.includes(row) : values.only.includes(row))
const unknown = values.only?.filter((name) => !ROWS.includes(name as Row)) ?? []
if (unknown.length > 0) fail(`--only takes ${ROWS.join(', ')}, not ${unknown.join(', ')}`)

const pace = values.quick
  ? { connections: 8, rounds: 2, seconds: 1, isQuick: true }
  : { connections: 8, rounds: 3, seconds: 1.5, isQuick: false }
const fleets = { small: { hosts: 5000, hostgroups: 50 }, large: { hosts: 100_000, hostgroups: 1000 } }
const small = { architectures: 1000, users: 2000, keys: 1000, ...fleets.small }
const large = {
  ...(values.quick ? { architectures: 100_000, users: 20_000 } : { architectures: 1_000_000, users: 200_000 }),
  keys: 100_000,
  ...fleets.large,
}
const many = { architectures: 1000, users: 2000, keys: 1000, ...fleets.large }
const million = {
  ...many,
  ...(values.quick ? { hosts: 10_000, hostgroups: 100 } : { hosts: 1_000_000, hostgroups: 1000 }),
}
const facts = values.quick ? 17 : 97
const factual = { ...small, facts }
const wide = { ...million, ...(values.quick && { hosts: 100_000, hostgroups: 1000 }), facts }
const moving = { architectures: 1000, users: 100, keys: 0, facts, hosts: values.quick ? 1000 : 10_000, hostgroups: 100 }
const fleet = { architectures: 1000, users: 2000, keys: 0, hosts: 10_000, hostgroups: 100 }

const audits = { ...fleet, hosts: 1000, audits: 10_000 }
const manyAudits = { ...audits, audits: values.quick ? 100_000 : 10_000_000 }

const lines: Line[] = []
const failed: Row[] = []
{
  await using stages = await openStages(await mkdtemp(join(tmpdir(), 'millwright-bench-')), {
    small,
    large,
    fleet,
    many,
    million,
    factual,
    wide,
    moving,
    audits,
    manyAudits,
  })
  const measures = {
    speed: measureSpeed,
    size: measureSize,
    hosts: measureHosts,
    costs: measureCosts,
    writes: measureWriteRows,
    classify,
    preview,
    keys: measureKeys,
    register,
    reports: measureReports,
    dialect: measureDialect,
    memory: measureMemory,
    start,
    login: measureLogin,
    cli: measureCli,
    console: inBrowser,
    operate,
    import: measureImport,
    events: measureEvents,
    million: simulation,
    scale,
    audits: measureAudits,
    kills,
  } satisfies Record<Row, unknown>
  for (const row of ROWS.filter(isWanted)) {
    console.error(`measuring ${row} ...`)
    try {
      lines.push(...(await measures[row](stages, pace)))
    } catch (error) {
      // The figures of the other rows took minutes.
      console.error(`bench: ${row} failed:`, error)
      failed.push(row)
    }
  }
}
const computer = describeMachine()
console.log(`${computer}\n\n${formatTable(lines)}`)
if (values.json)
  await writeFile(
    values.json,
    `${JSON.stringify({ at: new Date().toISOString(), facts: computer, pace, lines }, null, 2)}\n`,
  )
process.exitCode = failed.length > 0 || lines.some(({ budget }) => budget?.met === false) ? 1 : 0

function fail(reason: string): never {
  console.error(`bench: ${reason}`)
  process.exit(2)
}
