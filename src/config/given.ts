import { KEYS, type Key } from './keys.ts'
import { nearest } from './nearest.ts'

export type Property = keyof typeof KEYS

/** One value that somebody wrote down, and where: `--port`, `MILLWRIGHT_PORT`, `millwright.yaml: port`. */
export interface Given {
  readonly property: Property
  readonly place: string
  readonly text: string
}

/** Why something that was written down cannot be used, as a sentence for whoever wrote it. */
export type Problem = string

export type ReadFile = (path: string) => string

/** The configuration as one list, for everything that goes through all keys. */
export function allKeys(): [Property, Key][] {
  return Object.entries(KEYS) as [Property, Key][] // the keys of a constant are known
}

/** The content of a file, or the rest of a sentence that says why there is none. */
export function contentOf(path: string, readFile: ReadFile): { content: string } | { reason: string } {
  try {
    return { content: readFile(path) }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    return { reason: READ_ERRORS[code] ?? 'it cannot be read' }
  }
}

/** A value as people should see it in a message: quoted, on one line, and not longer than a line. */
export function quoted(value: string): string {
  return JSON.stringify(value.length > 100 ? `${value.slice(0, 100)}…` : value)
}

/** The end of a sentence about an unknown word: the known one that was probably meant. */
export function suggestion(word: string, known: readonly string[]): string {
  const meant = nearest(word, known)
  return meant === null ? '' : `: did you mean ${meant}?`
}

const READ_ERRORS: Record<string, string> = {
  ENOENT: 'it does not exist',
  EACCES: 'it may not be read by this user',
  EISDIR: 'it is a directory',
}
