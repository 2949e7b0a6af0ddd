import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, databaseConfigOf, type Settings } from '../config/config.ts'
import { createLogger } from '../log.ts'
import { NAME } from '../postgresql/cluster.ts'
import { connect } from '../postgresql/connect.ts'
import { isInUse } from '../postgresql/directory-lock.ts'
import { formatFailure } from './failures.ts'
import { requireDatabase } from './operate.ts'

/**
 * Opens a session of psql with the database in the data directory, beside the service or alone. Resolves with the exit code of
 * psql, or with 1 after printing why there is none.
 */
export async function openPsql({ config }: Settings): Promise<number> {
  try {
    if (config.databaseUrl !== null) throw new Error('the database is on a server: run psql with its address')
    const psql = findPsql(config.postgresqlBin)
    requireDatabase(config)
    return await openBesideOrAlone(config, psql)
  } catch (error) {
    process.stderr.write(`millwright: ${formatFailure(error, config)}\n`)
    return 1
  }
}

/** Finds psql beside the programs that the configuration names, else in PATH. {@throws Error} where there is none */
function findPsql(folder: string | null): string {
  const psql = folder !== null && existsSync(join(folder, 'psql')) ? join(folder, 'psql') : 'psql'
  if (!spawnSync(psql, ['--version']).error) return psql
  throw new Error('psql is missing: install a client of PostgreSQL (Debian: postgresql-client)')
}

async function openBesideOrAlone(config: Config, psql: string): Promise<number> {
  try {
    await using database = await connect(databaseConfigOf(config), createLogger(config))
    return await runPsql(psql, database.url)
  } catch (error) {
    if (!isInUse(error)) throw error
    // The fifth line names the folder of the socket.
    const [, , , , folder = ''] = readFileSync(join(config.dataDir, 'postgresql/postmaster.pid'), 'utf8').split('\n')
    return runPsql(psql, `postgresql://${NAME}@/${NAME}?host=${encodeURIComponent(folder)}`)
  }
}

async function runPsql(psql: string, url: string): Promise<number> {
  const child = spawn(psql, [url], { stdio: 'inherit' })
  process.on('SIGINT', () => undefined) // psql takes it
  const [code] = (await once(child, 'close')) as [number | null] // the first argument of the event
  return code ?? 1
}
