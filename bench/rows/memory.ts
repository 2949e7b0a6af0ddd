import { setTimeout as pause } from 'node:timers/promises'
import type { Stage } from '../data.ts'
import { get } from '../measure.ts'
import { residentMiB, startGenerator, startService } from '../processes.ts'
import type { Stages } from '../stages.ts'
import type { Line } from '../table.ts'

/** The most MiB after the start and after work, and with a database of its own. */
const AT_FIRST = 130
const AFTER_WORK = 160
const EMBEDDED = 350
const SETTLED_MS = 2000

/** Row 5: the memory of the idle process, before and after work. */
export async function memory(stages: Stages): Promise<Line[]> {
  const onServer = await resident(stages, await stages.small())
  const embedded = await resident(stages, await stages.embedded())
  const [atFirst, afterwards] = ['idle after the start', 'idle after 5 s of lists']
  const line = (work: string, database: Line['database'], memoryMiB: number, most: number): Line => {
    const budget = { text: `<= ${most} MiB`, met: memoryMiB <= most }
    return { row: 'memory', work, database, memoryMiB, budget }
  }
  return [
    line(atFirst, 'PostgreSQL', onServer.atFirst, AT_FIRST),
    line(afterwards, 'PostgreSQL', onServer.after, AFTER_WORK),
    line(atFirst, 'embedded', embedded.atFirst, EMBEDDED),
    line(afterwards, 'embedded', embedded.after, EMBEDDED),
  ]
}

async function resident(stages: Stages, { env, people }: Stage): Promise<{ atFirst: number; after: number }> {
  await using service = await startService(stages.folder, env)
  await using generator = startGenerator()
  await pause(SETTLED_MS)
  const atFirst = residentMiB(service.pid)
  const requests = ['/api/architectures', '/api/users'].map((path) => get(path, people.viewer))
  await generator.run({ port: service.port, requests, connections: 8, seconds: 5 })
  await pause(SETTLED_MS)
  return { atFirst, after: residentMiB(service.pid) }
}
