import { join } from 'node:path'
import { makeTemplate } from '../../src/postgresql/bundled.ts'
import { MIGRATIONS } from '../../test/support/settings.ts'
import { computeQuantile } from '../measure.ts'
import { startService } from '../processes.ts'
import type { Stages } from '../stages.ts'
import type { Line } from '../table.ts'

const TURNS = 5

/** Row 6: from the start of the process to its first answer, the median of a few. */
export async function start(stages: Stages): Promise<Line[]> {
  const { env } = await stages.small()
  const existing = await computeMedian(() => measureStart(stages, env))
  await makeTemplate(MIGRATIONS) // npm start makes it when it installs the packages
  const created = await computeMedian((turn) =>
    measureStart(stages, { MILLWRIGHT_DATA_DIR: join(stages.folder, `new-${turn}`) }),
  )
  const again = await computeMedian(() => measureStart(stages, { MILLWRIGHT_DATA_DIR: join(stages.folder, 'new-0') }))
  const buildBudget = (milliseconds: number, limit: number) => ({
    milliseconds,
    budget: { text: `<= ${limit.toLocaleString('en')} ms`, met: milliseconds <= limit },
  })
  return [
    { row: 'start', work: 'first answer, existing database', database: 'PostgreSQL', ...buildBudget(existing, 800) },
    { row: 'start', work: 'first answer, new database', database: 'bundled', ...buildBudget(created, 2500) },
    { row: 'start', work: 'first answer, existing database', database: 'bundled', ...buildBudget(again, 1200) },
  ]
}

async function measureStart({ folder }: Stages, env: Readonly<Record<string, string>>): Promise<number> {
  await using service = await startService(folder, env)
  return service.startMs
}

async function computeMedian(measure: (turn: number) => Promise<number>): Promise<number> {
  const found: number[] = []
  for (let turn = 0; turn < TURNS; turn++) found.push(await measure(turn))
  return computeQuantile(found, 0.5)
}
