import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Failure } from '../errors.ts'

/** The right to use a data directory, until it is disposed or the process ends in any way. */
export interface DirectoryLock extends Disposable {
  readonly directory: string
}

/**
 * Creates the data directory (mode 0700) and locks it against every other process. {@throws Failure} 'unavailable' naming
 * the directory and the process that holds it. The lock is SQLite's lock on a file: the operating system releases it when
 * the process ends in any way, and it also holds against other users and other containers with the same directory. A process
 * number in a file would guarantee none of that; here it only serves the message.
 */
export async function lockDirectory(directory: string): Promise<DirectoryLock> {
  await makePrivate(directory)
  const owner = join(directory, 'owner')
  const lock = await acquireLock(directory, owner)
  await writeFile(owner, `${process.pid}\n`, { mode: 0o600 })
  return { directory, [Symbol.dispose]: () => lock.close() }
}

async function makePrivate(directory: string): Promise<void> {
  try {
    const created = await mkdir(directory, { recursive: true, mode: 0o700 })
    if (created) await chmod(directory, 0o700)
  } catch (error) {
    throw createUnusable(directory, error)
  }
}

async function acquireLock(directory: string, owner: string): Promise<DatabaseSync> {
  try {
    return openExclusively(join(directory, 'lock'))
  } catch (error) {
    if (!isLocked(error)) throw createUnusable(directory, error)
    const pid = await readFile(owner, 'utf8').then(
      (text) => `process ${text.trim()}`,
      () => 'another process',
    )
    const message = `The data directory ${directory} is in use by ${pid}: stop it first, or choose another directory`
    throw new Failure('unavailable', message, {}, { cause: error })
  }
}

function openExclusively(path: string): DatabaseSync {
  const lock = new DatabaseSync(path)
  try {
    lock.exec('pragma journal_mode = memory; begin exclusive')
    return lock
  } catch (error) {
    lock.close()
    throw error
  }
}

const SQLITE_BUSY = 5
const SQLITE_CANTOPEN = 14

/** Tells whether an error means that another process, usually a running service, holds the data directory. */
export function isInUse(error: unknown): boolean {
  return error instanceof Failure && isLocked(error.cause)
}

function isLocked(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY
}

function createUnusable(directory: string, cause: unknown): Failure {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const advice = isRefused(cause) ? ': run this as the account that may write there, or choose another directory' : ''
  return new Failure('unavailable', `The data directory ${directory} cannot be used: ${reason}${advice}`, {}, { cause })
}

/** Tells whether the system refused the path, or SQLite could not open its file there, for which it gives no reason. */
function isRefused(cause: unknown): boolean {
  if (!(cause instanceof Error)) return false
  return ('code' in cause && cause.code === 'EACCES') || ('errcode' in cause && cause.errcode === SQLITE_CANTOPEN)
}
