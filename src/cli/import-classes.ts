import { resolve } from 'node:path'
import {
  type ClassSource,
  createServerSource,
  type EnvironmentReport,
  importClasses,
  openFolderSource,
} from '../areas/configuration/index.ts'
import { assembleResources, listEncryptedColumns } from '../areas/index.ts'
import { openProxyAccess, transportOf } from '../areas/proxies/index.ts'
import { type Config, databaseConfigOf, type Settings } from '../config/config.ts'
import { SERVICE } from '../context.ts'
import type { Db } from '../database/sql.ts'
import { openEncryption } from '../encryption/keys.ts'
import { createLogger } from '../log.ts'
import { connect } from '../postgresql/connect.ts'
import { loadSettings, type Settings as ServiceSettings } from '../settings/settings.ts'
import { sql } from '../sql.ts'
import { reportFailure } from './failures.ts'

/**
 * Imports config classes from a folder of environments on this machine, or from a server of the configuration engine by
 * its URL, and prints what changes; with `dryrun` nothing is stored. Resolves with the exit code.
 */
export async function importClassesFrom({ config }: Settings, from: string, dryrun: boolean): Promise<number> {
  try {
    const log = createLogger(config)
    await using database = await connect(databaseConfigOf(config), log)
    const settings = await loadSettings(database.db, log)
    await using source = openSource(config, from, settings)
    const encryption = await openEncryption(database.db, config, listEncryptedColumns(assembleResources()))
    const reports = await importFrom(database.db, { source, settings, log, dryrun, encryption })
    for (const report of reports) process.stdout.write(reportText(report))
    if (reports.length === 0) process.stdout.write('There is nothing to change.\n')
    return 0
  } catch (error) {
    return reportFailure(error, config, 'POST /api/smart_proxies/<name>/import_configclasses')
  }
}

type ImportContext = Parameters<typeof importClasses>[0]

async function importFrom(
  db: Db,
  {
    source,
    dryrun,
    ...rest
  }: Pick<ImportContext, 'settings' | 'log' | 'encryption'> & { source: ClassSource; dryrun: boolean },
): Promise<readonly EnvironmentReport[]> {
  const ctx = { ...rest, db, user: { ...SERVICE, id: null }, origin: { requestId: null, address: null } }
  const order = { only: null, dryrun, force: false, except: new Set<never>(), seen: sql`true` }
  return (await importClasses(ctx, source, order)).reports
}

function openSource(config: Config, from: string, settings: ServiceSettings): ClassSource & AsyncDisposable {
  if (!/^https?:\/\//.test(from)) return openFolderSource(resolve(from))
  const url = from.replace(/\/+$/, '')
  const reached = { url, ...transportOf({ proxies: openProxyAccess(config), settings }) }
  return {
    ...createServerSource({ key: `server:${url}`, smartProxyId: null }, reached),
    async [Symbol.asyncDispose]() {}, // there is no connection to close
  }
}

/** Formats one environment for people: a line for what happens to it, and one for each list of names. */
function reportText({ name, actions, ...lists }: EnvironmentReport): string {
  const lines = Object.entries(lists).map(
    ([key, value]) => `  ${key.replaceAll('_', ' ')}: ${Array.isArray(value) ? value.join(', ') : value}\n`,
  )
  return `${name}: ${actions.join(', ') || 'unchanged'}\n${lines.join('')}`
}
