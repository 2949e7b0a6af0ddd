import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connect } from '../../src/postgresql/connect.ts'
import { sql } from '../../src/sql.ts'
import { quiet, testConfig } from '../../test/support/settings.ts'
import { makeProgram, ROOT, readMemoryMiB, startService } from '../processes.ts'
import type { Stages } from '../stages.ts'
import type { Line } from '../table.ts'

const IMPORT_MS = 300_000
const PLAN_MS = 60_000
const MOST_MIB = 300
const SAMPLE_MS = 500

/** Hosts with two interfaces, five parameters and 100 facts move from one service, by its vendor port, to an empty one. */
export async function measureImport(stages: Stages): Promise<Line[]> {
  const { env, url, size } = await stages.moving()
  if (url === null) throw new Error('the old server needs a database on a server')
  await completeHosts(url)
  await using old = await startService(stages.folder, { ...env, MILLWRIGHT_VENDOR_PORT: '0' })
  const moved = {
    ...env,
    DATABASE_URL: await stages.emptyUrl('moved'),
    MILLWRIGHT_DATA_DIR: join(stages.folder, 'moved'),
  }
  await (await startService(stages.folder, moved))[Symbol.asyncDispose]() // migrates
  const passwordFile = join(stages.folder, 'password')
  await writeFile(passwordFile, env.MILLWRIGHT_ADMIN_PASSWORD ?? '')
  const program = makeProgram()
  const words = ['import', 'server', `http://127.0.0.1:${old.vendorPort}`, '--user', 'admin']
  const run = (...flags: string[]) => runImport(moved, [program, ...words, '--password-file', passwordFile, ...flags])
  const hosts = size.hosts.toLocaleString('en')
  const first = await run('--json')
  requireTotals(first.output, ({ created, refused }) => created >= size.hosts && refused === 0)
  const again = await run('--json', '--plan')
  requireTotals(again.output, ({ created, changed }) => created === 0 && changed === 0)
  const buildLine = (work: string, { milliseconds, memoryMiB }: Ran, most: number): Line => {
    const met = milliseconds <= most && memoryMiB <= MOST_MIB
    const budget = { text: `<= ${most / 1000} s, <= ${MOST_MIB} MiB`, met }
    return { row: 'import', work, database: 'PostgreSQL', milliseconds, memoryMiB, budget }
  }
  return [
    buildLine(`import ${hosts} hosts from another service`, first, IMPORT_MS),
    buildLine(`plan again, ${hosts} unchanged hosts`, again, PLAN_MS),
  ]
}

/** Adds a second interface and five parameters to each host. */
async function completeHosts(url: string): Promise<void> {
  await using database = await connect(testConfig({ url }), quiet)
  await sql`insert into interfaces (host_id, name, mac, ip, "primary", provision)
    select id, '', '06:' || regexp_replace(lpad(to_hex(id), 10, '0'), '(..)(?=.)', '\\1:', 'g'), '10.128.0.0'::inet + id, false, false
    from hosts`.execute(database.db)
  await sql`insert into parameters (name, value, host_id)
    select 'setting_' || n, to_jsonb('value ' || n), h.id from hosts h, generate_series(1, 5) n`.execute(database.db)
  await sql`analyze`.execute(database.db)
}

interface Ran {
  readonly milliseconds: number
  /** The most memory of the process that imports. */
  readonly memoryMiB: number
  readonly output: string
}

async function runImport(env: Readonly<Record<string, string>>, words: readonly string[]): Promise<Ran> {
  const started = performance.now()
  const child = spawn(process.execPath, words, {
    cwd: ROOT,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let memoryMiB = 0
  const sampling = setInterval(() => {
    try {
      memoryMiB = Math.max(memoryMiB, readMemoryMiB(child.pid ?? 0))
    } catch {
      clearInterval(sampling) // the process has just ended
    }
  }, SAMPLE_MS)
  let output = ''
  child.stdout.on('data', (part) => {
    output += part
  })
  const [code] = await once(child, 'close')
  clearInterval(sampling)
  if (code !== 0) throw new Error(`the import ended with ${code}: ${output.slice(-2000)}`)
  return { milliseconds: performance.now() - started, memoryMiB, output }
}

type Totals = Readonly<Record<'created' | 'changed' | 'left' | 'refused', number>>

function requireTotals(output: string, isExpected: (totals: Totals) => boolean): void {
  const { totals } = JSON.parse(output) as { totals: Totals }
  if (!isExpected(totals)) throw new Error(`the import answered ${JSON.stringify(totals)}`)
}
