import { mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

/** A row that is deleted, with the names of its columns. */
export interface ArchivedRow {
  readonly id: number
  readonly created_at: string
}

/** Writes rows somewhere before they are deleted. When it fails, they are not deleted. */
export type ArchiveRows = (rows: readonly ArchivedRow[]) => Promise<void>

/**
 * Creates a function that stores rows of a table as compressed JSON lines, in files such as `2026-03/audits-0000000123.jsonl.gz`
 * below a folder: the month in which the rows were created (UTC), and the first id. It resolves once the disk has them.
 */
export function createArchive(folder: string, table: string): ArchiveRows {
  return async (rows) => {
    const months = Map.groupBy(rows, ({ created_at }) => created_at.slice(0, 'YYYY-MM'.length))
    for (const [month, ofMonth] of months) {
      const sorted = ofMonth.toSorted((one, other) => one.id - other.id)
      const name = `${table}-${String(sorted[0]?.id).padStart(10, '0')}.jsonl.gz`
      await writeDurably(join(folder, month), name, sorted.map((row) => `${JSON.stringify(row)}\n`).join(''))
    }
  }
}

/** Writes a compressed file beside its place and renames it, so that a file is there as a whole or not at all. */
async function writeDurably(folder: string, name: string, text: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, name)
  const file = await open(`${path}.new`, 'w', 0o600)
  try {
    await file.writeFile(await promisify(gzip)(text))
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}.new`, path)
  const directory = await open(folder, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
