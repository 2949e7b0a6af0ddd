import { join } from 'node:path'
import { makeTemplate } from '../../src/database/template.ts'
import { quantile } from '../measure.ts'
import { startService } from '../processes.ts'
import type { Stages } from '../stages.ts'
import type { Line } from '../table.ts'

const TURNS = 5

/** Row 6: from the start of the process to its first answer, the median of a few. */
export async function start(stages: Stages): Promise<Line[]> {
  const { env } = await stages.small()
  const existing = await median(() => startedIn(stages, env))
  await makeTemplate() // npm start makes it when it installs the packages
  const created = await median((turn) => startedIn(stages, { MILLWRIGHT_DATA_DIR: join(stages.folder, `new-${turn}`) }))
  const again = await median(() => startedIn(stages, { MILLWRIGHT_DATA_DIR: join(stages.folder, 'new-0') }))
  const within = (milliseconds: number, limit: number) => ({
    milliseconds,
    budget: { text: `<= ${limit.toLocaleString('en')} ms`, met: milliseconds <= limit },
  })
  return [
    { row: 'start', work: 'first answer, existing database', database: 'PostgreSQL', ...within(existing, 1000) },
    { row: 'start', work: 'first answer, new database', database: 'embedded', ...within(created, 3000) },
    { row: 'start', work: 'first answer, existing database', database: 'embedded', milliseconds: again },
  ]
}

async function startedIn({ folder }: Stages, env: Readonly<Record<string, string>>): Promise<number> {
  await using service = await startService(folder, env)
  return service.startMs
}

async function median(measure: (turn: number) => Promise<number>): Promise<number> {
  const found: number[] = []
  for (let turn = 0; turn < TURNS; turn++) found.push(await measure(turn))
  return quantile(found, 0.5)
}
