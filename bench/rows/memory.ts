import { setTimeout as pause } from 'node:timers/promises'
import type { Stage } from '../data.ts'
import { get } from '../measure.ts'
import { readResidentMiB, startGenerator, startService } from '../processes.ts'
import type { Stages } from '../stages.ts'
import type { Line } from '../table.ts'

/** The most MiB after the start and after work, and with a database of its own. */
const AT_FIRST = 130
const AFTER_WORK = 160
const EMBEDDED = 350
const SETTLED_MS = 2000

/** Row 5: the memory of the idle process, before and after work. */
export async function measureMemory(stages: Stages): Promise<Line[]> {
  const onServer = await measureResident(stages, await stages.small())
  const embedded = await measureResident(stages, await stages.embedded())
  const [atFirst, afterwards] = ['idle after the start', 'idle after 5 s of lists']
  const buildLine = (work: string, database: Line['database'], memoryMiB: number, most: number): Line => {
    const budget = { text: `<= ${most} MiB`, met: memoryMiB <= most }
    return { row: 'memory', work, database, memoryMiB, budget }
  }
  return [
    buildLine(atFirst, 'PostgreSQL', onServer.atFirst, AT_FIRST),
    buildLine(afterwards, 'PostgreSQL', onServer.after, AFTER_WORK),
    buildLine(atFirst, 'embedded', embedded.atFirst, EMBEDDED),
    buildLine(afterwards, 'embedded', embedded.after, EMBEDDED),
  ]
}

async function measureResident(stages: Stages, { env, people }: Stage): Promise<{ atFirst: number; after: number }> {
  await using service = await startService(stages.folder, env)
  await using generator = startGenerator()
  await pause(SETTLED_MS)
  const atFirst = readResidentMiB(service.pid)
  const requests = ['/api/architectures', '/api/users'].map((path) => get(path, people.viewer))
  await generator.run({ port: service.port, requests, connections: 8, seconds: 5 })
  await pause(SETTLED_MS)
  return { atFirst, after: readResidentMiB(service.pid) }
}
