import { createReadStream, existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { type Config, databaseConfigOf, type Settings } from '../config/config.ts'
import type { Database } from '../database/database.ts'
import { Failure } from '../errors.ts'
import { createCommandLogger } from '../log.ts'
import { listDifferent } from '../operator/backup/answers.ts'
import { openTarget, placeKeys, writeBackup } from '../operator/backup/backup.ts'
import { computeAnswers, computeTotals } from '../operator/backup/dump.ts'
import { type Loaded, load } from '../operator/backup/load.ts'
import { storeBytes } from '../operator/backup/scheduled.ts'
import { connect } from '../postgresql/connect.ts'
import { ROOT } from '../root.ts'
import { readVersion } from '../version.ts'
import { formatFailure } from './failures.ts'
import { operate, requireDatabase } from './operate.ts'

const MIGRATIONS = fileURLToPath(new URL('migrations', ROOT))

/** Writes a backup. The file appears under its name only when it is complete. */
export async function writeBackupInto(settings: Settings, name: string, withoutKeys: boolean): Promise<number> {
  const { backupPassphrase } = settings.config
  if (existsSync(name)) return reportFailure(`${name} exists already: name another file`)
  const folder = dirname(resolve(name))
  if (!existsSync(folder)) return reportFailure(`The backup could not be made: there is no folder ${folder}`)
  if (backupPassphrase === null && !withoutKeys) return reportFailure(PASSPHRASE)
  const passphrase = withoutKeys ? null : backupPassphrase
  return operate(settings, 'backup', { passphrase }, async (bytes) => {
    try {
      await storeBytes(bytes as AsyncIterable<Uint8Array>, name) // the result of this operation
    } catch (cause) {
      throw new Failure('unavailable', `The backup could not be made: ${reasonOf(cause)}`, {}, { cause })
    }
    print(`The backup is in ${name}${withoutKeys ? '; the encryption keys are not in it' : ''}.`)
  })
}

const PASSPHRASE =
  'set MILLWRIGHT_BACKUP_PASSPHRASE, so that the encryption keys can go into the backup, or leave them out with --without-keys and keep a copy of them elsewhere'

/** Restores a backup into the configured database, which must be empty. */
export function restoreFrom({ config }: Settings, name: string): Promise<number> {
  return attemptWork(config, async (log) => {
    const source = await openFile(name)
    const { totals, placed } = await restore(config, source, log)
    print(`${describe(totals)} restored.`)
    if (placed === null)
      print(
        'The encryption keys are not in this backup: put their file where this configuration has it before the start.',
      )
  })
}

/** Copies the configured database into another one. */
export function moveTo({ config }: Settings): Promise<number> {
  const target = { ...config, databaseUrl: config.moveTo }
  return attemptWork(target, async (log) => {
    if (config.moveTo === null) throw new Error('missing target: millwright move --to postgresql://user@host/database')
    requireDatabase(config)
    await using from = await connect(databaseConfigOf(config), log)
    const { totals } = await restore(target, writeBackup({ database: from, config, log }, 'left out'), log)
    print(
      `${describe(totals)} moved. From now on start the service with DATABASE_URL and the same data-dir, which has the`,
    )
    print('encryption keys; the database in it is left as it was.')
  })
}

/** Carries the database in the data directory over to another major version of PostgreSQL. */
export function upgradeDatabase({ config }: Settings, former: string | null): Promise<number> {
  return attemptWork(config, async (log) => {
    if (config.databaseUrl !== null || config.dataDir === 'memory')
      throw new Error('this is for the database in a data directory: name it with --data-dir, without DATABASE_URL')
    requireDatabase(config)
    const { upgradeCluster } = await import('../postgresql/upgrade.ts')
    const copy = (from: Database, to: Database) =>
      load(to, writeBackup({ database: from, config, log }, 'left out'), {
        migrations: MIGRATIONS,
        forward: true,
        accept: async () => undefined,
      })
    const upgrade = await upgradeCluster(databaseConfigOf(config), former, copy, log)
    if (upgrade === null) return print('The database has the version of these programs already.')
    const { from, to, kept, copied } = upgrade
    print(`${describe(copied.totals)} carried over from PostgreSQL ${from} to ${to}.`)
    print(`The former files are in ${kept}: remove them once you do not need them any more.`)
  })
}

/** Restores a backup in memory, and compares every table and the recorded answers with what the backup says. */
export function verifyBackup({ config }: Settings, name: string): Promise<number> {
  return attemptWork(config, async (log) => {
    const memory = { ...config, databaseUrl: null, dataDir: 'memory' }
    await using database = await connect(databaseConfigOf(memory), log)
    const options = { migrations: MIGRATIONS, forward: false, accept: async () => undefined }
    const { header, totals, answers } = await load(database, await openFile(name), options)
    const found = await computeTotals(database.db, Object.keys(totals))
    const different = Object.keys(totals).filter((table) => found[table]?.sha256 !== totals[table]?.sha256)
    if (different.length > 0) throw new Error(`after the restore, these tables differ: ${different.join(', ')}`)
    const requests = await compareAnswers(database, { header, totals, answers }, log)
    print(`${describe(totals)}, made by version ${header.version} at ${header.madeAt}: all as they were.`)
    print(requests)
  })
}

/** {@throws Error} naming the answers that differ. A different version of the program may answer differently. */
async function compareAnswers({ db }: Database, { header, answers }: Loaded, log: Logger): Promise<string> {
  if (header.version !== readVersion())
    return `Answers are not compared: this is version ${readVersion()}, which may answer otherwise.`
  const different = listDifferent(answers, await computeAnswers(db, header, log))
  if (different.length > 0) throw new Error(`after the restore, these answers differ: ${different.join(', ')}`)
  return `${Object.keys(answers).length} requests are answered as they were.`
}

async function restore(
  config: Config,
  bytes: AsyncIterable<Uint8Array>,
  log: Logger,
): Promise<Loaded & { readonly placed: string | null }> {
  const { database, undo } = await openTarget(config, log)
  let keys: Awaited<ReturnType<typeof placeKeys>> | null = null
  try {
    const accept: Parameters<typeof load>[2]['accept'] = async (header) => {
      keys = await placeKeys(config, header, config.backupPassphrase)
    }
    const loaded = await load(database, bytes, { migrations: MIGRATIONS, forward: true, accept })
    await database[Symbol.asyncDispose]()
    return { ...loaded, placed: (keys as { file: string | null } | null)?.file ?? null }
  } catch (error) {
    ;(keys as { remove: () => void } | null)?.remove() // assigned in a function that the compiler does not follow
    await database[Symbol.asyncDispose]()
    undo()
    throw error
  }
}

/** {@throws Error} when there is no such file */
async function openFile(name: string): Promise<AsyncIterable<Uint8Array>> {
  const file = createReadStream(resolve(name))
  const { promise, resolve: opened, reject } = Promise.withResolvers<void>()
  file
    .once('open', () => opened())
    .once('error', (cause) => {
      const isMissing = 'code' in cause && cause.code === 'ENOENT'
      reject(new Error(isMissing ? `there is no file ${name}` : `${name} cannot be read: ${cause.message}`, { cause }))
    })
  await promise
  return file
}

async function attemptWork(config: Config, work: (log: Logger) => Promise<void>): Promise<number> {
  try {
    await work(createCommandLogger(config))
    return 0
  } catch (error) {
    return reportFailure(formatFailure(error, config))
  }
}

function describe(totals: Loaded['totals']): string {
  const filled = Object.values(totals).filter(({ rows }) => rows > 0)
  return `${filled.reduce((sum, { rows }) => sum + rows, 0)} rows of ${filled.length} tables`
}

const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EFBIG: 'the file may not become so large',
  EDQUOT: 'the quota of the disk is used up',
  EACCES: 'this user may not write there',
  ECONNRESET: 'the service ended it; its log says why',
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return REASONS[code] ?? (error instanceof Error ? error.message : String(error))
}

function reportFailure(sentence: string): number {
  process.stderr.write(`millwright: ${sentence}\n`)
  return 1
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
