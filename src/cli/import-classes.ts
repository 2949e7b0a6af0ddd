import { resolve } from 'node:path'
import { sql } from 'kysely'
import { type Config, databaseConfig, type Settings } from '../config.ts'
import { connect } from '../database/connect.ts'
import type { Db } from '../database/sql.ts'
import { Failure } from '../errors.ts'
import { SYSTEM } from '../identity/system-audit.ts'
import { importClasses } from '../import/importing.ts'
import type { EnvironmentReport } from '../import/report.ts'
import type { ClassSource } from '../import/source.ts'
import { folderSource } from '../import/sources/folder.ts'
import { serverSource } from '../import/sources/server.ts'
import { createLogger } from '../log.ts'
import { openProxyAccess } from '../proxies/access.ts'
import { reachOf } from '../proxies/reach.ts'
import { loadSettings, type Settings as ServiceSettings } from '../settings.ts'
import { failureSentence } from './failures.ts'

/**
 * Imports config classes from a folder of environments on this machine, or from a server of the configuration engine by
 * its URL, and prints what changes; with `dryrun` nothing is stored. Resolves with the exit code.
 */
export async function importClassesFrom({ config }: Settings, from: string, dryrun: boolean): Promise<number> {
  try {
    const log = createLogger(config)
    await using database = await connect(databaseConfig(config), log)
    const settings = await loadSettings(database.db)
    await using source = sourceFrom(config, from, settings)
    const reports = await importFrom(database.db, { source, settings, log, dryrun })
    for (const report of reports) process.stdout.write(reportText(report))
    if (reports.length === 0) process.stdout.write('There is nothing to change.\n')
    return 0
  } catch (error) {
    process.stderr.write(`millwright: ${failureSentence(error, config)}\n`)
    if (config.databaseUrl === null && isInUse(error)) process.stderr.write(WHILE_IT_RUNS)
    return 1
  }
}

const WHILE_IT_RUNS =
  'While the service runs on its embedded database, it has to be asked itself: POST /api/smart_proxies/<name>/import_configclasses\n'

/** The data directory is that of a running service, as a rule. */
function isInUse(error: unknown): boolean {
  return error instanceof Failure && error.code === 'unavailable'
}

type ImportContext = Parameters<typeof importClasses>[0]

async function importFrom(
  db: Db,
  { source, dryrun, ...rest }: Pick<ImportContext, 'settings' | 'log'> & { source: ClassSource; dryrun: boolean },
): Promise<readonly EnvironmentReport[]> {
  const user = { id: null, name: SYSTEM, admin: true, organizations: [], locations: [] }
  const ctx = { ...rest, db, user, origin: { requestId: null, address: null } }
  const order = { only: null, dryrun, force: false, except: new Set<never>(), seen: sql`true` }
  return (await importClasses(ctx, source, order)).reports
}

function sourceFrom(config: Config, from: string, settings: ServiceSettings): ClassSource & AsyncDisposable {
  if (!/^https?:\/\//.test(from)) return folderSource(resolve(from))
  const url = from.replace(/\/+$/, '')
  const reached = { url, ...reachOf({ proxies: openProxyAccess(config), settings }) }
  return {
    ...serverSource({ key: `server:${url}`, smartProxyId: null }, reached),
    async [Symbol.asyncDispose]() {}, // nothing is kept open to a server
  }
}

/** One environment as people read it: a line for what happens to it, and one for each list of names. */
function reportText({ name, actions, ...lists }: EnvironmentReport): string {
  const lines = Object.entries(lists).map(
    ([key, value]) => `  ${key.replaceAll('_', ' ')}: ${Array.isArray(value) ? value.join(', ') : value}\n`,
  )
  return `${name}: ${actions.join(', ') || 'unchanged'}\n${lines.join('')}`
}
