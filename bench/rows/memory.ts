import { setTimeout as pause } from 'node:timers/promises'
import type { Stage } from '../data.ts'
import { get } from '../measure.ts'
import { residentMiB, startGenerator, startService } from '../processes.ts'
import type { Stages } from '../stages.ts'
import type { Line } from '../table.ts'

const AT_MOST = 150
const SETTLED_MS = 2000

/** Row 5: the memory of the idle process, before and after work. */
export async function memory(stages: Stages): Promise<Line[]> {
  const bounded = (memoryMiB: number) => ({ budget: { text: `<= ${AT_MOST} MiB`, met: memoryMiB <= AT_MOST } })
  const onServer = await resident(stages, await stages.small())
  const embedded = await resident(stages, await stages.embedded())
  const [atFirst, afterwards] = ['idle after the start', 'idle after 5 s of lists']
  return [
    { row: 'memory', work: atFirst, database: 'PostgreSQL', memoryMiB: onServer.atFirst, ...bounded(onServer.atFirst) },
    { row: 'memory', work: afterwards, database: 'PostgreSQL', memoryMiB: onServer.after, ...bounded(onServer.after) },
    { row: 'memory', work: atFirst, database: 'embedded', memoryMiB: embedded.atFirst },
    { row: 'memory', work: afterwards, database: 'embedded', memoryMiB: embedded.after },
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
