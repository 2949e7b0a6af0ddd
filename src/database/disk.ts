import { statfsSync } from 'node:fs'
import { diskFull, type Outage } from './failures.ts'

/** Names the disk of a data directory as the reason of an outage where it is full; else yields the outage as it is. */
export function explainByDisk(outage: Outage, dataDir: string): Outage {
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
