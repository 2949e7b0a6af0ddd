import { createHash } from 'node:crypto'
import { constants, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { removeFolder } from './server.ts'

const CACHE = join(import.meta.dirname, '../../../node_modules/.cache/millwright-directories')

/** Yields a folder that `make` has filled, once until the server's program or its data change. */
export async function provideTemplate(
  name: string,
  program: string,
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const template = join(CACHE, `${name}-${fingerprint(name, program)}`)
  if (!existsSync(template)) {
    mkdirSync(CACHE, { recursive: true })
    removeOutdated(name)
    const unfinished = join(CACHE, `unfinished-${name}-${process.pid}`)
    removeFolder(unfinished)
    mkdirSync(unfinished)
    await make(unfinished)
    moveOnce(unfinished, template)
  }
  return template
}

/** Copies a folder, sharing disk blocks where possible. */
export function copyFolder(from: string, to: string): void {
  cpSync(from, to, { recursive: true, mode: constants.COPYFILE_FICLONE })
}

/** Moves a folder, unless another process has created an equal one meanwhile. */
function moveOnce(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if (!existsSync(to)) throw error
    removeFolder(from)
  }
}

/** Removes those of former versions; not the newest, from which another process may be starting. */
function removeOutdated(name: string): void {
  const anHourAgo = Date.now() - 3_600_000
  const folders = readdirSync(CACHE).filter((each) => each.startsWith(`${name}-`) || each.startsWith('unfinished-'))
  for (const folder of folders.map((each) => join(CACHE, each))) {
    if ((statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0) < anHourAgo) removeFolder(folder)
  }
}

function fingerprint(name: string, program: string): string {
  const { size, mtimeMs } = statSync(program)
  const hash = createHash('sha256').update(`${size} ${mtimeMs}`)
  for (const file of [`${name}.ts`, `${name}-data.ts`, 'people.ts', 'entries.ts']) {
    hash.update(readFileSync(join(import.meta.dirname, file)))
  }
  return hash.digest('hex').slice(0, 16)
}
