import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Workplace } from '../workplace.ts'
import { writeBackup } from './backup.ts'

/** Writes a backup into the configured directory, and removes the oldest ones beyond the number to keep. */
export async function backUpOnSchedule(at: Workplace): Promise<void> {
  const { backupDirectory, backupKeep, backupPassphrase } = at.config
  if (backupDirectory === null) return
  await mkdir(backupDirectory, { recursive: true, mode: 0o700 })
  await removeAbandoned(backupDirectory)
  const name = `millwright-${new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')}.backup`
  await storeBytes(
    writeBackup(at, backupPassphrase === null ? 'left out' : { passphrase: backupPassphrase }),
    join(backupDirectory, name),
  )
  const kept = (await readdir(backupDirectory)).filter((file) => NAME.test(file)).sort()
  for (const old of kept.slice(0, -backupKeep)) await rm(join(backupDirectory, old), { force: true })
  at.log.info({ file: name, keys: backupPassphrase === null ? 'left out' : 'closed' }, 'backup made')
}

/** Removes what processes have left that were killed: nobody has written to it for an hour. */
async function removeAbandoned(directory: string): Promise<void> {
  for (const file of await readdir(directory)) {
    if (!UNFINISHED.test(file)) continue
    const path = join(directory, file)
    if (Date.now() - (await stat(path)).mtimeMs > HOUR_MS) await rm(path, { force: true })
  }
}

/** Writes a file that appears under its name only when it is complete. */
export async function storeBytes(bytes: AsyncIterable<Uint8Array>, name: string): Promise<void> {
  const unfinished = `${name}.unfinished`
  try {
    await pipeline(Readable.from(bytes), createWriteStream(unfinished, { mode: 0o600, flush: true }))
    await rename(unfinished, name)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

const HOUR_MS = 60 * 60 * 1000
const UNFINISHED = /^millwright-\d{8}T\d{6}Z\.backup\.unfinished$/
const NAME = /^millwright-\d{8}T\d{6}Z\.backup$/
