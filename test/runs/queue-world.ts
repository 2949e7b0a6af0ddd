import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import type { RunnerSettings } from '../../src/areas/runs/runner-of.ts'
import { openRunWorkers, type RunWorkerOptions } from '../../src/areas/runs/workers.ts'
import { SERVICE } from '../../src/context.ts'
import type { Database } from '../../src/database/database.ts'
import { row, rows } from '../../src/database/sql.ts'
import { encryptionOf } from '../../src/encryption/encryption.ts'
import type { Workers } from '../../src/queue/workers.ts'
import { sql } from '../../src/sql.ts'
import { quiet } from '../support/settings.ts'

export const encryption = encryptionOf({ encryptionKeyFile: null, databaseUrl: null, dataDir: 'memory' })

/**
 * A program that acts by the name of the host: for `fail-…` it exits with 3, for `wait-…` it waits until it is released. It
 * always prints, and records its start and end in files.
 */
export interface HostProgram extends Disposable {
  readonly path: string
  readonly folder: string
  /** Releases all waiting programs. */
  readonly letGo: () => void
  /** Makes later programs wait again. */
  readonly hold: () => void
  /** Lists the hosts for which it was started, or has finished, in order. */
  readonly hosts: (state: 'started' | 'finished') => string[]
}

/** `first` is a shell command that the program executes first. */
export function hostProgram(first = ':'): HostProgram {
  const folder = mkdtempSync(join(tmpdir(), 'millwright-runs-'))
  const path = join(folder, 'run')
  const script = `#!/bin/sh
echo "$1" >> ${folder}/started
${first}
echo "configuring $1"
case "$1" in
  fail-*) echo "no catalog" >&2; exit 3 ;;
  wait-*) while [ ! -e ${folder}/go ]; do sleep 0.05; done ;;
esac
echo "$1" >> ${folder}/finished
echo "done"
`
  writeFileSync(path, script)
  chmodSync(path, 0o755)
  return {
    path,
    folder,
    hosts: (state) => {
      const file = join(folder, state)
      return existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []
    },
    letGo: () => writeFileSync(join(folder, 'go'), ''),
    hold: () => rmSync(join(folder, 'go'), { force: true }),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Waits until a condition becomes true, also on a busy machine. */
export function eventually<T>(read: () => T) {
  return expect.poll(read, { timeout: 20_000 })
}

let made = 0

/** Inserts a smart proxy whose runs execute a program, and yields its id. */
export async function commandProxy({ db }: Database, program: string, columns: Record<string, unknown> = {}) {
  return proxy(db, { runner: 'command', runner_command: [program], ...columns })
}

/** Inserts a smart proxy and yields its id. */
export async function proxy(db: Database['db'], columns: Record<string, unknown>): Promise<number> {
  const all: Record<string, unknown> = { name: `proxy${++made}`, url: `http://127.0.0.1:1/${made}`, ...columns }
  const names = sql.join(Object.keys(all).map((name) => sql.ref(name)))
  const values = sql.join(Object.values(all).map((value) => sql`${value}`))
  const found = await row<{ id: number }>(db, sql`insert into smart_proxies (${names}) values (${values}) returning id`)
  return found?.id ?? 0
}

/** Inserts hosts with these names for the proxy, and yields their ids. */
export async function insertHosts(
  db: Database['db'],
  proxyId: number | null,
  names: readonly string[],
): Promise<number[]> {
  const inserted = await rows<{ id: number }>(
    db,
    sql`insert into hosts (name, config_proxy_id) select name, ${proxyId} from unnest(${names}::text[]) name returning id`,
  )
  return inserted.map(({ id }) => id)
}

/** Starts workers that end with the test. */
export async function startWorkers(
  database: Database,
  settings: Partial<RunnerSettings>,
  options: Partial<RunWorkerOptions> = {},
): Promise<Workers> {
  const workers = await openRunWorkers({
    database,
    log: quiet,
    settings: () => ({ encryption, proxyTimeoutMs: 5000, commands: [], ...settings }),
    actor: async (id) => ({ ...SERVICE, id }),
    most: 10,
    graceMs: 100,
    afterwards: async () => undefined,
    ...options,
  })
  onTestFinished(() => workers[Symbol.asyncDispose]())
  return workers
}

export interface RunRow {
  readonly id: number
  readonly host_name: string
  readonly status: string
  readonly attempt: number
  readonly runner: string | null
  readonly reason: string | null
  readonly exit_status: number | null
  readonly message: string | null
  readonly worker: string | null
  readonly output: string | null
}

/** Lists all runs, oldest first, with their output. */
export function allRuns({ db }: Pick<Database, 'db'>): Promise<RunRow[]> {
  return rows(
    db,
    sql`
      select r.*, (select string_agg(o.text, '' order by o.number) from config_run_output o where o.config_run_id = r.id) as output
      from config_runs r order by r.id`,
  )
}
