import { join } from 'node:path'
import { listLost, writeUntilKilled } from '../../test/support/killed.ts'
import type { Pace } from '../measure.ts'
import { makeProgram, startService } from '../processes.ts'
import type { Stages } from '../stages.ts'
import type { Line } from '../table.ts'

const headers = { authorization: `Basic ${btoa('admin:bench-password')}` }
const ADMIN = { MILLWRIGHT_ADMIN_PASSWORD: 'bench-password', MILLWRIGHT_PASSWORD_MEMORY: '8' }

/** Kills a service in the middle of writes, again and again, and checks that every acknowledged write is stored. */
export async function kills(stages: Stages, { isQuick }: Pace): Promise<Line[]> {
  const rounds = isQuick ? 5 : 300
  const { env } = await stages.small()
  const bundled = { ...ADMIN, MILLWRIGHT_DATA_DIR: join(stages.folder, 'killed') }
  return [
    await measureKilled('PostgreSQL', { ...env, ...ADMIN }, rounds, stages),
    await measureKilled('bundled', bundled, rounds, stages),
  ]
}

async function measureKilled(
  database: Line['database'],
  env: Readonly<Record<string, string>>,
  rounds: number,
  { folder }: Stages,
): Promise<Line> {
  const acknowledged: string[] = []
  const program = makeProgram()
  const start = performance.now()
  for (let round = 1; round <= rounds; round++) {
    await using service = await startService(folder, env, program)
    const address = `http://127.0.0.1:${service.port}`
    const kill = () => void process.kill(service.pid, 'SIGKILL')
    acknowledged.push(...(await writeUntilKilled({ address, headers }, `killed-${round}`, 1 + (round % 40), kill)))
  }
  const milliseconds = performance.now() - start
  await using service = await startService(folder, env, program)
  const lost = await listLost({ address: `http://127.0.0.1:${service.port}`, headers }, acknowledged)
  const count = acknowledged.length.toLocaleString('en')
  const work = `killed ${rounds.toLocaleString('en')} times, of ${count} writes lost: ${lost.length}`
  return { row: 'kills', work, database, milliseconds, budget: { text: '0 lost', met: lost.length === 0 } }
}
