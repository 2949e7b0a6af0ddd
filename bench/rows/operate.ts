import { execFile } from 'node:child_process'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startTestServer } from '../../test/support/postgresql.ts'
import { unpackBefore, versionBefore } from '../../test/support/version-before.ts'
import type { Stage } from '../data.ts'
import { computeQuantile, get, type Pace } from '../measure.ts'
import { makeProgram, ROOT, type RunningService, startGenerator, startService } from '../processes.ts'
import type { Stages } from '../stages.ts'
import type { Line } from '../table.ts'

const run = promisify(execFile)
const FAILOVERS = 3
const ADMIN = { MILLWRIGHT_ADMIN_PASSWORD: 'bench-password', MILLWRIGHT_PASSWORD_MEMORY: '8' }
const headers = { authorization: `Basic ${btoa('admin:bench-password')}`, 'content-type': 'application/json' }

/** Measures what operators wait for. */
export async function operate(stages: Stages, pace: Pace): Promise<Line[]> {
  const stage = await (pace.isQuick ? stages.fleet() : stages.many())
  return [
    ...(await measureCopies(stages, stage)),
    await measureFailover(stages, pace),
    ...(await upgrade(stages, pace)),
  ]
}

/** Makes a backup of a running database, verifies it and restores it into both kinds of database. */
async function measureCopies(stages: Stages, { env, size }: Stage): Promise<Line[]> {
  const file = join(stages.folder, 'bench.backup')
  const hosts = `${size.hosts.toLocaleString('en')} hosts`
  makeProgram()
  const made = await timeCommand(['backup', file, '--without-keys'], env)
  const { size: bytes } = await stat(file)
  const verified = await timeCommand(['backup', 'verify', file], env)
  const there = { ...env, DATABASE_URL: await stages.emptyUrl('restored') }
  const restored = await timeCommand(['restore', file], there)
  const intoBundled = await timeCommand(['restore', file], { MILLWRIGHT_DATA_DIR: join(stages.folder, 'restored') })
  await rm(file)
  const line = { row: 'operate', database: 'PostgreSQL' } as const
  return [
    { ...line, work: `backup of ${hosts}, ${Math.round(bytes / 2 ** 20)} MiB`, milliseconds: made },
    { ...line, work: `backup of ${hosts} verified`, milliseconds: verified },
    { ...line, work: `backup of ${hosts} restored`, milliseconds: restored },
    { ...line, work: `backup of ${hosts} restored`, database: 'bundled', milliseconds: intoBundled },
  ]
}

async function timeCommand(words: readonly string[], env: Readonly<Record<string, string>>): Promise<number> {
  const start = performance.now()
  await run(process.execPath, ['.build/main.js', ...words], { cwd: ROOT, env: { PATH: process.env.PATH, ...env } })
  return performance.now() - start
}

/**
 * Measures the time from the crash of a primary, whose synchronous standby is promoted at once, to the next acknowledged
 * write.
 */
async function measureFailover({ folder }: Stages, { isQuick }: Pace): Promise<Line> {
  const took: number[] = []
  for (let turn = 0; turn < (isQuick ? 1 : FAILOVERS); turn++) took.push(await failOver(folder, turn))
  const work = 'from the crash of a primary to the next write, its standby promoted at once'
  return { row: 'operate', work, database: 'PostgreSQL', milliseconds: computeQuantile(took, 0.5) }
}

async function failOver(folder: string, turn: number): Promise<number> {
  const settings = ['max_connections=100', 'synchronous_commit=on']
  await using primary = await startTestServer({
    settings: [...settings, 'synchronous_standby_names=*'],
  })
  await using standby = await startTestServer({ settings, primary })
  const env = {
    ...ADMIN,
    DATABASE_URL: `postgresql://postgres@/postgres?host=${primary.folder},${standby.folder}`,
    MILLWRIGHT_DATA_DIR: join(folder, `failover-${turn}`),
  }
  await using service = await startService(folder, env)
  const write = async (name: string) => {
    const body = JSON.stringify({ name })
    const url = `http://127.0.0.1:${service.port}/api/architectures`
    return (await fetch(url, { method: 'POST', headers, body })).status === 201
  }
  if (!(await write('before'))) throw new Error('the service takes no writes')
  const start = performance.now()
  await primary.stop('crash')
  standby.promote()
  for (let at = 0; !(await write(`after-${at}`)); at++) await new Promise((later) => setTimeout(later, 20))
  return performance.now() - start
}

/** Measures lists while two processes of the previous version are replaced and the schema is migrated. */
async function upgrade(stages: Stages, { connections, seconds }: Pace): Promise<Line[]> {
  const before = versionBefore()
  if (before === null) {
    console.error('skipped: the version before under load (there is no history in this checkout)')
    return []
  }
  const tree = join(stages.folder, 'before')
  unpackBefore(before, tree)
  const url = await stages.emptyUrl('upgraded')
  const env = { ...ADMIN, DATABASE_URL: url, MILLWRIGHT_DATA_DIR: join(stages.folder, 'upgraded') }
  await using generator = startGenerator()
  const old: RunningService[] = []
  for (const _ of [1, 2]) old.push(await startService(stages.folder, env, join(tree, 'src/main.ts')))
  const token = await tokenOf(old[0]?.port ?? 0)
  const requests = ['/api/hosts', '/api/architectures'].map((path) => get(path, token))
  const latencies = { before: [] as number[], meanwhile: [] as number[], after: [] as number[] }
  const runBurst = async (port: number, into: number[]) => {
    into.push(...(await generator.run({ port, requests, connections, seconds: seconds * 2 })).latencies)
  }
  await runBurst(old[1]?.port ?? 0, latencies.before)
  // Any answer but 200 ends the generator, and the measurement.
  const meanwhile = runBurst(old[1]?.port ?? 0, latencies.meanwhile)
  await using first = await startService(stages.folder, env)
  await meanwhile
  await old[0]?.[Symbol.asyncDispose]()
  await runBurst(old[1]?.port ?? 0, latencies.meanwhile)
  await old[1]?.[Symbol.asyncDispose]()
  await runBurst(first.port, latencies.after)
  const buildLine = (work: string, found: number[]): Line => ({
    ...{ row: 'operate', database: 'PostgreSQL', work },
    ...{ p50: computeQuantile(found, 0.5), p99: computeQuantile(found, 0.99) },
  })
  return [
    buildLine('lists of the version before', latencies.before),
    buildLine('  while the new one starts and migrates, no request refused', latencies.meanwhile),
    buildLine('  of the new version', latencies.after),
  ]
}

async function tokenOf(port: number): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/users/1/personal_access_tokens`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name: 'bench' }),
  })
  return ((await answer.json()) as { token_value: string }).token_value // the answer of a created token
}
