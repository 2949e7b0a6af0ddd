import { chown, mkdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Logger } from 'pino'
import type { Database, DatabaseConfig } from '../database/database.ts'
import { syncFolder } from '../lib/sync-folder.ts'
import { openLocked } from './bundled.ts'
import { exists, finishUpgrade, readClusterVersion, UPGRADED } from './cluster.ts'
import { lockDirectory } from './directory-lock.ts'
import { endFormer } from './postmaster.ts'
import { findPrograms, findProgramsOf, readMajor } from './programs.ts'

/** What an upgrade has done. */
interface Upgrade<Result> {
  /** The major versions before and after. */
  readonly from: string
  readonly to: string
  /** The folder with the files of the former version. */
  readonly kept: string
  readonly copied: Result
}

/**
 * Carries the database in a data directory over to the version of the programs in the configuration. `copy` fills a new one
 * from the present one, whose programs `former` may name. The new one takes its place when it is complete, so that one of them
 * can be used wherever this is interrupted; the former files are kept. Null where the version is that of the programs.
 */
export async function upgradeCluster<Result>(
  config: DatabaseConfig,
  former: string | null,
  copy: (from: Database, to: Database) => Promise<Result>,
  log: Logger,
): Promise<Upgrade<Result> | null> {
  const { dataDir } = config
  using _ = await lockDirectory(dataDir)
  const directory = join(dataDir, 'postgresql')
  const unfinished = join(dataDir, 'upgrade')
  await removeUnfinished(unfinished)
  await finishUpgrade(directory)
  const to = readMajor(findPrograms(dataDir, config.postgresqlBin).version)
  const from = await readClusterVersion(directory)
  if (from === to) return null
  const postgresqlBin = findProgramsOf(from, dataDir, former).folder
  try {
    await makeBeside(unfinished, dataDir)
    const copied = await copyBetween({ ...config, postgresqlBin }, { ...config, dataDir: unfinished }, copy, log)
    const kept = await chooseName(`${directory}-${from}`)
    await rename(join(unfinished, 'postgresql'), `${directory}${UPGRADED}`)
    syncFolder(dataDir)
    await rename(directory, kept)
    await rename(`${directory}${UPGRADED}`, directory)
    syncFolder(dataDir)
    return { from, to, kept, copied }
  } finally {
    await removeUnfinished(unfinished)
  }
}

/** Removes what an interrupted upgrade has left, whose PostgreSQL may be about to end. */
async function removeUnfinished(folder: string): Promise<void> {
  await endFormer(join(folder, 'postgresql'))
  await rm(folder, { recursive: true, force: true, maxRetries: 3 })
}

/** Makes a folder that belongs to the account of the data directory, as which PostgreSQL runs. */
async function makeBeside(folder: string, dataDir: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 })
  const { uid, gid } = await stat(dataDir)
  if (process.getuid?.() === 0) await chown(folder, uid, gid)
}

async function copyBetween<Result>(
  former: DatabaseConfig,
  next: DatabaseConfig,
  copy: (from: Database, to: Database) => Promise<Result>,
  log: Logger,
): Promise<Result> {
  await using from = await openLocked(former, (run) => run, log)
  await using to = await openLocked(next, (run) => run, log)
  return await copy(from, to)
}

/** Yields a name that nothing has yet. */
async function chooseName(path: string): Promise<string> {
  let name = path
  for (let at = 2; await exists(name); at++) name = `${path}.${at}`
  return name
}
