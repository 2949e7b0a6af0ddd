import { cp, mkdir, rename, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ROOT } from '../root.ts'
import { digestMigrations } from './migrate.ts'
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
 * Prepares the directory of the database inside a data directory: an empty one is filled from the template if there is one,
 * best from the one with the schema of these migrations, where the caller is about to apply them.
 * A preparation that a crash interrupted is discarded: it cannot hold any data yet.
 */
export async function prepareDirectory(
  dataDir: string,
  { fsync, migrations }: { readonly fsync: boolean; readonly migrations?: string | undefined },
): Promise<{ directory: string; finish: () => Promise<void> }> {
  const directory = join(dataDir, 'database')
  const unfinished = join(dataDir, 'database.unfinished')
  const isNew = !(await exists(directory)) || (await exists(unfinished))
  let copied: Promise<void> | null = null
  if (isNew) {
    await rm(directory, { recursive: true, force: true })
    await mkdir(unfinished, { recursive: true })
    await mkdir(directory, { mode: 0o700 })
    const template = await findTemplate(migrations)
    if (template) {
      await cp(template, directory, { recursive: true })
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

async function findTemplate(migrations: string | undefined): Promise<string | undefined> {
  const migrated = migrations === undefined ? [] : [await computeMigratedPath(migrations)]
  for (const path of [...migrated, computeTemplatePath()]) if (await exists(path)) return path
  return undefined
}

/** Yields where the template with the schema of the migrations in a folder is kept. */
export async function computeMigratedPath(folder: string): Promise<string> {
  return `${computeTemplatePath()}-${(await digestMigrations(folder)).slice(0, 16)}`
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

/** Tells whether something is there. */
export function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
