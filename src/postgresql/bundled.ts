import { mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { chown, rename } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Logger, pino } from 'pino'
import type { Database, DatabaseConfig } from '../database/database.ts'
import { diskFull, Outage } from '../database/failures.ts'
import { connectServer } from '../database/server.ts'
import type { StatementRunner } from '../database/statements.ts'
import { Failure } from '../errors.ts'
import { computeTemplatePath, exists, NAME, prepareCluster, TEMPLATES } from './cluster.ts'
import { lockDirectory } from './directory-lock.ts'
import { migrate } from './migrate.ts'
import { startPostmaster } from './postmaster.ts'
import { findPrograms, type Programs } from './programs.ts'

/**
 * Opens the database in a data directory, in a PostgreSQL that this starts: reached by a socket alone, stopped when this is
 * disposed of. {@throws Failure} 'unavailable' when the directory is in use or cannot be used
 */
export async function connectBundled(
  config: DatabaseConfig,
  observe: (run: StatementRunner) => StatementRunner,
  log: Logger,
): Promise<Database> {
  await using stack = new AsyncDisposableStack()
  const dataDir = config.dataDir === 'memory' ? makeTemporary(stack) : config.dataDir
  stack.use(await lockDirectory(dataDir))
  const database = stack.use(await openLocked({ ...config, dataDir }, observe, log))
  const opened = stack.move()
  return { ...database, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** Opens the database in a data directory of which the caller holds the lock. {@throws Failure} 'unavailable' when it cannot be used */
export async function openLocked(
  config: DatabaseConfig,
  observe: (run: StatementRunner) => StatementRunner,
  log: Logger,
): Promise<Database> {
  await using stack = new AsyncDisposableStack()
  const url = await startCluster(config.dataDir, config, stack, log)
  const explain = (outage: Outage) => explainByDisk(outage, config.dataDir)
  const database = stack.use(await connectServer({ ...config, url, directUrl: null }, observe, log, explain))
  const opened = stack.move()
  return { ...database, kind: 'bundled', [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** Makes a folder that ends with the database. */
function makeTemporary(stack: AsyncDisposableStack): string {
  const folder = mkdtempSync(join(tmpdir(), 'millwright-'))
  stack.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
  return folder
}

/** Starts PostgreSQL in a locked data directory, and yields its address. */
async function startCluster(
  dataDir: string,
  { fsync, migrations, postgresqlBin }: DatabaseConfig,
  stack: AsyncDisposableStack,
  log: Logger,
): Promise<string> {
  const programs = findPrograms(dataDir, postgresqlBin)
  try {
    const directory = await prepareCluster(dataDir, { programs, fsync, migrations })
    const socketFolder = await chooseSocketFolder(dataDir, programs, stack)
    stack.use(await startPostmaster({ programs, directory, socketFolder, fsync, log }))
    return `postgresql://${NAME}@/${NAME}?host=${encodeURIComponent(socketFolder)}`
  } catch (cause) {
    if (cause instanceof Failure) throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    const failure = new Outage(`The database in ${dataDir} cannot be started: ${reason}`, cause)
    throw FULL.test(reason) ? diskFull(cause, dataDir) : explainByDisk(failure, dataDir)
  }
}

/** What PostgreSQL says of a full disk. */
const FULL = /No space left on device|: wrote only \d+ of \d+ bytes/

/** Sockets have paths of so many bytes at most, with the name that PostgreSQL gives them. */
const LONGEST_PATH = 103
const SOCKET = '.s.PGSQL.5432'

/** Yields the data directory, or a folder of its own for the socket where that of the data directory has a path too long. */
async function chooseSocketFolder(dataDir: string, programs: Programs, stack: AsyncDisposableStack): Promise<string> {
  if (Buffer.byteLength(join(dataDir, SOCKET)) <= LONGEST_PATH) return dataDir
  const folder = mkdtempSync(join(tmpdir(), 'millwright-'))
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  if (programs.account) await chown(folder, programs.account.uid, programs.account.gid)
  return folder
}

/**
 * Makes the template from which new databases of this installation are copied, with the schema of these migrations, unless it
 * exists. Yields its path.
 */
export async function makeTemplate(migrations: string): Promise<string> {
  mkdirSync(TEMPLATES, { recursive: true })
  const folder = mkdtempSync(join(TEMPLATES, 'unfinished-')) // beside the template, which it becomes by its name
  try {
    const path = await computeTemplatePath(findPrograms(folder, null), migrations)
    if (await exists(path)) return path
    const limits = { poolSize: 1, connectTimeoutMs: 60_000, statementTimeoutMs: 600_000, slowQueryMs: 600_000 }
    const config = {
      url: null,
      dataDir: folder,
      fsync: false,
      postgresqlBin: null,
      preparedStatements: true,
      ...limits,
    }
    {
      await using database = await connectBundled(config, (run) => run, pino({ level: 'silent' }))
      await migrate(database, migrations)
    }
    await rename(join(folder, 'postgresql'), path).catch(() => undefined) // another process has been quicker
    return path
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Names the disk of a data directory as the reason of an outage where it is full; else yields the outage as it is. */
function explainByDisk(outage: Outage, dataDir: string): Outage {
  return lacksRoom(dataDir) ? diskFull(outage.cause, dataDir) : outage
}

/** Tells whether the disk lacks room for the next file of the log, without which the database ends. */
function lacksRoom(directory: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(directory)
    return bavail * bsize < LOG_FILE_BYTES
  } catch {
    return false // the folder is gone, which is reported elsewhere
  }
}

const LOG_FILE_BYTES = 16 * 1024 * 1024
