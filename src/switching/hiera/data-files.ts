import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isNameable } from '../../classification/matchers.ts'
import { Failure } from '../../errors.ts'
import { isMembers, type Members } from '../../lib/values.ts'
import type { Level } from './configuration.ts'
import { readDocument } from './read-document.ts'

/** A file of data at its place in the hierarchy. */
export interface DataFile {
  readonly name: string
  /** The place of its level from the top. */
  readonly rank: number
  readonly attributes: readonly string[]
  /** The matcher of its values; null for those of all hosts. */
  readonly match: string | null
  readonly data: Members
  readonly lines: ReadonlyMap<string, number>
}

/** The files of a hierarchy, the highest first, and those that are left out. */
export interface DataFiles {
  readonly files: readonly DataFile[]
  readonly left: readonly { readonly name: string; readonly reason: string }[]
}

const MOST_MEBIBYTES = 64

/** Reads the files that levels name. {@throws Failure} malformed, naming the file */
export function readDataFiles(folder: string, levels: readonly Level[]): DataFiles {
  const files: DataFile[] = []
  const left: { name: string; reason: string }[] = []
  const named = new Set<string>()
  const listings = new Map(levels.map(({ datadir }) => [datadir, listFiles(join(folder, datadir))]))
  const read = createFileReader(folder)
  for (const [rank, { datadir, pattern }] of levels.entries())
    for (const path of listings.get(datadir) ?? []) {
      const values = pattern.match(path)
      if (values === null) continue
      const name = `${datadir}/${path}`
      named.add(name)
      const reason = findUnnameable(values)
      if (reason !== null) left.push({ name, reason })
      if (values === 'ambiguous' || reason !== null) continue
      const { attributes } = pattern
      const match = attributes.map((attribute, at) => `${attribute}=${values[at]}`).join()
      files.push({ rank, attributes, match: match || null, ...read(name) })
    }
  for (const [datadir, paths] of listings)
    for (const path of paths.filter((one) => !named.has(`${datadir}/${one}`) && /\.(?:ya?ml|json|eyaml)$/.test(one)))
      left.push({ name: `${datadir}/${path}`, reason: 'no level that is taken names this file' })
  return { files, left }
}

function findUnnameable(values: readonly string[] | 'ambiguous'): string | null {
  if (values === 'ambiguous') return 'its name fits the path of its level in several ways'
  return values.every(isNameable) ? null : 'a matcher cannot name the values in its name (comma, equals sign)'
}

function listFiles(directory: string): readonly string[] {
  try {
    return readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name).slice(join(directory, '/').length).replaceAll('\\', '/'))
      .sort()
  } catch (error) {
    throw new Failure(
      'malformed',
      `the folder of data cannot be read: ${error instanceof Error ? error.message : error}`,
    )
  }
}

type Read = Pick<DataFile, 'name' | 'data' | 'lines'>

function createFileReader(folder: string): (name: string) => Read {
  let bytes = 0
  return (name) => {
    const path = join(folder, name)
    bytes += statSync(path).size
    if (bytes > MOST_MEBIBYTES * 2 ** 20)
      throw new Failure('malformed', `the files are larger than ${MOST_MEBIBYTES} MiB`)
    const { value, lines } = readDocument(name, readFileSync(path, 'utf8'))
    if (value !== null && !isMembers(value)) throw new Failure('malformed', `${name} is no map of keys and values`)
    return { name, data: value ?? {}, lines }
  }
}
