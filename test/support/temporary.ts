import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'

const MEMORY = '/dev/shm'
const GIBIBYTE = 2 ** 30

/**
 * Keeps temporary files of a test run in memory, where there is plenty: databases are made of a thousand small files, and
 * services wait for each commit to reach the disk. Whoever sets TMPDIR decides otherwise. What is said of a loss of power is
 * tested on a disk of its own, wherever its file is.
 */
export function keepTemporaryFilesInMemory(): void {
  if (process.env.TMPDIR || !hasRoom()) return
  for (const name of readdirSync(MEMORY)) {
    const [, id] = /^millwright-(\d+)$/.exec(name) ?? []
    if (id && !existsSync(`/proc/${id}`)) removeLeftOver(join(MEMORY, name))
  }
  const folder = join(MEMORY, `millwright-${process.pid}`)
  mkdirSync(folder)
  chmodSync(folder, 0o1777) // as /tmp, because servers run as other users
  process.env.TMPDIR = folder
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }))
}

/** Removes what a killed run has left; what is still mounted there stays until somebody looks. */
function removeLeftOver(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch (error) {
    console.log(`skipped: removing ${folder} (${error instanceof Error ? error.message : error})`)
  }
}

/** Tells whether there is a file system in memory that has room and lets programs run. */
function hasRoom(): boolean {
  if (!existsSync('/proc/mounts') || totalmem() < 12 * GIBIBYTE) return false
  const mounted = readFileSync('/proc/mounts', 'utf8').split('\n')
  const options = mounted.find((line) => line.split(' ')[1] === MEMORY)?.split(' ')[3] ?? 'noexec'
  if (options.split(',').includes('noexec')) return false
  const { bavail, bsize } = statfsSync(MEMORY)
  return bavail * bsize > 6 * GIBIBYTE
}
