import { cp, mkdir, rename, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ROOT } from '../root.ts'
import { startPglite } from './start-pglite.ts'
import { syncDirectory } from './synced-files.ts'

/**
 * Creates an empty database once per installation and keeps it as a template, because copying it takes a fifteenth of the
 * time of creating one (docs/decisions/0004-embedded-template.md). Does nothing when it exists.
 */
export async function makeTemplate(): Promise<void> {
  const path = computeTemplatePath()
  if (await exists(path)) return
  const unfinished = `${path}.${process.pid}`
  await mkdir(dirname(path), { recursive: true })
  const pglite = await startPglite({ directory: unfinished, fsync: false })
  await pglite.close()
  await rename(unfinished, path).catch(() => rm(unfinished, { recursive: true })) // another process was first
}

/**
 * Prepares the directory of the database inside a data directory: an empty one is filled from the template if there is one.
 * A preparation that a crash interrupted is discarded: it cannot hold any data yet.
 */
export async function prepareDirectory(
  dataDir: string,
  { fsync }: { readonly fsync: boolean },
): Promise<{ directory: string; finish: () => Promise<void> }> {
  const directory = join(dataDir, 'database')
  const unfinished = join(dataDir, 'database.unfinished')
  const isNew = !(await exists(directory)) || (await exists(unfinished))
  let copied: Promise<void> | null = null
  if (isNew) {
    await rm(directory, { recursive: true, force: true })
    await mkdir(unfinished, { recursive: true })
    await mkdir(directory, { mode: 0o700 })
    if (await exists(computeTemplatePath())) {
      await cp(computeTemplatePath(), directory, { recursive: true })
      copied = fsync ? syncDirectory(directory) : null // while the database starts, which syncs by itself what it changes
      copied?.catch(() => undefined) // `finish` tells of it
    }
  }
  return {
    directory,
    async finish() {
      if (isNew && fsync) await (copied ?? syncDirectory(directory))
      await rm(unfinished, { recursive: true, force: true })
    },
  }
}

/** Removes a database that could not be created completely, for example on a full disk. */
export async function discardUnfinished(dataDir: string): Promise<void> {
  const unfinished = join(dataDir, 'database.unfinished')
  if (!(await exists(unfinished))) return
  await rm(join(dataDir, 'database'), { recursive: true, force: true })
  await rm(unfinished, { recursive: true, force: true })
}

function computeTemplatePath(): string {
  return fileURLToPath(new URL(`node_modules/.cache/millwright/pglite-${readPgliteVersion()}`, ROOT))
}

/** The version of PGlite: a database created by one release is only certain to work with this release. */
function readPgliteVersion(): string {
  const require = createRequire(import.meta.url)
  const main = require.resolve('@electric-sql/pglite')
  const { version } = require(join(dirname(main), '../package.json')) as { version: string } // every package.json has a version
  return version
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
