import { KEYS, type Key } from './keys.ts'
import { findNearest } from './nearest.ts'

/** The name that a key of the configuration has in the program. */
export type Property = keyof typeof KEYS

/** A value that somebody configured, and where: `--port`, `MILLWRIGHT_PORT`, `millwright.yaml: port`. */
export interface ConfiguredValue {
  readonly property: Property
  readonly place: string
  readonly text: string
}

/** Why a configured value cannot be used, as a sentence for whoever wrote it. */
export type Problem = string

/** Reads the text of a file; throws when it cannot be read. */
export type ReadFile = (path: string) => string

/** Lists all keys of the configuration with their names. */
export function listKeys(): [Property, Key][] {
  return Object.entries(KEYS) as [Property, Key][] // the keys of a constant are known
}

/** Reads a file; where that fails, `reason` is the rest of a sentence that says why. */
export function contentOf(path: string, readFile: ReadFile): { content: string } | { reason: string } {
  try {
    return { content: readFile(path) }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    return { reason: READ_ERRORS[code] ?? 'it cannot be read' }
  }
}

/** Formats a value for a message: quoted, on one line, and no longer than a line. */
export function quoteValue(value: string): string {
  return JSON.stringify(value.length > 100 ? `${value.slice(0, 100)}…` : value)
}

/** Yields the end of a sentence about an unknown word, which suggests the known one that was probably meant. */
export function suggestKnown(word: string, known: readonly string[]): string {
  const meant = findNearest(word, known)
  return meant === null ? '' : `: did you mean ${meant}?`
}

const READ_ERRORS: Record<string, string> = {
  ENOENT: 'it does not exist',
  EACCES: 'it may not be read by this user',
  EISDIR: 'it is a directory',
}
