import { cp, mkdir, rename, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ROOT } from '../root.ts'
import { startPglite } from './start-pglite.ts'

/**
 * Makes an empty database once per installation and keeps it, because copying it takes a fifteenth of the time that
 * making one takes (docs/decisions/0004-embedded-template.md). Does nothing when it is already there.
 */
export async function makeTemplate(): Promise<void> {
  const path = templatePath()
  if (await exists(path)) return
  const unfinished = `${path}.${process.pid}`
  await mkdir(dirname(path), { recursive: true })
  const pglite = await startPglite({ directory: unfinished })
  await pglite.close()
  await rename(unfinished, path).catch(() => rm(unfinished, { recursive: true })) // somebody else was first
}

/**
 * The place of the database inside a data directory, filled from the template when there is one and the place is empty.
 * Work that a crash interrupted is thrown away: nobody can have stored anything in it yet.
 */
export async function preparedDirectory(dataDir: string): Promise<{ directory: string; finish: () => Promise<void> }> {
  const directory = join(dataDir, 'database')
  const unfinished = join(dataDir, 'database.unfinished')
  const isNew = !(await exists(directory)) || (await exists(unfinished))
  if (isNew) {
    await rm(directory, { recursive: true, force: true })
    await mkdir(unfinished, { recursive: true })
    await mkdir(directory, { mode: 0o700 })
    if (await exists(templatePath())) await cp(templatePath(), directory, { recursive: true })
  }
  return { directory, finish: () => rm(unfinished, { recursive: true, force: true }) }
}

/** Leaves nothing of a database that could not be made, as on a full disk. */
export async function discardUnfinished(dataDir: string): Promise<void> {
  const unfinished = join(dataDir, 'database.unfinished')
  if (!(await exists(unfinished))) return
  await rm(join(dataDir, 'database'), { recursive: true, force: true })
  await rm(unfinished, { recursive: true, force: true })
}

function templatePath(): string {
  return fileURLToPath(new URL(`node_modules/.cache/millwright/pglite-${pgliteVersion()}`, ROOT))
}

/** A database made by one release is only certain to fit the same release. */
function pgliteVersion(): string {
  const require = createRequire(import.meta.url)
  const main = require.resolve('@electric-sql/pglite')
  const { version } = require(join(dirname(main), '../package.json')) as { version: string } // package.json has one
  return version
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
