import { setTimeout as pause } from 'node:timers/promises'
import type { Stage } from '../data.ts'
import { get } from '../measure.ts'
import { readMemoryMiB, startGenerator, startService } from '../processes.ts'
import type { Stages } from '../stages.ts'
import type { Line } from '../table.ts'

/** The most MiB after the start and after work, and with the bundled database, which counts then. */
const AT_FIRST = 130
const AFTER_WORK = 160
const WITH_VENDOR = 190
const BUNDLED = { atFirst: 190, afterWork: 300 }
const SETTLED_MS = 2000

/** Row 5: the memory of the idle service, before and after work. */
export async function measureMemory(stages: Stages): Promise<Line[]> {
  const onServer = await measureAround(stages, await stages.small())
  const withVendor = await measureAround(stages, await stages.small(), { MILLWRIGHT_VENDOR_PORT: '0' })
  const bundled = await measureAround(stages, await stages.bundled())
  const [atFirst, afterwards] = ['idle after the start', 'idle after 5 s of lists']
  const buildLine = (work: string, database: Line['database'], memoryMiB: number, most: number): Line => {
    const budget = { text: `<= ${most} MiB`, met: memoryMiB <= most }
    return { row: 'memory', work, database, memoryMiB, budget }
  }
  return [
    buildLine(atFirst, 'PostgreSQL', onServer.atFirst, AT_FIRST),
    buildLine(afterwards, 'PostgreSQL', onServer.after, AFTER_WORK),
    buildLine(`${atFirst}, with the vendor port`, 'PostgreSQL', withVendor.atFirst, WITH_VENDOR),
    buildLine(atFirst, 'bundled', bundled.atFirst, BUNDLED.atFirst),
    buildLine(afterwards, 'bundled', bundled.after, BUNDLED.afterWork),
  ]
}

async function measureAround(
  stages: Stages,
  { env, people }: Stage,
  more: Readonly<Record<string, string>> = {},
): Promise<{ atFirst: number; after: number }> {
  await using service = await startService(stages.folder, { ...env, ...more })
  await using generator = startGenerator()
  await pause(SETTLED_MS)
  const atFirst = readMemoryMiB(service.pid)
  const requests = ['/api/architectures', '/api/users'].map((path) => get(path, people.viewer))
  await generator.run({ port: service.port, requests, connections: 8, seconds: 5 })
  await pause(SETTLED_MS)
  return { atFirst, after: readMemoryMiB(service.pid) }
}
