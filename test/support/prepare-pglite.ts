import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { connect } from '../../src/database/connect.ts'
import { migrate } from '../../src/database/migrate.ts'
import { MIGRATIONS, quiet, testConfig } from './settings.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The file with the image of a migrated, empty database in memory. */
    pgliteImage: string | null
    /** The URL of a server with a database `template_millwright`; %DATABASE% stands for the name of the database. */
    postgresqlUrl: string | null
  }
}

/**
 * The global setup of the PGlite tests: one migrated database in memory, from whose image all test files start. The image is
 * kept until a migration or a package changes, because creating a database takes seconds.
 */
export async function setup(project: TestProject): Promise<void> {
  const folder = join(import.meta.dirname, '../../node_modules/.cache/millwright')
  const image = join(folder, `image-${fingerprint()}.tar`)
  if (!existsSync(image)) {
    mkdirSync(folder, { recursive: true })
    removeOutdated(folder)
    const unfinished = join(folder, `unfinished-${process.pid}`)
    writeFileSync(unfinished, await makeImage())
    renameSync(unfinished, image)
  }
  project.provide('pgliteImage', image)
  project.provide('postgresqlUrl', null)
}

/** Removes images of former migrations; not the newest, from which another process may be starting. */
function removeOutdated(folder: string): void {
  const anHourAgo = Date.now() - 3_600_000
  for (const file of readdirSync(folder).filter((each) => each.startsWith('image-'))) {
    if (statSync(join(folder, file)).mtimeMs < anHourAgo) rmSync(join(folder, file), { force: true })
  }
}

async function makeImage(): Promise<Buffer> {
  await using database = await connect(testConfig({ dataDir: 'memory' }), quiet)
  await migrate(database, MIGRATIONS)
  const image = await database.image()
  if (!image) throw new Error('The embedded database gave no image')
  return Buffer.from(await image.arrayBuffer())
}

function fingerprint(): string {
  const hash = createHash('sha256').update(readFileSync(join(MIGRATIONS, '../package-lock.json')))
  for (const file of readdirSync(MIGRATIONS).sort()) hash.update(file).update(readFileSync(join(MIGRATIONS, file)))
  return hash.digest('hex').slice(0, 16)
}
