import { closeSync, openSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { diskFull, Outage } from './failures.ts'

/**
 * Names the disk of a data directory as the reason why its database cannot be used, where it is full or cannot be written to;
 * else yields the outage as it is.
 */
export function explainByDisk(outage: Outage, dataDir: string): Outage {
  if (lacksRoom(dataDir)) return diskFull(outage.cause, dataDir)
  if (canWrite(dataDir)) return outage
  const message = `The database cannot write to its files in ${dataDir}: the disk is read-only or broken. Once it can be written to, the service goes on by itself`
  return new Outage(message, outage.cause, true)
}

/** Tries to write: a file system that became read-only after a fault may still claim to be writable. */
function canWrite(directory: string): boolean {
  const path = join(directory, 'probe')
  try {
    closeSync(openSync(path, 'w', 0o600))
    rmSync(path)
    return true
  } catch {
    return false
  }
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
