import { readFileSync } from 'node:fs'

/** s text, i and n numbers, b yes or no, l… lists of these, m a map, j whatever JSON can say. */
export type OptionType = 's' | 'i' | 'n' | 'b' | 'ls' | 'li' | 'm' | 'j'

/** Flag, key, where it goes (path, query, body), type, what it is; required, may be emptied, values, where names are found. */
export type ManifestOption = readonly [
  flag: string,
  key: string,
  place: 'p' | 'q' | 'b',
  type: OptionType,
  doc: string,
  required?: 0 | 1,
  nullable?: 0 | 1,
  values?: string,
  found?: string,
]

export interface ManifestAction {
  /** What people type; the first is ours. */
  readonly words: readonly string[]
  readonly about: string
  readonly method: string
  /** Of these the one is taken whose parameters are all given, and most of them. */
  readonly paths: readonly string[]
  /** The key that the body stands under. */
  readonly wrap?: string
  /** What it answers, where that is no JSON. */
  readonly type?: string
  /** Indices of its options. */
  readonly options: readonly number[]
}

export interface Group {
  readonly words: readonly string[]
  readonly about: string
  /** The key that people know records by. */
  readonly label?: string
  /** Options by other names, with how their values are taken. */
  readonly flags?: Readonly<Record<string, readonly [flag: string, how: string]>>
  readonly actions: Readonly<Record<string, ManifestAction>>
}

export interface Manifest {
  /** First words of commands that belong to the server. */
  readonly server: readonly string[]
  /** Other names of options, each with ours. */
  readonly flags: Readonly<Record<string, string>>
  /** Commands by other names, each with ours and what its options are called there. */
  readonly lines: Readonly<Record<string, readonly [command: string, flags: Readonly<Record<string, string>>]>>
  readonly options: readonly ManifestOption[]
  readonly groups: Readonly<Record<string, Group>>
}

let read: Manifest | undefined

/** All commands, as `npm run docs` writes them from the routes. */
export function manifest(): Manifest {
  read ??= JSON.parse(readFileSync(new URL('manifest.json', import.meta.url), 'utf8')) as Manifest // we write it
  return read
}
